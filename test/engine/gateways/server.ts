import { createServer } from 'node:http';
import { JSON_TYPE } from '../../gateway/reply';
import { bodyText, listen } from '../../gateway/wire';

/** What a request was. */
export interface Asked {
	method: string;
	/** As on the wire, with the query. */
	path: string;
	key: string | undefined;
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

/** What every generation says of a route that it does not have. */
export function routeMissing({ method, path }: Asked): Answer {
	const response = { message: [`Cannot ${method} ${path}`] };
	return { status: 404, body: { status: 404, error: 'Not Found', response } };
}

/** Starts a real server on loopback. */
export async function startServer(answer: (asked: Asked) => Answer): Promise<AnsweringServer> {
	const calls: Asked[] = [];
	const server = createServer(async (request, response) => {
		const { method = '', url = '' } = request;
		const asked: Asked = { method, path: url, key: request.headers.apikey?.toString() };
		calls.push(asked);
		const { status, contentType = JSON_TYPE, body, headers = {}, after = 0 } = answer(asked);
		if (status === null) return;
		const text = bodyText(body, contentType);
		response.writeHead(status, { ...(contentType !== null && { 'content-type': contentType }), ...headers });
		setTimeout(() => response.end(text), after);
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}`,
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
