import { numberKey } from '../batching/requests';
import { isSharedChange, type ChangeRequest, type ChangeResult, type Participant } from '../change';
import { identityOf, otherForm } from '../identity';
import { openNotFound, sentenceOf, WORDING, type Action } from '../outcomes';
import { matchRows, namesNoNumber, type ReplyRow } from './matchRows';
import { verdictsOf, type Verdict } from './verdicts';

/**
 * Says what became of each participant of a request that the gateway accepted.
 *
 * @param rows those of the reply; `undefined` where it has no list
 * @returns one result for each of the request's changes, in their order; `done` only for those whom the rows report as
 * done, whichever of them are theirs
 */
export function resultsOf(request: ChangeRequest, rows: readonly ReplyRow[] | undefined): ChangeResult[] {
	const { participants, action } = request;
	const verdicts = verdictsOf(matchRows(participants, rows ?? []), action);
	const unnamed: Verdict = { outcome: rows === undefined ? 'accepted' : 'unconfirmed' };
	return resultsBy(request, (participant) => verdicts.get(participant) ?? unnamed);
}

/** Whether it isn't known of some what became of them since the rows name nobody and give several codes. */
export function isUnnamed(rows: readonly ReplyRow[], results: readonly ChangeResult[]): boolean {
	const codes = new Set(rows.map(({ code }) => code));
	return (
		codes.size > 1 && rows.every(namesNoNumber) && results.some(({ outcome }) => outcome === 'unconfirmed')
	);
}

/** What a dry run says of each participant of a request that is not sent. */
export function plannedResults(request: ChangeRequest): ChangeResult[] {
	return resultsBy(request, () => ({ outcome: 'planned' }));
}

function resultsBy(
	{ participants, changes }: ChangeRequest,
	verdictOf: (participant: Participant) => Verdict,
): ChangeResult[] {
	// A change may ask for a number in another form than the one that is sent.
	const sent = new Map(participants.map((one) => [numberKey(one), one]));
	return changes.map(({ instance, groupJid, action, participant }) => {
		const asSent = sent.get(numberKey(participant)) ?? participant;
		const verdict = verdictOf(asSent);
		const { jid, code, inviteCode, inviteExpiresAt } = verdict.row ?? {};
		return {
			participant: participant.given,
			action,
			...meaningOf(verdict, action, participant),
			...(code !== undefined && { code }),
			...(inviteCode !== undefined && { inviteCode }),
			...(inviteExpiresAt !== undefined && { inviteExpiresAt }),
			sentAs: asSent.sentAs,
			// What is no ID names nobody.
			...(jid !== undefined && identityOf(jid) !== undefined && { jid }),
			instance,
			groupJid,
		};
	});
}

/** A 404 says nothing about a person whose number has other forms, unless the item names them by a full JID. */
function meaningOf(
	{ outcome, asAnother, row }: Verdict,
	action: Action,
	{ given, identity }: Participant,
): Pick<ChangeResult, 'outcome' | 'message' | 'applied'> {
	const isShared = isSharedChange({ outcome, action, code: row?.code });
	const shared = isShared ? WORDING[outcome].shared?.[action] : undefined;
	const message = shared?.message ?? sentenceOf(outcome, action, row?.code, asAnother);
	const said = { outcome, message };
	const other = asAnother ? undefined : otherForm(identity);
	const isOpen = row?.code === '404' && !given.includes('@') && (asAnother || other !== undefined);
	if (!isOpen) return { ...said, applied: WORDING[outcome].applied };
	return { ...(other === undefined ? said : openNotFound(action, other)), applied: null };
}
