import { isRecord } from '../../common/json';
import type { Identity } from '../identity';

/** Something that was noted of a person, and when, in ms since 1970. */
export interface Note {
	readonly at: number;
}

/** What was noted of people: by group, then by the canonical form of each of their identities. */
export type PeopleMemory<V extends Note> = ReadonlyMap<string, ReadonlyMap<string, V>>;

/** How a note is stored. */
export interface NoteFormat<V extends Note> {
	/** Another version than the one stored is read as empty. */
	version: number;
	/** As JSON. */
	write: (note: V) => unknown;
	/** `undefined` for what `write` didn't give. */
	read: (stored: unknown) => V | undefined;
}

/**
 * Reads what {@link writePeople} gave.
 *
 * @param stored anything; what isn't understood is left out
 */
export function readPeople<V extends Note>(
	stored: unknown,
	{ version, read }: NoteFormat<V>,
): Map<string, Map<string, V>> {
	const groups = isRecord(stored) && stored.version === version && stored.groups;
	return new Map(
		entriesOf(groups).map(([groupJid, people]) => [
			groupJid,
			new Map(
				entriesOf(people).flatMap(([form, note]): Array<[string, V]> => {
					const known = read(note);
					return known === undefined ? [] : [[form, known]];
				}),
			),
		]),
	);
}

function entriesOf(value: unknown): Array<[string, unknown]> {
	return Object.entries(isRecord(value) ? value : {});
}

/**
 * The memory as plain JSON: `{version, groups: {[groupJid]: {[form]: note}}}`.
 *
 * @param limits which notes are kept: none of before `since` or after `now`, and of the others the newest
 */
export function writePeople<V extends Note>(
	memory: PeopleMemory<V>,
	{ version, write }: NoteFormat<V>,
	{ since, now, most }: { since: number; now: number; most: number },
): object {
	const kept = [...memory]
		.flatMap(([groupJid, people]) => [...people].map(([form, note]) => ({ groupJid, form, note })))
		.filter(({ note: { at } }) => at > since && at <= now)
		.sort((one, other) => other.note.at - one.note.at)
		.slice(0, most);
	const groups: Record<string, Record<string, unknown>> = {};
	for (const { groupJid, form, note } of kept) (groups[groupJid] ??= {})[form] = write(note);
	return { version, groups };
}

/** What is noted of a person, under whatever form of whatever identity; of several notes the newest. */
export function noteOf<V extends Note>(
	memory: PeopleMemory<V>,
	groupJid: string,
	ids: readonly Identity[],
): V | undefined {
	const people = memory.get(groupJid);
	const notes = ids.flatMap(({ canonical }) => people?.get(canonical) ?? []);
	return notes.sort((one, other) => other.at - one.at)[0];
}
