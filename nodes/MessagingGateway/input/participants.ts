import { isRecord, parseJson, type JsonRecord } from '../common/json';
import { MissingValue, Problem } from '../common/problem';
import { oneLine, quote } from '../common/text';
import type { Participant } from '../groups/change';
import { identityFor, type Identity } from '../groups/identity';
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
		throw notAPhoneNumber(value, describeFields(value, options));
	const given = readGiven(value);
	const text = undressed(visible(given));
	const sentAs = JID.test(text) ? readJid(text) : readNumber(text, options.exact, options.defaultCountryCode);
	return { given, sentAs, identity: identityFor(sentAs) };
}

/** Says which fields an object has, and which to use: that of a phone number rather than of a hidden ID. */
function describeFields(record: JsonRecord, options: NumberOptions): string {
	const names = Object.keys(record).slice(0, MOST_FIELDS);
	const kinds = names.map((name) => kindIn(record[name], options));
	const use = names[kinds.indexOf('phone')] ?? names[kinds.indexOf('hidden')] ?? 'one with a phone number';
	return `it has the fields ${oneLine(names.join(', '), LONGEST_FIELDS)}: use ${oneLine(use, LONGEST_FIELDS)}`;
}

const LONGEST_FIELDS = 60;
const MOST_FIELDS = 100;

function kindIn(field: unknown, options: NumberOptions): Identity['kind'] | undefined {
	try {
		return readParticipants(field, options)[0]?.identity.kind;
	} catch {
		return undefined;
	}
}

/**
 * Says how many numbers were read otherwise than they are written, with examples, since their country codes may be wrong.
 *
 * @param inputs the input items. Numbers that this node gave out in them are certain
 * @param isDryRun whether numbers without `+` count
 */
export function describeReading(
	rows: Iterable<{ item: number; participant: Participant }>,
	inputs: ReadonlyArray<{ json: JsonRecord }>,
	isDryRun: boolean,
): string[] {
	const withoutPlus = new Set<string>();
	const withZero = new Set<string>();
	for (const { item, participant } of rows) {
		const { given, identity } = participant;
		const { sentAs, jid, participant: member } = inputs[item]?.json ?? {};
		const isOwn = given === sentAs || (given === member && jid !== undefined);
		const written = given.replace(/\D/g, '').replace(/^0+/, '');
		const isLonger = written.length > identity.digits.length && !written.endsWith(identity.digits);
		if (isLonger && !given.includes('@')) withZero.add(identity.digits);
		else if (isDryRun && !isOwn && !HAS_CODE.test(given)) withoutPlus.add(identity.digits);
	}
	return [
		...describeNumbers(withZero, 'a 0 behind the country code'),
		...describeNumbers(withoutPlus, 'no +'),
	];
}

function describeNumbers(taken: ReadonlySet<string>, have: string): string[] {
	const examples = [...taken].slice(0, MOST_EXAMPLES).map((digits) => `+${digits}`);
	const as = examples.join(', ') + (taken.size > MOST_EXAMPLES ? ', …' : '');
	if (taken.size === 0) return [];
	if (taken.size === 1) return [`1 number has ${have} and is read as ${as}. Check its country code`];
	const amount = taken.size.toLocaleString('en-US');
	return [`${amount} numbers have ${have} and are read as ${as}. Check the country codes`];
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
