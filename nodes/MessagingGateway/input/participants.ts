import { isRecord, parseJson, type JsonRecord } from '../common/json';
import { MissingValue, Problem } from '../common/problem';
import { oneLine, quote } from '../common/text';
import type { Participant } from '../groups/change';
import { identityFor } from '../groups/identity';
import {
	notAPhoneNumber,
	NUMBERS_EXPECTED,
	readPhoneNumber,
	readGiven,
	undressed,
	visible,
} from './phoneNumber';

export interface NumberOptions {
	/** Whether phone numbers go out as full JIDs, which gateways don't rewrite. */
	exact: boolean;
	/** Digits, for phone numbers without `+` or `00`. */
	defaultCountryCode?: string | undefined;
}

/** Fewest characters that gateways accept (1.8.2, 2.2.3 and 2.3.6: "must be an array of numeric strings"). */
const SHORTEST_SENT = 10;

/** Digits, at most a device (`:12`), and a suffix. A JID with other characters would name nobody, and protect nobody. */
const JID = /^\d{1,30}(?::\d{1,10})?@(?:s\.whatsapp\.net|c\.us|lid)$/;

/** Reads the participants of one item. @param value a list, a JSON list as text, separated text, or one number @throws Problem */
export function readParticipants(value: unknown, options: NumberOptions): Participant[] {
	const values = valuesIn(value);
	if (values.length === 0) throw new MissingValue('The participants are empty', NUMBERS_EXPECTED);
	return values.map((given) => readParticipant(given, options));
}

/** Separators between participants, also that of Google Contacts. The comma of `5,51E+12` is no separator. */
const SEPARATOR = /,(?!\d+E)|[;\r\n]|\s:::\s/i;

/** Splits a list of participants, which may be text, into its values. */
export function valuesIn(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value ?? []].flat();
	const text = undressed(value);
	// As language models write it; a phone number may begin with `[`, too.
	const json = /^[[{]/.test(text) ? parseJson(text) : undefined;
	return isRecord(json) || Array.isArray(json)
		? [json].flat()
		: text.split(SEPARATOR).filter((part) => part.trim() !== '');
}

function readParticipant(value: unknown, options: NumberOptions): Participant {
	if (isRecord(value) && Object.keys(value).length > 0)
		throw notAPhoneNumber(value, describeFields(Object.keys(value)));
	const given = readGiven(value);
	const text = undressed(visible(given));
	const sentAs = JID.test(text) ? readJid(text) : readNumber(text, options.exact, options.defaultCountryCode);
	return { given, sentAs, identity: identityFor(sentAs) };
}

/** Parts of a number that shops keep apart, and what is left of it. */
const CODE = /(?:^|_)(?:ddi|ddd|(?:country|area|dial)_?code)$/i;
const PART = new RegExp(`${CODE.source}|(?:^|_)(?:number|numero|phone)$`, 'i');

/** Says which fields an object has, and which of them are one number. */
function describeFields(names: readonly string[]): string {
	const parts = names.some((name) => CODE.test(name)) ? names.filter((name) => PART.test(name)) : [];
	const [last, ...others] = parts.reverse();
	const use =
		others.length > 0
			? `put ${others.reverse().join(', ')} and ${last} together`
			: `use ${names.find((name) => /phone|number/i.test(name)) ?? 'one with a phone number'}`;
	return `it has the fields ${oneLine(names.join(', '), LONGEST_FIELDS)}: ${oneLine(use, LONGEST_FIELDS)}`;
}

const LONGEST_FIELDS = 60;

/**
 * Says how many numbers have no country code for certain, with examples.
 *
 * @param inputs the input items. Numbers that this node gave out in them are certain
 */
export function describeReading(
	rows: Iterable<{ item: number; participant: Participant }>,
	inputs: ReadonlyArray<{ json: JsonRecord }>,
	isDryRun: boolean,
): string[] {
	if (!isDryRun) return [];
	const withoutPlus = new Set<string>();
	for (const { item, participant } of rows) {
		const { given, identity } = participant;
		const { sentAs, jid, participant: member } = inputs[item]?.json ?? {};
		const isOwn = given === sentAs || (given === member && jid !== undefined);
		if (!isOwn && !HAS_CODE.test(given)) withoutPlus.add(identity.digits);
	}
	const examples = [...withoutPlus].slice(0, MOST_EXAMPLES).map((digits) => `+${digits}`);
	const as = examples.join(', ') + (withoutPlus.size > MOST_EXAMPLES ? ', …' : '');
	if (withoutPlus.size === 0) return [];
	if (withoutPlus.size === 1) return [`1 number has no + and is read as ${as}. Check its country code`];
	const amount = withoutPlus.size.toLocaleString('en-US');
	return [`${amount} numbers have no + and are read as ${as}. Check the country codes`];
}

const MOST_EXAMPLES = 3;
const HAS_CODE = /[+@]|^\D*00/;

function readNumber(text: string, exact: boolean, defaultCountryCode: string | undefined): string {
	const digits = readPhoneNumber(text, defaultCountryCode);
	return exact || digits.length < SHORTEST_SENT ? `${digits}@s.whatsapp.net` : digits;
}

function readJid(text: string): string {
	// `@c.us` names the same account, but gateways rewrite its digits.
	if (text.length >= SHORTEST_SENT) return text.replace('@c.us', '@s.whatsapp.net');
	const brief = `${quote(text)} isn't a valid ID: it has fewer than ${SHORTEST_SENT} characters, and the gateway would refuse the whole request`;
	throw new Problem(`The participant ${brief}`, NUMBERS_EXPECTED, brief);
}
