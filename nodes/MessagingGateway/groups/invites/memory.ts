import { isRecord } from '../../common/json';
import type { Identity } from '../identity';
import { isEmpty, withFact, type Facts } from '../memory/facts';
import { factsIn, readPeople, writePeople } from '../memory/peopleMemory';
import { rowTextAfter } from '../memory/rowText';
import type { InviteRow } from './plan';

/** Nobody is forgotten before so many others were invited. */
const MOST_INVITED = 10_000;

/** Where n8n keeps who was invited. Several runs may use it at once, such as the calls of an AI agent. */
export interface InviteStore {
	/** What was written last. */
	read: () => unknown;
	write: (invited: object) => void;
}

/** Who was invited, by group: by what their rows remember, or else by what n8n does. */
export class InviteMemory {
	private readonly ofRows = new Map<string, Facts>();

	private people = new Map<string, Map<string, Facts>>();

	/** What {@link people} were read from. */
	private stored: unknown;

	/** @param inExecution whom the node has invited before in this execution, which no row has remembered yet */
	constructor(
		private readonly store: InviteStore,
		private readonly inExecution?: InviteMemory,
	) {}

	/** Adds what a row of the run remembers: of several rows of a person the first that says anything counts for all. */
	addRow({ groupJid, participant, memory }: InviteRow): void {
		if (memory === undefined) return;
		const person = personKey(groupJid, participant.identity);
		if (isEmpty(this.ofRows.get(person) ?? {})) this.ofRows.set(person, memory.facts);
	}

	/** What is remembered of a person, under whatever form of their number. */
	find(groupJid: string, id: Identity): Facts | undefined {
		const now = this.inExecution?.find(groupJid, id);
		const ofRow = this.ofRows.get(personKey(groupJid, id));
		if (ofRow !== undefined) return { ...ofRow, ...now };
		return factsIn(this.kept, groupJid, [id]) ?? now;
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

	/** What n8n keeps now. */
	private get kept(): Map<string, Map<string, Facts>> {
		const stored = this.store.read();
		if (stored !== this.stored) this.people = readPeople(stored, readInvite);
		this.stored = stored;
		return this.people;
	}

	private put(groupJid: string, id: Identity, facts: Facts | undefined): void {
		const person = personKey(groupJid, id);
		if (this.ofRows.has(person)) {
			this.ofRows.set(person, facts ?? {});
			return;
		}
		const all = this.kept;
		const people = all.get(groupJid) ?? new Map<string, Facts>();
		if (facts === undefined) people.delete(id.canonical);
		else people.set(id.canonical, facts);
		all.set(groupJid, people);
		// Also what is dated in the future: a clock that was set back is no reason to invite a person again.
		this.store.write(writePeople(all, writeInvite, { since: 0, now: Infinity, most: MOST_INVITED }));
		this.stored = this.store.read();
	}

	/** The text that the row is to remember; `undefined` without Row Memory. */
	textAfter({ groupJid, participant, memory, memoryText, dryRun }: InviteRow): string | undefined {
		if (memory === undefined || dryRun) return memoryText;
		return rowTextAfter(memory, this.find(groupJid, participant.identity) ?? {});
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
