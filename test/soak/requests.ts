import type { Trouble } from './network/troubles';

/** A request, as far as its time and its refusal go. */
interface Timed {
	/** In ms since the start of the process. */
	arrived: number;
	instance: string;
	trouble?: Trouble | undefined;
	/** It has to wait for the interval after the one before. */
	isPaced: boolean;
}

/** What came too soon, and what was sent after the gateway had said no. */
export function wrongTimes(requests: readonly Timed[], interval: number): string[] {
	const found: string[] = [];
	const refusedKeys = new Set<string>();
	/** Why, by instance; `''` for the gateway. */
	const stopped = new Map<string, string>();
	requests.forEach(({ arrived, instance, trouble, isPaced }, i) => {
		// From the arrival of the one before, since its reply came later.
		const gap = arrived - (requests[i - 1]?.arrived ?? -Infinity);
		if (isPaced && gap < interval - 2) found.push(`sooner than the interval. Request ${i}, ${gap} ms`);
		const why = stopped.get('') ?? stopped.get(instance);
		if (why !== undefined) found.push(`sent although ${why} had stopped it. Request ${i} of ${instance}`);
		if (trouble?.status === 401) refusedKeys.add(instance);
		if (trouble?.stops !== undefined)
			stopped.set(trouble.stops === 'gateway' || refusedKeys.size > 1 ? '' : instance, trouble.name);
	});
	return found;
}
