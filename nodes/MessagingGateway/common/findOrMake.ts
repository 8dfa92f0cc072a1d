/** Gets or makes an entry, now the newest one. Above the maximum, the oldest one goes. */
export function findOrMake<T>(all: Map<string, T>, key: string, make: () => T, most = Infinity): T {
	const entry = all.get(key) ?? make();
	all.delete(key);
	const [oldest] = all.keys();
	if (all.size >= most && oldest !== undefined) all.delete(oldest);
	all.set(key, entry);
	return entry;
}
