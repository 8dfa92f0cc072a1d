import lengths from './phoneLengths.json';

/** How many digits the phone numbers of a country have, without its country code. */
export interface PhoneLengths {
	/** ISO 3166 code; the largest of those that share the code. Satellite networks have none. */
	readonly country?: string;
	/** The first digits of mobile numbers, by length. */
	readonly mobile: Readonly<Record<string, string>>;
	/** Mobile and landline, ascending. */
	readonly all: readonly number[];
	/** Some of them begin with a 0 that is dialed from abroad too, as in Italy. */
	readonly keepsZero?: boolean;
}

/** By country code as it is dialed; written by `npm run phone-lengths`, from libphonenumber-js. */
export const PHONE_LENGTHS: Readonly<Record<string, PhoneLengths>> = lengths;
