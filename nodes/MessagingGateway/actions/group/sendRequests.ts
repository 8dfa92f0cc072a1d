import type { Settled } from '../../domain/group/itemResults';
import type { Grouping, PlannedRequest } from '../../domain/group/plan';
import { resultsOf } from '../../domain/group/results';
import type { RetryOptions } from '../../transport/gateway';
import type { Run } from '../operation';

/** How requests are put together and sent, the same for the whole run. */
export interface Pacing extends Grouping, RetryOptions {
	/** Time from a reply to the next request, in ms. */
	batchInterval: number;
}

/** What came of a request, with the gateway's reply as it came where that is kept. */
export type Sent = Settled<unknown> & { reply?: unknown };

/**
 * Sends group changes one at a time, with pauses between them.
 *
 * @param keepReplies where they are not output, they would only take memory: more than the results
 * @returns what came of each, in order; without "continue on fail" it ends with the first failure
 */
export async function sendRequests(
	{ context, gateway }: Run,
	requests: readonly PlannedRequest[],
	{ batchInterval, timeout, maxRetries }: Pacing,
	keepReplies: boolean,
): Promise<Sent[]> {
	// A repeat is a request too.
	const retryOptions = { timeout, maxRetries, shortestWait: batchInterval };
	const sent: Sent[] = [];
	for (const request of requests) {
		const { instance, groupJid, action, participants } = request;
		const values = { path: { instance }, query: { groupJid }, body: { action, participants } };
		if (sent.length > 0 && gateway.reasonNotToSend(values) === undefined) await gateway.pause(batchInterval);
		try {
			const reply = await gateway.call('updateParticipants', values, retryOptions);
			const results = resultsOf(request, reply);
			sent.push({ request, results, ...(keepReplies && { reply }) });
		} catch (failure) {
			sent.push({ request, failure });
			if (!context.continueOnFail()) break;
		}
	}
	return sent;
}
