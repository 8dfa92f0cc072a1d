import type { Identity } from '../identity';
import { noteOf, readPeople, writePeople, type Note, type NoteFormat, type PeopleMemory } from '../memory';

/** Nobody is forgotten before so many others were invited. */
const MOST_INVITED = 10_000;

/** Who was invited when, to the second. */
const INVITE_FORMAT: NoteFormat<Note> = {
	version: 1,
	write: ({ at }) => Math.floor(at / 1000),
	read: (seconds) => (typeof seconds === 'number' ? { at: seconds * 1000 } : undefined),
};

/** Who was invited, by group. */
export class InviteMemory {
	private readonly people: Map<string, Map<string, Note>>;

	/** @param stored what {@link toJson} gave; anything else is empty */
	constructor(stored: unknown) {
		const known: PeopleMemory<Note> = readPeople(stored, INVITE_FORMAT);
		this.people = new Map([...known].map(([groupJid, people]) => [groupJid, new Map(people)]));
	}

	has(groupJid: string, id: Identity): boolean {
		return noteOf(this.people, groupJid, [id]) !== undefined;
	}

	/**
	 * @param now ms since 1970
	 * @returns takes it back: what was noted before is noted again
	 */
	note(groupJid: string, { canonical: form }: Identity, now: number): () => void {
		const people = this.people.get(groupJid) ?? new Map<string, Note>();
		const before = people.get(form);
		this.people.set(groupJid, people.set(form, { at: now }));
		return () => void (before === undefined ? people.delete(form) : people.set(form, before));
	}

	/** Also with what is dated in the future: a clock that was set back is no reason to invite a person again. */
	toJson(): object {
		return writePeople(this.people, INVITE_FORMAT, { since: 0, now: Infinity, most: MOST_INVITED });
	}
}
