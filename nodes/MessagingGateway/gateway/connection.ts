import { sleep } from 'n8n-workflow';
import { explain, GatewayFailure } from './failures/gatewayFailure';
import {
	isErrorBody,
	isRouteMissing,
	wasSilent,
	type Observed,
	type Unreadable,
} from './failures/callFailure';
import { Problem } from '../common/problem';
import { redirectTarget } from './baseUrl';
import { readConnectionState } from './replies/instances';
import { isRecord, textOf } from '../common/json';
import { gatewayWords, wordsToRecognize } from './redact/errorText';
import type { GatewayCredential } from './credential';
import { ConnectionFailure, type Http, type HttpReply, type HttpRequest } from './http';
import { readRetryAfter, waitBeforeRetry, type RetryOptions } from './retry';
import { addressOf, ROUTES, type CallValues, type Route, type RouteForm, type RouteName } from './routes';
import { Stops } from './circuitBreaker';

/** Longest sleep at once, in ms: the timer of a wait that is canceled is left behind. */
const LONGEST_SLEEP = 1000;

/** The state is answered at once, or not at all. */
const STATE_OPTIONS: RetryOptions = { timeout: 10_000, maxRetries: 0 };

/** A request was not sent, because the gateway or instance said no before, or the execution was canceled. */
export class NotSent extends Problem {
	/** @param reason the failure that ended it */
	constructor(readonly reason: GatewayFailure) {
		super(`Nothing was sent for this item: ${reason.message}`, reason.description);
		this.name = 'NotSent';
	}
}

export interface GatewaySettings {
	/** Ends waits when the execution is canceled. */
	cancelSignal?: AbortSignal | undefined;
	/** Whether a silent instance's state is asked, to say more of a failure; so unless told otherwise. */
	asksState?: boolean;
}

/** How a call's reply is read. */
export interface ReplyReader<T> {
	/** What the body of a 2xx reply says; nothing if it isn't such a reply. `isSilent`: it took so long to come. */
	read: (body: unknown, isSilent: boolean) => T | undefined;
	/** Whether it says nothing where there has to be something; left out where nothing is an answer. */
	isEmpty?: (value: T, isSilent: boolean) => boolean;
	/** What a failure says that is an answer, too; nothing if it isn't. */
	readFailure?: (observed: Observed) => T | undefined;
}

/** A 2xx reply. */
interface Reply {
	/** Parsed JSON; nothing if the reply is empty. */
	body: unknown;
	status: number;
	/** In ms. */
	elapsed: number;
}

type CallResult = Reply | { problem: GatewayFailure | NotSent };

/**
 * The gateway of one credential during one run of the node: the door through which every request leaves.
 *
 * It sends again what may be sent again, keeps which form of a route the gateway knows, and sends nothing more
 * after the gateway has refused the key, limited the rate or turned out to be away.
 */
export class Gateway {
	private readonly cancelSignal: AbortSignal | undefined;

	private readonly asksState: boolean;

	private readonly stops = new Stops();

	/** Index of the form that the gateway knows, by route. */
	private readonly knownForm = new Map<RouteName, number>();

	/** The first call of each route, which finds out the form that the gateway knows; others wait for it. */
	private readonly firstCall = new Map<RouteName, Promise<unknown>>();

	/**
	 * @param http sends one request
	 */
	constructor(
		private readonly credential: GatewayCredential,
		private readonly http: Http,
		{ cancelSignal, asksState = true }: GatewaySettings = {},
	) {
		this.cancelSignal = cancelSignal;
		this.asksState = asksState;
	}

	get baseUrl(): string {
		return this.credential.baseUrl;
	}

	/**
	 * Calls a function of the gateway and reads its reply.
	 *
	 * @throws GatewayFailure if it can't be completed, or the reply isn't what was asked for; NotSent if nothing is
	 * sent after an earlier failure
	 */
	async read<T>(
		name: RouteName,
		values: CallValues,
		retryOptions: RetryOptions,
		{ read, isEmpty = () => false, readFailure = () => undefined }: ReplyReader<T>,
	): Promise<T> {
		const result = await this.call(name, values, retryOptions);
		if ('problem' in result) {
			const { problem } = result;
			const answer = problem instanceof GatewayFailure ? readFailure(problem.observed) : undefined;
			if (answer !== undefined) return answer;
			throw await this.lookCloser(problem, name, values);
		}
		const isSilent = wasSilent(result);
		const value = readSafely(() => read(result.body, isSilent));
		if (value !== undefined && !isEmpty(value, isSilent)) return value;
		const failure = explain({
			...this.observed(name, retryOptions.timeout),
			status: result.status,
			body: result.body,
			...this.wordsIn(result.body),
			elapsed: result.elapsed,
			unreadable: value === undefined ? unreadableIn(result.body) : 'empty',
		});
		this.stops.note(failure, values.path?.instance);
		throw await this.lookCloser(failure, name, values);
	}

	/** The state of an instance's connection right now, e.g. `open`; nothing if it can't be known. */
	async liveStateOf(instance: string): Promise<string | undefined> {
		const result = await this.call('connectionState', { path: { instance } }, STATE_OPTIONS);
		return 'body' in result ? readConnectionState(result.body) : undefined;
	}

	/** Why nothing is sent to this instance any more: an earlier failure, or the end of the execution. */
	reasonNotToSend(instance: string | undefined): GatewayFailure | undefined {
		if (this.cancelSignal?.aborted) return explain({ ...this.observed(), network: 'ERR_CANCELED' });
		return this.stops.reasonFor(instance);
	}

	/** Waits, in ms; ends early when the execution is canceled. */
	async pause(ms: number): Promise<void> {
		// Even a timer of 0 ms takes one or two, for every request.
		if (ms === 0) return;
		let wake = () => {};
		// n8n 1.x has no sleep that a signal ends.
		const canceled = new Promise<void>((resolve) => (wake = resolve));
		this.cancelSignal?.addEventListener('abort', wake, { once: true });
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !this.cancelSignal?.aborted; left = end - Date.now())
			await Promise.race([sleep(Math.min(left, LONGEST_SLEEP)), canceled]);
		this.cancelSignal?.removeEventListener('abort', wake);
	}

	/**
	 * The same failure, or a better one: after a minute of silence the instance's live state, asked once, says whether it
	 * is only not connected.
	 */
	private async lookCloser<F extends GatewayFailure | NotSent>(
		failure: F,
		name: RouteName,
		{ path }: CallValues,
	): Promise<F | GatewayFailure> {
		const instance = path?.instance;
		if (!(failure instanceof GatewayFailure) || !wasSilent(failure.observed)) return failure;
		if (!this.asksState || instance === undefined || name === 'connectionState') return failure;
		const state = await this.liveStateOf(instance);
		return state === undefined || state === 'open' ? failure : explain({ ...failure.observed, state });
	}

	private async call(name: RouteName, values: CallValues, retryOptions: RetryOptions): Promise<CallResult> {
		const first = this.firstCall.get(name);
		if (first) await first;
		const calling = this.callInKnownForm(name, values, retryOptions);
		if (!first) this.firstCall.set(name, calling);
		return await calling;
	}

	private async callInKnownForm(
		name: RouteName,
		values: CallValues,
		retryOptions: RetryOptions,
	): Promise<CallResult> {
		const { forms }: Route = ROUTES[name];
		let index = this.knownForm.get(name) ?? 0;
		for (;;) {
			const result = await this.callWithRetries(name, forms[index] ?? forms[0], values, retryOptions);
			const observed =
				'problem' in result && !(result.problem instanceof NotSent) ? result.problem.observed : undefined;
			if (observed !== undefined && isRouteMissing(observed) && index + 1 < forms.length) {
				index++;
				continue;
			}
			// Any other reply shows that the gateway has this form; and if it has none, trying one is enough.
			if ('body' in result || observed?.status !== undefined) this.knownForm.set(name, index);
			return result;
		}
	}

	private async callWithRetries(
		name: RouteName,
		form: RouteForm,
		values: CallValues,
		retryOptions: RetryOptions,
	): Promise<CallResult> {
		const request: HttpRequest = {
			method: form.method,
			url: addressOf(this.credential.baseUrl, form, values),
			timeout: retryOptions.timeout,
			...(values.body && { body: values.body }),
		};
		const instance = values.path?.instance;
		const { changes } = ROUTES[name];
		let refused: GatewayFailure | undefined;
		for (let retries = 0; ; retries++) {
			const reason = this.reasonNotToSend(instance);
			if (reason && refused === undefined) return { problem: new NotSent(reason) };
			// It was sent, and refused before the wait.
			if (reason && refused)
				return {
					problem: this.cancelSignal?.aborted
						? explain({ ...refused.observed, canceledBeforeRetry: true })
						: refused,
				};
			const result = await this.send(name, request);
			if ('body' in result) return result;
			const failure = result.problem;
			const wait = waitBeforeRetry({ failure, changes, retries }, retryOptions, Math.random());
			if (wait === undefined) {
				this.stops.note(failure, instance);
				return result;
			}
			refused = failure;
			await this.pause(wait);
		}
	}

	private async send(name: RouteName, request: HttpRequest): Promise<Reply | { problem: GatewayFailure }> {
		try {
			return this.receive(name, request, await this.http(request));
		} catch (error) {
			const { code, elapsed } = error instanceof ConnectionFailure ? error : new ConnectionFailure('UNKNOWN');
			return { problem: explain({ ...this.observed(name, request.timeout), network: code, elapsed }) };
		}
	}

	private receive(
		name: RouteName,
		request: HttpRequest,
		{ status, headers, text, elapsed }: HttpReply,
	): Reply | { problem: GatewayFailure } {
		const { isJson, body } = parse(text ?? '');
		const success = status >= 200 && status < 300;
		if (success && isJson && text !== undefined) return { body, status, elapsed };
		const observed: Observed = {
			...this.observed(name, request.timeout),
			status,
			...this.wordsIn(body),
			body,
			elapsed,
			retryAfter: readRetryAfter(textOf(headers['retry-after']), Date.now()),
			redirectsTo: redirectTarget(textOf(headers.location) ?? '', request.url, this.credential.baseUrl),
			...(success && { unreadable: text === undefined ? 'tooLarge' : 'notJson' }),
		};
		return { problem: explain(observed) };
	}

	private wordsIn(body: unknown): Pick<Observed, 'words' | 'rawWords'> {
		return { words: gatewayWords(body, [this.credential.apiKey]), rawWords: wordsToRecognize(body) };
	}

	private observed(route?: RouteName, timeout = 0): Observed {
		return { baseUrl: this.credential.baseUrl, timeout, words: '', ...(route && { route }) };
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
