import { isRecord } from '../../common/json';
import type { Identity } from '../identity';
import { isEmpty, withFact, type Facts } from '../memory/facts';
import { noteOf, readPeople, writePeople, type Note, type NoteFormat } from '../memory/notes';
import { rowTextAfter } from '../memory/rowText';
import type { InviteRow } from './plan';

/** Nobody is forgotten before so many others were invited. */
const MOST_INVITED = 10_000;

/** When a person was invited. */
export interface InviteNote extends Note {
	/** Whether the message was certainly handed to the gateway. */
	readonly isSure: boolean;
}

/** The time, to the second. A number alone is sure, as everything that version 1.1 of the node has stored. */
const INVITE_FORMAT: NoteFormat<InviteNote> = {
	version: 1,
	write: ({ at, isSure }) => (isSure ? secondsOf(at) : { unsure: secondsOf(at) }),
	read: (stored) => {
		const isSure = !isRecord(stored);
		const seconds = isSure ? stored : stored.unsure;
		return typeof seconds === 'number' ? { at: seconds * 1000, isSure } : undefined;
	},
};

function secondsOf(ms: number): number {
	return Math.floor(ms / 1000);
}

/** Who was invited, by group: by what their rows remember, or else by what n8n does. */
export class InviteMemory {
	private readonly ofRows = new Map<string, Facts>();

	private readonly kept: Map<string, Map<string, InviteNote>>;

	/**
	 * @param stored what {@link toJson} gave; anything else is empty
	 * @param rows all of the run. Of several rows of a person the first that says anything counts for all
	 * @param keep told when what n8n is to remember has changed
	 */
	constructor(
		stored: unknown,
		rows: readonly InviteRow[] = [],
		private readonly keep: (memory: InviteMemory) => void = () => {},
	) {
		this.kept = readPeople(stored, INVITE_FORMAT);
		for (const { groupJid, participant, memory } of rows) {
			if (memory === undefined) continue;
			const person = personIn(groupJid, participant.identity);
			if (isEmpty(this.ofRows.get(person) ?? {})) this.ofRows.set(person, memory.facts);
		}
	}

	/** What is noted of a person, under whatever form of their number. */
	find(groupJid: string, id: Identity): InviteNote | undefined {
		const facts = this.ofRows.get(personIn(groupJid, id));
		if (facts === undefined) return noteOf(this.kept, groupJid, [id]);
		const { invited, maybeInvited } = facts;
		if (invited) return { at: invited.at, isSure: true };
		return maybeInvited && { at: maybeInvited.at, isSure: false };
	}

	/**
	 * Notes an invite. Who certainly got one before keeps a sure note.
	 *
	 * @returns takes it back: what was noted before is noted again, and kept, unless another note follows at once
	 */
	note(groupJid: string, id: Identity, { at, isSure }: InviteNote): (isReplaced?: boolean) => void {
		const person = personIn(groupJid, id);
		const facts = this.ofRows.get(person);
		if (facts !== undefined) {
			this.ofRows.set(person, withFact(facts, isSure ? 'invited' : 'maybeInvited', { at }));
			return () => void this.ofRows.set(person, facts);
		}
		const form = id.canonical;
		const people = this.kept.get(groupJid) ?? new Map<string, InviteNote>();
		const before = people.get(form);
		this.kept.set(groupJid, people.set(form, { at, isSure: isSure || before?.isSure === true }));
		this.keep(this);
		return (isReplaced = false) => {
			if (before === undefined) people.delete(form);
			else people.set(form, before);
			if (!isReplaced) this.keep(this);
		};
	}

	/** The text that the row is to remember; `undefined` without Row Memory. */
	textAfter({ groupJid, participant, memory, memoryText, dryRun }: InviteRow): string | undefined {
		if (memory === undefined || dryRun) return memoryText;
		return rowTextAfter(memory, this.ofRows.get(personIn(groupJid, participant.identity)) ?? {});
	}

	/** Also with what is dated in the future: a clock that was set back is no reason to invite a person again. */
	toJson(): object {
		return writePeople(this.kept, INVITE_FORMAT, { since: 0, now: Infinity, most: MOST_INVITED });
	}
}

function personIn(groupJid: string, { canonical }: Identity): string {
	return `${groupJid} ${canonical}`;
}
