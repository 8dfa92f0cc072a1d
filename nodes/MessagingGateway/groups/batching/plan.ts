import { groupBy } from '../../common/groupBy';
import type { Change, ChangeRequest } from '../change';
import type { Action } from '../outcomes';
import { batches, inOrder, onePerItem } from './requests';

/** Limits on putting changes together. */
export interface BatchOptions {
	/** Whether one request may serve several items. */
	combineItems: boolean;
	/** Most participants in one request. */
	batchSize: number;
}

/**
 * Turns changes into few requests that leave every group as one request per item, in order, would leave it. Groups follow
 * in order of first mention.
 *
 * @param changes in the order asked for
 */
export function planRequests(
	changes: readonly Change[],
	{ combineItems, batchSize }: BatchOptions,
): ChangeRequest[] {
	if (!combineItems) return onePerItem(changes, batchSize);
	const byGroup = groupBy(changes, ({ groupJid }) => groupJid);
	return [...byGroup.values()].flatMap((ofGroup) => planGroup(ofGroup, batchSize));
}

/**
 * Plans the changes to one group in rounds, unless it takes fewer requests in order. IDs of different kinds can be one
 * person, and instances can have different rights: such changes stay in order.
 */
function planGroup(changes: readonly Change[], batchSize: number): ChangeRequest[] {
	const ordered = inOrder(changes, batchSize);
	const kinds = new Set(changes.map(({ participant }) => participant.identity.kind));
	const instances = new Set(changes.map(({ instance }) => instance));
	if (kinds.size > 1 || instances.size > 1 || kinds.has('other')) return ordered;
	const inTurn = inRounds(changes).flatMap((step) => batches(step, batchSize));
	return ordered.length < inTurn.length ? ordered : inTurn;
}

/** The steps of a round, in order: removals make room for additions. */
const STEP_IN_ROUND: Record<Action, number> = { remove: 0, add: 1, promote: 2, demote: 3 };
const STEPS_IN_ROUND = 4;

/**
 * Puts changes to one group into rounds. Each step holds everybody whose next change it is, so the changes to one person
 * keep their order.
 */
function inRounds(changes: readonly Change[]): Change[][] {
	const steps: Change[][] = [];
	const stepOf = new Map<string, number>();
	for (const change of changes) {
		const { action, participant } = change;
		const person = participant.identity.canonical;
		const from = stepOf.get(person) ?? 0;
		// The first step with this action, from there on.
		const step = from + ((STEP_IN_ROUND[action] + STEPS_IN_ROUND - (from % STEPS_IN_ROUND)) % STEPS_IN_ROUND);
		stepOf.set(person, step);
		(steps[step] ??= []).push(change);
	}
	// The list has holes.
	return Object.values(steps);
}
