import { groupInSteps } from '../../common/groupBy';
import type { Steps } from '../../common/steps';
import type { GroupRef, Participant } from '../change';
import type { RememberingRow } from '../memory/rowText';

/** One participant of one item. */
export interface InviteRow extends GroupRef, RememberingRow {
	participant: Participant;
	/** What the message says before the link. */
	message: string;
	/** Whether a person who was invited before is left out. */
	onlyOnce: boolean;
	dryRun: boolean;
}

/** One message to one person: all rows that name them through one instance, in input order, of which the first is sent. */
export type Invite = readonly [InviteRow, ...InviteRow[]];

/** One invite for each person, group and instance: who occurs twice gets one message. It halts before each row. */
export function* planInvites(rows: readonly InviteRow[]): Steps<Invite[]> {
	const invites = yield* groupInSteps(rows, ({ instance, groupJid, participant, dryRun }) =>
		JSON.stringify([instance, groupJid, participant.identity.canonical, dryRun]),
	);
	return [...invites.values()];
}
