/** Adds to what is counted by name. */
export function add(counts: Map<string, number>, name: string, amount = 1): void {
	counts.set(name, (counts.get(name) ?? 0) + amount);
}

/** All that was counted. */
export function sum(counts: ReadonlyMap<string, number>): number {
	return [...counts.values()].reduce((all, amount) => all + amount, 0);
}

/** What was counted, the most frequent first, as one line. */
export function listed(counts: ReadonlyMap<string, number>): string {
	return [...counts]
		.sort(([, a], [, b]) => b - a)
		.map(([name, amount]) => `${name} ${amount}`)
		.join(', ');
}

/** The members of a list by what `nameOf` gives for each, in the order of first mention. */
export function grouped<T, N>(all: readonly T[], nameOf: (one: T) => N): Map<N, T[]> {
	const groups = new Map<N, T[]>();
	for (const one of all) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
	return groups;
}
