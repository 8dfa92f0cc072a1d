import { groupBy } from '../../common/groupBy';
import { additionsIn, removalsIn, type Decision, type Plan } from './plan';

/** How much an instance may do in a run. */
export interface RunLimits {
	/** Most people to add. */
	readonly maxAdditions: number;
	/** Most people to remove. */
	readonly maxRemovals: number;
}

/** Most people in a run who go in a request of their own, since it isn't known what came of the last one. */
export const MOST_ALONE = 10;

const REASONS = { add: 'maxAdditions', remove: 'maxRemovals' } as const;

/**
 * Holds back what is more than an instance may do in a run. Of additions first come those never asked for, then those
 * asked for longest ago; among equals the input decides. A person who is added to several groups takes one place, and one
 * who goes alone takes none. Removals go in the plan's order.
 *
 * It halts before each addition.
 *
 * @param groups all to which something is sent (not stopped ones)
 * @param scopeOf what the limits count for; the same for groups that share them
 * @returns the groups in the same order, with the decisions beyond the limits postponed
 */
export function* withinLimits<G extends { readonly plan: Plan }>(
	groups: readonly G[],
	limits: RunLimits,
	scopeOf: (group: G) => string,
): Generator<undefined, G[]> {
	const tooMany = new Set<Decision>();
	for (const some of groupBy(groups, scopeOf).values()) {
		const plans = some.map(({ plan }) => plan);
		for (const decision of yield* beyondLimits(plans, limits)) tooMany.add(decision);
	}
	yield;
	if (tooMany.size === 0) return [...groups];
	return groups.map((one) => ({
		...one,
		plan: {
			...one.plan,
			decisions: one.plan.decisions.map((decision) =>
				decision.outcome === 'planned' && tooMany.has(decision)
					? { ...decision, outcome: 'postponed', reason: REASONS[decision.action] }
					: decision,
			),
		},
	}));
}

function* beyondLimits(
	plans: readonly Plan[],
	{ maxAdditions, maxRemovals }: RunLimits,
): Generator<undefined, Decision[]> {
	const additions = plans
		.flatMap(additionsIn)
		.sort((one, other) => one.askedAt - other.askedAt || one.rows[0].item - other.rows[0].item);
	const places = new Set<string>();
	const withoutPlace: Decision[] = [];
	for (const addition of additions) {
		yield;
		if (addition.isAlone) continue;
		const person = [...new Set(addition.ids.map(({ canonical }) => canonical))].join();
		if (places.size < maxAdditions) places.add(person);
		if (!places.has(person)) withoutPlace.push(addition);
	}
	return [
		...withoutPlace,
		...additions.filter(({ isAlone }) => isAlone).slice(maxAdditions === 0 ? 0 : MOST_ALONE),
		...plans.flatMap(removalsIn).slice(maxRemovals),
	];
}
