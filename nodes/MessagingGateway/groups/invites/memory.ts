import { isRecord } from '../../common/json';
import type { Identity } from '../identity';
import {
	noteOf,
	readPeople,
	writePeople,
	type Note,
	type NoteFormat,
	type PeopleMemory,
} from '../memory/notes';

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

/** Who was invited, by group. */
export class InviteMemory {
	private readonly people: Map<string, Map<string, InviteNote>>;

	/** @param stored what {@link toJson} gave; anything else is empty */
	constructor(stored: unknown) {
		const known: PeopleMemory<InviteNote> = readPeople(stored, INVITE_FORMAT);
		this.people = new Map([...known].map(([groupJid, people]) => [groupJid, new Map(people)]));
	}

	/** What is noted of a person, under whatever form of their number. */
	find(groupJid: string, id: Identity): InviteNote | undefined {
		return noteOf(this.people, groupJid, [id]);
	}

	/**
	 * Notes an invite. Who certainly got one before keeps a sure note.
	 *
	 * @returns takes it back: what was noted before is noted again
	 */
	note(groupJid: string, { canonical: form }: Identity, { at, isSure }: InviteNote): () => void {
		const people = this.people.get(groupJid) ?? new Map<string, InviteNote>();
		const before = people.get(form);
		this.people.set(groupJid, people.set(form, { at, isSure: isSure || before?.isSure === true }));
		return () => void (before === undefined ? people.delete(form) : people.set(form, before));
	}

	/** Also with what is dated in the future: a clock that was set back is no reason to invite a person again. */
	toJson(): object {
		return writePeople(this.people, INVITE_FORMAT, { since: 0, now: Infinity, most: MOST_INVITED });
	}
}
