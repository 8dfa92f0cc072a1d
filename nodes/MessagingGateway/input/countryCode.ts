import { groupBy } from '../common/maps';
import { Problem, type Fault } from '../common/problem';
import { quote } from '../common/text';
import { callingCodeOf, PHONE_LENGTHS } from '../groups/identity';

/** Calling codes that no single country owns. */
const SHARED_CODES: Readonly<Record<string, string>> = { '1': 'North America', '7': 'Russia or Kazakhstan' };
const WITH_ARTICLE =
	/^(?:Central|Comoros|Maldives|Netherlands|Philippines|United)|(?:Islands|Territory|Territories)$/;

const FEWEST_DIGITS = 8;
/** Fewest digits without `+`: shorter numbers nearly always lack their country code. */
export const FEWEST_WITHOUT_PLUS = 10;
export const MOST_DIGITS = 15;

type Patterns = Readonly<Record<string, RegExp>>;
/** Patterns where lengths and first digits alone would let local numbers of other countries pass. */
const NUMBERS: Patterns = { '1': /^[2-9](?!11)[0-8]\d[2-9]/ };
const MOBILE_NUMBERS: Patterns = { '55': /^\d\d(?:[6-9]\d{7}|\d{9})$/ };
const AREA_OF_BRAZIL = '(?:[14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[13-79])';
/** Mobile numbers as people write them inside the country today, and as lists have them there. */
const WRITTEN_TODAY: Patterns = {
	'30': /^(?:6[89]|94)/,
	'39': /^(?:3|43)/,
	'43': /^6[4-9]/,
	'52': /^\d{10}$/,
	'54': /^9?[123]\d{9}$/,
	'55': new RegExp(`^${AREA_OF_BRAZIL}9\\d{8}$`),
	'58': /^4[12]/,
	'62': /^8[1-35-9]/,
	'81': /^[6-9]0/,
	'880': /^(?:1|3[78]|44|6[46])/,
};
const LISTED_INSIDE: Patterns = {
	...WRITTEN_TODAY,
	'31': /^(?:6|97)/,
	'49': /^1[567]/,
	// Lists have Mexico's old 1 in front, too.
	'52': /^1?\d{10}$/,
	'54': /^(?!15\d{8}$)/,
	'55': new RegExp(`^${AREA_OF_BRAZIL}(?:9\\d{8}|[6-9]\\d{7})$`),
	'86': /^1[3-9]/,
};

/** Numbers that are another country's, too: behind Mexico's old 1 nearly all of North America's are. */
const ABROAD_TOO: Patterns = { '52': /^1/ };

/** Whether digits without country code are a mobile number of a country. */
function isMobile(national: string, code: string, ...patterns: Patterns[]): boolean {
	const isBegun = PHONE_LENGTHS[code]?.mobile[national.length]?.includes(national.charAt(0)) === true;
	return isBegun && [NUMBERS, ...patterns].every(({ [code]: pattern }) => pattern?.test(national) !== false);
}

/** Returns the number that digits are inside the own account's country, if they begin with another's code. */
export function readingInside(digits: string, own: string): string | undefined {
	const code = callingCodeOf(own);
	if (code === undefined || callingCodeOf(digits) === code) return undefined;
	return isMobile(digits, code, WRITTEN_TODAY) ? code + digits : undefined;
}

/** Country codes by length and first digit of the mobile numbers inside the country. */
const BY_BEGINNING = groupBy(
	Object.entries(PHONE_LENGTHS).flatMap(([code, { mobile }]) =>
		Object.entries(mobile).flatMap(([length, begins]) =>
			[...begins].map((digit) => ({ code, beginning: `${length} ${digit}` })),
		),
	),
	({ beginning }) => beginning,
);

/** Whether digits with country code may be a mobile number inside another country, too. */
export function mayBeLocal(digits: string): boolean {
	const codes = BY_BEGINNING.get(`${digits.length} ${digits.charAt(0)}`) ?? [];
	return codes.some(({ code }) => readingInside(digits, code) !== undefined);
}

/** Reads the country code for numbers without one. @returns a key of {@link PHONE_LENGTHS} @throws Problem */
export function readDefaultCountryCode(value: unknown): string | undefined {
	if (value === undefined) return undefined;
	const code = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const digits = code.trim().replace(/^\+/, '');
	if (Object.hasOwn(PHONE_LENGTHS, digits)) return digits;
	throw new Problem(
		`'Default Country Code' must be the calling code of a country, but it's ${quote(value)}`,
		'Set it to the country code of your numbers, such as 55 or +55, or remove the option',
	);
}

/** Drops a 0 behind the country code, if no number of the country begins with one. */
export function withoutTrunkZero(digits: string): string {
	const code = callingCodeOf(digits) ?? digits;
	const isDropped = digits.startsWith('0', code.length) && PHONE_LENGTHS[code]?.keepsZero !== true;
	return isDropped ? code + digits.slice(code.length + 1) : digits;
}

/** Takes off a code that is written twice. @returns `undefined` unless only the rest is a mobile number */
export function withoutSecondCode(digits: string): string | undefined {
	const rest = digits.slice(callingCodeOf(digits)?.length);
	const once = withoutTrunkZero(rest);
	const isTwice = callingCodeOf(rest) === callingCodeOf(digits) && misfitOf(once, true) === undefined;
	return isTwice && misfitOf(digits, true) !== undefined ? once : undefined;
}

/**
 * Lists the international forms of a number without `+` or `00`: one if it's clear, none if it can't be the
 * country's. Without its code it has to be a mobile number. Drops a 0, unless the country keeps it.
 */
export function internationalForms(digits: string, code = ''): string[] {
	const { mobile = {}, keepsZero = false } = PHONE_LENGTHS[code] ?? {};
	const national = digits.replace(/^0/, '');
	const full = withoutTrunkZero(national);
	const isInternational = national.startsWith(code) && full.length - code.length in mobile;
	const isNational = isMobile(national, code, LISTED_INSIDE);
	const isAbroadToo = ABROAD_TOO[code]?.test(national) === true && misfitOf(national, true) === undefined;
	const hasOwnZero = keepsZero && digits !== national && isMobile(digits, code);
	return [
		...(isInternational ? [full] : []),
		...(isNational ? [code + national] : []),
		...(isNational && isAbroadToo ? [national] : []),
		...(hasOwnZero ? [code + digits] : []),
	];
}

/** Says why no phone number has these digits. @param needsMobile whether a landline is refused */
export function misfitOf(digits: string, needsMobile: boolean): Fault | undefined {
	const code = callingCodeOf(digits);
	const plan = code && PHONE_LENGTHS[code];
	if (!plan) return ["doesn't begin with a country code"];
	const national = digits.slice(code.length);
	const { length } = national;
	if (national.startsWith('0') && !plan.keepsZero) return ['has a 0 too many behind its country code'];
	const place = placeOf(code);
	if (length < Math.min(...plan.all)) return [`is too short for ${place}`];
	if (length > Math.max(...plan.all)) return [`is too long for ${place}`];
	if (!plan.all.includes(length)) return [`is no number of ${place}`, 'none has that length'];
	if (NUMBERS[code]?.test(national) === false) return [`is no number of ${place}`];
	if (!needsMobile || isMobile(national, code, MOBILE_NUMBERS)) return undefined;
	return [`is no mobile number of ${place}`];
}

/** Says why digits are no phone number. @param isCodeCertain if not, a short number or a landline is none */
export function faultOf(full: string, isCodeCertain: boolean): Fault | undefined {
	if (full.startsWith('0')) return ['begins with 0, so it has no country code'];
	if (!isCodeCertain && full.length < FEWEST_WITHOUT_PLUS)
		return [`has fewer than ${FEWEST_WITHOUT_PLUS} digits and no +`];
	const once = withoutSecondCode(full);
	if (once !== undefined) return ['has its country code twice', `write +${once}`];
	if (full.length < FEWEST_DIGITS) return [`has fewer than ${FEWEST_DIGITS} digits`];
	if (full.length > MOST_DIGITS)
		return [`has more than ${MOST_DIGITS} digits, so it may be two numbers run together`];
	return misfitOf(full, !isCodeCertain);
}

/** Names the country of a calling code. */
export function placeOf(code: string): string {
	const country = PHONE_LENGTHS[code]?.country;
	const name = country && new Intl.DisplayNames('en', { type: 'region' }).of(country);
	const place = SHARED_CODES[code] ?? name ?? `+${code}`;
	return WITH_ARTICLE.test(place) ? `the ${place}` : place;
}

/** Writes a number as people read it, with its country: `+51 991 234 567 (Peru)`. */
export function describeNumber(digits: string): string {
	const code = callingCodeOf(digits) ?? '';
	const national = digits.slice(code.length);
	const [pattern, spaced] =
		code === '55' ? [/^(\d\d)(\d{5})(?=\d{4}$)/, '$1 $2-'] : [/\d{3}(?=\d{3})/g, '$& '];
	return `+${code} ${national.replace(pattern, spaced)} (${placeOf(code)})`;
}
