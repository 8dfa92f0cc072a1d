import type { Steps } from './steps';

type NonEmptyList<T> = [T, ...T[]];

/** Puts the values of a list together that have the same key: in the order of the first of each, and as they came. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, NonEmptyList<T>> {
	const groups = new Map<K, NonEmptyList<T>>();
	for (const one of all) addTo(groups, keyOf(one), one);
	return groups;
}

/** The same as work that halts before each of them. */
export function* groupByInSteps<T, K>(
	all: Iterable<T>,
	keyOf: (one: T) => K,
): Steps<Map<K, NonEmptyList<T>>> {
	const groups = new Map<K, NonEmptyList<T>>();
	for (const one of all) {
		yield;
		addTo(groups, keyOf(one), one);
	}
	return groups;
}

function addTo<T, K>(groups: Map<K, NonEmptyList<T>>, key: K, one: T): void {
	const others = groups.get(key);
	if (others === undefined) groups.set(key, [one]);
	else others.push(one);
}
