import { Problem } from '../failures/problem';
import { quote } from '../text/text';

/** A person as the item names them and as the gateway is asked for them. */
export interface Participant {
	/** As the item gave it, trimmed. */
	given: string;
	/** As sent: digits, or a full JID. */
	sentAs: string;
}

const EXPECTED =
	'Use phone numbers with country code, e.g. +55 11 99999-0001, or IDs such as 5511999990001@s.whatsapp.net. Separate several with commas, semicolons or line breaks';

const FEWEST_DIGITS = 8;
const MOST_DIGITS = 15;
/** Gateways refuse shorter text ("must be an array of numeric strings"), seen on 1.8.2, 2.2.3 and 2.3.6. */
const SHORTEST_PLAIN_NUMBER = 10;

const JID = /^\d[\d:._-]*@(?:s\.whatsapp\.net|c\.us|lid)$/;
// Marks that phones put around a copied number: text direction, joiners, byte order mark.
const INVISIBLE = /\p{Cf}/gu;
const PHONE_NUMBER = /^[\s([]*\+?[\d\s().[\]\p{Pd}]+$/u;
const SPREADSHEET_FRACTION = /^\+?\d+\.0{1,2}$/;

/**
 * Reads the participants of one item.
 *
 * @param value a list, or text separated by commas, semicolons or line breaks, or one number
 * @param exact send phone numbers as full JIDs, which gateways pass on untouched
 * @returns the participants in the order given, with repeats
 * @throws Problem that names the first value that is not a phone number or JID; also for an empty list
 */
export function readParticipants(value: unknown, exact: boolean): Participant[] {
	const values = Array.isArray(value) ? value : splitText(value);
	if (values.length === 0) throw new Problem('The participants are empty', EXPECTED);
	return values.map((one) => readParticipant(one, exact));
}

function splitText(value: unknown): unknown[] {
	if (value === undefined || value === null) return [];
	if (typeof value !== 'string') return [value];
	return value.split(/[,;\r\n]/).filter((part) => part.trim() !== '');
}

function readParticipant(value: unknown, exact: boolean): Participant {
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0))
		throw new Problem(
			`The participant ${quote(value)} is not a phone number: it is not a positive whole number`,
			EXPECTED,
		);
	if (typeof value !== 'string' && typeof value !== 'number')
		throw new Problem(
			`The participant ${quote(value)} is not a phone number: it is neither text nor a number`,
			EXPECTED,
		);
	const given = String(value).trim();
	const text = given.replace(INVISIBLE, '').trim();
	if (JID.test(text)) return { given, sentAs: text };
	const digits = readDigits(text);
	const asJid = exact || digits.length < SHORTEST_PLAIN_NUMBER;
	return { given, sentAs: asJid ? `${digits}@s.whatsapp.net` : digits };
}

function readDigits(text: string): string {
	const problem = (reason: string) =>
		new Problem(`The participant ${quote(text)} is not a phone number: ${reason}`, EXPECTED);
	if (text === '') throw problem('it is empty');
	if (/@g\.us$/.test(text)) throw problem('it is the ID of a group');
	if (/^[+-]?[\d.,]+e[+-]?\d+$/i.test(text) || SPREADSHEET_FRACTION.test(text))
		throw problem('a spreadsheet turned it into a decimal number. Format the column as plain text');
	if (!PHONE_NUMBER.test(text)) throw problem("it has letters, or signs that don't belong in one");
	const digits = text.replace(/\D/g, '').replace(/^00/, '');
	if (digits.length < FEWEST_DIGITS) throw problem(`it has fewer than ${FEWEST_DIGITS} digits`);
	if (digits.length > MOST_DIGITS)
		throw problem(`it has more than ${MOST_DIGITS} digits, so it may be two numbers run together`);
	return digits;
}
