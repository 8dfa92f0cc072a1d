import type { Steps } from '../../common/steps';
import type { Change } from '../change';
import type { Action } from '../outcomes';

/** The steps of a round, in order: removals make room for additions. */
const STEP_IN_ROUND: Record<Action, number> = { remove: 0, add: 1, promote: 2, demote: 3 };
const STEPS_IN_ROUND = 4;

/** Changes by which an account can lose the right to change anything. */
const REVOKES_ADMIN: ReadonlySet<Action> = new Set(['remove', 'demote']);

/**
 * Puts changes into rounds: in each step goes everybody whose next change it is, so one person can have several changes
 * in a round, and those to one person keep their order.
 *
 * @param changes to one group, in the order asked for
 * @returns the steps in order, and whether a removal or demotion comes before a change that was asked for earlier
 */
export function* inRounds(
	changes: readonly Change[],
): Steps<{ steps: Change[][]; revokesAdminEarlier: boolean }> {
	const steps: Change[][] = [];
	const stepOf = new Map<string, number>();
	let last = 0;
	let revokesAdminEarlier = false;
	for (const change of changes) {
		yield;
		const { action, participant } = change;
		const person = participant.identity.canonical;
		const from = stepOf.get(person) ?? 0;
		// The first step with this action, from there on.
		const step = from + ((STEP_IN_ROUND[action] + STEPS_IN_ROUND - (from % STEPS_IN_ROUND)) % STEPS_IN_ROUND);
		stepOf.set(person, step);
		(steps[step] ??= []).push(change);
		revokesAdminEarlier ||= step < last && REVOKES_ADMIN.has(action);
		last = Math.max(step, last);
	}
	// The list has holes.
	return { steps: Object.values(steps), revokesAdminEarlier };
}
