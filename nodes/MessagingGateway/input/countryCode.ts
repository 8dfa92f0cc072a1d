import { Problem } from '../common/problem';
import { isBlank, quote } from '../common/text';
import { PHONE_LENGTHS } from './phoneLengths';

const CODE_EXPECTED = "Set 'Default Country Code' to the country code of your numbers, such as 55 or +55";

/**
 * Reads the country code for phone numbers that are written without one.
 *
 * @returns its digits, one of {@link PHONE_LENGTHS}; `undefined` where the option is left out
 * @throws Problem for anything but the country code of a country, with or without `+`
 */
export function readDefaultCountryCode(value: unknown): string | undefined {
	if (value === undefined) return undefined;
	if (isBlank(value))
		throw new Problem("'Default Country Code' is empty", `${CODE_EXPECTED}, or remove the option`);
	const isText = typeof value === 'string' || typeof value === 'number';
	const code = isText ? /^\+?([1-9]\d{0,2})$/.exec(String(value).trim())?.[1] : undefined;
	if (code === undefined)
		throw new Problem(
			`'Default Country Code' must be 1 to 3 digits that don't begin with 0, but it's ${quote(value)}`,
			CODE_EXPECTED,
		);
	if (PHONE_LENGTHS[code] === undefined)
		throw new Problem(`'Default Country Code' is ${code}, but no country has that code`, CODE_EXPECTED);
	return code;
}

/**
 * The international forms that a number written without `+` or `00` can stand for, judged by how long the country's
 * numbers are. A 0 in front is dropped, unless it is part of the country's numbers.
 *
 * @param digits of the number as written
 * @param code as {@link readDefaultCountryCode} gives it
 * @returns digits with country code: one form where the number is clear, none where it can't be one of the country
 */
export function internationalForms(digits: string, code: string): string[] {
	const lengths = PHONE_LENGTHS[code];
	if (lengths === undefined) return [];
	const { mobile, all, keepsZero = false } = lengths;
	const national = digits.replace(/^0/, '');
	const isInternational = national.startsWith(code) && mobile.includes(national.length - code.length);
	const isNational = (isInternational ? mobile : all).includes(national.length);
	const hasOwnZero = keepsZero && digits !== national && all.includes(digits.length);
	return [
		...(isInternational ? [national] : []),
		...(isNational ? [code + national] : []),
		...(hasOwnZero ? [code + digits] : []),
	];
}
