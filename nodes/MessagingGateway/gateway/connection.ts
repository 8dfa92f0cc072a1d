import { sleep } from 'n8n-workflow';
import { isRecord, textOf } from '../common/json';
import { Problem } from '../common/problem';
import { redirectTarget } from './baseUrl';
import { CircuitBreaker } from './circuitBreaker';
import type { GatewayCredential } from './credential';
import { isErrorBody, wasSilent, type CallFailure, type Unreadable } from './failures/callFailure';
import { toGatewayFailure, GatewayFailure } from './failures/gatewayFailure';
import { ConnectionFailure, type Http, type HttpRequest } from './http';
import { errorMessageIn, errorTextIn, registerUrlIn } from './redact/errorText';
import { readConnectionState } from './replies/instances';
import { readRetryAfter, waitBeforeRetry, type RequestOptions } from './retry';
import { addressOf, ROUTES, type CallValues, type Route, type RouteForm, type RouteName } from './routes';

/** Longest sleep at once, in ms: the timer of a wait that is canceled is left behind. */
const LONGEST_SLEEP = 1000;

/** The state is answered at once, or not at all. */
const STATE_OPTIONS: RequestOptions = { timeout: 10_000, maxRetries: 0 };

/** A request was not sent, because the gateway or instance said no before, or the execution was canceled. */
export class BlockedCall extends Problem {
	/** @param reason the failure that ended it */
	constructor(readonly reason: GatewayFailure) {
		super(`Nothing was sent for this item: ${reason.message}`, reason.description);
		this.name = 'BlockedCall';
	}
}

export interface ConnectionSettings {
	/** Ends waits when the execution is canceled. */
	cancelSignal?: AbortSignal | undefined;
	/** Whether a silent instance's state is asked, to say more of a failure; so unless told otherwise. */
	asksState?: boolean;
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

	/** Index of the form that the gateway knows, by route. */
	private readonly knownForm = new Map<RouteName, number>();

	/** The first call of each route, which finds out the form that the gateway knows; others wait for it. */
	private readonly firstCall = new Map<RouteName, Promise<unknown>>();

	/** @param http sends one request */
	constructor(
		private readonly credential: GatewayCredential,
		private readonly http: Http,
		private readonly settings: ConnectionSettings = {},
	) {}

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
			this.circuitBreaker.record(unread, values.path?.instance);
			failure = unread;
		} catch (problem) {
			failure = problem;
			const answer = problem instanceof GatewayFailure ? readFailure(problem.call) : undefined;
			if (answer !== undefined) return answer;
		}
		throw await this.lookCloser(failure, route, values);
	}

	/** The state of an instance's connection right now, e.g. `open`; `undefined` if it can't be known. */
	protected async liveState(instance: string): Promise<string | undefined> {
		try {
			const { body } = await this.callInOrder('connectionState', { path: { instance } }, STATE_OPTIONS);
			return readConnectionState(body);
		} catch {
			return undefined;
		}
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
		if (ms === 0) return;
		const { cancelSignal } = this.settings;
		let wake = () => {};
		// n8n 1.x has no sleep that a signal ends.
		const canceled = new Promise<void>((resolve) => (wake = resolve));
		cancelSignal?.addEventListener('abort', wake, { once: true });
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !this.isCanceled; left = end - Date.now())
			await Promise.race([sleep(Math.min(left, LONGEST_SLEEP)), canceled]);
		cancelSignal?.removeEventListener('abort', wake);
	}

	private get isCanceled(): boolean {
		return this.settings.cancelSignal?.aborted === true;
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
		const state = await this.liveState(instance);
		return state === undefined || state === 'open' ? failure : toGatewayFailure({ ...failure.call, state });
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
		const { forms }: Route = ROUTES[route];
		for (let index = this.knownForm.get(route) ?? 0; ; index++) {
			try {
				const reply = await this.callWithRetries(route, forms[index] ?? forms[0], values, options);
				this.knownForm.set(route, index);
				return reply;
			} catch (problem) {
				const isReply = problem instanceof GatewayFailure && problem.httpCode !== undefined;
				if (isReply && problem.isRouteMissing && index + 1 < forms.length) continue;
				// Any other reply shows that the gateway has this form; and if it has none, trying one is enough.
				if (isReply) this.knownForm.set(route, index);
				const failure = problem;
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
		for (let retries = 0; ; retries++) {
			const reason = this.blockedBy(instance, groupJid);
			if (reason && refused === undefined) throw new BlockedCall(reason);
			// It was sent, and refused before the wait.
			if (reason && refused)
				throw this.isCanceled ? toGatewayFailure({ ...refused.call, canceledBeforeRetry: true }) : refused;
			const reply = await this.send(route, request);
			if (!(reply instanceof GatewayFailure)) return reply;
			const wait = waitBeforeRetry({ failure: reply, changes, retries }, options, Math.random());
			if (wait === undefined) {
				this.circuitBreaker.record(reply, instance, groupJid);
				throw reply;
			}
			refused = reply;
			await this.pause(wait);
		}
	}

	private async send(route: RouteName, request: HttpRequest): Promise<Reply | GatewayFailure> {
		const { timeout } = request;
		try {
			const { status, headers, text, elapsed } = await this.http(request);
			const { isJson, body } = parse(text ?? '');
			const success = status >= 200 && status < 300;
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
		return toGatewayFailure({ baseUrl, timeout: 0, ...error, ...seen });
	}
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
