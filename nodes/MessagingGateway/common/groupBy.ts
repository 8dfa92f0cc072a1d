/** Groups the elements of a list by key, in order of first mention. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (element: T) => K): Map<K, [T, ...T[]]> {
	const groups = new Map<K, [T, ...T[]]>();
	for (const element of all) {
		const key = keyOf(element);
		if (groups.get(key)?.push(element) === undefined) groups.set(key, [element]);
	}
	return groups;
}
