import { isRecord, recordOf } from '../../common/json';
import { isoTimeOf } from '../../common/time';
import type { Identity } from '../identity';
import { combine, dateIn, only, REFUSALS, type FactName, type Facts } from './fact';
import { factsText, readFacts } from './text';

/** Facts of people: by group, then by the canonical form of each of their identities. */
export type RememberedPeople = ReadonlyMap<string, ReadonlyMap<string, Facts>>;

const VERSION = 2;
/** Maximum number of people to remember: they take a few hundred kB. */
const MOST_PEOPLE = 10_000;

/** Reads the node's static data. Before the first `memory` of this version, `refusals` and `invited` of 1.1 and 1.2 count. */
export function readStored(
	stored: { readonly [Name in 'memory' | 'refusals' | 'invited']?: unknown },
	now: number,
): RememberedPeople {
	const { memory, refusals, invited } = stored;
	const isNew = recordOf(memory).version === VERSION;
	const sources = isNew ? [memory] : [refusals, invited].filter((source) => recordOf(source).version === 1);
	const people = new Map<string, Map<string, Facts>>();
	for (const source of sources)
		for (const [groupJid, ofGroup] of recordEntries(recordOf(source).groups)) {
			const known = people.get(groupJid) ?? new Map<string, Facts>();
			people.set(groupJid, known);
			for (const [form, value] of recordEntries(ofGroup)) {
				const { facts } = readFacts(typeof value === 'string' ? value : textBefore(value), now);
				if (dateIn(facts) > 0) known.set(form, { ...known.get(form), ...facts });
			}
		}
	return people;
}

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

/** Writes the newest people as plain JSON: `{version: 2, groups: {[groupJid]: {[form]: text}}}`. */
export function writeStored(people: RememberedPeople): object {
	const newest = [...people]
		.flatMap(([groupJid, known]) => [...known].map(([form, facts]) => ({ groupJid, form, facts })))
		.sort((person, other) => dateIn(other.facts) - dateIn(person.facts))
		.slice(0, MOST_PEOPLE);
	const groups: Record<string, Record<string, string>> = {};
	for (const { groupJid, form, facts } of newest) (groups[groupJid] ??= {})[form] = factsText(facts);
	return { version: VERSION, groups };
}

/** Finds a person's facts under any form of any identity; of several, those with the newest date. */
export function factsOf(people: RememberedPeople, groupJid: string, ids: readonly Identity[]): Facts {
	return combine(ids.flatMap(({ canonical }) => people.get(groupJid)?.get(canonical) ?? []));
}

/** Returns a copy with the facts of some people of groups, as far as n8n keeps them. */
export function withPeople(
	people: RememberedPeople,
	...groups: ReadonlyArray<{
		readonly groupJid: string;
		readonly hidesNumbers: boolean;
		readonly known: ReadonlyArray<{ readonly ids: readonly Identity[]; readonly facts: Facts }>;
	}>
): RememberedPeople {
	const all = new Map(people);
	for (const { groupJid, hidesNumbers, known } of groups) {
		const ofGroup = new Map(people.get(groupJid));
		all.set(groupJid, ofGroup);
		// Two forms of a number may be two people of the list: where one has nothing to remember, the other still has.
		for (const { ids } of known) for (const { canonical } of ids) ofGroup.delete(canonical);
		for (const { ids, facts } of known) {
			const kept = only(facts, keptOf(facts, hidesNumbers));
			if (dateIn(kept) > 0) for (const { canonical } of ids) ofGroup.set(canonical, kept);
		}
	}
	return all;
}

/** Names the facts that n8n keeps. `toLeave` only tells whose removal was refused. */
function keptOf({ refused, asked }: Facts, hidesNumbers: boolean): FactName[] {
	const kept: FactName[] = ['refused', 'asked', 'invited', 'maybeInvited'];
	if (refused ?? asked) kept.push('toLeave');
	if (hidesNumbers) kept.push('member');
	return kept;
}
