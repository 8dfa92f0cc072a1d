import { onePerParticipant } from '../../groups/batching/requests';
import type { ChangeRequest, Journal } from '../../groups/change';
import type { Progress } from '../../groups/progress';
import type { Run } from '../../run/operation';
import { Writer, type RunOptions } from '../../run/writer';

/** A request that was tried. */
export interface TriedRequest {
	request: ChangeRequest;
	/** The reply as it came, if that is kept. */
	reply?: unknown;
	failure?: unknown;
}

/**
 * Sends planned group changes, whatever the plan was made of. Unless the node continues on fail, the first request that
 * fails is the last.
 *
 * @param keepReplies replies that are not output would only take memory: more than the results
 * @param splitsUnnamed whether a group's later additions go one by one once a reply has named nobody and given several
 * codes: otherwise it would never be known what came of any
 */
export async function applyChanges(
	{ client, context }: Run,
	requests: readonly ChangeRequest[],
	options: RunOptions,
	{ keepReplies = false, splitsUnnamed = false }: { keepReplies?: boolean; splitsUnnamed?: boolean } = {},
): Promise<{ journal: Journal; tried: TriedRequest[] }> {
	const writer = new Writer(client, options);
	const journal: Journal = new Map();
	const tried: TriedRequest[] = [];
	// From the last one on, since taking the first of a long list takes as long as the list is.
	let queue = [...requests].reverse();
	for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
		const { instance, groupJid } = request;
		try {
			const { reply, results, isUnnamed } = await writer.send(
				request,
				async (requestOptions) => await client.changeParticipants(request, requestOptions),
			);
			request.changes.forEach((change, i) => {
				const result = results[i];
				if (result !== undefined) journal.set(change, { result });
			});
			tried.push({ request, ...(keepReplies && { reply }) });
			if (splitsUnnamed && isUnnamed) {
				const isSame = (one: ChangeRequest) =>
					one.action === 'add' && one.instance === instance && one.groupJid === groupJid;
				queue = queue.flatMap((one) => (isSame(one) ? onePerParticipant(one).reverse() : [one]));
			}
		} catch (failure) {
			for (const change of request.changes) journal.set(change, { failure });
			tried.push({ request, failure });
			if (!context.continueOnFail()) break;
		}
	}
	return { journal, tried };
}

/** What is known of requests, for what the error of a run that ends says. */
export function progressOfRequests(
	tried: readonly TriedRequest[],
	journal: Journal,
	requests: number,
): Progress {
	return {
		tried: tried.map(({ request }) => request.changes.flatMap((change) => journal.get(change) ?? [])),
		requests,
	};
}
