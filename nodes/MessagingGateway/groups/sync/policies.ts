import type { Decision, DecisionReason, Plan } from './plan';

/** Replacement of a planned change; `undefined`: it stays in the plan. */
type Policy = (
	change: Decision,
) => { readonly outcome?: Decision['outcome']; readonly reason: DecisionReason } | undefined;

/** Sends the planned changes through a policy. */
export function through(plan: Plan, policy: Policy): Plan {
	const decisions = plan.decisions.map((decision) =>
		decision.outcome === 'planned' ? { ...decision, ...policy(decision) } : decision,
	);
	return { ...plan, decisions };
}

/** Leaves the changes that somebody has approved. */
export const onlyApproved =
	(approved: ReadonlySet<string> | undefined): Policy =>
	({ action, participant }) => {
		if (approved?.has(`${action} ${participant.sentAs}`) !== false) return undefined;
		return { outcome: action === 'add' ? 'postponed' : 'kept', reason: 'notApproved' };
	};

/** Notes in a dry run that the limit would stop a real one. */
export const asStopped: Policy = () => ({ reason: 'maxRemovalPercent' });

/** The options that limit changes, which are the reasons to postpone them, too. */
export const LIMIT_OF = { add: 'maxAdditions', remove: 'maxRemovals' } as const;

/** Postpones what a run leaves over. @param isFull whether the group has said that it's full */
export const withoutRest =
	(isLeft: (change: Decision) => boolean, isFull: (change: Decision) => boolean): Policy =>
	(change) => {
		if (!isLeft(change)) return undefined;
		return { outcome: 'postponed', reason: isFull(change) ? 'groupFull' : LIMIT_OF[change.action] };
	};
