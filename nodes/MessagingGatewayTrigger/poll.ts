import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { JsonRecord } from '../MessagingGateway/common/json';
import { messageOf } from '../MessagingGateway/common/problem';
import { MINUTE } from '../MessagingGateway/common/time';
import { Options } from '../MessagingGateway/fields/options';
import { GatewayClient } from '../MessagingGateway/gateway/client';
import { LONGEST_WAIT } from '../MessagingGateway/gateway/connection';
import { GatewayFailure } from '../MessagingGateway/gateway/failures/gatewayFailure';
import type { RequestOptions } from '../MessagingGateway/gateway/sender';
import { readChoice } from '../MessagingGateway/input/values';
import { outputFinisher } from '../MessagingGateway/run/items';
import { toNodeError, withSubject, type NodeFailure } from '../MessagingGateway/run/nodeErrors';
import { pollParameters } from '../MessagingGateway/run/parameters';
import type { Watch } from './events/event';
import { instanceStatusChanged } from './events/instanceStatusChanged';
import { participantsChanged } from './events/participantsChanged';
import { pollRetries, pollTimeout, shortestInterval } from './fields';
import { openMemory } from './memory';

const EVENTS = { participantsChanged, instanceStatusChanged };
const EVENT_NAMES = ['participantsChanged', 'instanceStatusChanged'] as const;

/** Defaults of Shortest Interval. Statuses rarely cost a call to the network. */
const SHORTEST_INTERVALS = { participantsChanged: shortestInterval.default, instanceStatusChanged: 5 };

/** Time for a poll in ms on n8n 1.x, which sets none: the usual time on 2.x. */
const USUAL_BUDGET = 300_000;
/** The gateway's share of the time for a poll, with all repeats and the longest wait before each. */
const SHARE = 0.9;
/** Time for a first poll in ms. People who publish a workflow wait for it. */
const FIRST_POLL = 20_000;

const TEMPORARY = ['temporarily-unavailable', 'rate-limited'];

/** Advice for a rate limit. The failure's own advice is for a node that people run. */
const POLL_LESS_OFTEN =
	"Poll less often: under 'Poll Times', choose every 15 minutes or more. Too many calls get accounts banned";

/** Polls once. @returns `null` without changes: no run starts @throws an error with n8n's `failure` */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const secrets: string[] = [];
	let watch: Watch | undefined;
	try {
		const parameters = pollParameters(context);
		const client = await GatewayClient.open(context, secrets, { caller: 'trigger' });
		const event = readChoice(parameters.get('event'), EVENT_NAMES, 'Trigger On');
		watch = EVENTS[event](parameters, client.session.baseUrl);
		const options = new Options(parameters);
		const requestOptions = readRequestOptions(options, context);
		const minutes = options.wholeNumber({ ...shortestInterval, default: SHORTEST_INTERVALS[event] });
		const isManual = context.getMode() === 'manual';
		const items = isManual
			? [(await watch.ask(client, requestOptions, false)).sample()]
			: await changesSince(openMemory(context, watch.about), watch, client, {
					...requestOptions,
					interval: minutes * MINUTE,
				});
		if (items.length === 0) return null;
		const finish = outputFinisher(context.getNode(), secrets);
		return [items.map((item) => ({ json: finish(item) }))];
	} catch (problem) {
		throw toPollError(problem, context, secrets, watch);
	}
}

/** Makes an item for each change since the last poll that counted. @param interval between reads, in ms */
async function changesSince(
	memory: ReturnType<typeof openMemory>,
	watch: Watch,
	client: GatewayClient,
	{ interval, ...options }: RequestOptions & { interval: number },
): Promise<JsonRecord[]> {
	if (memory.wasReadWithin(interval)) return [];
	const { isFirst } = memory;
	const isKnown = memory.read() !== undefined;
	const counts = memory.beginRead();
	const first = { timeout: Math.min(options.timeout, FIRST_POLL), maxRetries: 0 };
	const asking = watch.ask(client, isFirst ? first : options, isKnown);
	const found = await asking.catch(async (failure: unknown) => {
		const isTemporary = failure instanceof GatewayFailure && TEMPORARY.includes(failure.policy.failureCause);
		// An error of a first poll would block the publishing.
		if (!isFirst || !isTemporary) throw failure;
		const missing = await missingInstance(client, watch, failure, first);
		if (missing !== undefined) throw missing;
		return undefined;
	});
	if (found === undefined || !counts()) return [];
	const { items, remembered } = found.compare(memory.read());
	memory.write(remembered);
	return items;
}

/** Asks for the state of an instance: WhatsMiau says of a missing one that it isn't connected. */
async function missingInstance(
	client: GatewayClient,
	{ subject: { instance } }: Watch,
	{ call, policy }: GatewayFailure,
	options: RequestOptions,
): Promise<GatewayFailure | undefined> {
	const isNotConnected = call.status !== undefined && policy.checkAfter !== undefined;
	if (instance === undefined || !isNotConnected) return undefined;
	const asking = client.connectionState(instance, options, { allowMissing: false });
	const answer: unknown = await asking.catch((reason: unknown) => reason);
	const isMissing =
		answer instanceof GatewayFailure && answer.policy.failureCause === 'configuration-invalid';
	return isMissing ? answer : undefined;
}

function readRequestOptions(options: Options, context: IPollFunctions): RequestOptions {
	const budget = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET;
	const time = Math.floor(budget * SHARE);
	const allowed = Math.min(options.wholeNumber(pollTimeout), time);
	const possible = Math.floor((time - allowed) / (allowed + LONGEST_WAIT));
	return { timeout: allowed, maxRetries: Math.min(options.wholeNumber(pollRetries), possible) };
}

/** Turns a thrown value into an error that also tells n8n whether and when to poll again. */
function toPollError(
	problem: unknown,
	context: IPollFunctions,
	secrets: readonly string[],
	watch: Watch | undefined,
): NodeFailure {
	const failure = problem instanceof GatewayFailure ? problem : undefined;
	const cause = failure?.policy.failureCause ?? 'configuration-invalid';
	const isLimited = cause === 'rate-limited';
	const refusedKey = cause === 'credential-invalid' ? watch?.refusedKeyAdvice : undefined;
	const error = toNodeError(context.getNode(), problem, secrets, undefined, {
		message: withSubject(messageOf(problem), watch?.subject ?? {}, context.getNode()),
		description: isLimited ? POLL_LESS_OFTEN : refusedKey,
	});
	const { retryAfter } = failure?.call ?? {};
	const retryAfterMs = isLimited && retryAfter !== undefined && { retryAfterMs: retryAfter * 1000 };
	// Set on the error itself: n8n 1.x drops it from the constructor.
	return Object.assign(error, { failure: { cause, ...retryAfterMs } });
}
