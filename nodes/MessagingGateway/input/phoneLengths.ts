import lengths from './phoneLengths.json';

/** How many digits the phone numbers of a country have, without its country code. */
export interface PhoneLengths {
	readonly mobile: readonly number[];
	/** Mobile and landline. */
	readonly all: readonly number[];
	/** Some of them begin with a 0 that is dialed from abroad too, as in Italy. */
	readonly keepsZero?: boolean;
}

/** By country code as it is dialed; written by `npm run phone-lengths`, from libphonenumber-js. */
export const PHONE_LENGTHS: Readonly<Record<string, PhoneLengths>> = lengths;
