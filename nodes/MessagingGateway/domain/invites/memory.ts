import { canonicalIdentityOf } from '../people/identity';
import {
	noteOf,
	readPeople,
	writePeople,
	type Noted,
	type NoteFormat,
	type PeopleMemory,
} from '../people/memory';

/** Nobody is forgotten before so many others were invited. */
const MOST_INVITED = 10_000;

/** Who was invited when, to the second. */
const FORMAT: NoteFormat<Noted> = {
	version: 1,
	write: ({ at }) => Math.floor(at / 1000),
	read: (seconds) => (typeof seconds === 'number' ? { at: seconds * 1000 } : undefined),
};

/** Who was invited, by group. */
export class InviteMemory {
	private readonly people: Map<string, Map<string, Noted>>;

	/** @param stored what {@link toJson} gave; anything else is nothing */
	constructor(stored: unknown) {
		const known: PeopleMemory<Noted> = readPeople(stored, FORMAT);
		this.people = new Map([...known].map(([groupJid, people]) => [groupJid, new Map(people)]));
	}

	has(groupJid: string, id: string): boolean {
		return noteOf(this.people, groupJid, [id]) !== undefined;
	}

	/** @param now ms since 1970 */
	note(groupJid: string, id: string, now: number): void {
		const people = this.people.get(groupJid) ?? new Map<string, Noted>();
		this.people.set(groupJid, people.set(canonicalIdentityOf(id), { at: now }));
	}

	takeBack(groupJid: string, id: string): void {
		this.people.get(groupJid)?.delete(canonicalIdentityOf(id));
	}

	/** @param now ms since 1970 */
	toJson(now: number): object {
		return writePeople(this.people, FORMAT, { since: 0, now, most: MOST_INVITED });
	}
}
