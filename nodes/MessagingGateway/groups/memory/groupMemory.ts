import { listOf, parseJson, recordOf } from '../../common/json';
import { groupBy } from '../../common/maps';
import { DAY } from '../../common/time';
import type { Identity } from '../identity';
import { isOnlyMember, NO_FACTS, toMinute, type Facts } from './fact';
import { readRemembered, rememberedWriter, type Remembered } from './text';

/** Maximum number of people whom a node remembers: they take up to half a MB of the workflow. */
const MOST_REMEMBERED = 10_000;

/** Minimum length of a person in a text. */
const SHORTEST = 15;

/** People whom no run met for so long aren't written any more: exported workflows have their numbers. */
const KEPT_FOR = 100 * DAY;

/** A run of a third of the people counts as the last one: of fewer, it was a handful, or has just begun. */
const ENOUGH = 1 / 3;

export const UNKNOWN: Remembered = { facts: NO_FACTS, metAt: 0 };

/** The memory of a node about the people of a group. */
export class GroupMemory {
	/** By canonical ID: that of the row, and the numbers. */
	readonly people = new Map<string, Remembered>();

	/** Reads what {@link write} has written, of each person what was noted later. @param texts of all stores */
	constructor(texts: readonly unknown[], now: number) {
		for (const text of new Set(texts))
			for (const [words, ids] of Object.entries(recordOf(parseJson(text)))) {
				const known = readRemembered(words, now);
				for (const id of listOf(ids).map(String))
					if (known.metAt > (this.people.get(id)?.metAt ?? 0)) this.people.set(id, known);
			}
	}

	find(ids: readonly Identity[]): Remembered {
		const found = ids.flatMap(({ canonical }) => this.people.get(canonical) ?? []);
		return found.reduce((newest, one) => (one.metAt > newest.metAt ? one : newest), UNKNOWN);
	}

	/** Notes what a run has found out. @param metAt ms since 1970 */
	note(ids: readonly Identity[], facts: Facts, metAt: number): void {
		const all = ids.map(({ canonical }) => canonical);
		for (const id of all) this.people.delete(id);
		// Beside the numbers the ID of the row, which is all that it has once the person isn't a member any more.
		const numbers = ids.filter(({ kind }, i) => kind === 'phone' || i === 0);
		for (const { canonical } of numbers) this.people.set(canonical, { facts, metAt });
	}

	/** Gives the time since when a third of the people were met, other rounds of the execution apart. */
	lastRun(startedAt: number): number | undefined {
		// Written dates have no seconds.
		const start = toMinute(startedAt);
		const dates = [...this.people.values()].flatMap(({ metAt }) => (metAt < start ? metAt : []));
		dates.sort((date, other) => other - date);
		return dates[Math.ceil(dates.length * ENOUGH) - 1];
	}

	/** Writes people of equal facts together, e.g. `{"member 2026-11-01T05:00Z": ["phone:5511999990001"]}`. */
	write(): string {
		const newest = [...this.people.values()].reduce((latest, { metAt }) => Math.max(latest, metAt), 0);
		const kept = [...this.people].filter(([, { metAt }]) => metAt >= newest - KEPT_FOR);
		const textOf = rememberedWriter();
		const byText = groupBy(kept, ([, person]) => textOf(person));
		return JSON.stringify(
			Object.fromEntries([...byText].map(([text, all]) => [text, all.map(([id]) => id)])),
		);
	}
}

/** Finds the texts that have to be shorter: first members go, then those whom no run has met for longest. */
export async function withinLimit(
	texts: Readonly<Record<string, unknown>>,
	now: number,
	giveWay: () => Promise<void>,
): Promise<Record<string, string>> {
	const length = Object.values(texts).reduce<number>((sum, text) => sum + String(text).length, 0);
	if (length < MOST_REMEMBERED * SHORTEST) return {};
	const all: Array<{ groupJid: string; group: GroupMemory; id: string; matters: boolean; metAt: number }> =
		[];
	for (const [groupJid, text] of Object.entries(texts)) {
		await giveWay();
		const group = new GroupMemory([text], now);
		for (const [id, { facts, metAt }] of group.people)
			all.push({ groupJid, group, id, matters: !isOnlyMember(facts), metAt });
	}
	all.sort((one, other) => Number(other.matters) - Number(one.matters) || other.metAt - one.metAt);
	const changed = new Map<string, GroupMemory>();
	for (const { groupJid, group, id } of all.slice(MOST_REMEMBERED)) {
		group.people.delete(id);
		changed.set(groupJid, group);
	}
	return Object.fromEntries([...changed].map(([groupJid, group]) => [groupJid, group.write()]));
}
