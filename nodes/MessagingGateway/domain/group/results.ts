import { matchRows } from './matchRows';
import { outcomeOf, sentenceOf, WORDING, type Action, type Applied, type Outcome } from './outcomes';
import type { Change, PlannedRequest } from './plan';
import { readRows, type ReplyRow } from './replyRows';

/**
 * One participant of one item: the json of an output item of Update Participants. A type and no interface, since
 * only that fits n8n's items without a copy.
 */
export type ParticipantResult = {
	instance: string;
	groupJid: string;
	action: Action;
	/** As the item gave it. */
	participant: string;
	sentAs: string;
	/** As the gateway names them, where it does. */
	jid?: string;
	outcome: Outcome;
	applied: Applied;
	/** The gateway's own code. */
	code?: string;
	message: string;
	inviteCode?: string;
	/** ISO 8601, UTC. */
	inviteExpiresAt?: string;
};

/**
 * Says what became of each participant of a request that the gateway accepted.
 *
 * @param reply the body of the 2xx reply, whatever it is
 * @returns one result for each of the request's changes, in their order; `done` only for those whom a row of
 * the reply names and reports as done
 */
export function resultsOf(request: PlannedRequest, reply: unknown): ParticipantResult[] {
	const rows = readRows(reply);
	const found = rows && matchRows(request.participants, rows, request.action);
	return request.changes.map((change) => {
		const row = found?.get(change.sentAs);
		return resultOf(change, outcomeFor(row, request.action, rows !== undefined), row);
	});
}

/** What a dry run says of each participant of a request that is not sent. */
export function plannedResults(request: PlannedRequest): ParticipantResult[] {
	return request.changes.map((change) => resultOf(change, 'planned'));
}

function outcomeFor(row: ReplyRow | undefined, action: Action, hasList: boolean): Outcome {
	if (row?.code !== undefined) return outcomeOf(row.code, action);
	return hasList ? 'unconfirmed' : 'accepted';
}

function resultOf(
	{ instance, groupJid, action, participant, sentAs }: Change,
	outcome: Outcome,
	row: ReplyRow = {},
): ParticipantResult {
	const { jid, code, inviteCode, inviteExpiresAt } = row;
	return {
		instance,
		groupJid,
		action,
		participant,
		sentAs,
		...(jid !== undefined && { jid }),
		outcome,
		applied: WORDING[outcome].applied,
		...(code !== undefined && { code }),
		message: sentenceOf(outcome, action, code),
		...(inviteCode !== undefined && { inviteCode }),
		...(inviteExpiresAt !== undefined && { inviteExpiresAt }),
	};
}
