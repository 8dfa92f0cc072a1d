/**
 * Work that halts before each row, person or change, since thousands take longer than n8n's thread should be held, and
 * what it comes to.
 */
export type Steps<T> = Generator<undefined, T>;

/** Makes something of each of a list, in order, as work that halts before each of them. */
export function* mapInSteps<T, R>(all: Iterable<T>, work: (one: T) => R): Steps<R[]> {
	const results: R[] = [];
	for (const one of all) {
		yield;
		results.push(work(one));
	}
	return results;
}

/** The same for work that halts itself and makes a list of each. @returns all that is in the lists, in order */
export function* flatMapInSteps<T, R>(all: Iterable<T>, work: (one: T) => Steps<R[]>): Steps<R[]> {
	const results: R[][] = [];
	for (const one of all) results.push(yield* work(one));
	return results.flat();
}
