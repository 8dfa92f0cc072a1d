import { hashOf } from '../../common/hash';
import { DAY } from '../../common/time';
import type { Identity } from '../identity';
import { REFUSALS, STANDINGS, without, type FactName, type Facts } from './facts';

/** What a row remembers of the person that it names. */
export interface RowMemory {
	/** As the row has it. */
	readonly text: string;
	/** Whom the row is about: a hash of group and person. */
	readonly key: string;
	/** None of another group or person. */
	readonly facts: Facts;
	/** Whether it is another group's or person's. */
	readonly isForeign: boolean;
	/** Whether something of it can't be read. */
	readonly isUnreadable: boolean;
}

/** A participant of an item, as far as its memory goes. */
export interface RememberingRow {
	/** Index of the item. */
	readonly item: number;
	/** `undefined` without Row Memory, and for one of several participants of an item. */
	readonly memory?: RowMemory | undefined;
	/** As the row has it; `undefined` without Row Memory. */
	readonly memoryText?: string | undefined;
}

const INVITES: readonly FactName[] = ['invited', 'maybeInvited'];

/** In the order in which they are written. */
const NAMES: readonly FactName[] = [...STANDINGS, 'refused', 'asked', ...INVITES];

const LONGEST_TEXT = 2000;

/**
 * Reads the text that an earlier run gave for a row: facts, and whom they are for, e.g.
 * `member 2026-11-01T05:00Z; for 1f3a9c04`.
 *
 * @param text anything; what isn't understood counts as nothing
 * @param now ms since 1970; what is dated more than a day after it isn't understood
 */
export function readRowText(text: string, groupJid: string, person: Identity, now: number): RowMemory {
	const key = hashOf(`${groupJid} ${person.canonical}`);
	if (text.length > LONGEST_TEXT) return { text, key, facts: {}, isForeign: false, isUnreadable: true };
	let facts: Facts = {};
	let whom = key;
	let isUnreadable = false;
	for (const part of text.split(';')) {
		const [word, ...others] = part.trim().toLowerCase().split(/\s+/);
		if (!word) continue;
		if (word === 'for') whom = others.join(' ');
		else {
			const more = withRead(facts, word, others, now);
			isUnreadable ||= more === undefined;
			facts = more ?? facts;
		}
	}
	const isWhole = /^[0-9a-f]{8}$/.test(whom);
	// What was cut off may have been about anybody.
	const known = whom === key ? facts : {};
	const over: readonly FactName[] = known.member || known.out ? ['refused', 'asked'] : [];
	const joined = known.member?.at ?? -Infinity;
	// One of the same time may have come after.
	const olderInvites = INVITES.filter((name) => (known[name]?.at ?? joined) < joined);
	return {
		text,
		key,
		facts: without(known, [...over, ...olderInvites]),
		isForeign: isWhole && whom !== key,
		isUnreadable: isUnreadable || !isWhole,
	};
}

/**
 * What one of the participants of an item remembers.
 *
 * @param memoryText as the row has it; `undefined` without Row Memory
 * @param isAlone whether the item has no other participants: else the text may be about any of them
 */
export function memoryOf(
	memoryText: string | undefined,
	isAlone: boolean,
	groupJid: string,
	person: Identity,
	now: number,
): Omit<RememberingRow, 'item'> {
	if (memoryText === undefined || !isAlone) return { memoryText };
	return { memoryText, memory: readRowText(memoryText, groupJid, person, now) };
}

/** The facts with the one that words spell; `undefined` where they spell none. */
function withRead(facts: Facts, word: string, words: string[], now: number): Facts | undefined {
	const name = NAMES.find((one) => one.toLowerCase() === word);
	const outcome = REFUSALS.find((one) => one.toLowerCase() === words[0]);
	const at = dateOf((name === 'refused' ? words.slice(1) : words).join(' '));
	if (name === undefined || at === undefined || at > now + DAY) return undefined;
	if (name === 'refused') return outcome ? { ...facts, refused: { at, outcome } } : undefined;
	// Of two of which only one can be true, the last one counts.
	const others = STANDINGS.some((one) => one === name) ? STANDINGS : [];
	return { ...without(facts, others), [name]: { at } };
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?(?:z|([+-]\d\d):?(\d\d)))?)?$/;

/** ms since 1970 of an ISO 8601 date in lower case, which may have no time or offset; `undefined` for anything else. */
function dateOf(text: string): number | undefined {
	const [, day, time = '00:00', seconds = '00', hours = '+00', minutes = '00'] = DATE.exec(text) ?? [];
	if (day === undefined) return undefined;
	const at = Date.parse(`${day}T${time}:${seconds}${hours}:${minutes}`);
	// Date.parse takes the 31st of any month.
	const isDay = !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day);
	return Number.isNaN(at) || !isDay ? undefined : at;
}

/**
 * The text for a row after a run.
 *
 * @param facts what is remembered now; the text stays as it is where that is nothing new
 */
export function rowTextAfter({ text, key, facts: before, isForeign }: RowMemory, facts: Facts): string {
	const parts = factsAsText(facts);
	if (parts.join() === factsAsText(before).join() && !isForeign) return text;
	return parts.length === 0 ? '' : [...parts, `for ${key}`].join('; ');
}

function factsAsText(facts: Facts): string[] {
	return NAMES.flatMap((name) => {
		const fact = facts[name];
		if (fact === undefined) return [];
		const detail = 'outcome' in fact ? ` ${fact.outcome}` : '';
		return [`${name}${detail} ${new Date(fact.at).toISOString().slice(0, 16)}Z`];
	});
}
