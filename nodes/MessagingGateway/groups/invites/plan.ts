import { groupBy } from '../../common/groupBy';
import type { Entry, GroupRef, Participant } from '../change';
import { combine, type Facts } from '../memory/fact';
import type { RowMemory } from '../memory/text';

/** One participant of one item. */
export interface InviteRow extends GroupRef {
	readonly item: number;
	readonly participant: Participant;
	/** Text of the message before the link. */
	readonly message: string;
	/** Whether people who were invited before are left out. */
	readonly onlyOnce: boolean;
	/** `undefined` without Row Memory. */
	readonly memory?: RowMemory | undefined;
}

/** One message to one person, and what becomes of it: a record that each step of a run fills in. */
export interface Invite {
	/** All rows that name the person, in input order. The first one is sent. */
	readonly rows: readonly [InviteRow, ...InviteRow[]];
	/** What the rows remember, and after the run what they are to remember. */
	readonly before: Facts;
	after: Facts;
	entry?: Entry;
}

/** Makes one invite for each person, group and instance: a person who occurs twice gets one message. */
export function planInvites(rows: readonly InviteRow[]): Invite[] {
	// Only the name of an instance may have a space in it.
	const byPerson = groupBy(
		rows,
		({ instance, groupJid, participant }) => `${groupJid} ${participant.identity.canonical} ${instance}`,
	);
	return [...byPerson.values()].map((ofPerson) => {
		const before = combine(ofPerson.map(({ memory }) => memory?.facts ?? {}));
		return { rows: ofPerson, before, after: before };
	});
}
