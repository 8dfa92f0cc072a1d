/** Groups the elements of a list by key, in order of first mention. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (element: T) => K): Map<K, [T, ...T[]]> {
	const groups = new Map<K, [T, ...T[]]>();
	for (const element of all) {
		const key = keyOf(element);
		if (groups.get(key)?.push(element) === undefined) groups.set(key, [element]);
	}
	return groups;
}

/** Gets or makes an entry, now the newest one. Above the maximum, the oldest one goes. */
export function findOrMake<T>(all: Map<string, T>, key: string, make: () => T, most = Infinity): T {
	const entry = all.get(key) ?? make();
	all.delete(key);
	const [oldest] = all.keys();
	if (all.size >= most && oldest !== undefined) all.delete(oldest);
	all.set(key, entry);
	return entry;
}
