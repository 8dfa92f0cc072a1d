import { parseJson } from '../common/json';
import { MissingValue, Problem } from '../common/problem';
import { quote } from '../common/text';
import type { Participant } from '../groups/change';
import { identityFor } from '../groups/identity';
import { NUMBERS_EXPECTED, readPhoneNumber, readText, visible } from './phoneNumber';

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
	if (values.length === 0) throw NO_PARTICIPANTS;
	return values.map((given) => readParticipant(given, options));
}

const NO_PARTICIPANTS = new MissingValue('The participants are empty', NUMBERS_EXPECTED);

/** Separators between participants. The comma of `5,51E+12` is no separator. */
const SEPARATOR = /,(?!\d+E)|[;\r\n]/i;

/** Splits a list of participants, which may be text, into its values. */
export function valuesIn(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value ?? []].flat();
	// As language models write it; a phone number may begin with `[`, too.
	const list = value.trimStart().startsWith('[') ? parseJson(value) : undefined;
	return Array.isArray(list) ? list : value.split(SEPARATOR).filter((part) => part.trim() !== '');
}

function readParticipant(value: unknown, { exact, defaultCountryCode }: NumberOptions): Participant {
	const given = readText(value);
	const text = visible(given);
	const sentAs = JID.test(text) ? readJid(text) : readNumber(text, exact, defaultCountryCode);
	return { given, sentAs, identity: identityFor(sentAs) };
}

/** Says how many numbers of a dry run have no `+`, with examples, since their country codes may be wrong. */
export function describeWithoutPlus(rows: Iterable<{ participant: Participant }>): string[] {
	const taken = new Set<string>();
	for (const { participant } of rows)
		if (!HAS_CODE.test(participant.given)) taken.add(participant.identity.digits);
	const examples = [...taken].slice(0, MOST_EXAMPLES).map((digits) => `+${digits}`);
	const as = examples.join(', ') + (taken.size > MOST_EXAMPLES ? ', …' : '');
	if (taken.size === 0) return [];
	if (taken.size === 1) return [`1 number has no + and is read as ${as}. Check its country code`];
	const amount = taken.size.toLocaleString('en-US');
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
