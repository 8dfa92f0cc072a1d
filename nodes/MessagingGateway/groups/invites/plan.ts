import type { Participant } from '../../input/participants';
import { canonicalIdentityOf, identityOf } from '../identity';

/** One participant of one item. */
export interface InviteRow {
	item: number;
	participant: Participant;
	instance: string;
	groupJid: string;
	/** What the message says before the link. */
	message: string;
	/** Whether somebody who was invited before is left out. */
	onlyOnce: boolean;
	dryRun: boolean;
}

/** One message to one person. */
export interface Invite extends Omit<InviteRow, 'item' | 'participant'> {
	/** The rows that name them, in input order. */
	rows: [InviteRow, ...InviteRow[]];
	sentAs: string;
	/** Their identity. */
	id: string;
}

/** One invite for each person and group: whoever occurs twice gets one message, the first row's. */
export function planInvites(rows: readonly InviteRow[]): Invite[] {
	const invites = new Map<string, Invite>();
	for (const row of rows) {
		const { instance, groupJid, message, onlyOnce, dryRun, participant } = row;
		const { sentAs } = participant;
		const id = identityOf(sentAs) ?? sentAs;
		const key = JSON.stringify([groupJid, canonicalIdentityOf(id), dryRun]);
		const known = invites.get(key);
		if (known === undefined)
			invites.set(key, { rows: [row], instance, groupJid, message, onlyOnce, dryRun, sentAs, id });
		else known.rows.push(row);
	}
	return [...invites.values()];
}
