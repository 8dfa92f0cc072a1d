import { isErrorReply } from '../gateway/replies/changeRows';
import type { Grouping, PlannedRequest } from '../groups/batching/plan';
import type { RequestResult } from '../groups/requestResults';
import { resultsOf, type ParticipantResult } from '../groups/matching/results';
import type { RetryOptions } from '../gateway/retry';
import type { Run } from './operation';

/** How requests are put together and sent, the same for the whole run. */
export interface Pacing extends Grouping, RetryOptions {
	/** Time from a reply to the next request, in ms. */
	batchInterval: number;
}

/** What came of a request, with the gateway's reply as it came if that is kept. */
export type SentRequest = RequestResult & { reply?: unknown };

/** How a plan is applied. */
interface Course {
	/** Whether the requests after one that failed are still sent. */
	goesOn: boolean;
	/** Replies that are not output would only take memory: more than the results. */
	keepsReplies: boolean;
}

/**
 * Sends planned group changes one at a time, with pauses between them, whatever the plan was made of.
 *
 * @returns what came of each request that was tried, in order
 */
export async function applyChanges(
	run: Run,
	requests: readonly PlannedRequest[],
	pacing: Pacing,
	{ goesOn, keepsReplies }: Course,
): Promise<SentRequest[]> {
	const { gateway } = run;
	const sent: SentRequest[] = [];
	for (const request of requests) {
		if (sent.length > 0 && gateway.reasonNotToSend(request.instance) === undefined)
			await gateway.pause(pacing.batchInterval);
		try {
			const { reply, results } = await send(run, request, pacing);
			sent.push({ request, results, ...(keepsReplies && { reply }) });
		} catch (failure) {
			sent.push({ request, failure });
			if (!goesOn) break;
		}
	}
	return sent;
}

async function send({ gateway }: Run, request: PlannedRequest, pacing: Pacing): Promise<SentReply> {
	const { instance, groupJid, action, participants } = request;
	const { timeout, maxRetries, batchInterval } = pacing;
	const values = { path: { instance }, query: { groupJid }, body: { action, participants } };
	// A repeat is a request too.
	const retryOptions = { timeout, maxRetries, shortestWait: batchInterval };
	const { reply, results, isSilent } = await gateway.read('updateParticipants', values, retryOptions, {
		read: (body, slow) =>
			isErrorReply(body) ? undefined : { reply: body, results: resultsOf(request, body), isSilent: slow },
	});
	if (!isSilent || results.some(({ applied }) => applied !== null)) return { reply, results };
	const state = await gateway.liveStateOf(instance);
	const isConnected = state === undefined || state === 'open';
	return {
		reply,
		results: isConnected ? results : results.map((one) => ({ ...one, message: NOT_CONNECTED })),
	};
}

interface SentReply {
	reply: unknown;
	results: ParticipantResult[];
}

const NOT_CONNECTED =
	"The gateway didn't say what became of this participant: the instance isn't connected. Connect it, then check the group before you try again.";
