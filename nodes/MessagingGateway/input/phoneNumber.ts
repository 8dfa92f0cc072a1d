import { Problem } from '../common/problem';
import { quote } from '../common/text';
import { internationalForms } from './countryCode';

/** What to enter as participants. */
export const NUMBERS_EXPECTED =
	'Enter phone numbers with country code, such as +55 11 99999-0001, or IDs such as 5511999990001@s.whatsapp.net. Separate them with commas, semicolons, or line breaks';
const FORMAT_AS_TEXT =
	'Format the column as plain text where the number comes from, then enter the number again';
const NAME_THE_COUNTRY = 'Write + and the country code instead of the 0, such as +55 11 99999-0001';
const OR_DEFAULT_CODE = "or add the option 'Default Country Code'";

const FEWEST_DIGITS = 8;
const MOST_DIGITS = 15;
/** In characters, with everything that people put between digits. */
const LONGEST_PARTICIPANT = 100;
/** Spreadsheets show numbers from this length on as 5.51E+12, and many programs save what is shown. */
const FEWEST_ROUNDED_DIGITS = 12;

// Marks that phones put around a copied number: text direction, joiners, byte order mark.
const INVISIBLE = /\p{Cf}/gu;
const NO_PHONE_NUMBER = /^(?!(?:[\s([]*\+)?[\d\s().[\]\p{Pd}]+$)/u;
/** What `{{ $json.phone }}@s.whatsapp.net` makes of a formatted number. */
const FORMATTED_JID = /^\+?\d[\d\s()[\].:_\p{Pd}]*@(?:s\.whatsapp\.net|c\.us|lid)$/u;
const ZERO_IN_BRACKETS = /\d.*[([]\s*0\s*[)\]]/s;

/** Text that is no phone number, whatever digits it has; the first that fits is told. */
const REFUSED: ReadonlyArray<[pattern: RegExp, reason: string, whatToDo?: string]> = [
	[/^$/, "it's empty"],
	[/@g\.us$/, "it's the ID of a group"],
	[/^(?:[+-]?[\d.,]+e[+-]?\d+|\+?\d+\.0+)$/i, 'a spreadsheet changed it', FORMAT_AS_TEXT],
	[
		FORMATTED_JID,
		'an ID has only digits before the @',
		'Remove the @ and what follows it: phone numbers may have spaces, brackets, dots and dashes, IDs may not',
	],
	[/\p{L}/u, 'it has letters'],
	[NO_PHONE_NUMBER, "it has symbols that aren't part of a phone number"],
	[
		ZERO_IN_BRACKETS,
		'with a (0) in it, it has no country code that can be relied on',
		'Remove the (0), and put + and the country code in front, such as +55 11 99999-0001',
	],
];

/** The problem with a participant. @param reason the end of a sentence, without a period */
export function notAPhoneNumber(value: unknown, reason: string, whatToDo = NUMBERS_EXPECTED): Problem {
	const message = `The participant ${quote(value)} isn't a valid phone number: ${reason}`;
	const [it, is] = /^it('s)? /.exec(reason) ?? [];
	const brief =
		it === undefined
			? `${quote(value)}: ${reason}`
			: `${quote(value)} ${is ? 'is ' : ''}${reason.slice(it.length)}`;
	return new Problem(message, whatToDo, brief);
}

/**
 * The text in which an item names a participant, without spaces around it.
 *
 * @throws Problem where it is neither text nor a whole number, or longer than any number or ID can be
 */
export function readText(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number')
		throw notAPhoneNumber(value, 'it must be text or a number');
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0))
		throw notAPhoneNumber(value, "it isn't a positive whole number");
	if (typeof value === 'number' && value >= 10 ** (FEWEST_ROUNDED_DIGITS - 1) && value % 1_000_000 === 0)
		throw notAPhoneNumber(
			value,
			'it ends in six zeros, so a spreadsheet has probably rounded it',
			`${FORMAT_AS_TEXT}. As text, a number may end in zeros`,
		);
	const text = String(value).trim();
	if (text.length > LONGEST_PARTICIPANT)
		throw notAPhoneNumber(text, `it has more than ${LONGEST_PARTICIPANT} characters`);
	return text;
}

/** Text without the marks that nobody sees. */
export function visible(text: string): string {
	return text.replace(INVISIBLE, '').trim();
}

/**
 * Reads a phone number.
 *
 * @param text as {@link visible} gives it
 * @param defaultCountryCode for numbers without `+` or `00`; without one, these begin with their country code
 * @returns 8 to 15 digits, with country code
 * @throws Problem where it is not a phone number, or has no country code
 */
export function readPhoneNumber(text: string, defaultCountryCode: string | undefined): string {
	const refused = REFUSED.find(([pattern]) => pattern.test(text));
	if (refused !== undefined) throw notAPhoneNumber(text, refused[1], refused[2]);
	const digits = text.replace(/\D/g, '');
	const isInternational = text.includes('+') || digits.startsWith('00');
	const full =
		isInternational || defaultCountryCode === undefined
			? withoutPrefix(text, digits, isInternational)
			: withCountryCode(text, digits, defaultCountryCode);
	if (full.length < FEWEST_DIGITS) throw notAPhoneNumber(text, `it has fewer than ${FEWEST_DIGITS} digits`);
	if (full.length > MOST_DIGITS)
		throw notAPhoneNumber(
			text,
			`it has more than ${MOST_DIGITS} digits, so it may be two numbers run together`,
		);
	return full;
}

function withoutPrefix(text: string, digits: string, isInternational: boolean): string {
	const full = text.includes('+') ? digits : digits.replace(/^00/, '');
	if (full.startsWith('0'))
		throw notAPhoneNumber(
			text,
			'it begins with 0, so it has no country code',
			isInternational ? NAME_THE_COUNTRY : `${NAME_THE_COUNTRY}, ${OR_DEFAULT_CODE}`,
		);
	return full;
}

function withCountryCode(text: string, digits: string, code: string): string {
	const [full, other] = internationalForms(digits, code);
	if (full === undefined)
		throw notAPhoneNumber(
			text,
			`its length doesn't match any phone number with country code ${code}`,
			'Check for a missing area code, or two numbers in one. Start a number of another country with + and its country code',
		);
	if (other !== undefined)
		throw new Problem(
			`The participant ${quote(text)} is unclear: it could be +${full} or +${other}`,
			'Start the number with + and its country code',
		);
	return full;
}
