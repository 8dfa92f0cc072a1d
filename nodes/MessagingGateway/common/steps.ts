/** Makes something of each of a list, in order, as work that halts before each of them. */
export function* mapInSteps<T, R>(all: Iterable<T>, work: (one: T) => R): Generator<undefined, R[]> {
	const results: R[] = [];
	for (const one of all) {
		yield;
		results.push(work(one));
	}
	return results;
}
