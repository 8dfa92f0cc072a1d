import type { Addition, Decision, Plan } from './plan';

/**
 * Holds back the additions that are more than an instance may make in a run. First come those who were never refused,
 * then those whose refusal is the oldest; among equals the input decides. A person who is added to several groups
 * takes one place.
 *
 * @param plans those of all groups of one instance to which something is sent (not of stopped ones)
 * @param maxAdditions most people to add
 * @returns the plans in the same order, with the decisions beyond the limit postponed
 */
export function limitAdditions(plans: readonly Plan[], maxAdditions: number): Plan[] {
	const inOrder = plans
		.flatMap(({ decisions }) => decisions.filter(isAddition))
		.sort((one, other) => turnOf(one) - turnOf(other) || placeOf(one) - placeOf(other));
	const places = new Set<string>();
	const tooMany = new Set<Decision>();
	for (const addition of inOrder) {
		const person = [...new Set(addition.ids.map(({ canonical }) => canonical))].join();
		if (places.has(person) || places.size < maxAdditions) places.add(person);
		else tooMany.add(addition);
	}
	return plans.map((one) => ({
		...one,
		decisions: one.decisions.map((decision) =>
			isAddition(decision) && tooMany.has(decision) ? postpone(decision) : decision,
		),
	}));
}

function isAddition(decision: Decision): decision is Addition {
	return decision.action === 'add' && decision.outcome === 'planned';
}

/** Never refused: before everybody who was. */
function turnOf({ refusedAt = 0 }: Addition): number {
	return refusedAt;
}

function placeOf({ rows: [row] }: Addition): number {
	return row.item;
}

function postpone({ rows, shouldBeMember, ids, members, action, sentAs }: Addition): Decision {
	return { rows, shouldBeMember, ids, members, action, outcome: 'postponed', sentAs, reason: 'maxAdditions' };
}
