import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a request was. */
export interface Asked {
	method: string;
	/** As on the wire, with the query. */
	path: string;
	key: string | undefined;
	body: string;
}

/** What is sent back. A status of null: nothing, ever. */
export interface Answer {
	status: number | null;
	contentType?: string | null;
	/** Text goes out as it is where the content type is not JSON; everything else as JSON. */
	body: unknown;
	headers?: Record<string, string>;
	/** Milliseconds until it is sent. */
	after?: number;
}

/** A server that says what a test wants it to say. */
export interface AnsweringServer {
	readonly url: string;
	readonly calls: Asked[];
	close(): Promise<void>;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What every generation says of a route that it does not have. */
export function routeMissing({ method, path }: Asked): Answer {
	const response = { message: [`Cannot ${method} ${path}`] };
	return { status: 404, body: { status: 404, error: 'Not Found', response } };
}

/** Starts a real server on loopback. */
export async function startServer(answer: (asked: Asked) => Answer): Promise<AnsweringServer> {
	const calls: Asked[] = [];
	const server = createServer(async (request, response) => {
		const asked = await read(request);
		calls.push(asked);
		const { status, contentType = JSON_TYPE, body, headers = {}, after = 0 } = answer(asked);
		if (status === null) return;
		const text = typeof body === 'string' && !contentType?.includes('json') ? body : JSON.stringify(body);
		response.writeHead(status, { ...(contentType !== null && { 'content-type': contentType }), ...headers });
		setTimeout(() => response.end(text), after);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${portOf(server.address())}`,
		calls,
		close: async () => {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}

/** Starts servers in tests, and closes them after each test. */
export function withServers(): typeof startServer {
	const open: AnsweringServer[] = [];
	afterEach(async () => {
		await Promise.all(open.splice(0).map(async (server) => await server.close()));
	});
	return async (answer) => {
		const server = await startServer(answer);
		open.push(server);
		return server;
	};
}

async function read(request: IncomingMessage): Promise<Asked> {
	const { method = '', url: path = '', headers } = request;
	let body = '';
	for await (const chunk of request) body += String(chunk);
	return { method, path, key: headers.apikey?.toString(), body };
}

function portOf(address: string | AddressInfo | null): number {
	return typeof address === 'object' && address !== null ? address.port : 0;
}
