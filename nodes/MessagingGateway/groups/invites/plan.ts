import { groupByInSteps } from '../../common/groupBy';
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

/** One invite for each person, group and instance: who occurs twice gets one message. */
export function* planInvites(rows: readonly InviteRow[]): Steps<Invite[]> {
	// Only the name of an instance may have a space in it. As JSON, the keys of a long list would hold n8n's thread.
	const invites = yield* groupByInSteps(
		rows,
		({ instance, groupJid, participant, dryRun }) =>
			`${dryRun} ${groupJid} ${participant.identity.canonical} ${instance}`,
	);
	return [...invites.values()];
}
