import type { Steps } from './steps';

/** Values by key, in the order of the first of each; those of one key in the order in which they came. */
type Groups<K, T> = Map<K, [T, ...T[]]>;

/** Puts the values of a list together that have the same key. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Groups<K, T> {
	const groups: Groups<K, T> = new Map();
	for (const one of all) put(groups, keyOf(one), one);
	return groups;
}

/** The same as work that halts before each of them. */
export function* groupInSteps<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Steps<Groups<K, T>> {
	const groups: Groups<K, T> = new Map();
	for (const one of all) {
		yield;
		put(groups, keyOf(one), one);
	}
	return groups;
}

function put<T, K>(groups: Groups<K, T>, key: K, one: T): void {
	const others = groups.get(key);
	if (others === undefined) groups.set(key, [one]);
	else others.push(one);
}
