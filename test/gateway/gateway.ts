import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createFaultList, happen, type Fault } from './faults';
import type { Generation } from './generations';
import { createNetwork, type GroupSnapshot, type NetworkEvents, type SentMessage } from './network';
import { refusal, type Reply } from './reply';
import { toRequest } from './request';
import { answer } from './routes';
import { defaultSeed, type Seed } from './seed';
import type { Backend } from './target';
import { WHATSMIAU_PATH } from './whatsmiau';
import { bodyText, listen, readable, readText, send, type Call, type Exchange } from './wire';

export { faultKinds, parseFaultKind, type Fault, type FaultKind } from './faults';
export { GENERATIONS, parseGeneration, type Generation } from './generations';
export { toJid } from './jid';
export { inviteExpiration } from './group';
export type { GroupSnapshot, NetworkEvents, SentMessage } from './network';
export {
	defaultSeed,
	KINDS,
	kindsSeed,
	type Connection,
	type MessageFate,
	type PersonOutcome,
	type Seed,
	type SeedBot,
	type SeedGroup,
	type SeedInstance,
} from './seed';
export type { Call } from './wire';

/** The part of a recording that is played back. A status of null: the gateway never answered. */
export interface Recording {
	response: { status: number | null; contentType: string | null; body: unknown };
}

/** How a gateway is started; everything has a default. */
export interface GatewayOptions {
	seed?: Seed;
	generation?: Generation;
	/** An ephemeral one otherwise. */
	port?: number;
	/** Milliseconds before each reply. */
	latency?: number;
	/** Waited for before anything is done with a call. */
	hold?: (call: Call) => Promise<void>;
	/** https, with the self-signed certificate in `tls/`. */
	tls?: boolean;
	/** Told of each call when it is over. */
	onCall?: (call: Call) => void;
}

/** A gateway that is running. */
export interface Gateway {
	/** The base URL: `http://127.0.0.1:PORT`, or https; WhatsMiau's ends in `/v1`. */
	readonly url: string;
	/** The global key. */
	readonly apiKey: string;
	/** All calls in the order of arrival. */
	readonly calls: readonly Call[];
	/** The most requests that were under way at once. */
	readonly maxConcurrent: number;
	/** All invitations that were sent as messages, in order. */
	readonly messages: readonly SentMessage[];
	/** Lets things happen that the gateway was not asked for. */
	readonly network: NetworkEvents;
	/** A group as it is now; undefined where there is none. */
	group(instance: string, groupJid: string): GroupSnapshot | undefined;
	/** All groups as they are now, as plain JSON in a fixed order. */
	snapshot(): GroupSnapshot[];
	/** From now on every request, or each that this is true of, gets this recording's reply; undefined ends that. */
	replay(recording: Recording | undefined, on?: (call: Call) => boolean): void;
	/** Adds a fault; where several match a request, the one that was added first happens. */
	fault(fault: Fault): void;
	/** Ends all faults. */
	clearFaults(): void;
	/** Waits until every request that has arrived was dealt with: answered, or left as its fault leaves it. */
	handled(): Promise<void>;
	/** Stops, and ends the connections that are open. */
	close(): Promise<void>;
}

function certificate(): { key: string; cert: string } {
	const read = (name: string): string => readFileSync(join(__dirname, 'tls', name), 'utf8');
	return { key: read('key.pem'), cert: read('cert.pem') };
}

function replyOf({ response: { status, contentType, body } }: Recording): Reply {
	const text = bodyText(body, contentType);
	return { status: status ?? 0, contentType, text, ...(status === null ? { afterMs: Infinity } : {}) };
}

/**
 * Starts an embedded gateway: a real server on 127.0.0.1 with the state of the seed.
 * @throws where the port is taken.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
	const { generation = 'published', latency = 0, tls = false, hold, onCall } = options;
	const seed = structuredClone(options.seed ?? defaultSeed);
	const backend: Backend = { seed, generation, network: createNetwork(seed), url: '' };
	const calls: Call[] = [];
	const exchanges: Array<Promise<unknown>> = [];
	const faults = createFaultList();
	const stopped = new AbortController();
	// Each request that waits listens to it.
	setMaxListeners(0, stopped.signal);
	let recording: Recording | undefined;
	let isReplayed: (call: Call) => boolean = () => true;
	let underWay = 0;
	let maxConcurrent = 0;

	const log = ({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse): Call => {
		const startedAt = performance.now();
		const call: Call = {
			method,
			path: url,
			headers,
			body: undefined,
			get status() {
				return response.headersSent ? response.statusCode : null;
			},
			startedAt,
			finishedAt: null,
		};
		calls.push(call);
		underWay += 1;
		maxConcurrent = Math.max(maxConcurrent, underWay);
		response.once('close', () => {
			underWay -= 1;
			call.finishedAt = performance.now();
			onCall?.(call);
		});
		return call;
	};

	const deliver = async ({ response }: Exchange, reply: Reply): Promise<void> => {
		const { afterMs = 0 } = reply;
		if (afterMs === Infinity) return;
		if (afterMs > 0) await wait(afterMs, undefined, { signal: stopped.signal });
		send(response, reply);
	};

	const apply = (exchange: Exchange): Reply => answer(backend, toRequest(exchange));

	const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const call = log(request, response);
		const text = await readText(request);
		call.body = readable(text);
		const exchange = { call, text, response };
		await hold?.(call);
		if (latency > 0) await wait(latency, undefined, { signal: stopped.signal });
		const played = recording !== undefined && isReplayed(call) ? recording : undefined;
		const fault = played === undefined ? faults.due(call) : undefined;
		if (fault !== undefined) return happen(fault, exchange, () => apply(exchange));
		await deliver(exchange, played === undefined ? apply(exchange) : replyOf(played));
	};

	const handle = (request: IncomingMessage, response: ServerResponse): void => {
		const served = serve(request, response).catch((error: unknown) => {
			if (stopped.signal.aborted || !request.complete) response.destroy();
			else send(response, refusal(500, String(error)));
		});
		exchanges.push(served);
	};
	const server = tls ? createTlsServer(certificate(), handle) : createServer(handle);
	const port = await listen(server, options.port ?? 0);
	const path = generation === 'whatsmiau' ? WHATSMIAU_PATH : '';
	backend.url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}${path}`;

	return {
		url: backend.url,
		apiKey: seed.apiKey,
		calls,
		get maxConcurrent() {
			return maxConcurrent;
		},
		messages: backend.network.messages,
		network: backend.network,
		group: (instance, groupJid) =>
			backend.network.snapshot().find((one) => one.instance === instance && one.groupJid === groupJid),
		snapshot: () => backend.network.snapshot(),
		replay: (next, on = () => true) => {
			recording = next;
			isReplayed = on;
		},
		fault: (fault) => faults.add(fault),
		clearFaults: () => faults.clear(),
		handled: async () => void (await Promise.all(exchanges)),
		close: async () => {
			stopped.abort();
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}
