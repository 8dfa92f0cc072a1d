import { isRecord, parseJson, type JsonRecord } from '../common/json';
import { groupBy } from '../common/maps';
import { MissingValue, type Fault } from '../common/problem';
import { amountOf, isBlank, oneLine } from '../common/text';
import type { Participant } from '../groups/change';
import { callingCodeOf, identityFor, PHONE_LENGTHS } from '../groups/identity';
import { placeOf } from './countryCode';
import {
	CHANGED,
	notAPhoneNumber,
	NUMBERS_EXPECTED,
	participantProblem,
	readPhoneNumber,
	readGiven,
	undressed,
	legible,
	withoutSuffix,
	type NumberOptions,
} from './phoneNumber';

/** Fewest characters that gateways accept (1.8.2, 2.2.3 and 2.3.6: "must be an array of numeric strings"). */
const SHORTEST_SENT = 10;

/** Digits, at most a device (`:12`), and a suffix. Other characters would name nobody, and protect nobody. */
const JID = /^\d{1,30}(?::\d{1,10})?@(?:s\.whatsapp\.net|c\.us|lid)$/;

/** Reads a list of participants. @param json the item's fields @throws Problem */
export function readParticipants(
	value: unknown,
	options: NumberOptions,
	json: JsonRecord = {},
): Participant[] {
	return participantValues(value).map((given) => readParticipant(given, options, json));
}

/** Splits an item's participants: a list, also as JSON, separated text, or a number. @throws MissingValue */
export function participantValues(value: unknown): unknown[] {
	const values = valuesIn(value);
	if (values.length === 0) throw new MissingValue('The participants are empty', NUMBERS_EXPECTED);
	return values;
}

/** Separators between participants, also that of Google Contacts, and blanks of a pasted column. */
const SEPARATOR = /[;؛；\r\n]|\s:::\s|(?<=\d)\s+(?=[([]?\+\s*\d)/;
/** Empty cells, and those with a dash for nobody. */
const EMPTY_CELL = /^[\s\p{Pd}]*$/u;
/** The comma of `5,51E+12` is no separator. */
const COMMA = /[،，、]|,(?!\d+E)/i;

/** Splits a list of participants, which may be text, into its values that aren't empty. */
export function valuesIn(value: unknown): unknown[] {
	const all = typeof value === 'string' ? splitText(undressed(value)) : [value].flat();
	return all.filter(
		(one) => !(one === null || one === undefined || (typeof one === 'string' && EMPTY_CELL.test(one))),
	);
}

function splitText(text: string): unknown[] {
	// As language models write it; a phone number may begin with `[`, too.
	const json = /^[[{]/.test(text) ? parseJson(text) : undefined;
	if (isRecord(json) || Array.isArray(json)) return [json].flat();
	return text.split(SEPARATOR).flatMap((part) => (CHANGED.test(part.trim()) ? part : part.split(COMMA)));
}

/** Reads one participant of an item. @throws Problem */
export function readParticipant(value: unknown, options: NumberOptions, json: JsonRecord): Participant {
	if (isRecord(value) && Object.keys(value).length > 0) throw notAPhoneNumber(value, describeFields(value));
	if (isSum(value, json)) throw notAPhoneNumber(value, SUMMED, TO_JOIN);
	const given = readGiven(value);
	const text = undressed(legible(given));
	const isGivenOut = isFromNode(given, json);
	if (JID.test(text) && (isGivenOut || text.endsWith('@lid'))) {
		const sentAs = readJid(text);
		return { given, sentAs, identity: identityFor(sentAs) };
	}
	const { sentAs, bare, isId, doubt } = readNumber(text, options);
	const isGuessed = (isId || options.defaultCountryCode === undefined) && !isGivenOut;
	return {
		...{ given, sentAs, identity: identityFor(sentAs) },
		...(bare !== undefined && { bare, isGuessed }),
		...(doubt && { doubt }),
	};
}

const SUMMED = ['', 'a country code and a number of the row were added up'] as const;
const TO_JOIN = "Put '' + in front of both in the expression: then they're joined as text";

/** Whether a number is the sum of a code and the row's number: `{{ 55 + 11999990001 }}` is a stranger's. */
function isSum(value: unknown, json: JsonRecord): boolean {
	if (typeof value !== 'number') return false;
	const numbers = Object.values(json).filter((field) => typeof field === 'number');
	const isPart = (code: number) => String(code) in PHONE_LENGTHS && numbers.includes(value - code);
	return !numbers.includes(value) && numbers.some(isPart);
}

/** Reads a number, or its ID. @returns `isId` unless the country is certain by a `+` @throws Problem */
function readNumber(text: string, options: NumberOptions) {
	const number = withoutSuffix(text);
	const bare = HAS_CODE.test(number) ? undefined : number.replace(/\D/g, '').replace(/^0/, '');
	const isId = number !== text && bare !== undefined;
	const isJid = isId && JID.test(text);
	const read = readPhoneNumber(text, options);
	if (typeof read === 'string') {
		const full = isId || read.length < SHORTEST_SENT ? `${read}@s.whatsapp.net` : read;
		return { sentAs: isJid ? readJid(text) : full, bare, isId };
	}
	if (isJid && options.readsMembers) return { sentAs: readJid(text), bare, isId, doubt: read };
	throw read;
}

/** Whether a number or an ID is from the output of this node: then its country is certain. */
function isFromNode(given: string, { groupJid, participant, jid, lid, sentAs }: JsonRecord): boolean {
	// A column of such a name may be somebody's own: it switches checks off.
	if (!/@g\.us$/.test(String(groupJid))) return false;
	const isId = given.includes('@') && [jid, lid].includes(given);
	return isId || given === sentAs || (given === participant && !isBlank(jid));
}

const HAS_CODE = /\+|^\D*00/;

/** Names of fields with a country or area code, which shops keep apart, and with a number. */
const CODE = /(?:^|_)(?:ddi|ddd|country|area|prefix)$|(?:country|calling|area|dial|phone)_?code$/i;
const NUMBER = /phone|number|n[uú]mero|tele?fon|celular|mobile|whatsapp/i;

/** Says which fields an object has, and which of them are one number. */
function describeFields(value: JsonRecord): Fault {
	const names = Object.keys(value);
	const codes = names.filter((name) => CODE.test(name) && /^\+?\d{1,4}$/.test(String(value[name])));
	const number = names.find((name) => NUMBER.test(name) && !CODE.test(name));
	const use =
		number !== undefined && codes.length > 0
			? `put ${codes.join(', ')} and ${number} together`
			: `use ${number ?? 'one with a phone number'}`;
	return [`has the fields ${oneLine(names.join(', '), LONGEST_FIELDS)}`, oneLine(use, LONGEST_FIELDS)];
}

const LONGEST_FIELDS = 60;

/** Says how many numbers are read as other countries'. @param mentions with the own account's digits */
export function describeReading(
	mentions: ReadonlyArray<{ participant: Participant; own: string | undefined }>,
): string[] {
	const foreign = new Map<string, string>();
	for (const { participant, own } of mentions) {
		const { digits } = participant.identity;
		const code = callingCodeOf(digits) ?? '';
		const isForeign = code !== callingCodeOf(own ?? '');
		if (participant.isGuessed && isForeign) foreign.set(digits, code);
	}
	if (foreign.size === 0) return [];
	const byCode = [...groupBy(foreign.values(), (code) => code)];
	const named = byCode
		.sort(([, some], [, others]) => others.length - some.length)
		.slice(0, MOST_COUNTRIES)
		.map(([code, { length }]) => `${placeOf(code)} (${amountOf(length)})`);
	const as = named.join(', ') + (byCode.length > MOST_COUNTRIES ? ', …' : '');
	if (foreign.size === 1) return [`1 number has no + and is read as ${as}. Check its country code`];
	return [`${amountOf(foreign.size)} numbers have no + and are read as ${as}. Check the country codes`];
}

const MOST_COUNTRIES = 3;
function readJid(text: string): string {
	// `@c.us` names the same account, but gateways rewrite its digits.
	if (text.length >= SHORTEST_SENT) return text.replace('@c.us', '@s.whatsapp.net');
	const short = `it has fewer than ${SHORTEST_SENT} characters, and the gateway would refuse the whole request`;
	throw participantProblem(text, ["isn't a valid ID", short], NUMBERS_EXPECTED);
}
