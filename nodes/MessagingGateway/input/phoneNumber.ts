import { joinFault, Problem, type Fault } from '../common/problem';
import { oneLine, quote, uncapitalized } from '../common/text';
import type { Participant } from '../groups/change';
import { callingCodeOf } from '../groups/identity';
import {
	internationalForms,
	describeNumber,
	faultOf,
	FEWEST_WITHOUT_PLUS,
	mayBeLocal,
	MOST_DIGITS,
	misfitOf,
	placeOf,
	readingInside,
	withoutSecondCode,
	withoutTrunkZero,
} from './countryCode';

const EXAMPLE = '+55 11 99999-0001';
export const NUMBERS_EXPECTED = `Enter phone numbers with country code, such as ${EXAMPLE}, or IDs such as 5511999990001@s.whatsapp.net. Separate them with commas, semicolons, or line breaks`;
const FORMAT_AS_TEXT =
	'Format the column as plain text where the number comes from, then enter the number again';
const NAME_THE_COUNTRY = `Write + and the country code instead of the 0, such as ${EXAMPLE}`;
/** Gateways list members under numbers of old plans, too. */
const OR_LISTED = "If the number is from Get Participants, use the field 'jid' instead";
const CHECK_DIGITS = `Check for missing digits (spreadsheets take off a 0 in front), for two numbers in one, and for digits that nobody dials from abroad. Start a number of another country with + and its country code. ${OR_LISTED}`;
const addCode = (example = '') => `write + and the country code${example}, or set Default Country Code`;
const ADD_PLUS = `Write + and the country code in front, such as ${EXAMPLE}`;
const INSTEAD_OF_ID = 'write the number with + instead';
const ADD_PLUS_TO_ID = `${ADD_PLUS}, and no @`;

/** Says how to set the country code of many numbers. @param own the digits of the own account */
function setCode(own = ''): string {
	const code = callingCodeOf(own);
	const enter = code === undefined ? '' : `, and enter ${code}, as your own account has`;
	return `Choose Add option > Default Country Code below Options${enter}`;
}

const withoutCode = (own?: string) => ['they have no country code', setCode(own)] as const;

/** Most digits of numbers without country code: an area code, and as many as mobile numbers have. */
const MOST_LOCAL_DIGITS = 11;
/** Most characters of a participant, with everything that people put between digits. */
const LONGEST_PARTICIPANT = 100;
/** Length from which spreadsheets show numbers as 5.51E+12. Many programs save them in that form. */
const FEWEST_ROUNDED_DIGITS = 12;

// Marks that phones put around a copied number. Those that show digits in another order than they are sent in
// stay, and are refused: what people approve has to be what is sent.
const INVISIBLE = /(?![\u202b\u202e\u2067]|[\u200f\u061c].*\d\D+\d)\p{Cf}/gsu;
const NO_PHONE_NUMBER = /^(?!(?:[\s([]*\+)?[\d\s().[\]\p{Pd}]+$)/u;
/** Spreadsheets' forms of a whole number: 5.51E+12, and with a fraction or signs between thousands. */
export const CHANGED =
	/^(?:[+-]?[\d.,]+e[+-]?\d+|\+?\d+[.,]0+|\+?\d{7,}\.\d{1,2}|\+?\d{1,3}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+,\d+))$/i;
const ZERO_IN_BRACKETS = /^(.*\d.*)[([]\s*0\s*[)\]]/s;
/** Area code, 9, and eight digits: how Brazilians write their numbers to each other. */
const LOCAL_IN_BRAZIL = /^[1-9]{2}9\d{8}$/;

/** Patterns of what programs and lists put around a number, each with what stays of it. */
const AROUND_NUMBERS: ReadonlyArray<[RegExp, string]> = [
	[/^=?["“„]([^"“”]*)["“”]$/, '$1'],
	[/^['‘’]([^'‘’]*)['‘’]?$/, '$1'],
	[/^(?:[-–—•*·]|\d{1,3}[.)])\s*(?=[([]?\+)/, ''],
	// Long enough for a number with country code: a first bracket that got lost doesn't make a list.
	[/^\d{1,3}\)\s*(?=(?:\D*\d){12})/, ''],
	[/^(?:tel|p|whatsapp):/i, ''],
	[/^(?:\+\s*)+(?=\+)/, ''],
	// As people write it whose language goes from right to left.
	[/^(\d[\d\s().-]*)\+$/, '+$1'],
];

const YEAR = String.raw`(?:19|20)\d\d`;
const DAY_OR_MONTH = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
/** Dates such as `2026-11-24`, `24.11.2026` and `11/24/2026`, also with a time. */
const WRITTEN_DATE = new RegExp(
	String.raw`^(?:${YEAR}([-/. ])${DAY_OR_MONTH}\1${DAY_OR_MONTH}|${DAY_OR_MONTH}([-/. ])${DAY_OR_MONTH}\2${YEAR})(?:[T ,].*:.*)?$`,
);
const DAY_AND_MONTH = String.raw`(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2]))`;
const DATE_DIGITS = new RegExp(`^(?:${YEAR}${DAY_AND_MONTH}|${DAY_AND_MONTH}${YEAR})$`);

/** Patterns of text that is no phone number, whatever its digits. The first match gives the reason. */
const REFUSED: ReadonlyArray<
	[pattern: Pick<RegExp, 'test'>, fault: Fault | ((text: string) => Fault), whatToDo?: string]
> = [
	[/^$/, ['is empty']],
	[/\p{Cf}/u, ['has an invisible mark that shows its digits in another order'], 'Type the number again'],
	[
		/\{\{|\}\}|\$json\b/,
		['is an expression as text', 'switch the field to Expression'],
		'Choose Expression above the field. In a sheet or a data table, write the number itself',
	],
	[/@g\.us$/, ['is the ID of a group']],
	[WRITTEN_DATE, ['is a date'], 'Check which column the participants come from'],
	[CHANGED, ['', 'a spreadsheet changed it'], FORMAT_AS_TEXT],
	[/^#[A-Z][A-Z\d/]*[!?]?$/i, ['', 'a spreadsheet changed it'], FORMAT_AS_TEXT],
	[/^(?:undefined|null)$/, ['has no number in it']],
	[/\p{L}/u, ['has letters']],
	[/^\D*$/, ['has no digits']],
	[/^#/, ['has a # in front', 'write + instead'], ADD_PLUS],
	[
		NO_PHONE_NUMBER,
		symbolIn,
		'Write a number with the digits 0 to 9, spaces, and + ( ) . - only. Separate numbers with commas, semicolons, or line breaks',
	],
	[
		{ test: hasMisplacedZero },
		['', "with a (0) in it, its country code can't be relied on"],
		`Write it as it's dialed from abroad, with + and the country code in front, such as ${EXAMPLE}`,
	],
];

function symbolIn(text: string): Fault {
	const [symbol] = /[^\d\s().[\]\p{Pd}+]/u.exec(text) ?? [];
	return [symbol === undefined ? "has a + that isn't in front" : `has a ${oneLine(symbol)}`];
}

/** Whether a `(0)` is anywhere but in front, or behind a country code that drops it. */
function hasMisplacedZero(text: string): boolean {
	const before = ZERO_IN_BRACKETS.exec(text)?.[1]?.replace(/\D/g, '').replace(/^00/, '');
	return before !== undefined && withoutTrunkZero(`${before}0`) !== before;
}

/** Makes the problem of a participant. @param ofMany the sentence about many such values */
export const participantProblem = (value: unknown, fault: Fault, whatToDo: string, ofMany?: Fault) =>
	new Problem(`The participant ${quote(value)} ${joinFault(fault)}`, whatToDo, { value, fault, ofMany });

export function notAPhoneNumber(value: unknown, fault: Fault, whatToDo = NUMBERS_EXPECTED, ofMany?: Fault) {
	const [said, more] = fault;
	const why = joinFault([said && `it ${said}`, more]);
	const message = `The participant ${quote(value)} isn't a valid phone number: ${why}`;
	return new Problem(message, whatToDo, { value, fault, ofMany });
}

export function readGiven(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number')
		throw notAPhoneNumber(value, ['must be text or a number']);
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0))
		throw notAPhoneNumber(value, ["isn't a positive whole number"], FORMAT_AS_TEXT);
	if (typeof value === 'number' && value >= 10 ** (FEWEST_ROUNDED_DIGITS - 1) && value % 1_000_000 === 0)
		throw notAPhoneNumber(
			value,
			['ends in six zeros, so a spreadsheet has probably rounded it'],
			`${FORMAT_AS_TEXT}. As text, a number may end in zeros`,
		);
	const text = String(value).trim();
	if (text.length > LONGEST_PARTICIPANT)
		throw notAPhoneNumber(text, [`has more than ${LONGEST_PARTICIPANT} characters`]);
	return text;
}

/** Reads digits of all scripts as 0 to 9, and takes off marks that can't be seen. */
export function legible(text: string): string {
	return text
		.replace(/[^\d\P{Nd}]/gu, valueOfDigit)
		.replace(/[！-～]/g, (wide) => wide.normalize('NFKC'))
		.replace(INVISIBLE, '')
		.trim();
}

/** Gives a digit's value by its place: the ten digits of a script follow one another. */
function valueOfDigit(digit: string): string {
	let place = -1;
	for (let code = digit.codePointAt(0) ?? 0; /\p{Nd}/u.test(String.fromCodePoint(code)); code--) place++;
	return String(place % 10);
}

/** Takes off what programs and lists put around a number. */
export function undressed(text: string): string {
	if (/^\+?\d+$/.test(text)) return text;
	return AROUND_NUMBERS.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept).trim(), text.trim());
}

/** A number's place in a list, unless it's a country or area code. */
const PLACE_IN_LIST = /^\d{1,3}(?:\)|\.(?=\s))/;

/** The end of an ID that has a number in it, with a device (`:12`) at most. */
const SUFFIX = /(?:(?<=\d):\d{1,10})?@(?:s\.whatsapp\.net|c\.us)$/i;

export const withoutSuffix = (text: string): string => text.replace(SUFFIX, '').trim();

/** Ways to read numbers that don't say their country. */
export interface NumberOptions {
	/** Digits, for phone numbers without `+` or `00`. */
	defaultCountryCode?: string | undefined;
	/** The digits of the own account, if the process knows it. */
	own?: string | undefined;
	/** Whether an ID is refused for its digits only after the group's members are read: theirs are certain. */
	readsMembers?: boolean;
}

/** A number as somebody has written it, and the whole text, which may be an ID. */
interface Written extends NumberOptions {
	text: string;
	number: string;
}

/** A slash behind an area code: `0170/1234567`. In `99877-0001/2` it parts two people: as one, a stranger. */
const IN_TWO_PARTS = /^((?:\+|00)?(?:[^\d/]*\d){1,6})\s*\/\s*((?:\d[^\d/]*){6,})$/;

/** Reads a number, also of an ID. @returns digits with country code, or why it's none */
export function readPhoneNumber(text: string, options: NumberOptions): string | Problem {
	const written = { ...options, text, number: withoutSuffix(text) };
	const [, ...parts] = IN_TWO_PARTS.exec(written.number) ?? [];
	const isNumber = (number: string) => typeof readDigits({ ...written, number }) === 'string';
	const joined = parts.join(' ');
	if (joined !== '' && !parts.some(isNumber) && isNumber(joined)) written.number = joined;
	const full = readDigits(written);
	const rest = written.number.replace(PLACE_IN_LIST, '');
	if (rest === written.number || typeof full !== 'string') return full;
	const digits = rest.replace(/\D/g, '');
	const { defaultCountryCode: code } = options;
	const forms = code === undefined ? [digits] : internationalForms(digits, code);
	// `3. 6591301969` may be either of two people.
	const other = forms.find((form) => form !== full && misfitOf(form, true) === undefined);
	return other === undefined ? full : unclear(text, full, other);
}

function readDigits(written: Written): string | Problem {
	const { text, number, defaultCountryCode: code } = written;
	const [, fault, whatToDo] = REFUSED.find(([pattern]) => pattern.test(number)) ?? [];
	if (fault !== undefined)
		return notAPhoneNumber(text, typeof fault === 'function' ? fault(number) : fault, whatToDo);
	const digits = number.replace(/\D/g, '');
	if (number.includes('+')) return checked(text, digits);
	if (digits.startsWith('00')) return checked(text, digits.slice(2));
	if (DATE_DIGITS.test(digits))
		return notAPhoneNumber(
			text,
			['may be a date'],
			"If it's a number, write + and the country code in front",
		);
	if (code === undefined || SUFFIX.test(text)) return withoutPlus(written, digits);
	return withCountryCode(text, digits, code);
}

function checked(text: string, written: string): string | Problem {
	const full = withoutTrunkZero(written);
	const fault = faultOf(full, true);
	if (fault === undefined) return full;
	return notAPhoneNumber(text, fault, full.startsWith('0') ? NAME_THE_COUNTRY : CHECK_DIGITS);
}

/** Reads a number that begins with its country code. People put an ID's suffix behind local numbers, too. */
function withoutPlus({ text, own, defaultCountryCode }: Written, digits: string): string | Problem {
	const isId = SUFFIX.test(text);
	const fault = faultOf(digits, false);
	const other = internationalForms(digits, defaultCountryCode).find((form) => form !== digits);
	if (other !== undefined && faultOf(digits, true) === undefined) return mayBeEither(text, digits, other);
	if (fault === undefined) return digits;
	if (digits.length > MOST_DIGITS) return notAPhoneNumber(text, fault);
	const isOfBrazil = LOCAL_IN_BRAZIL.test(digits);
	if (!isOfBrazil && faultOf(digits, true) === undefined)
		return notAPhoneNumber(
			text,
			fault,
			`If it's right, write +${digits}${isId ? '' : ". If it has no country code, add the option 'Default Country Code'"}`,
		);
	const whatToDo = isId ? ADD_PLUS_TO_ID : `${ADD_PLUS}. Or ${uncapitalized(setCode(own))}`;
	const ofMany = isId ? undefined : withoutCode(own);
	if (digits.startsWith('0')) return notAPhoneNumber(text, fault, whatToDo, ofMany);
	if (!isLocalLength(digits))
		return notAPhoneNumber(text, fault, isId ? whatToDo : `${whatToDo}. ${OR_LISTED}`);
	const noCode = 'has no country code';
	if (isId) return notAPhoneNumber(text, [noCode, INSTEAD_OF_ID], whatToDo);
	return notAPhoneNumber(text, [noCode, addCode(isOfBrazil ? ' (Brazil: +55)' : '')], setCode(own), ofMany);
}

function isLocalLength(digits: string): boolean {
	const isShort = digits.length >= FEWEST_WITHOUT_PLUS && digits.length <= MOST_LOCAL_DIGITS;
	return isShort && withoutSecondCode(digits) === undefined;
}

function withCountryCode(text: string, digits: string, code: string): string | Problem {
	const [full, other] = internationalForms(digits, code);
	if (full === undefined) {
		const landline = code + digits.replace(/^0/, '');
		const noMobile = [
			`is no mobile number of ${placeOf(code)}`,
			`if it's right, write +${landline}`,
		] as const;
		return notAPhoneNumber(text, faultOf(landline, true) ?? noMobile, CHECK_DIGITS);
	}
	return other === undefined ? checked(text, full) : unclear(text, full, other);
}

function unclear(text: string, full: string, other: string): Problem {
	const fault = ['is unclear', `it could be +${full} or +${other}`] as const;
	return participantProblem(text, fault, 'Start the number with + and its country code');
}

/** Makes the problem of a number, or an ID, that may be of two countries. */
function mayBeEither(given: string, digits: string, inside: string, own?: string): Problem {
	const forms = `could be ${describeNumber(digits)} or ${describeNumber(inside)}`;
	if (given.includes('@')) return participantProblem(given, [forms, INSTEAD_OF_ID], ADD_PLUS_TO_ID);
	return participantProblem(given, [forms, addCode()], setCode(own), withoutCode(own));
}

/** Finds digits that are a number inside the own account's country, too. @param own its digits or code */
export function countryProblem({ given, bare = '', isGuessed }: Participant, own = ''): Problem | undefined {
	const inside = isGuessed === true ? readingInside(bare, own) : undefined;
	return inside === undefined ? undefined : mayBeEither(given, bare, inside, own);
}

/** Whether somebody wrote a participant's ID, whose first digits may be no country code. */
export const isWrittenId = ({ isGuessed, sentAs }: Participant): boolean =>
	isGuessed === true && sentAs.includes('@');

/** Whether only the own account tells of which country a participant's number is. */
export const needsOwnAccount = ({ bare = '', isGuessed }: Participant): boolean =>
	isGuessed === true && mayBeLocal(bare);
