import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { JsonRecord } from '../MessagingGateway/common/json';
import { messageOf } from '../MessagingGateway/common/problem';
import { Options } from '../MessagingGateway/fields/options';
import { GatewayClient } from '../MessagingGateway/gateway/client';
import { GatewayFailure } from '../MessagingGateway/gateway/failures/gatewayFailure';
import { keyRedactor } from '../MessagingGateway/gateway/redact/redactKey';
import { LONGEST_WAIT, type RequestOptions } from '../MessagingGateway/gateway/retry';
import { readChoice } from '../MessagingGateway/input/choices';
import { EventLoop } from '../MessagingGateway/run/eventLoop';
import { subjectIn, toNodeError } from '../MessagingGateway/run/nodeErrors';
import { outputFinisher } from '../MessagingGateway/run/output';
import { pollParameters } from '../MessagingGateway/run/parameters';
import type { Poll, PollReply, Watch } from './events/event';
import { instanceStatusChanged } from './events/instanceStatusChanged';
import { participantsChanged } from './events/participantsChanged';
import { pollRetries, pollTimeout } from './fields';
import { PollMemory } from './memory';
import { budgetOf, isFirstPoll } from './pollContext';

const EVENTS = { participantsChanged, instanceStatusChanged };

/** The part of a poll's time that the gateway gets, with all repeats and the longest wait before each. */
const SHARE = 0.9;
/** People who switch a workflow on wait for its first poll, in ms. */
const FIRST_POLL = 20_000;

/** A failure's own advice is for a node that can be run again. */
const POLL_LESS_OFTEN =
	"Poll less often: under 'Poll Times', choose every 15 minutes or more. Too many calls get accounts banned";

/** By activation, the newest poll whose reply counted: n8n may start the next one while one waits. */
const newest = new WeakMap<IPollFunctions, number>();
let pollsStarted = 0;

/**
 * Polls once.
 *
 * @returns an item for each change, or `null` if there is none, so that no empty run starts
 * @throws NodeApiError or NodeOperationError with n8n's `failure`, by which it is polled again after a time that fits
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const secrets: string[] = [];
	const eventLoop = new EventLoop();
	let watch: Watch | undefined;
	try {
		const parameters = pollParameters(context);
		const client = await GatewayClient.open(context, secrets, { asker: 'trigger' });
		const event = readChoice(
			parameters.get('event'),
			['participantsChanged', 'instanceStatusChanged'],
			'Trigger On',
		);
		watch = EVENTS[event](parameters, client.baseUrl);
		const redactKey = keyRedactor(secrets);
		const request: Poll = {
			client,
			requestOptions: readRequestOptions(new Options(parameters), budgetOf(context)),
			isFirst: () => true,
			redactKey: (text) => String(redactKey(text)),
		};
		const items =
			context.getMode() === 'manual'
				? [(await eventLoop.finish((await watch.ask(request)).read())).sample(detectedAt())]
				: await changesOf(context, secrets, watch, request, eventLoop);
		if (items.length === 0) return null;
		const finish = outputFinisher(context.getNode(), secrets);
		return [await eventLoop.map(items, (item) => ({ json: finish(item) }))];
	} catch (problem) {
		const failure = problem instanceof GatewayFailure ? problem : undefined;
		const cause = failure?.policy.failureCause ?? 'configuration-invalid';
		const isLimited = cause === 'rate-limited';
		const description = watch?.adviceFor?.(problem) ?? (isLimited ? POLL_LESS_OFTEN : undefined);
		const message = messageOf(problem) + subjectIn(watch?.subject ?? {});
		const error = toNodeError(context.getNode(), problem, secrets, undefined, { message, description });
		const seconds = isLimited ? failure?.retryAfter : undefined;
		const retryAfterMs = seconds !== undefined && { retryAfterMs: seconds * 1000 };
		// Set on the error itself: n8n 1.x drops it from the constructor.
		throw Object.assign(error, { failure: { cause, ...retryAfterMs } });
	}
}

function detectedAt(): string {
	return new Date().toISOString();
}

function readRequestOptions(options: Options, budget: number): RequestOptions {
	const time = Math.floor(budget * SHARE);
	const allowed = Math.min(options.wholeNumber(pollTimeout), time);
	const possible = Math.floor((time - allowed) / (allowed + LONGEST_WAIT));
	return { timeout: allowed, maxRetries: Math.min(options.wholeNumber(pollRetries), possible) };
}

/** What has changed since the last poll that counted. */
async function changesOf(
	context: IPollFunctions,
	secrets: readonly string[],
	watch: Watch,
	request: Poll,
	eventLoop: EventLoop,
): Promise<JsonRecord[]> {
	const isFirst = isFirstPoll(context);
	const turn = ++pollsStarted;
	const credential = context.getNode().credentials?.messagingGatewayApi?.id ?? null;
	const memory = new PollMemory(context, JSON.stringify([credential, watch.about]), secrets);
	// People who switch a workflow on want to hear of what happens from now on; a restart of n8n must lose nothing.
	const isFresh = isFirst && context.getActivationMode() === 'activate';
	if (isFresh) memory.forget();
	const requestOptions = isFirst
		? { timeout: Math.min(request.requestOptions.timeout, FIRST_POLL), maxRetries: 0 }
		: request.requestOptions;
	let reply: PollReply;
	try {
		reply = await watch.ask({ ...request, requestOptions, isFirst: () => memory.read() === undefined });
	} catch (failure) {
		// An error here would keep the workflow from being switched on.
		const cause = failure instanceof GatewayFailure ? failure.policy.failureCause : '';
		if (isFirst && ['temporarily-unavailable', 'rate-limited'].includes(cause)) return [];
		const thrown = failure;
		throw thrown;
	}
	const isOutdated = () => (newest.get(context) ?? 0) > turn;
	if (isOutdated()) return [];
	newest.set(context, turn);
	// Nearly always nothing has changed, which is seen sooner than by reading.
	if (memory.holdsReply(reply.text)) return [];
	const result = await eventLoop.finish(reply.read());
	const seen = await eventLoop.finish(result.remember());
	memory.noteReply(reply.text, seen);
	let compared;
	do {
		if (isOutdated() || memory.holds(seen)) return [];
		// Only now: another poll may have written while this one waited.
		compared = await eventLoop.finish(result.compare(memory.read(), detectedAt()));
		// Or while this one gave way.
	} while (memory.hasChanged());
	if (isOutdated()) return [];
	memory.write(compared === undefined ? seen : compared.remembered);
	return compared?.items ?? [];
}
