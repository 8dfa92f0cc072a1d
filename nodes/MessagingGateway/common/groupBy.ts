/** Groups the elements of a list by key, in order of first mention. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (element: T) => K): Map<K, [T, ...T[]]> {
	const groups = new Map<K, [T, ...T[]]>();
	for (const element of all) {
		const key = keyOf(element);
		const others = groups.get(key);
		if (others === undefined) groups.set(key, [element]);
		else others.push(element);
	}
	return groups;
}
