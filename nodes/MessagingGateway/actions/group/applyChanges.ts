import { onePerParticipant } from '../../groups/batching/requests';
import { groupKey, type ChangeRequest, type Journal } from '../../groups/change';
import type { Progress } from '../../groups/progress';
import type { Run } from '../../run/operation';
import type { Writer } from '../../run/writer';

/** What came of planned changes. */
export interface AppliedChanges {
	journal: Journal;
	/** The requests that were tried, in order. */
	tried: Array<{ request: ChangeRequest; failure?: unknown }>;
}

/**
 * Sends planned group changes, whatever the plan was made of. Unless the node continues on fail, the first request that
 * fails is the last.
 *
 * @param splitsUnnamed whether a group's later additions go one by one once a reply has named nobody and given several
 * codes: otherwise it would never be known what came of any
 * @param replies where replies are kept as they came; left out where they aren't output, since they take more memory than
 * the results
 */
export async function applyChanges(
	{ client, context }: Run,
	writer: Writer,
	requests: readonly ChangeRequest[],
	{ splitsUnnamed, replies }: { splitsUnnamed?: boolean; replies?: Map<ChangeRequest, unknown> | undefined },
): Promise<AppliedChanges> {
	const { journal, tried }: AppliedChanges = { journal: new Map(), tried: [] };
	const unnamed = new Set<string>();
	const queue = function* () {
		for (const one of requests)
			yield* one.action === 'add' && unnamed.has(groupKey(one)) ? onePerParticipant(one) : [one];
	};
	for (const request of queue())
		try {
			const { reply, results, isUnnamed } = await writer.send(
				request,
				async (options) => await client.changeParticipants(request, options),
			);
			request.changes.forEach((change, i) => {
				const result = results[i];
				if (result !== undefined) journal.set(change, { result });
			});
			tried.push({ request });
			replies?.set(request, reply);
			if (splitsUnnamed && isUnnamed) unnamed.add(groupKey(request));
		} catch (failure) {
			for (const change of request.changes) journal.set(change, { failure });
			tried.push({ request, failure });
			if (!context.continueOnFail()) break;
		}
	return { journal, tried };
}

/** What is known of requests, for what the error of a run that ends says. */
export function progressOfRequests({ journal, tried }: AppliedChanges, requests: number): Progress {
	return {
		tried: tried.map(({ request }) => request.changes.flatMap((change) => journal.get(change) ?? [])),
		// Additions that are split take more requests than were planned.
		requests: Math.max(requests, tried.length),
	};
}
