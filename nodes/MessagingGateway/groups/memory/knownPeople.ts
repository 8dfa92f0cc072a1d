import type { Identity } from '../identity';
import { consistent, hasFacts, isOnlyMember, withAuthor, type Facts } from './fact';
import { UNKNOWN } from './groupMemory';
import type { Remembered } from './text';

/** Maximum number of people in the notes of a process: they take some MB. */
const MOST_NOTED = 20_000;

interface Entry extends Remembered {
	readonly groupJid: string;
	/** Canonical IDs by which the person is found in the group. */
	readonly forms: string[];
	facts: Facts;
	metAt: number;
	/** The node that noted something last: workflow and node. */
	by: string;
}

/** A person in a group as a run has found them. */
export interface Met {
	readonly groupJid: string;
	readonly ids: readonly Identity[];
	readonly facts: Facts;
}

/** Notes of a process about people in groups: what all nodes and operations did and saw at a gateway. */
export class KnownPeople {
	/** By group and canonical ID. */
	private readonly groups = new Map<string, Map<string, Entry>>();

	private readonly entries = new Set<Entry>();

	find(groupJid: string, ids: readonly Identity[]): Remembered {
		const found = this.entriesOf(groupJid, ids);
		const [only, ...others] = found;
		if (only === undefined || others.length === 0) return only ?? UNKNOWN;
		return {
			facts: consistent(found.map(({ facts }) => facts)),
			metAt: Math.max(...found.map(({ metAt }) => metAt)),
		};
	}

	/** Notes something about a person: all who are known by these IDs become one. @param by workflow and node */
	note(
		groupJid: string,
		ids: readonly Identity[],
		by: string,
		change: (facts: Facts, by: string) => Facts,
	): void {
		const found = this.entriesOf(groupJid, ids);
		const [entry = { groupJid, forms: [], by: '', ...UNKNOWN }, ...others] = found;
		entry.facts = change(consistent(found.map(({ facts }) => facts)), entry.by);
		Object.assign(entry, { metAt: Date.now(), by });
		for (const other of others) this.entries.delete(other);
		const forms = [...ids.map(({ canonical }) => canonical), ...others.flatMap((other) => other.forms)];
		const ofGroup = this.groups.get(groupJid) ?? new Map<string, Entry>();
		this.groups.set(groupJid, ofGroup);
		for (const form of forms) {
			if (ofGroup.get(form) === entry) continue;
			ofGroup.set(form, entry);
			entry.forms.push(form);
		}
		// In the order in which runs met people last: the first are forgotten first.
		this.entries.delete(entry);
		this.entries.add(entry);
		if (this.entries.size > MOST_NOTED) this.forgetAllBut(0.9 * MOST_NOTED);
	}

	/** Notes what a node's run found out. @param since ms since 1970: what others noted from then on stays */
	remember({ groupJid, ids, facts }: Met, node: string, since: number): void {
		this.note(groupJid, ids, node, (before, by) =>
			by === node ? withAuthor(facts, before.out?.by) : consistent([facts, newerFacts(before, since)]),
		);
	}

	private entriesOf(groupJid: string, ids: readonly Identity[]): Entry[] {
		const ofGroup = this.groups.get(groupJid);
		return [...new Set(ids.flatMap(({ canonical }) => ofGroup?.get(canonical) ?? []))];
	}

	/** Forgets some: first people who are only members, then those whom no run has met for longest. */
	private forgetAllBut(most: number): void {
		for (const isLast of [false, true])
			for (const entry of this.entries) {
				if (this.entries.size <= most) return;
				if ((hasFacts(entry.facts) && !isOnlyMember(entry.facts)) !== isLast) continue;
				this.entries.delete(entry);
				for (const form of entry.forms) this.groups.get(entry.groupJid)?.delete(form);
			}
	}
}

function newerFacts(facts: Facts, since: number): Facts {
	return Object.fromEntries(
		Object.entries(facts).filter(([, { at }]: [string, { at: number }]) => at >= since),
	);
}
