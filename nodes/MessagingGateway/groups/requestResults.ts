import type { Change, PlannedRequest } from './batching/plan';
import type { ParticipantResult } from './matching/results';

/** What came of one request: a result for each of its changes, or the reason why there is none. */
export type RequestResult<F = unknown> =
	{ request: PlannedRequest; results: ParticipantResult[] } | { request: PlannedRequest; failure: F };

/** What came of one change: a result, or the reason why there is none. */
export type ChangeResult<F = unknown> = { result: ParticipantResult } | { failure: F };

/**
 * What came of each change.
 *
 * @param changes all of them; the place of each is its index
 * @returns by place; nothing for a change whose request was never tried
 */
export function changeResultsOf<F>(
	changes: readonly Change[],
	requestResults: ReadonlyArray<RequestResult<F>>,
): Array<ChangeResult<F> | undefined> {
	const all = new Array<ChangeResult<F> | undefined>(changes.length).fill(undefined);
	for (const one of requestResults)
		one.request.changes.forEach(({ place }, i) => {
			const result = 'results' in one ? one.results[i] : undefined;
			if (result !== undefined) all[place] = { result };
			else if ('failure' in one) all[place] = one;
		});
	return all;
}
