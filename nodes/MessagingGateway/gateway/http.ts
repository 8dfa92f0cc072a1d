import type {
	ICredentialTestFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { isRecord, recordOf, textOf } from '../common/json';
import type { RouteForm } from './routes';

/** One HTTP request. */
export interface HttpRequest {
	method: RouteForm['method'];
	url: string;
	body?: Readonly<Record<string, unknown>>;
	/** Time for the whole exchange, in ms. */
	timeout: number;
}

/** Its reply, whatever the status. */
export interface HttpReply {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	/** The body; `undefined` if it is larger than {@link LARGEST_REPLY}. */
	text: string | undefined;
	/** Time from the request to the end of the reply, in ms. */
	elapsed: number;
}

/** There was no complete reply. */
export class ConnectionFailure extends Error {
	/**
	 * @param code Node's or axios' code, e.g. `ECONNREFUSED`
	 * @param elapsed time since the request, in ms
	 */
	constructor(
		readonly code: string,
		readonly elapsed = 0,
	) {
		super(code);
		this.name = 'ConnectionFailure';
	}
}

/** Sends a request. @throws ConnectionFailure where there is no complete reply. */
export type Http = (request: HttpRequest) => Promise<HttpReply>;

/** In bytes: 10,000 instances with all their settings take about 20 MB. */
const LARGEST_REPLY = 32 * 1024 * 1024;

const CREDENTIAL = 'messagingGatewayApi';

/** What n8n lets send requests with the credential. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The way out for operations and pickers. n8n adds the key, and ends the request with the execution. */
export function httpOf(
	context: RequestContext,
	{ allowUnauthorizedCerts }: { allowUnauthorizedCerts: boolean },
): Http {
	return async (request) =>
		await exchange(request, async ({ method, url, body, timeout }, deadline) => {
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
			const reply: unknown = await context.helpers.httpRequestWithAuthentication.call(
				endingAt(deadline, context),
				CREDENTIAL,
				options,
			);
			return reply;
		});
}

/**
 * The same context with a cancel signal that is also given at the deadline. n8n passes on this signal and no other, and
 * nothing else ends a request whose body stays away: its socket would stay open.
 */
function endingAt<C extends RequestContext>(deadline: AbortSignal, context: C): C {
	const canceled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const signal = canceled === undefined ? deadline : AbortSignal.any([deadline, canceled]);
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as C;
}

/** The way out for the credential test, where n8n offers only its older helper and leaves the key to the caller. */
export function credentialTestHttp(
	{ helpers }: ICredentialTestFunctions,
	{ apiKey, allowUnauthorizedCerts }: { apiKey: string; allowUnauthorizedCerts: boolean },
): Http {
	return async (request) =>
		await exchange(request, async ({ method, url, timeout }) => {
			const reply: unknown = await helpers.request({
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
			return reply;
		});
}

async function exchange(
	request: HttpRequest,
	send: (request: HttpRequest, deadline: AbortSignal) => Promise<unknown>,
): Promise<HttpReply> {
	const started = performance.now();
	const elapsed = () => performance.now() - started;
	const deadline = AbortSignal.timeout(request.timeout);
	try {
		// A reply such as 101 never comes to an end, so the deadline counts for the head as well.
		const reply = await before(deadline, send(request, deadline));
		if (!isRecord(reply) || typeof reply.statusCode !== 'number')
			throw new ConnectionFailure('ERR_BAD_RESPONSE');
		const headers = recordOf(reply.headers);
		const text = await readBody(reply.body, deadline);
		return { status: reply.statusCode, headers, text, elapsed: elapsed() };
	} catch (error) {
		const failure = new ConnectionFailure(deadline.aborted ? 'ETIMEDOUT' : networkCodeOf(error), elapsed());
		throw failure;
	}
}

/** What work comes to. @throws ConnectionFailure if the deadline comes first; the work then goes on unheard */
async function before<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
	let expire = () => {};
	const expired = new Promise<never>((_, reject) => {
		expire = () => reject(new ConnectionFailure('ETIMEDOUT'));
	});
	if (deadline.aborted) expire();
	deadline.addEventListener('abort', expire, { once: true });
	try {
		return await Promise.race([work, expired]);
	} finally {
		deadline.removeEventListener('abort', expire);
	}
}

interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

function isByteStream(body: unknown): body is ByteStream {
	return isRecord(body) && Symbol.asyncIterator in body && typeof body.destroy === 'function';
}

async function readBody(body: unknown, deadline: AbortSignal): Promise<string | undefined> {
	if (!isByteStream(body)) return textOf(body) ?? '';
	const stream = body[Symbol.asyncIterator]();
	const chunks: Uint8Array[] = [];
	let size = 0;
	let complete = false;
	try {
		while (size <= LARGEST_REPLY) {
			// Destroying the stream would not end a read in n8n 2.x, where axios wraps it.
			const next = await before(deadline, stream.next());
			complete = next.done === true;
			if (next.done) return new TextDecoder().decode(Buffer.concat(chunks));
			size += next.value.length;
			chunks.push(next.value);
		}
		return undefined;
	} finally {
		if (!complete) body.destroy();
	}
}

/** The names of n8n 2.x's errors where its administrator does not let nodes reach an address. */
const BLOCKED_BY_N8N = /^SsrfBlocked/;

/** n8n wraps what axios throws, once or more; the code is somewhere on the way in. */
function networkCodeOf(error: unknown): string {
	let current = error;
	for (let depth = 0; depth < 5 && isRecord(current); depth++) {
		const code = [current.code, current.httpCode]
			.map(textOf)
			.find((text) => /^[A-Z][A-Z0-9_]+$/.test(text ?? ''));
		if (code !== undefined) return code;
		if (BLOCKED_BY_N8N.test(textOf(current.name) ?? '')) return 'SSRF_BLOCKED';
		current = current.cause ?? current.errorResponse;
	}
	return 'UNKNOWN';
}
