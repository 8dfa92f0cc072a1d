/** Puts the values of a list together that have the same key: in the order of the first of each, and as they came. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, [T, ...T[]]> {
	const groups = new Map<K, [T, ...T[]]>();
	for (const one of all) {
		const key = keyOf(one);
		const others = groups.get(key);
		if (others === undefined) groups.set(key, [one]);
		else others.push(one);
	}
	return groups;
}
