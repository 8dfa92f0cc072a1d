import { groupBy } from '../../common/groupBy';
import { listOf, parseJson, recordOf } from '../../common/json';
import { DAY } from '../../common/time';
import type { Identity } from '../identity';
import {
	consistent,
	FACT_NAMES,
	hasFacts,
	isOnlyMember,
	NO_FACTS,
	without,
	type FactName,
	type Facts,
} from './fact';
import { UNKNOWN, type Remembered } from './recall';
import { readStoredText, storedTextMaker } from './text';

/** Maximum numbers of people to remember in the process, and in n8n's static data: they take some MB, and half a MB. */
const MOST_KNOWN = 20_000;
const MOST_STORED = 10_000;

/** People whom no run met for so long before the newest of their group aren't written any more: exported workflows have their numbers. */
const STORED_FOR = 60 * DAY;

interface Entry extends Remembered {
	readonly groupJid: string;
	/** Canonical IDs by which the person is found in the group. */
	readonly forms: string[];
	facts: Facts;
	/** Facts of a change that is under way. If its result never comes, they stay. */
	underWay: Facts;
	metAt: number;
}

const UNMET = { ...UNKNOWN, underWay: NO_FACTS } satisfies Partial<Entry>;

/** A node's part in an execution. */
export interface Author {
	/** The workflow and the node. */
	readonly node: string;
	/** Beginning of its first run, ms since 1970. */
	readonly startedAt: number;
}

/** A person in a group as a run has found them, and whether it took them out. */
export interface Met {
	readonly groupJid: string;
	readonly ids: readonly Identity[];
	readonly facts: Facts;
	readonly hasTakenOut?: boolean;
}

/** Stands for the node that took somebody out, where none did. */
const NOBODY = '';

/** People in groups: what all nodes in the process did and saw at a gateway, or what n8n keeps for one node. */
export class KnownPeople {
	/** By group and canonical ID. */
	private readonly groups = new Map<string, Map<string, Entry>>();

	private readonly entries = new Set<Entry>();

	/** Reads what {@link write} has written. Most people have the same text, which is read once. @param now ms since 1970 */
	static read(json: unknown, now: number): KnownPeople {
		const people = new KnownPeople();
		for (const [groupJid, ofGroup] of Object.entries(recordOf(parseJson(json))))
			for (const [text, forms] of Object.entries(recordOf(ofGroup))) {
				const known = readStoredText(text, now);
				for (const form of listOf(forms))
					people.add({ groupJid, forms: [], ...UNMET, ...known }, [String(form)]);
			}
		return people;
	}

	/**
	 * Writes `{[groupJid]: {[text]: forms}}` as JSON, e.g. `{"1@g.us": {"member 2026-11-01T05:00Z": ["phone:5511999990001"]}}`.
	 * A person has one place, by the numbers if there are any.
	 */
	write(): string {
		this.forgetAllBut(MOST_STORED);
		const textOf = storedTextMaker();
		const groups = new Map<string, Record<string, string[]>>();
		for (const [groupJid, ofGroup] of this.groups) {
			const people = [...new Set(ofGroup.values())];
			const newest = people.reduce((latest, { metAt }) => Math.max(latest, metAt), 0);
			const kept = people.filter(({ metAt }) => metAt >= newest - STORED_FOR);
			const byText = [...groupBy(kept, textOf)].map(
				([text, all]) => [text, all.flatMap(({ forms }) => numbersAmong(forms))] as const,
			);
			if (kept.length > 0) groups.set(groupJid, Object.fromEntries(byText));
		}
		return JSON.stringify(Object.fromEntries(groups));
	}

	find(groupJid: string, ids: readonly Identity[]): Remembered {
		const found = this.entriesOf(groupJid, ids);
		if (found.length === 0) return UNKNOWN;
		return {
			facts: consistent(found.flatMap(({ facts, underWay }) => [facts, underWay])),
			metAt: Math.max(...found.map(({ metAt }) => metAt)),
		};
	}

	/** Notes a change or message before it's sent: a run that is canceled meanwhile never learns its result. */
	begin(groupJid: string, ids: readonly Identity[], author: Author, underWay: Facts): void {
		this.meet(groupJid, ids, author).underWay = signed(underWay, author.node);
	}

	/** Notes the result of a change, or what a run found out. @param change gives the facts afterwards; those that don't say whose they are are the author's */
	note(
		groupJid: string,
		ids: readonly Identity[],
		author: Author,
		change: (facts: Facts) => Facts,
		hasTakenOut = false,
	): void {
		const entry = this.meet(groupJid, ids, author);
		const { node } = author;
		// Another node's change may still be under way.
		const own = FACT_NAMES.filter((name) => entry.underWay[name]?.by === node);
		entry.underWay = without(entry.underWay, own);
		// Who wasn't in the group was taken out by nobody, or earlier.
		const takenOutBy = hasTakenOut ? node : (entry.facts.out?.by ?? NOBODY);
		entry.facts = signed(change(entry.facts), node, takenOutBy);
		if (this.entries.size > MOST_KNOWN) this.forgetAllBut(0.9 * MOST_KNOWN);
	}

	/** Notes what a run found out. @param since ms since 1970: what other nodes have noted from then on stays */
	remember({ groupJid, ids, facts, hasTakenOut }: Met, author: Author, since = Infinity): void {
		const change = (before: Facts) => {
			const isOlder = (name: FactName) => before[name]?.by === author.node || (before[name]?.at ?? 0) < since;
			return consistent([facts, without(before, FACT_NAMES.filter(isOlder))]);
		};
		this.note(groupJid, ids, author, change, hasTakenOut);
	}

	private entriesOf(groupJid: string, ids: readonly Identity[]): Entry[] {
		const ofGroup = this.groups.get(groupJid);
		return [...new Set(ids.flatMap(({ canonical }) => ofGroup?.get(canonical) ?? []))];
	}

	/** Finds or makes the entry of a person whom a run meets. All that are known of these IDs become one. */
	private meet(groupJid: string, ids: readonly Identity[], { startedAt }: Author): Entry {
		const found = this.entriesOf(groupJid, ids);
		const [entry = { groupJid, forms: [], ...UNMET }, ...others] = found;
		entry.facts = consistent(found.map(({ facts }) => facts));
		entry.underWay = consistent(found.map(({ underWay }) => underWay));
		entry.metAt = Math.max(startedAt, ...found.map(({ metAt }) => metAt));
		for (const other of others) this.entries.delete(other);
		const forms = [...ids.map(({ canonical }) => canonical), ...others.flatMap((other) => other.forms)];
		return this.add(entry, forms);
	}

	private add(entry: Entry, forms: readonly string[]): Entry {
		const ofGroup = this.groups.get(entry.groupJid) ?? new Map<string, Entry>();
		this.groups.set(entry.groupJid, ofGroup);
		for (const form of forms) {
			if (ofGroup.get(form) === entry) continue;
			ofGroup.set(form, entry);
			entry.forms.push(form);
		}
		// In the order in which runs met people last, so that it's soon sorted.
		this.entries.delete(entry);
		this.entries.add(entry);
		return entry;
	}

	/** Forgets some: first people who are only members, then those whom no run has met for longest. */
	private forgetAllBut(most: number): void {
		if (this.entries.size <= most) return;
		const oldestFirst = [...this.entries].sort((entry, other) => entry.metAt - other.metAt);
		for (const isLast of [false, true])
			for (const entry of oldestFirst) {
				if (this.entries.size <= most) return;
				if (matters(entry) !== isLast) continue;
				this.entries.delete(entry);
				for (const form of entry.forms) this.groups.get(entry.groupJid)?.delete(form);
			}
	}
}

function matters({ facts, underWay }: Entry): boolean {
	return hasFacts(underWay) || (hasFacts(facts) && !isOnlyMember(facts));
}

/** Picks the numbers of a person, or the hidden IDs of one without. */
function numbersAmong(forms: readonly string[]): readonly string[] {
	const numbers = forms.filter((form) => form.startsWith('phone:'));
	return numbers.length > 0 ? numbers : forms;
}

/** Adds the node to facts that don't say whose they are. */
function signed(facts: Facts, by: string, takenOutBy = by): Facts {
	return FACT_NAMES.reduce((all, name) => {
		const fact = all[name];
		if (fact === undefined || fact.by !== undefined) return all;
		return { ...all, [name]: { by: name === 'out' ? takenOutBy : by, ...fact } };
	}, facts);
}
