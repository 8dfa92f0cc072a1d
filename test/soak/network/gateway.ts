import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { add } from '../counts';
import type { Random } from '../random';
import type { Action, Change, Network } from './network';
import { distort, distortions, rowOf } from './rows';
import { abandoned, forbidden, justStarted, KEY_PLACE, troubles, type Trouble } from './troubles';

/** What a request is about. */
export interface About {
	/** When it arrived, in ms since the start of the process. */
	arrived: number;
	instance: string;
	groupJid: string;
}

/** A group change as it arrived, and what became of it. */
export interface Received extends About {
	action: Action;
	/** One for each participant; the standings before and after are the same where nothing was carried out. */
	changes: Change[];
	applied: boolean;
	/** What went wrong with it as a whole. */
	trouble: Trouble | undefined;
	/** What became of the reply's rows. */
	distortion: string | undefined;
}

/** A question for the list of instances, and the owners that it was answered with. */
export interface Listing {
	arrived: number;
	/** The one instance that it is about. */
	asked: string | null;
	/** By instance; undefined where the question was refused. */
	owners?: ReadonlyMap<string, string>;
}

/** What a run meets. */
export interface Scene {
	network: Network;
	random: Random;
	/** The shares of changes and of listings that go wrong, and of replies whose rows are not as they should be. */
	troubleShare: number;
	listTroubleShare: number;
	distortionShare: number;
	/** Whose owners the list of instances does not say. */
	ownerless: ReadonlySet<string>;
	/** The generation of the gateway: 2 knows another route for group changes. */
	generation: 1 | 2;
}

/** How long a request may stay open, in ms: the node's time-outs are a small part of it. */
const patience = 6_000;
const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

export const apiKey = 'SoakKey+/7f3a91c2e4';

/** A gateway on loopback that does its worst. One run at a time. */
export class HostileGateway<S extends Scene = Scene> {
	received: Received[] = [];
	listings: Listing[] = [];
	/** Broken rules that only the gateway sees. */
	complaints: string[] = [];
	readonly faults = new Map<string, number>();
	protected startedJustNow = 0;
	private scene: S | undefined;
	private answering = false;
	private port = 0;
	/** Until the gateway listens again. */
	private restarted = Promise.resolve();
	private readonly server = createServer((request, response) => {
		this.answer(request, response).catch((error: unknown) => {
			// A node whose time is over takes its request back.
			if (!request.destroyed) this.complaints.push(`the hostile gateway itself: ${String(error)}`);
			response.destroy();
		});
	});

	async start(): Promise<void> {
		this.server.keepAliveTimeout = 60_000;
		this.server.listen(this.port, '127.0.0.1');
		await once(this.server, 'listening');
		this.port = (this.server.address() as AddressInfo).port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Begins a run, once a restart in the one before is over. */
	async begin(scene: S): Promise<void> {
		await this.restarted;
		this.scene = scene;
		[this.received, this.listings, this.complaints] = [[], [], []];
		this.startedJustNow = 0;
	}

	/** Ends, once a restart is over. */
	async stop(): Promise<void> {
		await this.restarted;
		await this.close();
	}

	private async close(): Promise<void> {
		const closed = once(this.server, 'close');
		this.server.close();
		this.server.closeAllConnections();
		await closed;
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { scene } = this;
		if (scene === undefined) throw new Error('No run has begun');
		const arrived = performance.now();
		const url = new URL(request.url ?? '', this.url);
		const [, route = '', instance = ''] = /^(\/[^/]+\/[^/]+)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
		if (request.headers.apikey !== apiKey) this.complaints.push(`${route} came without the key`);
		if (route === '/instance/fetchInstances')
			return this.list(scene, response, { arrived, asked: url.searchParams.get('instanceName') });
		if (this.answering) this.complaints.push('two requests at once');
		this.answering = true;
		try {
			const body = await text(request);
			// Another request that is under way arrives meanwhile.
			await turn();
			const groupJid = url.searchParams.get('groupJid') ?? '';
			const about = { arrived, instance: decodeURIComponent(instance), groupJid };
			if (this.read(scene, response, `${request.method} ${route}`, about)) return;
			if (request.method !== (scene.generation === 1 ? 'PUT' : 'POST')) {
				const message = [`Cannot ${request.method} ${request.url}`];
				return reply(response, 404, { status: 404, error: 'Not Found', response: { message } });
			}
			if (route !== '/group/updateParticipant') throw new Error(`unexpected ${route}`);
			const { action, participants } = JSON.parse(body) as { action: Action; participants: string[] };
			this.change(scene, response, { ...about, action, sent: participants });
		} finally {
			this.answering = false;
		}
	}

	/** Answers what is no change; gives whether it was one of those. */
	protected read(_scene: S, _response: ServerResponse, _route: string, _about: About): boolean {
		return false;
	}

	private change(
		{ network, random, troubleShare, distortionShare }: Scene,
		response: ServerResponse,
		{ sent, ...request }: About & { action: Action; sent: string[] },
	): void {
		const { instance, groupJid, action } = request;
		if (sent.length === 0 || sent.some((one) => one.length < 10) || new Set(sent).size < sent.length)
			this.complaints.push(`a request with participants [${sent.join(', ')}]`);
		const group = network.group(groupJid);
		if (group === undefined) throw new Error(`There is no group "${groupJid}"`);
		const may = network.mayChange(instance, groupJid);
		const chance = random.chance(troubleShare) ? random.weighted(troubles) : undefined;
		const trouble =
			performance.now() < this.startedJustNow ? justStarted : (chance ?? (may ? undefined : forbidden));
		const applied = may && (trouble === undefined || (trouble.certain === 'no' && random.chance(0.5)));
		const changes = sent.map((one) =>
			applied ? network.change(groupJid, action, one) : network.unchanged(groupJid, one),
		);
		const distorts = trouble === undefined && random.chance(distortionShare);
		const distortion = distorts ? random.of(distortions) : undefined;
		const received: Received = { ...request, changes, applied, trouble, distortion };
		this.received.push(received);
		// On a busy machine a time-out can come before the reply.
		response.once('close', () => {
			if (!response.writableFinished) received.trouble ??= abandoned;
		});
		if (trouble !== undefined) return this.makeTrouble(response, trouble, random);
		const rows = changes.map((change) => rowOf(change, network, group));
		if (distortion !== undefined) add(this.faults, distortion);
		const shown = distortion === undefined ? rows : distort(distortion, rows, random, network);
		reply(response, 201, { updateParticipants: shown });
	}

	protected makeTrouble(response: ServerResponse, trouble: Trouble, random: Random): void {
		if (trouble !== forbidden) add(this.faults, trouble.name);
		const { socket } = response;
		const head = { 'content-type': 'application/json' };
		switch (trouble.wire) {
			case undefined:
				return reply(response, trouble.status ?? 500, trouble.body, trouble.headers);
			case 'reset':
				return void socket?.resetAndDestroy();
			case 'drip':
				response.writeHead(201, head);
				void drip(response);
				break;
			case 'cut':
				response.writeHead(201, { ...head, 'content-length': 5000 });
				response.write('{"updateParticipants":[', () => socket?.destroy());
				break;
			case 'upgrade':
				socket?.write(upgrade);
				break;
			case 'restart':
				this.restarted = this.restart(random.from(0, 60), random.from(0, 30));
				break;
		}
		setTimeout(() => {
			if (socket === null || socket.destroyed) return;
			this.complaints.push(`${trouble.name}: the request was still open ${patience} ms later`);
			socket.destroy();
		}, patience).unref();
	}

	private async restart(down: number, dazed: number): Promise<void> {
		await this.close();
		await wait(down);
		await this.start();
		this.startedJustNow = performance.now() + dazed;
	}

	/** The list of instances, which says whose the accounts are. */
	private list(scene: Scene, response: ServerResponse, listing: Listing): void {
		const { network, random, generation, ownerless } = scene;
		this.listings.push(listing);
		if (random.chance(scene.listTroubleShare)) {
			add(this.faults, 'list of instances');
			const status = random.of([401, 403, 500, 502, 200]);
			return reply(response, status, status === 200 ? '<html>' : { status, response: { message: 'No' } });
		}
		const owners = new Map([...network.owners].filter(([instance]) => !ownerless.has(instance)));
		listing.owners = owners;
		const names = [...network.owners.keys()].filter((name) => [null, name].includes(listing.asked));
		const list = names.map((name, i) => {
			const device = random.chance(0.3) ? ':7' : '';
			const owner = owners.has(name) ? `${owners.get(name)}${device}@s.whatsapp.net` : undefined;
			return generation === 1
				? { instance: { instanceName: name, instanceId: `id-${i}`, status: 'open', owner, apikey: 'k' } }
				: { id: `id-${i}`, name, connectionStatus: 'open', ownerJid: owner ?? null };
		});
		reply(response, 200, list);
	}
}

/** Sends a body: text as it is, anything else as JSON. */
export function reply(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
	const shown = (typeof body === 'string' ? body : JSON.stringify(body)).replaceAll(KEY_PLACE, apiKey);
	const type = typeof body === 'string' && shown.startsWith('<') ? 'text/html' : 'application/json';
	response.writeHead(status, { 'content-type': type, ...headers }).end(shown);
}

async function drip(response: ServerResponse): Promise<void> {
	for (; !response.destroyed; await wait(20)) response.write(' ');
}

/** A group change in words. */
export function told(one: Received): string {
	const all = one.changes.map(({ sent, code, before, after }) => `${sent} ${code} ${before} → ${after}`);
	const how = [one.trouble?.name, one.applied ? undefined : 'not applied', one.distortion].filter(Boolean);
	return `${one.instance} ${one.groupJid} ${one.action} [${all.join(', ')}] ${how.join(', ')}`;
}
