import { hashOf } from '../../common/text';
import { DAY, MINUTE } from '../../common/time';
import type { Identity } from '../identity';
import { sentenceOf, type AnyAction } from '../outcomes';
import {
	consistent,
	dateIn,
	FACT_NAMES,
	NO_FACTS,
	only,
	REFUSALS,
	toMinute,
	withNamed,
	type Facts,
} from './fact';
import type { Remembered } from './recall';

/** Memory of a row about the person that it names. */
export interface RowMemory {
	/** As the row has it. */
	readonly text: string;
	/** Eight hex digits for the group and the person. */
	readonly key: string;
	/** None of another group or person. */
	readonly facts: Facts;
	/** Whether the text is about another group or person, and counts as nothing. */
	readonly isForeign: boolean;
	/** Whether a part of the text can't be read, and doesn't count. */
	readonly isUnreadable: boolean;
}

const LONGEST_TEXT = 2000;

/** Quotes that a spreadsheet or a CSV file puts around a text. */
const QUOTES = /^["'`\u2018\u201c]+|["'`\u2019\u201d]+$/g;

/** The end of a text: whom it is about, and whatever somebody has written behind. */
const KEY = /(?:^|[;\s])for\s+([0-9a-f]{8})(?![0-9a-z]).*$/is;

/** Reads the text that an earlier run gave for a row, e.g. `member 2026-11-01T05:00Z; for 1f3a9c04`. */
export function readRowText(text: string, groupJid: string, person: Identity, now: number): RowMemory {
	const key = hashOf(`${groupJid} ${person.canonical}`);
	if (text === '') return { text, key, facts: NO_FACTS, isForeign: false, isUnreadable: false };
	const words = text.length > LONGEST_TEXT ? '?' : text.trim().replace(QUOTES, '');
	const rest = words.replace(KEY, '');
	const { facts, isUnreadable } = readFacts(rest, now);
	const isForeign = (KEY.exec(words)?.[1]?.toLowerCase() ?? key) !== key;
	// A key that is cut off may be anybody's.
	const isAnybodys = isForeign || /(?:^|;)\s*for\b/i.test(rest);
	return { text, key, facts: isAnybodys ? {} : facts, isForeign, isUnreadable };
}

/** Writes the text for a row after a run: the same text if nothing is new, unless it lacks its key. */
export function rowTextAfter({ text, key, facts: before }: RowMemory, facts: Facts): string {
	const written = factsText(facts);
	const hasKey = text.toLowerCase().includes(key);
	if (written === factsText(before) && (hasKey || written === '')) return text;
	return written && `${written}; for ${key}`;
}

/** Reads facts in any order, case and spacing. Parts that can't be read count as nothing. */
function readFacts(text: string, now: number): { facts: Facts; isUnreadable: boolean } {
	let facts: Facts = {};
	let isUnreadable = false;
	for (const part of text.split(';')) {
		const words = part.trim().toLowerCase().split(/\s+/);
		if (words[0] === '') continue;
		const fact = readFact(words, now);
		if (fact === undefined) isUnreadable = true;
		else facts = withNamed(facts, fact);
	}
	return { facts: consistent(FACT_NAMES.map((name) => only(facts, name))), isUnreadable };
}

function readFact([word, ...words]: readonly string[], now: number): Facts | undefined {
	const name = FACT_NAMES.find((known) => known.toLowerCase() === word);
	if (name !== 'refused') {
		const at = dateOf(words.join(' '), now);
		return name && at !== undefined ? { [name]: { at } } : undefined;
	}
	const [refusal, ...others] = words;
	const outcome = REFUSALS.find((known) => known.toLowerCase() === refusal);
	const at = dateOf(others.join(' '), now);
	return outcome === undefined || at === undefined ? undefined : { refused: { at, outcome } };
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?(?:z|([+-]\d\d):?(\d\d)))?)?$/;

/**
 * Reads an ISO 8601 date in lower case, with or without time and offset; none more than a day ahead. A day alone is its end, or
 * the minute before now: what people write today counts. @returns ms since 1970
 */
function dateOf(text: string, now: number): number | undefined {
	const [, day, time, seconds = '00', hours = '+00', minutes = '00'] = DATE.exec(text) ?? [];
	if (day === undefined) return undefined;
	const at = Date.parse(`${day}T${time ?? '00:00'}:${seconds}${hours}:${minutes}`);
	// Date.parse takes the 31st of any month.
	const isDay = !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day);
	if (Number.isNaN(at) || !isDay || at > now + DAY) return undefined;
	return time === undefined ? Math.min(at + DAY, now) - MINUTE : at;
}

/** Writes facts to the minute, e.g. `left 2026-11-01T05:00Z; refused blocked 2026-10-28T05:00Z`. */
function factsText(facts: Facts, dateText = minuteText): string {
	let text = '';
	for (const name of FACT_NAMES) {
		const fact = facts[name];
		if (fact === undefined) continue;
		const detail = 'outcome' in fact ? ` ${fact.outcome}` : '';
		text += `${text && '; '}${name}${detail} ${dateText(fact.at)}`;
	}
	return text;
}

/** The time when a run met the person last, where that is later than all facts: `out 2026-11-01T05:00Z; met 2026-11-09T05:00Z`. */
const MET = /(?:^|; )met ([-\d]+T[:\d]+Z)$/;

/** Reads what n8n keeps of a person. */
export function readStoredText(text: string, now: number): Remembered {
	const { facts } = readFacts(text.replace(MET, ''), now);
	const [, met] = MET.exec(text) ?? [];
	return { facts, metAt: met === undefined ? dateIn(facts) : Date.parse(met) };
}

/** Makes a function that writes what n8n keeps of a person. Most dates are the same, and are written once. */
export function storedTextMaker(): (person: Remembered) => string {
	const known = new Map<number, string>();
	const dateText = (at: number) => {
		const text = known.get(at) ?? minuteText(at);
		known.set(at, text);
		return text;
	};
	return ({ facts, metAt }) => {
		const isNewest = dateIn(facts) >= toMinute(metAt);
		return [factsText(facts, dateText), isNewest ? '' : `met ${dateText(metAt)}`].filter(Boolean).join('; ');
	};
}

/** Writes a date to the minute, e.g. `2026-11-01T05:00Z`. @param ms since 1970 */
function minuteText(ms: number): string {
	return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

/** Says what was refused when, and when the next try is. @param until ms since 1970 */
export function waitingText(
	{ refused }: Facts,
	action: AnyAction,
	{ until, now }: { until: number; now: number },
): string {
	const next = `Next try: ${timeOf(until, now)}.`;
	if (refused === undefined) return `Postponed. ${next}`;
	const { at, outcome } = refused;
	const said = outcome === 'unconfirmed' ? "Its result wasn't known." : sentenceOf(outcome, action);
	return `On ${dayOf(at)}: ${said} ${next}`;
}

/** Writes a future date as its day, and with the time if it's today: a run before that time comes too early. */
export function timeOf(ms: number, now: number): string {
	const day = dayOf(ms);
	return day === dayOf(now) ? `${day} ${new Date(ms).toISOString().slice(11, 16)} UTC` : day;
}

/** Gives the day in UTC. */
export function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
