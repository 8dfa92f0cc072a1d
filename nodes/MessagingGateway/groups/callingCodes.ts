import lengths from './phoneLengths.json';

/**
 * Lengths of phone numbers without their country code, by country code. `npm run phone-lengths` writes them from
 * libphonenumber-js.
 */
export const PHONE_LENGTHS: Readonly<
	Record<
		string,
		{
			/** ISO 3166 code of the largest country with this country code. Satellite networks have none. */
			readonly country?: string;
			/** First digits of mobile numbers, by length. */
			readonly mobile: Readonly<Record<string, string>>;
			/** Lengths of mobile and landline numbers, ascending. */
			readonly all: readonly number[];
			/** Whether some numbers begin with a 0 that is dialed from abroad, too, as in Italy. */
			readonly keepsZero?: boolean;
		}
	>
> = lengths;

/** Finds the country code that digits begin with, a key of {@link PHONE_LENGTHS}. */
export function callingCodeOf(digits: string): string | undefined {
	return [1, 2, 3].map((length) => digits.slice(0, length)).find((start) => start in PHONE_LENGTHS);
}
