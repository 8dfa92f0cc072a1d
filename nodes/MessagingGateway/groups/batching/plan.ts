import { groupByInSteps } from '../../common/groupBy';
import { flatMapInSteps, type Steps } from '../../common/steps';
import type { Change, ChangeRequest } from '../change';
import type { Identity } from '../identity';
import { batches, inOrder, onePerItem, splitWhere } from './requests';
import { inRounds } from './rounds';

/** How changes may be put together. */
export interface BatchOptions {
	/** Whether one request may serve several items. */
	combineItems: boolean;
	/** Most participants in one request. */
	batchSize: number;
}

/** The account that each instance is connected to; `undefined` where that can't be known, `null` for one that isn't changed. */
export type OwnAccounts = ReadonlyMap<string, Identity | null | undefined>;

/** The requests of a run, in the order in which they have to be sent. */
export interface RequestPlan {
	requests: ChangeRequest[];
	/** Instances whose own account was not given and would let changes move: here, all of theirs stay in order. */
	needsOwnAccount: string[];
}

/**
 * Turns changes into few requests that leave every group as one request per item, in order, would leave it.
 *
 * Groups don't affect each other, so they follow in order of first mention, each as {@link planGroup} has it. Where
 * items are not combined, all stays in order.
 *
 * @param changes in the order asked for
 */
export function* planRequests(
	changes: readonly Change[],
	{ combineItems, batchSize }: BatchOptions,
	ownAccounts: OwnAccounts = new Map(),
): Steps<RequestPlan> {
	if (!combineItems) return { requests: yield* onePerItem(changes, batchSize), needsOwnAccount: [] };
	const byGroup = yield* groupByInSteps(changes, ({ groupJid }) => groupJid);
	const plans: RequestPlan[] = [];
	for (const ofGroup of byGroup.values()) plans.push(yield* planGroup(ofGroup, batchSize, ownAccounts));
	return {
		requests: plans.flatMap(({ requests }) => requests),
		needsOwnAccount: [...new Set(plans.flatMap(({ needsOwnAccount }) => needsOwnAccount))],
	};
}

/**
 * Plans the changes to one group: in rounds, as {@link inRounds} puts them. Nothing is reordered where that takes fewer
 * requests, nor where it may change what becomes of the group: two IDs of different kinds can be one person, and of two
 * instances one may have rights that the other lacks.
 *
 * Nothing moves across a change of the instance's own account, which can lose its rights by it, so the account has to be
 * known where a removal or demotion would come earlier than asked for.
 */
function* planGroup(
	changes: readonly Change[],
	batchSize: number,
	ownAccounts: OwnAccounts,
): Steps<RequestPlan> {
	const [kind, ...otherKinds] = new Set(changes.map(({ participant }) => participant.identity.kind));
	const [instance, ...otherInstances] = new Set(changes.map((change) => change.instance));
	const areAlike = otherKinds.length === 0 && otherInstances.length === 0;
	if (!areAlike || kind === undefined || kind === 'other' || instance === undefined)
		return { requests: yield* inOrder(changes, batchSize), needsOwnAccount: [] };
	const { requests, revokesAdminEarlier } = yield* orderGroup(changes, batchSize);
	if (!revokesAdminEarlier) return { requests, needsOwnAccount: [] };
	const own = ownAccounts.get(instance);
	if (own === null) return { requests, needsOwnAccount: [] };
	if (own?.kind !== kind) {
		const needsOwnAccount = ownAccounts.has(instance) ? [] : [instance];
		return { requests: yield* inOrder(changes, batchSize), needsOwnAccount };
	}
	// The items about the own account go by themselves, and what comes before and after them in rounds.
	const ofOwnAccount = changes.filter(({ participant }) => participant.identity.canonical === own.canonical);
	const items = new Set(ofOwnAccount.map(({ item }) => item));
	const isFixed = ({ item }: Change) => items.has(item);
	const runs = yield* splitWhere(changes, (one, next) => isFixed(one) !== isFixed(next));
	return {
		requests: yield* flatMapInSteps(runs, function* (some) {
			if (some.some(isFixed)) return yield* onePerItem(some, batchSize);
			return (yield* orderGroup(some, batchSize)).requests;
		}),
		needsOwnAccount: [],
	};
}

/** In rounds, unless it takes fewer requests to leave all in order. */
function* orderGroup(
	changes: readonly Change[],
	batchSize: number,
): Steps<{ requests: ChangeRequest[]; revokesAdminEarlier: boolean }> {
	const { steps, revokesAdminEarlier } = yield* inRounds(changes);
	const requests = yield* flatMapInSteps(steps, (step) => batches(step, batchSize));
	const ordered = yield* inOrder(changes, batchSize);
	return ordered.length < requests.length
		? { requests: ordered, revokesAdminEarlier: false }
		: { requests, revokesAdminEarlier };
}
