import { groupBy } from '../common/groupBy';
import { isRecord, parseJson, type JsonRecord } from '../common/json';
import { MissingValue } from '../common/problem';
import { nameSome, oneLine } from '../common/text';
import type { Participant } from '../groups/change';
import { callingCodeOf, identityFor } from '../groups/identity';
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

/** Reads the participants of one item. @param value a list, a JSON list as text, separated text, or one number @param json the item's fields @throws Problem */
export function readParticipants(
	value: unknown,
	options: NumberOptions,
	json: JsonRecord = {},
): Participant[] {
	const values = valuesIn(value);
	if (values.length === 0) throw new MissingValue('The participants are empty', NUMBERS_EXPECTED);
	return values.map((given) => readParticipant(given, options, json));
}

/** Separators between participants, also that of Google Contacts. */
const SEPARATOR = /[;؛；\r\n]|\s:::\s/;
/** The comma of `5,51E+12` is no separator. */
const COMMA = /[،，、]|,(?!\d+E)/i;

/** Splits a list of participants, which may be text, into its values. */
export function valuesIn(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value ?? []].flat();
	const text = undressed(value);
	// As language models write it; a phone number may begin with `[`, too.
	const json = /^[[{]/.test(text) ? parseJson(text) : undefined;
	if (isRecord(json) || Array.isArray(json)) return [json].flat();
	const parts = text
		.split(SEPARATOR)
		.flatMap((part) => (CHANGED.test(part.trim()) ? part : part.split(COMMA)));
	return parts.filter((part) => part.trim() !== '');
}

function readParticipant(value: unknown, options: NumberOptions, json: JsonRecord): Participant {
	if (isRecord(value) && Object.keys(value).length > 0) throw notAPhoneNumber(value, describeFields(value));
	const given = readGiven(value);
	const text = undressed(legible(given));
	if (JID.test(text)) {
		const sentAs = readJid(text);
		return { given, sentAs, identity: identityFor(sentAs) };
	}
	const sentAs = readNumber(text, options.exact, options.defaultCountryCode);
	const bare = HAS_CODE.test(text) ? undefined : text.replace(/\D/g, '').replace(/^0/, '');
	// The country of a number that this node gave out is certain.
	const isGivenOut = given === json.sentAs || (given === json.participant && json.jid !== undefined);
	const isGuessed = options.defaultCountryCode === undefined && !isGivenOut;
	return { given, sentAs, identity: identityFor(sentAs), ...(bare !== undefined && { bare, isGuessed }) };
}

const HAS_CODE = /\+|^\D*00/;

/** Names of fields with a country or area code, which shops keep apart, and with a number. */
const CODE = /(?:^|_)(?:ddi|ddd|country|area|prefix)$|(?:country|calling|area|dial|phone)_?code$/i;
const NUMBER = /phone|number|n[uú]mero|tele?fon|celular|mobile|whatsapp/i;

/** Says which fields an object has, and which of them are one number. */
function describeFields(value: JsonRecord): string {
	const names = Object.keys(value);
	const codes = names.filter((name) => CODE.test(name) && /^\+?\d{1,4}$/.test(String(value[name])));
	const number = names.find((name) => NUMBER.test(name) && !CODE.test(name));
	const use =
		number !== undefined && codes.length > 0
			? `put ${codes.join(', ')} and ${number} together`
			: `use ${number ?? 'one with a phone number'}`;
	return `it has the fields ${oneLine(names.join(', '), LONGEST_FIELDS)}: ${oneLine(use, LONGEST_FIELDS)}`;
}

const LONGEST_FIELDS = 60;

/** Says how many numbers are taken for those of other countries than the own account's, and which look like samples. @param mentions with the digits of the own account @param isDryRun whether to say it without knowing the account, too */
export function describeReading(
	mentions: ReadonlyArray<{ participant: Participant; own: string | undefined }>,
	isDryRun: boolean,
): string[] {
	const foreign = new Map<string, string>();
	for (const { participant, own = '' } of mentions) {
		const { digits } = participant.identity;
		const code = callingCodeOf(digits) ?? '';
		const isSaid = participant.isGuessed && (isDryRun || own !== '');
		if (isSaid && code !== callingCodeOf(own)) foreign.set(digits, code);
	}
	return [...describeForeign([...foreign.values()]), ...describeSamples(mentions)];
}

/** @param codes the calling code of each number */
function describeForeign(codes: readonly string[]): string[] {
	if (codes.length === 0) return [];
	const byCode = groupBy(codes, (code) => code);
	const byCountry = [...byCode].sort(([, some], [, others]) => others.length - some.length);
	const named = byCountry
		.slice(0, MOST_COUNTRIES)
		.map(([code, { length }]) => `${placeOf(code)} (${length.toLocaleString('en-US')})`);
	const as = named.join(', ') + (byCountry.length > MOST_COUNTRIES ? ', …' : '');
	if (codes.length === 1) return [`1 number has no + and is read as ${as}. Check its country code`];
	const amount = codes.length.toLocaleString('en-US');
	return [`${amount} numbers have no + and are read as ${as}. Check the country codes`];
}

function describeSamples(mentions: ReadonlyArray<{ participant: Participant }>): string[] {
	const ids = mentions.map(({ participant }) => participant.identity);
	const samples = new Set(
		ids.flatMap(({ kind, digits }) => (kind === 'phone' && SAMPLE.test(digits) ? `+${digits}` : [])),
	);
	if (samples.size === 0) return [];
	const look = samples.size === 1 ? 'looks' : 'look';
	return [
		`${nameSome([...samples])} ${look} like a sample, as in a shop's test event. Check where it comes from`,
	];
}

const MOST_COUNTRIES = 3;
/** Eight equal digits in a row, which hardly anybody has. */
const SAMPLE = /([1-9])\1{7}/;

function readNumber(text: string, exact: boolean, defaultCountryCode: string | undefined): string {
	const digits = readPhoneNumber(text, defaultCountryCode);
	return exact || digits.length < SHORTEST_SENT ? `${digits}@s.whatsapp.net` : digits;
}

function readJid(text: string): string {
	// `@c.us` names the same account, but gateways rewrite its digits.
	if (text.length >= SHORTEST_SENT) return text.replace('@c.us', '@s.whatsapp.net');
	const said = `isn't a valid ID: it has fewer than ${SHORTEST_SENT} characters, and the gateway would refuse the whole request`;
	throw participantProblem(text, said, NUMBERS_EXPECTED);
}
