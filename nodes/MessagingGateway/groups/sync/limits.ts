import type { Addition, Decision, Plan, Postponement, Removal } from './plan';

/** How much an instance may do in a run. */
export interface RunLimits {
	/** Most people to add. */
	readonly maxAdditions: number;
	/** Most people to remove. */
	readonly maxRemovals: number;
}

/** Most people in a run who go in a request of their own, since it isn't known what came of the last one. */
export const MOST_ALONE = 10;

/**
 * Holds back what is more than an instance may do in a run. Of additions first come those never asked for, then those
 * asked for longest ago; among equals the input decides. A person who is added to several groups takes one place, and one
 * who goes alone takes none. Removals go in the plan's order.
 *
 * @param plans those of all groups of one instance to which something is sent (not of stopped ones)
 * @returns the plans in the same order, with the decisions beyond the limits postponed
 */
export function withinLimits(plans: readonly Plan[], { maxAdditions, maxRemovals }: RunLimits): Plan[] {
	const decisions = plans.flatMap((one) => one.decisions);
	const additions = decisions
		.filter(isAddition)
		.sort((one, other) => one.askedAt - other.askedAt || placeOf(one) - placeOf(other));
	const alone = additions.filter(({ isAlone }) => isAlone);
	const tooMany = new Set<Decision>([
		...beyond(
			additions.filter(({ isAlone }) => !isAlone),
			maxAdditions,
		),
		...alone.slice(maxAdditions === 0 ? 0 : MOST_ALONE),
		...decisions.filter(isRemoval).slice(maxRemovals),
	]);
	return plans.map((one) => ({
		...one,
		decisions: one.decisions.map((decision) =>
			tooMany.has(decision) && decision.outcome === 'planned' ? postponed(decision) : decision,
		),
	}));
}

function beyond(additions: readonly Addition[], most: number): Addition[] {
	const places = new Set<string>();
	return additions.filter(({ ids }) => {
		const person = [...new Set(ids.map(({ canonical }) => canonical))].join();
		const hasPlace = places.has(person) || places.size < most;
		if (hasPlace) places.add(person);
		return !hasPlace;
	});
}

function isAddition(decision: Decision): decision is Addition {
	return decision.action === 'add' && decision.outcome === 'planned';
}

function isRemoval(decision: Decision): decision is Removal {
	return decision.action === 'remove' && decision.outcome === 'planned';
}

function placeOf({ rows: [row] }: Addition): number {
	return row.item;
}

function postponed(decision: Addition | Removal): Postponement {
	const { rows, shouldBeMember, ids, members, before, facts, action, sentAs } = decision;
	const reason = action === 'add' ? 'maxAdditions' : 'maxRemovals';
	return { rows, shouldBeMember, ids, members, before, facts, action, outcome: 'postponed', sentAs, reason };
}
