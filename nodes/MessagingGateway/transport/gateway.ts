import { sleep } from 'n8n-workflow';
import { redirectTarget } from '../domain/input/baseUrl';
import { explain, type GatewayFailure } from '../domain/failures/explain';
import { isRouteMissing, type Observed } from '../domain/failures/observed';
import { textOf } from '../domain/records/json';
import { Problem } from '../domain/failures/problem';
import { gatewayWords } from '../domain/text/gatewayWords';
import type { GatewayCredential } from './credential';
import { ConnectionFailure, type Http, type HttpReply, type HttpRequest } from './http';
import { addressOf, ROUTES, type CallValues, type Route, type RouteForm, type RouteName } from './routes';

/** How patient a call is. */
export interface RetryOptions {
	/** Time for one reply, in ms. */
	timeout: number;
	/** How often a request may be sent again. */
	maxRetries: number;
	/** The shortest wait before that, in ms. */
	shortestWait?: number;
}

/** Longest wait before a request is sent again, also where `Retry-After` asks for one, in seconds. */
const LONGEST_WAIT = 60;
/** First wait before a request is sent again, in ms; doubled each time. */
const FIRST_BACKOFF = 1000;

/** A request was not sent, because the gateway or instance said no before, or the execution was canceled. */
export class NotSent extends Problem {
	/** @param reason the failure that ended it */
	constructor(readonly reason: GatewayFailure) {
		super(`Nothing was sent for this item: ${reason.message}`, reason.description);
		this.name = 'NotSent';
	}
}

type Answer = { body: unknown } | { problem: GatewayFailure | NotSent };

/**
 * The gateway of one credential during one run of the node: the door through which every request leaves.
 *
 * It sends again what may be sent again, keeps which form of a route the gateway knows, and sends nothing more
 * after the gateway has refused the key, limited the rate or turned out to be away.
 */
export class Gateway {
	/** What nothing is sent to any more, and why: an instance's name, or `undefined` for all. */
	private readonly stopped = new Map<string | undefined, GatewayFailure>();

	/** Index of the form that the gateway knows, by route. */
	private readonly known = new Map<RouteName, number>();

	/** The first call of each route, which finds out the form that the gateway knows; others wait for it. */
	private readonly scouts = new Map<RouteName, Promise<unknown>>();

	/**
	 * @param http sends one request
	 * @param cancelSignal ends waits when the execution is canceled
	 */
	constructor(
		private readonly credential: GatewayCredential,
		private readonly http: Http,
		private readonly cancelSignal?: AbortSignal,
	) {}

	/**
	 * Calls a function of the gateway.
	 *
	 * @returns the body of its 2xx reply: parsed JSON, `undefined` where the reply is empty
	 * @throws GatewayFailure where it does not work out; NotSent where nothing is sent after an earlier failure
	 */
	async call(name: RouteName, values: CallValues, retryOptions: RetryOptions): Promise<unknown> {
		const scout = this.scouts.get(name);
		if (scout) await scout;
		const answering = this.inKnownForm(name, values, retryOptions);
		if (!scout) this.scouts.set(name, answering);
		const answer = await answering;
		if ('problem' in answer) throw answer.problem;
		return answer.body;
	}

	/** Why nothing is sent to this instance any more: an earlier failure, or the end of the execution. */
	reasonNotToSend({ path }: CallValues): GatewayFailure | undefined {
		if (this.cancelSignal?.aborted) return explain({ ...this.context(0), network: 'ERR_CANCELED' });
		return this.stopped.get(undefined) ?? this.stopped.get(path?.instance);
	}

	/** What to throw for a reply that is JSON, but not what was asked for. */
	unexpectedShape(reply: unknown): GatewayFailure {
		return explain({
			...this.context(0),
			unreadable: 'shape',
			words: gatewayWords(reply, [this.credential.apiKey]),
		});
	}

	/** Waits, in ms; ends early when the execution is canceled. */
	async pause(ms: number): Promise<void> {
		// Even a timer of 0 ms takes one or two, for every request.
		if (ms === 0) return;
		const signal = this.cancelSignal;
		if (signal === undefined) return await sleep(ms);
		if (signal.aborted) return;
		let wake = () => {};
		// n8n 1.x has no sleep that a signal ends.
		const canceled = new Promise<void>((resolve) => (wake = resolve));
		signal.addEventListener('abort', wake, { once: true });
		await Promise.race([sleep(ms), canceled]);
		signal.removeEventListener('abort', wake);
	}

	private async inKnownForm(
		name: RouteName,
		values: CallValues,
		retryOptions: RetryOptions,
	): Promise<Answer> {
		const { changes, forms }: Route = ROUTES[name];
		let index = this.known.get(name) ?? 0;
		for (;;) {
			const answer = await this.patiently(changes, forms[index] ?? forms[0], values, retryOptions);
			const observed =
				'body' in answer || answer.problem instanceof NotSent ? undefined : answer.problem.observed;
			const missing = observed !== undefined && isRouteMissing(observed);
			if (missing && index + 1 < forms.length) {
				index++;
				continue;
			}
			// Any other reply shows that the gateway has this form; and where it has none, trying one is enough.
			if ('body' in answer || observed?.status !== undefined) this.known.set(name, index);
			return answer;
		}
	}

	private async patiently(
		changes: boolean,
		form: RouteForm,
		values: CallValues,
		retryOptions: RetryOptions,
	): Promise<Answer> {
		const request: HttpRequest = {
			method: form.method,
			url: addressOf(this.credential.baseUrl, form, values),
			timeout: retryOptions.timeout,
			...(values.body && { body: values.body }),
		};
		for (let repeats = 0; ; repeats++) {
			const reason = this.reasonNotToSend(values);
			if (reason) return { problem: new NotSent(reason) };
			const answer = await this.once(request);
			if ('body' in answer) return answer;
			const { retry, stop, observed } = answer.problem;
			const wait = waitBefore(repeats, observed.retryAfter, retryOptions.shortestWait);
			if (
				repeats < retryOptions.maxRetries &&
				wait !== undefined &&
				(retry === 'all' || (retry === 'reads' && !changes))
			) {
				await this.pause(wait);
				continue;
			}
			if (stop !== 'nothing')
				this.stopped.set(stop === 'instance' ? values.path?.instance : undefined, answer.problem);
			return answer;
		}
	}

	private async once(request: HttpRequest): Promise<{ body: unknown } | { problem: GatewayFailure }> {
		const context = this.context(request.timeout);
		try {
			return this.read(request, await this.http(request));
		} catch (error) {
			const network = error instanceof ConnectionFailure ? error.code : 'UNKNOWN';
			return { problem: explain({ ...context, network }) };
		}
	}

	private read(
		request: HttpRequest,
		{ status, headers, text }: HttpReply,
	): { body: unknown } | { problem: GatewayFailure } {
		const { isJson, body } = parse(text ?? '');
		const success = status >= 200 && status < 300;
		if (success && isJson && text !== undefined) return { body };
		const observed: Observed = {
			...this.context(request.timeout),
			status,
			words: gatewayWords(body, [this.credential.apiKey]),
			body,
			retryAfter: readRetryAfter(headers['retry-after']),
			redirectsTo: redirectTarget(textOf(headers.location) ?? '', request.url, this.credential.baseUrl),
			...(success && { unreadable: text === undefined ? 'tooLarge' : 'notJson' }),
		};
		return { problem: explain(observed) };
	}

	private context(timeout: number): Pick<Observed, 'baseUrl' | 'timeout' | 'words'> {
		return { baseUrl: this.credential.baseUrl, timeout, words: '' };
	}
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

/** How long to wait before a repeat, in ms; nothing where the gateway asks for more than is worth waiting. */
function waitBefore(repeats: number, retryAfter: number | undefined, shortest = 0): number | undefined {
	if (retryAfter !== undefined)
		return retryAfter <= LONGEST_WAIT ? Math.max(retryAfter * 1000, shortest) : undefined;
	const backoff = Math.min(FIRST_BACKOFF * 2 ** repeats, LONGEST_WAIT * 1000);
	return Math.max(backoff * (0.5 + Math.random() / 2), shortest);
}

/** `Retry-After` in whole seconds from now; the header is a number of seconds or a date. */
function readRetryAfter(header: unknown): number | undefined {
	const text = textOf(header)?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
	// Parsed alone, other numbers are dates too.
	const date = /^[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
