import type { Decision, DecisionReason } from './plan';

/** Step that takes changes out of a plan, and says what becomes of those people instead. */
type Policy<Rules extends unknown[] = []> = (decisions: readonly Decision[], ...rules: Rules) => Decision[];

/** Leaves the changes that somebody has approved. */
export const onlyApproved: Policy<[approved: ReadonlySet<string> | undefined]> = (decisions, approved) =>
	replace(decisions, ({ action, participant }) => {
		if (approved?.has(`${action} ${participant.sentAs}`) !== false) return undefined;
		return { outcome: action === 'add' ? 'postponed' : 'kept', reason: 'notApproved' };
	});

/** Notes in a dry run that the limit would stop a real one. */
export const asStopped: Policy = (decisions) => replace(decisions, () => ({ reason: 'maxRemovalPercent' }));

/** The options that limit changes, which are the reasons to postpone them, too. */
export const LIMIT_OF = { add: 'maxAdditions', remove: 'maxRemovals' } as const;

/** Postpones what a run leaves over. @param isLeft whether it does @param isFull whether a group has said that it's full */
export const withoutRest: Policy<
	[isLeft: (decision: Decision) => boolean, isFull: (decision: Decision) => boolean]
> = (decisions, isLeft, isFull) =>
	replace(decisions, (decision) => {
		if (!isLeft(decision)) return undefined;
		return { outcome: 'postponed', reason: isFull(decision) ? 'groupFull' : LIMIT_OF[decision.action] };
	});

/** Replaces planned changes. @param instead gives what becomes of one; `undefined`: it stays in the plan */
function replace(
	decisions: readonly Decision[],
	instead: (
		decision: Decision,
	) => { readonly outcome?: Decision['outcome']; readonly reason: DecisionReason } | undefined,
): Decision[] {
	return decisions.map((decision) => {
		const other = decision.outcome === 'planned' ? instead(decision) : undefined;
		return other === undefined ? decision : { ...decision, ...other };
	});
}
