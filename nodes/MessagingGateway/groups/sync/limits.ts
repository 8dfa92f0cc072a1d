import { groupBy } from '../../common/groupBy';
import { flatMapInSteps, mapInSteps, type Steps } from '../../common/steps';
import {
	additionsIn,
	removalsIn,
	phaseOf,
	type Decision,
	type Plan,
	type SentDecision,
	type Phase,
} from './plan';

/** How much an instance may do in a run. */
export interface RunLimits {
	/** Most people to add. */
	readonly maxAdditions: number;
	/** Most people to remove. */
	readonly maxRemovals: number;
}

/** A number of places for each phase. */
export type Places = Readonly<Record<Phase, number>>;

/** The places of a run, less those that earlier runs of the execution took; those for additions with them. */
export interface PlacesLeft extends Places {
	/** Who took a place for additions then: to be added to one more group takes none. */
	readonly placed: ReadonlySet<string>;
}

/** Most people in a run who are asked for alone, since it isn't known what came of the last request for them. */
export const MOST_ALONE = 10;

const REASONS = { add: 'maxAdditions', remove: 'maxRemovals' } as const;

/** How many people a run may send for one instance, by its limits. */
export function placesWithin({ maxAdditions, maxRemovals }: RunLimits): Places {
	return { add: maxAdditions, addAlone: maxAdditions === 0 ? 0 : MOST_ALONE, remove: maxRemovals };
}

/** The same for the changes of one person. */
export function personKey({ ids }: SentDecision): string {
	return [...new Set(ids.map(({ canonical }) => canonical))].join();
}

/**
 * Holds back what is more than an instance may do in a run. Of additions first come those never asked for, then those
 * asked for longest ago; among equals the input decides. A person who is added to several groups takes one place, and one
 * who goes alone takes none. Removals go in the plan's order.
 *
 * @param groups all to which something is sent (not stopped ones)
 * @param scopeOf what the limits count for; the same for groups that share them
 * @param placesFor the places that are left in the scope of a group
 * @returns the groups in the same order, with the decisions beyond the limits postponed
 */
export function* withinLimits<G extends { readonly plan: Plan }>(
	groups: readonly G[],
	scopeOf: (group: G) => string,
	placesFor: (group: G) => PlacesLeft,
): Steps<G[]> {
	const tooMany = new Set<Decision>();
	for (const some of groupBy(groups, scopeOf).values()) {
		const plans = some.map(({ plan }) => plan);
		for (const decision of yield* beyondLimits(plans, placesFor(some[0]))) tooMany.add(decision);
	}
	if (tooMany.size === 0) return [...groups];
	return yield* flatMapInSteps(groups, function* (one) {
		const decisions = yield* mapInSteps(one.plan.decisions, (decision): Decision =>
			decision.outcome === 'planned' && tooMany.has(decision)
				? { ...decision, outcome: 'postponed', reason: REASONS[decision.action] }
				: decision,
		);
		return [{ ...one, plan: { ...one.plan, decisions } }];
	});
}

function* beyondLimits(plans: readonly Plan[], places: PlacesLeft): Steps<Decision[]> {
	const additions = (yield* mapInSteps(plans, additionsIn)).flat();
	yield;
	additions.sort((one, other) => one.askedAt - other.askedAt || one.rows[0].item - other.rows[0].item);
	const people = new Set(places.placed);
	const withoutPlace: Decision[] = [];
	const alone: Decision[] = [];
	for (const addition of additions) {
		yield;
		if (phaseOf(addition) === 'addAlone') {
			alone.push(addition);
			continue;
		}
		const person = personKey(addition);
		if (people.size < places.add) people.add(person);
		if (!people.has(person)) withoutPlace.push(addition);
	}
	const removals = (yield* mapInSteps(plans, removalsIn)).flat();
	return [...withoutPlace, ...alone.slice(places.addAlone), ...removals.slice(places.remove)];
}
