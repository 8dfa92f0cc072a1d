import { changesAsSent } from '../../groups/batching';
import { isAmbiguous, type ChangeRequest, type ChangeResult, type Participant } from '../../groups/change';
import { distinct, identityOf, otherForm } from '../../groups/identity';
import {
	openNotFound,
	REFUSED_TOGETHER,
	sentenceOf,
	WORDING,
	type Action,
	type Outcome,
} from '../../groups/outcomes';
import type { ReplyRow } from './changeRows';
import { matchRows, namesNoNumber } from './matchRows';

/** Outcomes of codes and words, for all actions or one. `rewritten`: only for a number that wasn't sent. */
const OUTCOMES_OF_CODES = new Map<string, Outcome>([
	['200', 'done'],
	['success', 'done'],
	['ok', 'done'],
	['added add', 'done'],
	['removed remove', 'done'],
	['409 add', 'unchanged'],
	['404 remove rewritten', 'unconfirmed'],
	['404 remove', 'unchanged'],
	['404', 'notFound'],
	['403 add', 'inviteRequired'],
	['417 add', 'inviteRequired'],
	['408', 'recentlyLeft'],
	['419', 'groupFull'],
	['421', 'pendingApproval'],
	['401', 'blocked'],
	// The account's, not the person's: it stops.
	['463 add', 'postponed'],
	['429 add', 'postponed'],
]);

/** Gives the outcome of a code. @param wasRewritten whether it may be about a number that wasn't sent */
export function outcomeOfCode(code: string, action: Action, wasRewritten = false): Outcome {
	const name = code.toLowerCase();
	const cases = [...(wasRewritten ? [`${name} ${action} rewritten`] : []), `${name} ${action}`, name];
	const known = cases.map((each) => OUTCOMES_OF_CODES.get(each)).find(Boolean);
	return known ?? (/[a-z]/i.test(code) ? 'unconfirmed' : 'rejected');
}

/** The certain facts about a participant: all rows that may be theirs agree on them. */
interface Result {
	outcome: Outcome;
	/** Whether the code is about another number than the one sent, or may be. */
	wasRewritten?: boolean;
	row?: ReplyRow;
}

/** Gives a result for each change of a request, in order, by the rows. Nobody is `done` on a guess. */
export function resultsOf(request: ChangeRequest, rows: readonly ReplyRow[] | undefined): ChangeResult[] {
	const { participants, action } = request;
	const matches = matchRows(participants, rows ?? []);
	const groups = new Set([...matches.values()].flat());
	// Participants may share a group, which is weighed once.
	const evidence = new Map([...groups].map((group) => [group, evidenceIn(group)]));
	const results = new Map<Participant, Result>();
	for (const [participant, own] of matches) {
		const ofOwn = own.flatMap((group) => evidence.get(group) ?? []);
		results.set(participant, weigh(participant, action, ofOwn));
	}
	// A person's own refusal brings the code of an invite.
	const areAllRefused =
		participants.length > 1 &&
		rows?.every(({ code, inviteCode }) => code === '403' && inviteCode === undefined);
	const unnamed: Result = { outcome: rows === undefined ? 'accepted' : 'unconfirmed' };
	return changesAsSent(request).map(({ instance, groupJid, participant, sent }) => {
		const result = results.get(sent) ?? unnamed;
		const { jid, code, inviteCode, inviteExpiresAt } = result.row ?? {};
		return {
			participant: participant.given,
			action,
			...meaningOf(result, action, participant),
			...(areAllRefused && result.outcome === 'inviteRequired' && { message: REFUSED_TOGETHER }),
			code,
			inviteCode,
			inviteExpiresAt,
			sentAs: sent.sentAs,
			jid: identityOf(jid) && jid,
			instance,
			groupJid,
		};
	});
}

/** Whether the results of some aren't known because the rows name nobody and have several codes. */
export function isUnnamed(rows: readonly ReplyRow[], results: readonly ChangeResult[]): boolean {
	const codes = new Set(rows.map(({ code }) => code));
	return (
		codes.size > 1 && rows.every(namesNoNumber) && results.some(({ outcome }) => outcome === 'unconfirmed')
	);
}

/** Gathers the facts in rows, whoever the person is: what all agree on, the keys of numbers, and codes. */
function evidenceIn(rows: readonly ReplyRow[]) {
	const ids = rows.flatMap(({ jid, otherId }) => distinct([identityOf(jid), identityOf(otherId)]));
	const numbers = new Set(ids.flatMap((id) => (id.kind === 'phone' ? [id.key] : [])));
	return { row: agreementOf(rows), numbers, codes: new Set(rows.map(({ code }) => code)) };
}

function weigh(
	participant: Participant,
	action: Action,
	evidence: ReadonlyArray<ReturnType<typeof evidenceIn>>,
): Result {
	const row = agreementOf(evidence.map((one) => one.row));
	const isRewritten = ({ numbers }: { numbers: ReadonlySet<string> }) =>
		isAskedAsAnother(participant, numbers);
	const outcomes = evidence.flatMap((one) =>
		[...one.codes].map((code) =>
			code === undefined ? 'unconfirmed' : outcomeOfCode(code, action, isRewritten(one)),
		),
	);
	const outcome = commonOutcome(new Set(outcomes), row.code);
	return { row, wasRewritten: evidence.some(isRewritten), outcome };
}

/**
 * Whether the network may have been asked about another number: the reply names another one, or none and
 * gateways rewrite the one sent. They never rewrite a full JID. @param numbers the keys of those in the reply
 */
function isAskedAsAnother({ sentAs, identity }: Participant, numbers: ReadonlySet<string>): boolean {
	if (sentAs.includes('@')) return false;
	if (numbers.size === 0) return identity.key !== identity.rewritten;
	return numbers.size > 1 || !numbers.has(identity.key);
}

/** Gives the outcome of several: `unchanged` if all are as asked, since nobody knows who was changed now. */
function commonOutcome(outcomes: ReadonlySet<Outcome>, code: string | undefined): Outcome {
	const [first, ...others] = outcomes;
	if (first !== undefined && others.length === 0 && code !== undefined) return first;
	return [...outcomes].every((outcome) => WORDING[outcome].applied === true) ? 'unchanged' : 'unconfirmed';
}

const ROW_FIELDS = ['jid', 'otherId', 'code', 'inviteCode', 'inviteExpiresAt'] as const;

/** Keeps the fields that are the same in all rows. */
function agreementOf(rows: readonly ReplyRow[]): ReplyRow {
	const agreed: ReplyRow = { ...rows[0] };
	for (const row of rows)
		for (const field of ROW_FIELDS) if (row[field] !== agreed[field]) agreed[field] = undefined;
	return agreed;
}

/** Gives the meaning of a result. A 404 says nothing of a number with other forms, unless it's a full JID. */
function meaningOf(
	{ outcome, wasRewritten, row }: Result,
	action: Action,
	{ given, identity }: Participant,
): Pick<ChangeResult, 'outcome' | 'message' | 'applied'> {
	const code = row?.code;
	const isOther = wasRewritten && code === '404';
	const inCase = isAmbiguous({ outcome, action, code }) ? 'ambiguous' : isOther ? 'rewritten' : undefined;
	const message =
		outcome === 'rejected' && code
			? `The gateway rejected this participant with code ${code}.`
			: sentenceOf(outcome, action, inCase);
	const said = { outcome, message };
	const other = wasRewritten ? undefined : otherForm(identity);
	const isOpen = code === '404' && !given.includes('@') && (wasRewritten || other !== undefined);
	if (!isOpen) return { applied: WORDING[outcome].applied, ...said };
	return { ...(other === undefined ? said : openNotFound(action, other)), applied: null };
}
