import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import type { Reply } from './reply';

/** One request that arrived, and what became of it. Times are those of `performance.now()`. */
export interface Call {
	method: string;
	/** As on the wire, with the query. */
	path: string;
	headers: IncomingHttpHeaders;
	/** Parsed where it is JSON, otherwise the text; undefined where there is none. */
	body: unknown;
	/** Null as long as no status was sent. */
	readonly status: number | null;
	startedAt: number;
	/** Null as long as the reply or the connection has not ended. */
	finishedAt: number | null;
}

/** A call on the server's side: the log entry, the text of its body, and the way back. */
export interface Exchange {
	call: Call;
	text: string;
	response: ServerResponse;
}

/** The whole text of a request's body. */
export async function readText(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString('utf8');
}

/** The body as a person wants to see it in the log of calls. */
export function readable(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** A body as text, as it is recorded: text where the content type is not JSON, everything else as JSON. */
export function bodyText(body: unknown, contentType: string | null): string {
	return typeof body === 'string' && !contentType?.includes('json') ? body : JSON.stringify(body);
}

declare global {
	/** In Jest: ports that earlier test files had. The node remembers what it learned of a gateway by its address. */
	var usedPorts: Set<number> | undefined;
}
const usedPorts = (globalThis.usedPorts ??= new Set());

/**
 * Lets a server listen on 127.0.0.1, on a port that no server had before unless told otherwise.
 * @returns the port @throws where it is taken
 */
export async function listen(server: Server, port = 0): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	const address = server.address();
	const own = typeof address === 'object' && address !== null ? address.port : port;
	if (port === 0 && usedPorts.has(own)) {
		await new Promise((resolve) => server.close(resolve));
		return await listen(server);
	}
	usedPorts.add(own);
	return own;
}

/** The head of a reply, with the length of its body. */
export function sendHead(response: ServerResponse, reply: Reply): void {
	response.writeHead(reply.status, {
		...(reply.contentType === null ? {} : { 'content-type': reply.contentType }),
		...(reply.status === 204 ? {} : { 'content-length': Buffer.byteLength(reply.text) }),
		...reply.headers,
	});
}

/** A whole reply. */
export function send(response: ServerResponse, reply: Reply): void {
	sendHead(response, reply);
	response.end(reply.text);
}
