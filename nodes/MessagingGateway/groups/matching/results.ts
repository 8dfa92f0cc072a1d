import { matchRows } from './matchRows';
import { sentenceOf, WORDING, type Action, type Applied, type Outcome } from '../outcomes';
import type { Change, PlannedRequest } from '../batching/plan';
import { isErrorReply, readRows } from '../../gateway/replies/changeRows';
import { verdictsOf, type Verdict } from './verdicts';
import { identityOf } from '../identity';

/**
 * One participant of one item: the json of an output item of operations that change something, with the fields in the order in which
 * a table shows them. A type and no interface, since only that fits n8n's items without a copy.
 */
export type ParticipantResult = {
	/** As the item gave it. */
	participant: string;
	/** What was or is to be done; `none`: nothing has to be. */
	action: Action | 'none' | 'invite';
	outcome: Outcome;
	message: string;
	applied: Applied;
	/** The gateway's own code. */
	code?: string;
	/** Why somebody is kept or postponed. */
	reason?: string;
	inviteCode?: string;
	/** ISO 8601, UTC. */
	inviteExpiresAt?: string;
	/** As sent to the gateway; left out if there is nothing to send. */
	sentAs?: string;
	/** As the gateway names them, where it does. */
	jid?: string;
	instance: string;
	groupJid: string;
};

/** What came of somebody about whom something is or was to be sent. */
export type SentResult = ParticipantResult & { sentAs: string };

/**
 * Says what became of each participant of a request that the gateway accepted.
 *
 * @param reply the body of the 2xx reply, whatever it is; the caller has made a failure of an {@link isErrorReply}
 * @returns one result for each of the request's changes, in their order; `done` only for those whom the rows of the
 * reply report as done, whichever of them are theirs
 */
export function resultsOf(request: PlannedRequest, reply: unknown): SentResult[] {
	const { participants, action, changes } = request;
	const rows = readRows(reply);
	const verdicts = verdictsOf(matchRows(participants, rows ?? []), action);
	const unnamed = rows === undefined && !isErrorReply(reply) ? 'accepted' : 'unconfirmed';
	return changes.map((change) => resultOf(change, verdicts.get(change.sentAs) ?? { outcome: unnamed }));
}

/** What a dry run says of each participant of a request that is not sent. */
export function plannedResults(request: PlannedRequest): SentResult[] {
	return request.changes.map((change) => resultOf(change, { outcome: 'planned' }));
}

function resultOf(
	{ instance, groupJid, action, participant, sentAs }: Change,
	{ outcome, asAnother, row = {} }: Verdict,
): SentResult {
	const { jid, code, inviteCode, inviteExpiresAt } = row;
	return {
		participant,
		action,
		outcome,
		message: sentenceOf(outcome, action, code, asAnother),
		applied: WORDING[outcome].applied,
		...(code !== undefined && { code }),
		...(inviteCode !== undefined && { inviteCode }),
		...(inviteExpiresAt !== undefined && { inviteExpiresAt }),
		sentAs,
		// What is no ID names nobody.
		...(jid !== undefined && identityOf(jid) !== undefined && { jid }),
		instance,
		groupJid,
	};
}
