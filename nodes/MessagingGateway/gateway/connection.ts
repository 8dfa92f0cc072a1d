import { MINUTE, SECOND } from '../common/time';
import type { GatewayCredential } from './credential';
import { isAway, wasSilent, type CallFailure } from './failures/callFailure';
import { BlockedCall, GatewayFailure } from './failures/gatewayFailure';
import type { Http } from './http';
import {
	bodyOf,
	formsKey,
	ROUTES,
	urlOf,
	type CallValues,
	type ReplyReader,
	type Route,
	type RouteForm,
	type RouteName,
} from './routes';
import { Sender, type ConnectionSettings, type RequestOptions } from './sender';
import { GatewaySession, RESTART } from './session';

/** Longest wait before a request is sent again, also if `Retry-After` asks for one, in ms. */
export const LONGEST_WAIT = MINUTE;
/** First wait before a request is sent again, in ms; doubled each time. */
const FIRST_BACKOFF = SECOND;
/** Wait before a read is repeated to an instance that turned out to be connected, in ms. */
const WAIT_IF_OPEN = 2 * SECOND;

/** A call of a route in one form. */
interface Call<T> {
	route: RouteName;
	changes: boolean;
	instance: string | undefined;
	/** The group that is to be changed. */
	groupJid: string | undefined;
	options: RequestOptions;
	send: () => Promise<T | GatewayFailure>;
	readFailure: (failure: CallFailure) => T | undefined;
}

/** The connection to one gateway during one run of the node. Every request leaves through it. */
export class GatewayConnection {
	/** Its part in the accounts of the gateway. */
	readonly session: GatewaySession;

	private readonly sender: Sender;

	/** The first call of routes of one form, which finds out what the gateway knows; others wait for it. */
	private readonly firstCall = new Map<string, Promise<unknown>>();

	constructor(
		credential: GatewayCredential,
		http: Http,
		private readonly settings: ConnectionSettings = {},
	) {
		this.sender = new Sender(credential, http, settings);
		this.session = new GatewaySession(credential.baseUrl, this.sender, settings);
	}

	/** Calls a function of the gateway, and reads its reply. @param readFailure reads failures that answer */
	protected async call<T>(
		route: RouteName,
		values: CallValues,
		options: RequestOptions,
		read: ReplyReader<T>,
		readFailure: (failure: CallFailure) => T | undefined = () => undefined,
	): Promise<T> {
		const { changes } = ROUTES[route];
		const groupJid = changes ? values.groupJid : undefined;
		const call = { route, changes, instance: values.instance, groupJid, options, readFailure };
		const key = formsKey(route);
		const first = this.firstCall.get(key);
		if (first) await first.catch(() => {});
		const calling = this.tryForms(route, async (form) => {
			const url = urlOf(this.session.baseUrl, form, values);
			const body = bodyOf(form, values);
			const request = { method: form.method, url, timeout: options.timeout, ...(body && { body }) };
			const send = async () => await this.sender.send(route, request, read);
			return await this.complete<T>({ ...call, send });
		});
		if (!first) this.firstCall.set(key, calling);
		return await calling;
	}

	/** Tries the forms of a route, the one that is likely known first. Another generation may be there now. */
	private async tryForms<T>(route: RouteName, callIn: (form: RouteForm) => Promise<T | GatewayFailure>) {
		const { forms }: Route = ROUTES[route];
		const { forms: known } = this.session.gateway;
		const key = formsKey(route);
		const last = known.get(key) ?? 0;
		for (let tried = 0; ; tried++) {
			const place = (last + tried) % forms.length;
			// Also where it gets no reply: it's the better guess.
			known.set(key, place);
			const reply = await callIn(forms[place] ?? forms[0]);
			if (!(reply instanceof GatewayFailure)) return reply;
			if (reply.isRouteMissing && tried + 1 < forms.length) continue;
			// A gateway may lack this route alone.
			if (reply.isRouteMissing) known.set(key, last);
			throw reply;
		}
	}

	/** Sends the request of a call until it has a reply, or isn't repeated any more. */
	private async complete<T>(call: Call<T>): Promise<T | GatewayFailure> {
		const { route, instance } = call;
		const { caller } = this.settings;
		let lastFailure: GatewayFailure | undefined;
		let wasChecked = false;
		for (let retries = 0; ; retries++) {
			const reason = this.session.blockedBy(instance, call.groupJid);
			if (reason !== undefined) {
				// The gateway's wait outlives a run that is canceled in it.
				if (lastFailure) this.session.breaker.stop(lastFailure, instance, call.groupJid, call.changes);
				if (lastFailure && !this.session.isCanceled) return lastFailure;
				throw new BlockedCall(reason, route);
			}
			if (call.changes) this.session.changesSent++;
			const reply = await call.send();
			if (call.changes) this.session.changed(call);
			if (!(reply instanceof GatewayFailure)) return reply;
			const answer = call.readFailure(reply.call);
			if (answer !== undefined) return answer;
			const wasUp = this.session.part.repliedAt > -Infinity;
			const attempt = { ...call, retries, wasChecked, caller, wasUp };
			const { repeatAfter, checkAfter, explain = false } = nextStep(reply, attempt, Math.random());
			if (repeatAfter === undefined) return await this.giveUp(call, reply, explain);
			if (checkAfter !== undefined) {
				const closed = await this.closedBefore(call, reply);
				if (closed) return closed;
				wasChecked = true;
			}
			await this.session.pause(repeatAfter);
			lastFailure = reply;
		}
	}

	/** Ends a read whose instance isn't connected or gives no answer, and all others of that instance. */
	private async closedBefore({ instance = '', options }: Call<unknown>, reply: GatewayFailure) {
		const { timeout } = options;
		const failure = await this.session.awaitOpen(instance, reply.policy.checkAfter, { timeout });
		if (failure === undefined) return undefined;
		const { closedState } = failure;
		const told = closedState === undefined ? failure : reply.withState(closedState);
		this.session.breaker.stop(told, instance);
		return told;
	}

	/** Notes a failure after which a call isn't repeated. @returns it, with the live state if that explains */
	private async giveUp(call: Call<unknown>, failure: GatewayFailure, explain: boolean) {
		const { instance, changes, options } = call;
		this.session.breaker.stop(failure, instance, call.groupJid, changes);
		if (instance === undefined || !explain) return failure;
		const state = (await this.session.awaitOpen(instance, [0], { timeout: options.timeout }))?.closedState;
		if (state === undefined) return failure;
		const explained = failure.withState(state);
		// The next change asks anyway.
		if (!changes) this.session.breaker.stop(explained, instance);
		return explained;
	}
}

/**
 * Decides how to go on after a failure: a read is repeated after what passes by itself, a change only if it
 * certainly was not carried out.
 *
 * @param attempt whose `wasUp` says whether the gateway answered a change before
 * @param random from 0 to below 1, so that many nodes don't ask at the same moment
 * @returns the wait, with `checkAfter` if the instance must be connected, or whether its state may `explain`
 */
export function nextStep(
	failure: GatewayFailure,
	attempt: Pick<Call<unknown>, 'route' | 'changes' | 'instance' | 'options'> &
		Pick<ConnectionSettings, 'caller'> & { retries: number; wasChecked: boolean; wasUp: boolean },
	random: number,
): { repeatAfter?: number; checkAfter?: readonly number[]; explain?: boolean } {
	const { route, changes, instance, wasChecked, caller } = attempt;
	const { call, policy } = failure;
	const hasState = instance !== undefined && route !== 'connectionState';
	if (hasState && !changes && caller === undefined && policy.checkAfter !== undefined)
		return wasChecked ? {} : { repeatAfter: WAIT_IF_OPEN, checkAfter: policy.checkAfter };
	const repeatAfter = waitBeforeRetry(failure, attempt, random);
	if (repeatAfter !== undefined) return { repeatAfter };
	// A trigger never asks, the editor after a silence. After a failed change, the next one asks first.
	const canExplain = hasState && caller !== 'trigger' && wasSilent(call);
	return { explain: canExplain && (!changes || call.unreadable !== undefined) };
}

/** Gives the wait, unless the request must not be sent again or the gateway asks for too long a wait. */
function waitBeforeRetry(
	{ call, policy: { retry } }: GatewayFailure,
	{ changes, retries, wasUp, options: { maxRetries, shortestWait = 0 } }: Parameters<typeof nextStep>[1],
	random: number,
): number | undefined {
	if (retries >= maxRetries || retry === 'none' || (retry === 'reads' && changes)) return undefined;
	const { retryAfter } = call;
	if (retryAfter !== undefined)
		return retryAfter * SECOND <= LONGEST_WAIT ? Math.max(retryAfter * SECOND, shortestWait) : undefined;
	const backoff = Math.min(FIRST_BACKOFF * 2 ** retries, LONGEST_WAIT);
	// A refused connection is a restart's first sign. A gateway that was never there may not exist.
	const restart = changes && wasUp && isAway(call) ? RESTART[retries] : undefined;
	return Math.max(restart ?? backoff * (0.5 + random / 2), shortestWait);
}
