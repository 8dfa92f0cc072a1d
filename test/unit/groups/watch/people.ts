import type { Member } from '../../../../nodes/MessagingGateway/groups/people';
import {
	compareMembers,
	type GroupSnapshot,
} from '../../../../nodes/MessagingGateway/groups/watch/participants';
import { readMembers } from '../../support';

/** A member as a gateway lists them. */
export interface Row {
	id: string;
	phoneNumber?: string;
	jid?: string;
	lid?: string;
	admin?: string | null | undefined;
	name?: string;
}

export const byNumber = (number: string, more: Partial<Row> = {}): Row => ({
	id: `${number}@s.whatsapp.net`,
	admin: null,
	...more,
});
export const byHiddenId = (lid: string, more: Partial<Row> = {}): Row => ({
	id: `${lid}@lid`,
	admin: null,
	...more,
});
/** Both are shown. */
export const byBoth = (lid: string, number: string, more: Partial<Row> = {}): Row =>
	byHiddenId(lid, { phoneNumber: `${number}@s.whatsapp.net`, ...more });

export function membersOf(rows: readonly Row[]): Member[] {
	const members = readMembers({ participants: rows });
	if (members === undefined) throw new Error('These are no members');
	return members;
}

export function snapshotOf(rows: readonly Row[]): GroupSnapshot {
	return { members: membersOf(rows).map(({ rows: _, ...member }) => member), seemedEmptied: false };
}

/** Changes as `joined 5511…`, by number, or by ID where there is none. */
function told({ changes }: ReturnType<typeof compareMembers>): string[] {
	return changes.map(({ change, member: { number, id } }) => `${change} ${number ?? id}`).sort();
}

/** What a poll tells that finds these members after those. */
export function toldBetween(before: readonly Row[], now: readonly Row[]): string[] {
	return told(compareMembers(snapshotOf(before), membersOf(now)));
}
