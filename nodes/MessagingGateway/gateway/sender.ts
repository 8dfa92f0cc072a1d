import { isRecord, parseJson, textOf } from '../common/json';
import { attempt } from '../common/problem';
import { HOUR, SECOND } from '../common/time';
import type { GatewayCredential } from './credential';
import type { ExecutionRef } from './execution';
import { isAway, isInstanceMissing, wasSilent, type CallFailure } from './failures/callFailure';
import { GatewayFailure, toGatewayFailure } from './failures/gatewayFailure';
import { ConnectionFailure, type Http, type HttpReply } from './http';
import { errorTextIn } from './redact/errorText';
import { isErrorBody } from './replies/errorBody';
import { readConnectionState } from './replies/instances';
import { urlOf, EMPTY, ROUTES, type ReplyReader, type RouteName } from './routes';

/** Maximum length of a reply whose words are read though it isn't understood, in characters. */
const LONGEST_ERROR = 1_000_000;

/** The state is answered at once, or not at all; in ms. */
const STATE_TIMEOUT = 10 * SECOND;

export interface RequestOptions {
	/** Time for one reply, in ms. */
	timeout: number;
	maxRetries: number;
	/** The shortest wait before that, in ms. */
	shortestWait?: number;
}

export interface ConnectionSettings {
	/** Aborted when the execution is canceled, which ends waits. */
	cancelSignal?: AbortSignal | undefined;
	/** The caller, if it's no run. Nobody can choose its timeout, and the live state is seldom asked besides. */
	caller?: 'editor' | 'trigger' | undefined;
	/** Changes the body of a reply before it is read. */
	redactReply?: ((body: unknown) => unknown) | undefined;
	/** The execution that the run belongs to; left out where nothing is changed. */
	execution?: ExecutionRef;
}

/** Sends single requests to the gateway of one credential, and reads what comes back. */
export class Sender {
	constructor(
		private readonly credential: GatewayCredential,
		private readonly http: Http,
		private readonly settings: Pick<ConnectionSettings, 'caller' | 'redactReply'>,
	) {}

	async send<T>(route: RouteName, request: Parameters<Http>[0], read: ReplyReader<T>) {
		const { timeout, url } = request;
		let reply: HttpReply;
		try {
			reply = await this.http(request);
		} catch (error) {
			const { code, elapsed } = error instanceof ConnectionFailure ? error : new ConnectionFailure('UNKNOWN');
			return this.failureOf({ route, timeout, network: code, elapsed });
		}
		const { status, headers, text, elapsed } = reply;
		const isSuccess = status >= 200 && status < 300;
		const isShort = (text ?? '').length <= LONGEST_ERROR;
		const location = textOf(headers.location) ?? '';
		const { isJson, body } = parseBody(isSuccess || isShort ? text : '');
		const value = isSuccess && isJson ? this.readSafely(body, wasSilent({ elapsed }), read) : undefined;
		if (value !== undefined && value !== EMPTY) return value;
		const seen = { isRead: text !== undefined, isJson, body: value === EMPTY ? undefined : body };
		return this.failureOf({
			route,
			timeout,
			status,
			body: isShort ? body : undefined,
			elapsed,
			retryAfter: readRetryAfter(textOf(headers['retry-after']), Date.now()),
			isLogin: isLogin(status, location),
			redirectsTo: redirectTarget(location, url, this.credential.baseUrl),
			...(isSuccess && { unreadable: faultOf(seen) }),
		});
	}

	failureOf(seen: Omit<Partial<CallFailure>, 'message' | 'errorText' | 'registerUrl'>): GatewayFailure {
		const { baseUrl, apiKey } = this.credential;
		const error = errorTextIn(seen.body, [apiKey]);
		// A trigger's is as long as n8n lets a poll take.
		const isTimeoutFixed = this.settings.caller !== undefined;
		return toGatewayFailure({ baseUrl, timeout: 0, isTimeoutFixed, ...error, ...seen });
	}

	/** Asks whether an instance is connected. @returns a failure if it isn't, is missing or doesn't answer */
	async askWhetherOpen(instance: string, timeout = STATE_TIMEOUT): Promise<GatewayFailure | undefined> {
		const request = {
			method: 'GET',
			url: urlOf(this.credential.baseUrl, ROUTES.connectionState.forms[0], { instance }),
			timeout: Math.min(timeout, STATE_TIMEOUT),
		} as const;
		const answer = await this.send('connectionState', request, readConnectionState);
		const failureWith = (state: string) => this.failureOf({ route: 'connectionState', state });
		if (!(answer instanceof GatewayFailure))
			return ['close', 'connecting'].includes(answer) ? failureWith(answer) : undefined;
		const { status } = answer.call;
		if (isAway(answer.call)) return answer.withState('unknown');
		if (status !== undefined) return isInstanceMissing(answer.call) ? answer : undefined;
		// No question got as far as the instance.
		return answer.policy.stop === 'gateway' ? answer : answer.withState('unknown');
	}

	/** Reads a reply. One that can't be read doesn't end a run, since its change may have been carried out. */
	private readSafely<T>(body: unknown, isSilent: boolean, read: ReplyReader<T>) {
		const { redactReply = (reply) => reply } = this.settings;
		return attempt(() => read(redactReply(body), isSilent));
	}
}

/** Says why a successful reply is no answer. */
function faultOf({ isRead, isJson, body }: { isRead: boolean; isJson: boolean; body: unknown }) {
	if (!isRead) return 'tooLarge';
	if (!isJson) return 'notJson';
	if (body === undefined || body === null) return 'empty';
	return isRecord(body) && isErrorBody(body) ? 'error' : 'shape';
}

function parseBody(text: string | undefined): { isJson: boolean; body: unknown } {
	if (text?.trim() === '') return { isJson: true, body: undefined };
	const body = parseJson(text);
	return body === undefined ? { isJson: false, body: text } : { isJson: true, body };
}

/** Whether a reply leads to a page to log in at, in front of the gateway. */
function isLogin(status: number, location: string): boolean {
	return status >= 300 && status < 400 && /login|access/i.test(location.replace(/[?#].*/s, ''));
}

/** Finds the base URL to set when a gateway redirects to another. Leaves out a path that may be secret. */
export function redirectTarget(location: string, requested: string, baseUrl: string): string | undefined {
	const target = URL.canParse(location, requested) ? new URL(location, requested) : undefined;
	if (!target || !/^https?:$/.test(target.protocol)) return undefined;
	const route = new URL(requested).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length);
	const kept = target.pathname.endsWith(route) ? target.pathname.slice(0, -route.length) : '';
	// A path with such signs may hold a secret, encoded or named.
	const found = target.origin + (/[;=%]/.test(kept) ? '' : kept);
	return [baseUrl, new URL(baseUrl).origin].includes(found) ? undefined : found;
}

/** Reads the header `Retry-After`, a number or a date, as whole seconds from `now`, at most an hour. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	// Parsed alone, other numbers are dates too.
	const date = /^[a-z]/i.test(text) ? Date.parse(text) : NaN;
	const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (date - now) / SECOND;
	return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, Math.ceil(seconds)), HOUR / SECOND);
}
