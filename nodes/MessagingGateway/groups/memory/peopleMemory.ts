import { isRecord, recordOf } from '../../common/json';
import type { Identity } from '../identity';
import type { Facts, Note } from './facts';

/** What is remembered of people: by group, then by the canonical form of each of their identities. */
export type PeopleMemory = ReadonlyMap<string, ReadonlyMap<string, Facts>>;

/** Another version than this is read as empty. */
const VERSION = 1;

/**
 * Reads what {@link writePeople} gave.
 *
 * @param stored anything; what isn't understood is left out
 * @param read the facts of one person; `undefined` for what they aren't written as
 */
export function readPeople(
	stored: unknown,
	read: (facts: unknown) => Facts | undefined,
): Map<string, Map<string, Facts>> {
	const groups = isRecord(stored) && stored.version === VERSION && stored.groups;
	return new Map(
		entriesOf(groups).map(([groupJid, people]) => {
			const known = entriesOf(people).flatMap(([form, facts]) => {
				const understood = read(facts);
				return understood === undefined ? [] : [[form, understood] as const];
			});
			return [groupJid, new Map(known)];
		}),
	);
}

function entriesOf(value: unknown): Array<[string, unknown]> {
	return Object.entries(recordOf(value));
}

/**
 * The memory as plain JSON: `{version, groups: {[groupJid]: {[form]: facts}}}`.
 *
 * @param write the facts of one person, as JSON; `seconds` is when the newest of them was noted, since 1970
 * @param limits what is kept: nothing of before `since` or after `now`, and of the rest the newest
 */
export function writePeople(
	memory: PeopleMemory,
	write: (facts: Facts, seconds: number) => unknown,
	{ since, now, most }: { since: number; now: number; most: number },
): object {
	const kept = [...memory]
		.flatMap(([groupJid, people]) =>
			[...people].map(([form, facts]) => ({ groupJid, form, facts, at: newestIn(facts) })),
		)
		.filter(({ at }) => at > since && at <= now)
		.sort((one, other) => other.at - one.at)
		.slice(0, most);
	const groups: Record<string, Record<string, unknown>> = {};
	for (const { groupJid, form, facts, at } of kept)
		(groups[groupJid] ??= {})[form] = write(facts, Math.floor(at / 1000));
	return { version: VERSION, groups };
}

/** What is remembered of a person, under whatever form of whatever identity; of several forms the newest. */
export function factsIn(memory: PeopleMemory, groupJid: string, ids: readonly Identity[]): Facts | undefined {
	const people = memory.get(groupJid);
	const known = ids.flatMap(({ canonical }) => people?.get(canonical) ?? []);
	return known.sort((one, other) => newestIn(other) - newestIn(one))[0];
}

/** When the newest of facts was noted, in ms since 1970; 0 without any. */
export function newestIn(facts: Facts): number {
	return Math.max(0, ...Object.values(facts).map(({ at }: Note) => at));
}
