import type { Participant } from '../change';
import { identityOf } from '../identity';
import { WORDING, type Action, type Outcome } from '../outcomes';
import { outcomeOf } from './codes';
import type { ReplyRow, RowGroup } from './matchRows';

/** What the rows that may be about a participant say together. */
export interface Verdict {
	outcome: Outcome;
	/** Whether the code is about another number than the one sent, or may be. */
	asAnother?: boolean;
	/** What all the rows agree on. */
	row?: ReplyRow;
}

/**
 * Says what is certain of each participant, whichever of the rows are theirs: what all of them agree on. Where their
 * codes differ, it is `unchanged` if every one of them means that the group is as asked (who of them was changed now isn't
 * known), and otherwise not known.
 *
 * @param matches the rows that may be about each participant, in groups
 * @returns a verdict for each participant in `matches`
 */
export function verdictsOf(
	matches: ReadonlyMap<Participant, readonly RowGroup[]>,
	action: Action,
): Map<Participant, Verdict> {
	// Participants may share a group, which is weighed once.
	const statements = new Map<RowGroup, Statement>();
	for (const group of new Set([...matches.values()].flat()))
		statements.set(group, statementOf(group, action));
	const verdicts = new Map<Participant, Verdict>();
	for (const [participant, groups] of matches) {
		const about = groups.flatMap((group) => statements.get(group) ?? []);
		verdicts.set(participant, judge(participant, about));
	}
	return verdicts;
}

/** What a group of rows says, whoever it is about. */
interface Statement {
	row: ReplyRow;
	/** The keys of the phone numbers that it names. */
	numbers: Set<string>;
	/** What its codes mean where the network was asked about the number sent, and about another. */
	outcomes: Set<Outcome>;
	outcomesAsAnother: Set<Outcome>;
}

function statementOf(rows: RowGroup, action: Action): Statement {
	const ids = rows.flatMap(({ jid, phoneNumber }) => [identityOf(jid), identityOf(phoneNumber)]);
	const codes = [...new Set(rows.map(({ code }) => code))];
	const outcomes = (asAnother: boolean) =>
		new Set(codes.map((code) => (code === undefined ? 'unconfirmed' : outcomeOf(code, action, asAnother))));
	return {
		row: agreementOf(rows),
		numbers: new Set(ids.flatMap((id) => (id?.kind === 'phone' ? [id.key] : []))),
		outcomes: outcomes(false),
		outcomesAsAnother: outcomes(true),
	};
}

function judge(participant: Participant, statements: readonly Statement[]): Verdict {
	const row = agreementOf(statements.map((one) => one.row));
	const isAsAnother = ({ numbers }: Statement) => isAskedAsAnother(participant, numbers);
	const outcomes = new Set(
		statements.flatMap((one) => [...(isAsAnother(one) ? one.outcomesAsAnother : one.outcomes)]),
	);
	return { row, asAnother: statements.some(isAsAnother), outcome: commonOutcome(outcomes, row.code) };
}

/**
 * Whether the network was asked about another number than the one sent, or may have been: the reply names another one,
 * or none and gateways rewrite the one sent. They never rewrite a full JID.
 *
 * @param numbers the keys of the phone numbers that the reply names the person by
 */
function isAskedAsAnother({ sentAs, identity }: Participant, numbers: ReadonlySet<string>): boolean {
	if (sentAs.includes('@')) return false;
	const [number] = numbers;
	if (number === undefined) return identity.key !== identity.rewritten;
	return numbers.size > 1 || number !== identity.key;
}

function commonOutcome(outcomes: ReadonlySet<Outcome>, code: string | undefined): Outcome {
	const [first, ...others] = outcomes;
	if (first !== undefined && others.length === 0 && code !== undefined) return first;
	return [...outcomes].every((outcome) => WORDING[outcome].applied === true) ? 'unchanged' : 'unconfirmed';
}

const ROW_FIELDS = ['jid', 'phoneNumber', 'code', 'inviteCode', 'inviteExpiresAt'] as const;

/** The fields that are the same in all of the rows. */
function agreementOf(rows: readonly ReplyRow[]): ReplyRow {
	const agreed: ReplyRow = { ...rows[0] };
	for (const row of rows)
		for (const field of ROW_FIELDS) if (row[field] !== agreed[field]) agreed[field] = undefined;
	return agreed;
}
