import type { Decision } from './plan';

/** Returns the same text for all changes of one person. */
export function personKey({ ids }: Pick<Decision, 'ids'>): string {
	return [...new Set(ids.map(({ canonical }) => canonical))].join();
}

/** Sorts changes: people never tried first, then people tried longest ago, and equals in input order. */
export function byTurn(decision: Decision, other: Decision): number {
	return (
		(decision.triedAt ?? 0) - (other.triedAt ?? 0) ||
		(decision.rows[0]?.item ?? Infinity) - (other.rows[0]?.item ?? Infinity) ||
		0
	);
}

/**
 * Takes the changes that a limit has room for. A person counts once, however many groups they are in.
 *
 * @param pending in the order of their turn
 * @param counted people whom this execution has sent already
 * @param most people in the execution
 */
export function takeWithin(
	pending: readonly Decision[],
	counted: ReadonlySet<string>,
	most: number,
): Decision[] {
	const people = new Set(counted);
	return pending.filter((decision) => {
		const person = personKey(decision);
		if (people.size < most) people.add(person);
		return people.has(person);
	});
}
