import { isRecord } from '../../common/json';
import type { Identity } from '../identity';
import { isEmpty, withFact, type Facts } from '../memory/facts';
import { factsIn, readPeople, writePeople } from '../memory/peopleMemory';
import { rowTextAfter } from '../memory/rowText';
import type { InviteRow } from './plan';

/** Nobody is forgotten before so many others were invited. */
const MOST_INVITED = 10_000;

/** Who was invited, by group: by what their rows remember, or else by what n8n does. */
export class InviteMemory {
	private readonly ofRows = new Map<string, Facts>();

	private readonly kept: Map<string, Map<string, Facts>>;

	/**
	 * @param stored what {@link toJson} gave; anything else is empty
	 * @param rows all of the run. Of several rows of a person the first that says anything counts for all
	 * @param keep told when what n8n is to remember has changed
	 * @param inExecution whom the node has invited before in this execution, which no row has remembered yet
	 */
	constructor(
		stored: unknown,
		rows: readonly InviteRow[],
		private readonly keep: (memory: InviteMemory) => void,
		private readonly inExecution?: InviteMemory,
	) {
		this.kept = readPeople(stored, readInvite);
		for (const { groupJid, participant, memory } of rows) {
			if (memory === undefined) continue;
			const person = personKey(groupJid, participant.identity);
			if (isEmpty(this.ofRows.get(person) ?? {}))
				this.ofRows.set(person, { ...memory.facts, ...inExecution?.find(groupJid, participant.identity) });
		}
	}

	/** What is remembered of a person, under whatever form of their number. */
	find(groupJid: string, id: Identity): Facts | undefined {
		return (
			this.ofRows.get(personKey(groupJid, id)) ??
			factsIn(this.kept, groupJid, [id]) ??
			this.inExecution?.find(groupJid, id)
		);
	}

	/**
	 * Notes an invite. Who certainly got one before keeps that note.
	 *
	 * @param name `invited` for a message that was certainly handed to the gateway
	 * @returns takes it back: what was noted before is noted again
	 */
	note(groupJid: string, id: Identity, name: 'invited' | 'maybeInvited', at: number): () => void {
		const before = this.find(groupJid, id);
		this.put(groupJid, id, withFact(before ?? {}, name, { at }));
		const takeBack = this.inExecution?.note(groupJid, id, name, at);
		return () => {
			this.put(groupJid, id, before);
			takeBack?.();
		};
	}

	private put(groupJid: string, id: Identity, facts: Facts | undefined): void {
		const person = personKey(groupJid, id);
		if (this.ofRows.has(person)) {
			this.ofRows.set(person, facts ?? {});
			return;
		}
		const people = this.kept.get(groupJid) ?? new Map<string, Facts>();
		if (facts === undefined) people.delete(id.canonical);
		else people.set(id.canonical, facts);
		this.kept.set(groupJid, people);
		this.keep(this);
	}

	/** The text that the row is to remember; `undefined` without Row Memory. */
	textAfter({ groupJid, participant, memory, memoryText, dryRun }: InviteRow): string | undefined {
		if (memory === undefined || dryRun) return memoryText;
		return rowTextAfter(memory, this.ofRows.get(personKey(groupJid, participant.identity)) ?? {});
	}

	/** Also with what is dated in the future: a clock that was set back is no reason to invite a person again. */
	toJson(): object {
		return writePeople(this.kept, writeInvite, { since: 0, now: Infinity, most: MOST_INVITED });
	}
}

function personKey(groupJid: string, { canonical }: Identity): string {
	return `${groupJid} ${canonical}`;
}

/** A number alone is sure, as everything that version 1.1 of the node has stored. */
function writeInvite({ invited }: Facts, seconds: number): unknown {
	return invited ? seconds : { unsure: seconds };
}

function readInvite(stored: unknown): Facts | undefined {
	const isSure = !isRecord(stored);
	const seconds = isSure ? stored : stored.unsure;
	if (typeof seconds !== 'number') return undefined;
	return { [isSure ? 'invited' : 'maybeInvited']: { at: seconds * 1000 } };
}
