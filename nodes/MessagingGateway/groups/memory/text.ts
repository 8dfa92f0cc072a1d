import { hashOf } from '../../common/text';
import { DAY } from '../../common/time';
import type { Identity } from '../identity';
import { sentenceOf } from '../outcomes';
import { consistent, FACT_NAMES, REFUSALS, STANDINGS, without, type Facts } from './fact';

/** Memory of a row about the person that it names. */
export interface RowMemory {
	/** As the row has it. */
	readonly text: string;
	/** Eight hex digits for the group and the person. */
	readonly key: string;
	/** None of another group or person. */
	readonly facts: Facts;
	/** Whether the text is about another group or person: a bad item. */
	readonly isForeign: boolean;
	/** Whether a part of the text can't be read, and doesn't count. */
	readonly isUnreadable: boolean;
}

const LONGEST_TEXT = 2000;

/** Reads the text that an earlier run gave for a row, e.g. `member 2026-11-01T05:00Z; for 1f3a9c04`. */
export function readRowText(text: string, groupJid: string, person: Identity, now: number): RowMemory {
	const key = hashOf(`${groupJid} ${person.canonical}`);
	const { facts, keyOfRow = key, isUnreadable } = readFacts(text, now);
	const isCutOff = !/^[0-9a-f]{8}$/.test(keyOfRow);
	return {
		text,
		key,
		facts: keyOfRow === key ? facts : {},
		isForeign: !isCutOff && keyOfRow !== key,
		isUnreadable: isUnreadable || isCutOff,
	};
}

/** Writes the text for a row after a run: the same text if nothing is new, unless it lacks its key. */
export function rowTextAfter({ text, key, facts: before }: RowMemory, facts: Facts): string {
	const written = factsText(facts);
	const hasKey = text.toLowerCase().includes(key);
	if (written === factsText(before) && (hasKey || written === '')) return text;
	return written && `${written}; for ${key}`;
}

/** Reads facts in any order, case and spacing. Parts that can't be read count as nothing. */
export function readFacts(
	text: string,
	now: number,
): { facts: Facts; keyOfRow?: string | undefined; isUnreadable: boolean } {
	if (text.length > LONGEST_TEXT) return { facts: {}, isUnreadable: true };
	let facts: Facts = {};
	let keyOfRow: string | undefined;
	let isUnreadable = false;
	for (const part of text.split(';')) {
		const [word = '', ...others] = part.trim().toLowerCase().split(/\s+/);
		if (word === '') continue;
		if (word === 'for') {
			keyOfRow = others.join(' ');
			continue;
		}
		const fact = readFact(word, others, now);
		isUnreadable ||= fact === undefined;
		const isStanding = fact !== undefined && STANDINGS.some((name) => fact[name]);
		facts = { ...(isStanding ? without(facts, STANDINGS) : facts), ...fact };
	}
	return { facts: consistent(facts), keyOfRow, isUnreadable };
}

function readFact(word: string, words: readonly string[], now: number): Facts | undefined {
	const name = FACT_NAMES.find((known) => known.toLowerCase() === word);
	const outcome = REFUSALS.find((known) => known.toLowerCase() === words[0]);
	const at = dateOf(words.slice(name === 'refused' ? 1 : 0).join(' '));
	if (name === undefined || at === undefined || at > now + DAY) return undefined;
	if (name === 'refused') return outcome && { refused: { at, outcome } };
	return { [name]: { at } };
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?(?:z|([+-]\d\d):?(\d\d)))?)?$/;

/** Reads an ISO 8601 date in lower case, with or without time and offset. @returns ms since 1970 */
function dateOf(text: string): number | undefined {
	const [, day, time = '00:00', seconds = '00', hours = '+00', minutes = '00'] = DATE.exec(text) ?? [];
	if (day === undefined) return undefined;
	const at = Date.parse(`${day}T${time}:${seconds}${hours}:${minutes}`);
	// Date.parse takes the 31st of any month.
	const isDay = !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day);
	return Number.isNaN(at) || !isDay ? undefined : at;
}

/** Writes facts to the minute, e.g. `left 2026-11-01T05:00Z; refused blocked 2026-10-28T05:00Z`. */
export function factsText(facts: Facts): string {
	return FACT_NAMES.flatMap((name) => {
		const fact = facts[name];
		if (fact === undefined) return [];
		const detail = 'outcome' in fact ? ` ${fact.outcome}` : '';
		return [`${name}${detail} ${new Date(fact.at).toISOString().slice(0, 16)}Z`];
	}).join('; ');
}

/** Says since when a person waits after a refusal, and until when. @param until ms since 1970 */
export function waitingText(
	{ refused }: Facts,
	action: string,
	{ until, now }: { until: number; now: number },
): string {
	const next = `Postponed: tried again from ${timeOf(until, now)} on.`;
	if (refused === undefined) return next;
	return `${next} On ${dayOf(refused.at)}: ${sentenceOf(refused.outcome, action)}`;
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
