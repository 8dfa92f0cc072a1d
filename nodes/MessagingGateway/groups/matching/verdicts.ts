import type { RowGroup } from './matchRows';
import { outcomeOf, WORDING, type Action, type Outcome } from '../outcomes';
import type { ReplyRow } from '../../gateway/replies/changeRows';
import { identityOf, isAskedAsAnother, isPhone } from '../identity';

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
 * codes differ, it is `done` if every one of them means that the group is as asked, and otherwise not known.
 *
 * @param found the rows that may be about each participant, in groups
 * @returns a verdict for each participant in `found`
 */
export function verdictsOf(
	found: ReadonlyMap<string, readonly RowGroup[]>,
	action: Action,
): Map<string, Verdict> {
	// Participants may share a group, which is weighed once.
	const weighed = new Map<RowGroup, Weighed>();
	for (const group of new Set([...found.values()].flat())) weighed.set(group, weigh(group, action));
	const verdicts = new Map<string, Verdict>();
	for (const [sentAs, groups] of found)
		verdicts.set(
			sentAs,
			judge(
				sentAs,
				groups.flatMap((group) => weighed.get(group) ?? []),
			),
		);
	return verdicts;
}

/** What a group of rows says, whoever it is about. */
interface Weighed {
	row: ReplyRow;
	/** The phone numbers that it names. */
	numbers: Set<string>;
	/** What its codes mean where the network was asked about the number sent, and about another. */
	outcomes: Set<Outcome>;
	outcomesAsAnother: Set<Outcome>;
}

function weigh({ rows }: RowGroup, action: Action): Weighed {
	const ids = rows.flatMap(({ jid, phoneNumber }) => [identityOf(jid), identityOf(phoneNumber)]);
	const codes = [...new Set(rows.map(({ code }) => code))];
	const outcomes = (asAnother: boolean) =>
		new Set(codes.map((code) => (code === undefined ? 'unconfirmed' : outcomeOf(code, action, asAnother))));
	return {
		row: agreementOf(rows),
		numbers: new Set(ids.filter((id) => id !== undefined).filter(isPhone)),
		outcomes: outcomes(false),
		outcomesAsAnother: outcomes(true),
	};
}

function judge(sentAs: string, groups: readonly Weighed[]): Verdict {
	const row = agreementOf(groups.map((group) => group.row));
	const asked = groups.map((group) => ({ ...group, asAnother: isAskedAsAnother(sentAs, group.numbers) }));
	const outcomes = new Set(
		asked.flatMap((group) => [...(group.asAnother ? group.outcomesAsAnother : group.outcomes)]),
	);
	return {
		row,
		asAnother: asked.some(({ asAnother }) => asAnother),
		outcome: commonOutcome(outcomes, row.code),
	};
}

function commonOutcome(outcomes: ReadonlySet<Outcome>, code: string | undefined): Outcome {
	const [first, ...others] = outcomes;
	if (first !== undefined && others.length === 0 && code !== undefined) return first;
	return [...outcomes].every((outcome) => WORDING[outcome].applied === true) ? 'done' : 'unconfirmed';
}

const FIELDS = ['jid', 'phoneNumber', 'code', 'inviteCode', 'inviteExpiresAt'] as const;

/** The fields that are the same in all of the rows. */
function agreementOf(rows: readonly ReplyRow[]): ReplyRow {
	const agreed: ReplyRow = { ...rows[0] };
	for (const row of rows)
		for (const field of FIELDS) if (row[field] !== agreed[field]) agreed[field] = undefined;
	return agreed;
}
