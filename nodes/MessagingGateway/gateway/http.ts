import type {
	ICredentialTestFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { isRecord, recordOf, textOf } from '../common/json';
import type { RouteForm } from './routes';

export interface HttpReply {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	/** The body; `undefined` if it is larger than {@link LARGEST_REPLY}. */
	text: string | undefined;
	/** Time from the request to the end of the reply, in ms. */
	elapsed: number;
}

export class ConnectionFailure extends Error {
	/** @param code Node's or axios', e.g. `ECONNREFUSED` @param elapsed time since the request, in ms */
	constructor(
		readonly code: string,
		readonly elapsed = 0,
	) {
		super(code);
		this.name = 'ConnectionFailure';
	}
}

/** Sends a request. @throws ConnectionFailure without a complete reply before the timeout, in ms */
export type Http = (request: {
	method: RouteForm['method'];
	url: string;
	body?: Readonly<Record<string, unknown>>;
	timeout: number;
}) => Promise<HttpReply>;

/** In bytes: 10,000 instances with all their settings take about 20 MB. */
const LARGEST_REPLY = 32 * 1024 * 1024;

/** The contexts in which n8n sends requests with the credential. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Sends a node's requests. n8n adds the key, and ends a request with its execution. */
export function httpOf(
	context: RequestContext,
	{ allowUnauthorizedCerts }: { allowUnauthorizedCerts: boolean },
): Http {
	const canceled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return async ({ method, url, body, timeout }) =>
		await exchange({ timeout, canceled }, async (signal) => {
			const options: IHttpRequestOptions = {
				method,
				url,
				timeout,
				// n8n would hand the key to any host that it is redirected to, and turn PUT into GET.
				disableFollowRedirect: true,
				// Otherwise n8n drops the gateway's own words, and sends a request again after a 401.
				ignoreHttpStatusErrors: true,
				returnFullResponse: true,
				// As a stream, so that a huge body is not held in memory and a slow one is given up.
				encoding: 'stream',
				json: true,
				skipSslCertificateValidation: allowUnauthorizedCerts,
				...(body && { body }),
			};
			// n8n passes on this signal alone, and nothing else closes the socket of a body that stays away.
			const getExecutionCancelSignal = { value: () => signal };
			const ending = Object.create(context, { getExecutionCancelSignal }) as RequestContext;
			const { helpers } = context;
			return (await helpers.httpRequestWithAuthentication.call(
				ending,
				'messagingGatewayApi',
				options,
			)) as unknown;
		});
}

/** Sends the credential test's requests. n8n has only its older helper there, and the caller adds the key. */
export function credentialTestHttp(
	{ helpers }: ICredentialTestFunctions,
	{ apiKey, allowUnauthorizedCerts }: { apiKey: string; allowUnauthorizedCerts: boolean },
): Http {
	return async ({ method, url, timeout }) =>
		await exchange({ timeout }, async (): Promise<unknown> => {
			return await helpers.request({
				method,
				uri: url,
				timeout,
				headers: { apikey: apiKey, accept: 'application/json' },
				followRedirect: false,
				simple: false,
				resolveWithFullResponse: true,
				useStream: true,
				// Only where it is off: n8n 1.x drops the cause of an SSL failure as soon as this is set.
				...(allowUnauthorizedCerts && { rejectUnauthorized: false }),
			});
		});
}

/** Sends a request and reads its reply, until the time is up or the execution is canceled. */
async function exchange(
	{ timeout, canceled }: { timeout: number; canceled?: AbortSignal | undefined },
	send: (signal: AbortSignal) => Promise<unknown>,
): Promise<HttpReply> {
	const started = performance.now();
	const elapsed = () => performance.now() - started;
	const deadline = AbortSignal.timeout(timeout);
	const signal = canceled ? AbortSignal.any([deadline, canceled]) : deadline;
	try {
		signal.throwIfAborted();
		// A reply such as 101 never comes to an end, so the time counts for the head as well.
		const reply = await before(signal, (async () => await readReply(await send(signal), signal))());
		return { ...reply, elapsed: elapsed() };
	} catch (error) {
		const ended = signal.aborted && (deadline.aborted ? 'ETIMEDOUT' : 'ERR_CANCELED');
		const failure = new ConnectionFailure(ended || networkCodeOf(error), elapsed());
		throw failure;
	}
}

/** Gives the result of `work`. After the signal, that result is ignored: an n8n 2.x body may never end. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const end = () => reject(new ConnectionFailure('ERR_CANCELED'));
		signal.addEventListener('abort', end, { once: true });
		// The signal of a long time-out would keep the reply in memory.
		work.finally(() => signal.removeEventListener('abort', end)).then(resolve, reject);
	});
}

async function readReply(reply: unknown, signal: AbortSignal): Promise<Omit<HttpReply, 'elapsed'>> {
	if (!isRecord(reply) || typeof reply.statusCode !== 'number')
		throw new ConnectionFailure('ERR_BAD_RESPONSE');
	const { statusCode: status, headers, body } = reply;
	return { status, headers: recordOf(headers), text: await readBody(body, signal) };
}

const isByteStream = (body: unknown): body is AsyncIterable<Uint8Array> & { destroy: () => unknown } =>
	isRecord(body) && Symbol.asyncIterator in body && typeof body.destroy === 'function';

async function readBody(body: unknown, signal: AbortSignal): Promise<string | undefined> {
	if (!isByteStream(body)) return textOf(body) ?? '';
	const close = () => body.destroy();
	if (signal.aborted) close();
	signal.addEventListener('abort', close, { once: true });
	try {
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of body) {
			size += chunk.length;
			// Leaving the loop closes the stream.
			if (size > LARGEST_REPLY) return undefined;
			chunks.push(chunk);
		}
		return new TextDecoder().decode(Buffer.concat(chunks));
	} finally {
		signal.removeEventListener('abort', close);
	}
}

/** Finds the code in what axios throws, which n8n wraps once or more. */
function networkCodeOf(error: unknown): string {
	let current = error;
	for (let depth = 0; depth < 5 && isRecord(current); depth++) {
		const codes = [current.code, current.httpCode].map(textOf);
		const code = codes.find((text) => /^[A-Z][A-Z0-9_]+$/.test(text ?? ''));
		if (code !== undefined) return code;
		// n8n 2.x's administrator doesn't let nodes reach the address.
		if (textOf(current.name)?.startsWith('SsrfBlocked')) return 'SSRF_BLOCKED';
		current = current.cause ?? current.errorResponse;
	}
	return 'UNKNOWN';
}
