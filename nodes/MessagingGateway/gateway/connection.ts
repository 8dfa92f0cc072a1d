import { sleep } from 'n8n-workflow';
import { isRecord, textOf } from '../common/json';
import { Problem } from '../common/problem';
import type { GroupRef } from '../groups/change';
import { AccountTurns, LONGEST_SLEEP } from './accountQueue';
import { redirectTarget } from './baseUrl';
import { CircuitBreaker } from './circuitBreaker';
import type { GatewayCredential } from './credential';
import { isErrorBody, wasSilent, type CallFailure, type Unreadable } from './failures/callFailure';
import { toGatewayFailure, GatewayFailure } from './failures/gatewayFailure';
import { holdGroups } from './groupHolds';
import { ConnectionFailure, type Http, type HttpRequest } from './http';
import { formsOf, noteForm } from './knownForms';
import { errorMessageIn, errorTextIn, registerUrlIn } from './redact/errorText';
import { readConnectionState } from './replies/instances';
import { readRetryAfter, waitBeforeRetry, type RequestOptions } from './retry';
import { addressOf, ROUTES, type CallValues, type RouteForm, type RouteName } from './routes';

/** Longest body of an error that is read, in characters: one that says what is wrong is far shorter. */
const LONGEST_ERROR = 1_000_000;

/** The state is answered at once, or not at all; in ms. */
const STATE_TIMEOUT = 10_000;

/** What a gateway takes to connect again, in ms: then the state is asked for once more before a change. */
const RECONNECTION = 5000;

/** How long after its state an instance that is open is asked again what it didn't answer, in ms. */
const WAIT_IF_OPEN = 2000;

/** Reads that are a question about the connection themselves, or say what became of a change. */
const ASKED_ONCE = new Set<RouteName>(['connectionState', 'groupInfo']);

/** Accounts whose last change may have cost them their connection, by base URL and instance. */
const IN_DOUBT = new Set<string>();

/** A request was not sent, because the gateway or instance said no before, or the execution was canceled. */
export class BlockedCall extends Problem {
	/** @param reason the failure that ended it */
	constructor(readonly reason: GatewayFailure) {
		const wasAsked = reason.call.route === 'connectionState' && reason.call.state !== undefined;
		super(
			wasAsked
				? "Nothing was sent: the instance isn't connected"
				: `Nothing was sent for this item: ${reason.message}`,
			reason.description,
		);
		this.name = 'BlockedCall';
	}
}

export interface ConnectionSettings {
	/** Ends waits when the execution is canceled. */
	cancelSignal?: AbortSignal | undefined;
	/**
	 * When an instance's live state is asked besides: never, or only after a minute of silence, to say more of a failure.
	 * Otherwise also before a read is repeated.
	 */
	asksState?: false | 'afterSilence';
	/** Whether there is no option for the timeout, so that nobody is advised to raise it. */
	isTimeoutFixed?: boolean;
	/** What happens to the body of a reply before it is read. */
	redactReply?: (body: unknown) => unknown;
}

export const EMPTY = Symbol('empty');

/** How a call's reply is read. */
export interface ReplyReader<T> {
	/**
	 * What the body of a 2xx reply says; `undefined` if it isn't such a reply, {@link EMPTY} if it lacks what has to be
	 * in it. `isSilent`: it took so long to come that the network must have been silent.
	 */
	read: (body: unknown, isSilent: boolean) => T | typeof EMPTY | undefined;
	/** What a failure says that is an answer, too; `undefined` if it isn't. */
	readFailure?: (failure: CallFailure) => T | undefined;
}

/** A 2xx reply. */
interface Reply {
	/** Parsed JSON; `undefined` if the reply is empty. */
	body: unknown;
	status: number;
	/** In ms. */
	elapsed: number;
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

	/** Routes that the gateway turned out to have in no form, and the one form that is tried all the same. */
	private readonly lacking = new Map<RouteName, RouteForm>();

	/** The first call of each route, which finds out the form that the gateway knows; others wait for it. */
	private readonly firstCall = new Map<RouteName, Promise<unknown>>();

	private readonly turns: AccountTurns;

	private releaseGroups = () => {};

	/** @param http sends one request */
	constructor(
		private readonly credential: GatewayCredential,
		private readonly http: Http,
		private readonly settings: ConnectionSettings = {},
	) {
		const stop = (failure: GatewayFailure, instance: string) => this.circuitBreaker.record(failure, instance);
		this.turns = new AccountTurns(credential, stop, settings.cancelSignal);
	}

	get baseUrl(): string {
		return this.credential.baseUrl;
	}

	/**
	 * Calls a function of the gateway and reads its reply.
	 *
	 * @throws GatewayFailure if it can't be completed, or the reply isn't what was asked for; BlockedCall if nothing is
	 * sent after an earlier failure
	 */
	protected async call<T>(
		route: RouteName,
		values: CallValues,
		options: RequestOptions,
		{ read, readFailure = () => undefined }: ReplyReader<T>,
	): Promise<T> {
		let failure: unknown;
		try {
			const { body, status, elapsed } = await this.callInOrder(route, values, options);
			const isSilent = wasSilent({ elapsed });
			const { redactReply = (reply) => reply } = this.settings;
			const value = readSafely(() => read(redactReply(body), isSilent));
			if (value !== undefined && value !== EMPTY) return value;
			const unreadable = value === EMPTY ? 'empty' : unreadableIn(body);
			const unread = this.failureOf({ route, timeout: options.timeout, status, body, elapsed, unreadable });
			this.record(unread, values.path?.instance);
			failure = unread;
		} catch (problem) {
			failure = problem;
			const answer = problem instanceof GatewayFailure ? readFailure(problem.call) : undefined;
			if (answer !== undefined) return answer;
		}
		throw await this.lookCloser(failure, route, values);
	}

	/**
	 * Sends a change once it's this run's turn with the account. After a change that may have cost the account its
	 * connection, the live state is asked first.
	 *
	 * @param interval time from the reply to this run's next change, in ms
	 * @param send calls the client; also if nothing is sent any more, and then it throws BlockedCall
	 */
	async inTurn<T>({ instance, groupJid }: GroupRef, interval: number, send: () => Promise<T>): Promise<T> {
		const isBlocked = () => this.blockedBy(instance, groupJid) !== undefined;
		return await this.turns.take(instance, { interval, isBlocked }, async () => {
			if (IN_DOUBT.has(this.turns.accountOf(instance)) && !isBlocked()) await this.checkConnection(instance);
			try {
				return await send();
			} catch (problem) {
				const failure = problem;
				if (failure instanceof GatewayFailure && leavesDoubt(failure)) this.doubtConnection(instance);
				throw failure;
			}
		});
	}

	/** Has the next change of an instance's account, of whatever run, ask first whether it's connected. */
	doubtConnection(instance: string): void {
		IN_DOUBT.add(this.turns.accountOf(instance));
	}

	/**
	 * Takes part in the accounts that a run is to change, before its first read: what stops them for others stops them for
	 * this run, too.
	 *
	 * @param interval time between its changes, in ms
	 */
	joinAccounts(groups: readonly GroupRef[], interval: number): void {
		for (const { instance } of groups) this.turns.join(instance, interval);
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

	/** The state of an instance's connection right now, e.g. `open`; `undefined` if it can't be known. */
	protected async liveState(instance: string): Promise<string | undefined> {
		if (this.blockedBy(instance) !== undefined) return undefined;
		return stateIn(await this.askState(instance));
	}

	/**
	 * Why nothing is sent to this instance any more: an earlier failure, or the end of the execution.
	 *
	 * @param groupJid the group that is to be changed
	 */
	blockedBy(instance: string | undefined, groupJid?: string): GatewayFailure | undefined {
		if (this.isCanceled) return this.failureOf({ network: 'ERR_CANCELED' });
		return this.circuitBreaker.blockedBy(instance, groupJid);
	}

	/** Waits, in ms; ends early when the execution is canceled. */
	async pause(ms: number): Promise<void> {
		// Even a timer of 0 ms takes one or two, for every request.
		if (ms <= 0) return;
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
		if (failure.stop !== 'nothing' && failure.stop !== 'group') this.turns.stopOthers(failure, instance);
	}

	/** Asks for an instance's live state, whatever was refused before; nothing is stopped by what comes of it. */
	private async askState(instance: string, timeout = STATE_TIMEOUT): Promise<Reply | GatewayFailure> {
		const url = addressOf(this.baseUrl, ROUTES.connectionState.forms[0], { path: { instance } });
		const limit = Math.min(timeout, STATE_TIMEOUT);
		return await this.send('connectionState', { method: 'GET', url, timeout: limit });
	}

	/** Ends the doubt about an instance's connection, or stops the instance. */
	private async checkConnection(instance: string): Promise<void> {
		let answer = await this.askState(instance);
		if (!isOpen(answer)) {
			await this.pause(RECONNECTION);
			if (this.isCanceled) return;
			answer = await this.askState(instance);
		}
		if (isOpen(answer)) IN_DOUBT.delete(this.turns.accountOf(instance));
		else if (answer instanceof GatewayFailure && answer.stop === 'gateway') this.record(answer, instance);
		else
			this.record(
				this.failureOf({ route: 'connectionState', state: stateIn(answer) ?? 'unknown' }),
				instance,
			);
	}

	/**
	 * The same failure, or a better one: after a minute of silence the instance's live state, asked once, says whether it
	 * is only not connected.
	 */
	private async lookCloser(failure: unknown, route: RouteName, { path }: CallValues): Promise<unknown> {
		const instance = path?.instance;
		if (!(failure instanceof GatewayFailure) || !wasSilent(failure.call)) return failure;
		if (this.settings.asksState === false || instance === undefined || route === 'connectionState')
			return failure;
		// Before the next change it's asked anyway.
		if (ROUTES[route].changes && failure.call.unreadable === undefined) return failure;
		if (this.asksBeforeRepeat(route, failure)) return failure;
		const state = await this.liveState(instance);
		if (state === undefined || state === 'open') return failure;
		const closed = toGatewayFailure({ ...failure.call, state });
		// Asked once, it's no reason to stop the changes of other runs; before the next change it's asked anyway.
		if (!ROUTES[route].changes) this.circuitBreaker.record(closed, instance);
		return closed;
	}

	/** Whether a read is repeated only if its instance is open. */
	private asksBeforeRepeat(route: RouteName, { mayBeDisconnected }: GatewayFailure): boolean {
		const isRead = !ROUTES[route].changes && !ASKED_ONCE.has(route);
		return isRead && mayBeDisconnected && this.settings.asksState === undefined;
	}

	/** Calls of a route wait for its first one. */
	private async callInOrder(route: RouteName, values: CallValues, options: RequestOptions): Promise<Reply> {
		const first = this.firstCall.get(route);
		if (first) await first.catch(() => {});
		const calling = this.callInKnownForm(route, values, options);
		if (!first) this.firstCall.set(route, calling);
		return await calling;
	}

	private async callInKnownForm(
		route: RouteName,
		values: CallValues,
		options: RequestOptions,
	): Promise<Reply> {
		const lacked = this.lacking.get(route);
		const forms = lacked ? [lacked] : formsOf(this.baseUrl, route);
		for (let place = 0; ; place++) {
			const form = forms[place] ?? ROUTES[route].forms[0];
			try {
				const reply = await this.callWithRetries(route, form, values, options);
				noteForm(this.baseUrl, route, form);
				return reply;
			} catch (problem) {
				const failure = problem;
				const isReply = failure instanceof GatewayFailure && failure.httpCode !== undefined;
				const isMissing = isReply && failure.isRouteMissing;
				if (isMissing && place + 1 < forms.length) continue;
				if (isMissing) this.lacking.set(route, form);
				// Any other reply shows that the gateway has this form.
				else if (isReply) noteForm(this.baseUrl, route, form);
				throw failure;
			}
		}
	}

	private async callWithRetries(
		route: RouteName,
		form: RouteForm,
		values: CallValues,
		options: RequestOptions,
	): Promise<Reply> {
		const request: HttpRequest = {
			method: form.method,
			url: addressOf(this.credential.baseUrl, form, values),
			timeout: options.timeout,
			...(values.body && { body: values.body }),
		};
		const instance = values.path?.instance;
		const { changes } = ROUTES[route];
		const groupJid = changes ? values.query?.groupJid : undefined;
		let refused: GatewayFailure | undefined;
		let isOpenNow = false;
		for (let retries = 0; ; retries++) {
			const reason = this.blockedBy(instance, groupJid);
			if (reason && refused === undefined) throw new BlockedCall(reason);
			// It was sent, and refused before the wait.
			if (reason && refused)
				throw this.isCanceled ? toGatewayFailure({ ...refused.call, canceledBeforeRetry: true }) : refused;
			const reply = await this.send(route, request);
			if (!(reply instanceof GatewayFailure)) return reply;
			let wait = waitBeforeRetry({ failure: reply, changes, retries }, options, Math.random());
			if (instance !== undefined && this.asksBeforeRepeat(route, reply)) {
				wait = isOpenNow ? undefined : WAIT_IF_OPEN;
				if (!isOpenNow) await this.expectOpen(instance, reply);
				isOpenNow = true;
			}
			if (wait === undefined) {
				this.record(reply, instance, groupJid);
				throw reply;
			}
			refused = reply;
			await this.pause(wait);
		}
	}

	/** @throws GatewayFailure that stops the instance in this run, if it isn't open */
	private async expectOpen(instance: string, failure: GatewayFailure): Promise<void> {
		const answer = await this.askState(instance, failure.call.timeout);
		if (isOpen(answer) || this.isCanceled) return;
		const closed = toGatewayFailure({ ...failure.call, state: stateIn(answer) ?? 'unknown' });
		// Asked once, it's no reason to stop the changes of other runs.
		this.circuitBreaker.record(closed, instance);
		throw closed;
	}

	private async send(route: RouteName, request: HttpRequest): Promise<Reply | GatewayFailure> {
		const { timeout } = request;
		try {
			const { status, headers, text, elapsed } = await this.http(request);
			const success = status >= 200 && status < 300;
			const isRead = text !== undefined && (success || text.length <= LONGEST_ERROR);
			const { isJson, body } = parse(isRead ? text : '');
			if (success && isJson && text !== undefined) return { body, status, elapsed };
			return this.failureOf({
				route,
				timeout,
				status,
				body,
				elapsed,
				retryAfter: readRetryAfter(textOf(headers['retry-after']), Date.now()),
				redirectsTo: redirectTarget(textOf(headers.location) ?? '', request.url, this.credential.baseUrl),
				...(success && { unreadable: text === undefined ? 'tooLarge' : 'notJson' }),
			});
		} catch (error) {
			const { code, elapsed } = error instanceof ConnectionFailure ? error : new ConnectionFailure('UNKNOWN');
			return this.failureOf({ route, timeout, network: code, elapsed });
		}
	}

	protected failureOf(
		seen: Omit<Partial<CallFailure>, 'message' | 'errorText' | 'registerUrl'>,
	): GatewayFailure {
		const { baseUrl, apiKey } = this.credential;
		const { body } = seen;
		const error = {
			message: errorMessageIn(body, [apiKey]),
			errorText: errorTextIn(body),
			registerUrl: registerUrlIn(body, [apiKey]),
		};
		const { isTimeoutFixed = false } = this.settings;
		return toGatewayFailure({ baseUrl, timeout: 0, isTimeoutFixed, ...error, ...seen });
	}
}

/** The state that an instance says it's in; `undefined` if it doesn't say so. */
function stateIn(answer: Reply | GatewayFailure): string | undefined {
	return answer instanceof GatewayFailure ? undefined : readSafely(() => readConnectionState(answer.body));
}

/** Whether an instance is open, also as far as is known where the gateway lacks that route or refuses it. */
function isOpen(answer: Reply | GatewayFailure): boolean {
	if (!(answer instanceof GatewayFailure)) return stateIn(answer) === 'open';
	const { status = 0 } = answer.call;
	return status >= 400 && status < 500 && ![408, 429].includes(status);
}

/** Whether an account may have lost its connection by a change that failed. An invite is looked into by itself. */
function leavesDoubt(failure: GatewayFailure): boolean {
	return (!failure.certainlyNotApplied || failure.mayBeDisconnected) && !failure.isInviteRefused;
}

/** A reply that can't be read is not the end of a run: what it was about may have been carried out. */
function readSafely<T>(read: () => T | undefined): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

function unreadableIn(body: unknown): Unreadable {
	if (body === undefined || body === null) return 'empty';
	return isRecord(body) && isErrorBody(body) ? 'error' : 'shape';
}

function parse(text: string): { isJson: boolean; body: unknown } {
	if (text.trim() === '') return { isJson: true, body: undefined };
	try {
		const body: unknown = JSON.parse(text);
		return { isJson: true, body };
	} catch {
		return { isJson: false, body: text };
	}
}
