import { groupBy } from '../../common/groupBy';
import { isRecord, listOf, recordOf } from '../../common/json';
import { isoTimeOf } from '../../common/time';
import type { Identity } from '../identity';
import { consistent, dateIn, hasFacts, isOnlyMember, REFUSALS, toMinute, type Facts } from './fact';
import { UNKNOWN, type Remembered } from './recall';
import { factsText, minuteText, readFacts } from './text';

/**
 * People as n8n keeps them: texts of facts, by group and canonical ID. `met` ends the text of somebody whom a run met later than
 * any fact, e.g. `out 2026-11-01T05:00Z; met 2026-11-09T05:00Z`. They are read once somebody asks.
 */
export type StoredPeople = ReadonlyMap<string, ReadonlyMap<string, string>>;

const VERSION = 2;
/** Maximum number of people to remember: they take about half a MB. */
const MOST_STORED = 10_000;

/** Reads the node's static data. Before the first `memory` of this version, `refusals` and `invited` of 1.1 and 1.2 count. */
export function readStored({
	memory,
	refusals,
	invited,
}: { readonly [Name in 'memory' | 'refusals' | 'invited']?: unknown }): StoredPeople {
	const people = new Map<string, Map<string, string>>();
	const isNew = recordOf(memory).version === VERSION;
	const sources = isNew ? [memory] : [refusals, invited].filter((source) => recordOf(source).version === 1);
	for (const source of sources)
		for (const [groupJid, ofGroup] of recordEntries(recordOf(source).groups)) {
			const known = people.get(groupJid) ?? new Map<string, string>();
			people.set(groupJid, known);
			for (const [name, value] of recordEntries(ofGroup)) {
				// 1.3 wrote a text for each form.
				const text = typeof value === 'string' ? value : textBefore(value);
				if (isNew && Array.isArray(value)) for (const form of listOf(value)) known.set(String(form), name);
				else known.set(name, [known.get(name), text].filter(Boolean).join(BETWEEN));
			}
		}
	return people;
}

const BETWEEN = '; ';

function recordEntries(value: unknown): Array<[string, unknown]> {
	return Object.entries(recordOf(value));
}

/** Writes a value of 1.1 or 1.2 as a text: `[seconds, kind, code]`, `seconds`, or `{unsure: seconds}`. */
function textBefore(value: unknown): string {
	const invite = isRecord(value) ? [value.unsure, 'maybeInvited'] : [value, 'invited'];
	const [seconds, kind] = Array.isArray(value) ? (value as unknown[]) : invite;
	const refusal = REFUSALS.some((known) => known === kind) ? 'refused ' : '';
	return typeof seconds === 'number' ? `${refusal}${String(kind)} ${isoTimeOf(seconds * 1000)}` : '';
}

/** Makes plain JSON: `{version: 2, groups: {[groupJid]: {[text]: forms}}}`. Most people have the same text. */
export function writeStored(people: StoredPeople): object {
	const known = [...people].filter(([, ofGroup]) => ofGroup.size > 0);
	const groups = known.map(([groupJid, ofGroup]) => {
		const byText = groupBy(ofGroup, ([, text]) => text);
		const forms = [...byText].map(([text, all]) => [text, all.map(([form]) => form)] as const);
		return [groupJid, Object.fromEntries(forms)] as const;
	});
	return { version: VERSION, groups: Object.fromEntries(groups) };
}

/** Finds what is remembered of a person under any form of any identity. @param read as {@link storedReader} makes it */
export function factsOf(
	people: StoredPeople,
	groupJid: string,
	ids: readonly Identity[],
	read: ReturnType<typeof storedReader>,
): Remembered {
	const ofGroup = people.get(groupJid);
	const known = ids.flatMap(({ canonical }) => read(ofGroup?.get(canonical)) ?? []);
	const [first = UNKNOWN, ...others] = known;
	if (others.length === 0) return first;
	return {
		facts: consistent(known.map(({ facts }) => facts)),
		metAt: Math.max(...known.map(({ metAt }) => metAt)),
	};
}

const MET = /(?:^|; )met ([-\d]+T[:\d]+Z)$/;

/** Makes a reader of texts. Most people have the same one, which is read once. @param now ms since 1970 */
export function storedReader(now: number): (text: string | undefined) => Remembered | undefined {
	const known = new Map<string | undefined, Remembered | undefined>([[undefined, undefined]]);
	return (text) => {
		if (text !== undefined && !known.has(text)) {
			const { facts } = readFacts(text.replace(MET, ''), now);
			const [, met] = MET.exec(text) ?? [];
			known.set(text, { facts, metAt: met === undefined ? dateIn(facts) : Date.parse(met) });
		}
		return known.get(text);
	};
}

/**
 * Writes what is kept of a group's people whom a run has met.
 *
 * @param metAt ms since 1970
 * @returns texts by canonical ID; `undefined` for an ID that isn't kept any more
 */
export function textsOf(
	people: ReadonlyArray<{ readonly ids: readonly Identity[]; readonly facts: Facts }>,
	metAt: number,
): ReadonlyMap<string, string | undefined> {
	const texts = new Map<string, string | undefined>();
	for (const { ids } of people) for (const { canonical } of ids) texts.set(canonical, undefined);
	for (const { ids, facts } of people)
		for (const { canonical } of mainIds(ids)) {
			// Two forms of a number may be two people of the list: where one has nothing to remember, the other still has.
			if (hasFacts(facts) || texts.get(canonical) === undefined)
				texts.set(canonical, storedText(facts, metAt));
		}
	return texts;
}

/** Returns a copy with the texts of groups, as {@link textsOf} writes them. @param now ms since 1970 */
export function withPeople(
	people: StoredPeople,
	now: number,
	groups: ReadonlyArray<{ readonly groupJid: string; readonly texts: ReturnType<typeof textsOf> }>,
): StoredPeople {
	const all = new Map(people);
	for (const { groupJid, texts } of groups) {
		const ofGroup = new Map(people.get(groupJid));
		all.set(groupJid, ofGroup);
		for (const [form, text] of texts) {
			if (text === undefined) ofGroup.delete(form);
			else ofGroup.set(form, text);
		}
	}
	return withinLimit(all, now);
}

/** Picks the numbers of a person, or the hidden IDs of one without: each takes its place. */
function mainIds(ids: readonly Identity[]): readonly Identity[] {
	const numbers = ids.filter(({ kind }) => kind === 'phone');
	return numbers.length > 0 ? numbers : ids;
}

function storedText(facts: Facts, metAt: number): string {
	const isNewest = dateIn(facts) >= toMinute(metAt);
	return [factsText(facts), isNewest ? '' : `met ${minuteText(metAt)}`].filter(Boolean).join(BETWEEN);
}

/** Forgets whom there is no room for: first people who are only members, then those whom no run has met for longest. */
function withinLimit(people: StoredPeople, now: number): StoredPeople {
	const all = [...people].flatMap(([groupJid, ofGroup]) =>
		[...ofGroup].map(([form, text]) => ({ groupJid, form, text })),
	);
	if (all.length <= MOST_STORED) return people;
	const read = storedReader(now);
	// Most people have the same text.
	const ranked = [...groupBy(all, ({ text }) => text)].map(([text, ofText]) => {
		const { facts, metAt } = read(text) ?? UNKNOWN;
		return { ofText, metAt, isLast: isOnlyMember(facts) || !hasFacts(facts) };
	});
	ranked.sort((some, others) => Number(some.isLast) - Number(others.isLast) || others.metAt - some.metAt);
	const kept = ranked.flatMap(({ ofText }) => ofText).slice(0, MOST_STORED);
	return new Map(
		[...groupBy(kept, ({ groupJid }) => groupJid)].map(([groupJid, ofGroup]) => [
			groupJid,
			new Map(ofGroup.map(({ form, text }) => [form, text])),
		]),
	);
}
