import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Action } from '../plan';
import type { Random } from '../random';
import type { Change, Network } from './network';
import { distortions, rowOf } from './rows';
import { abandoned, forbidden, justStarted, KEY_PLACE, troubles, type Trouble } from './troubles';

/** A group change as it arrived, and what became of it. */
export interface Received {
	instance: string;
	groupJid: string;
	action: Action;
	/** One for each participant; the standings before and after are the same where nothing was carried out. */
	changes: Change[];
	applied: boolean;
	/** What went wrong with it as a whole. */
	trouble?: Trouble;
	/** What became of the reply's rows. */
	distortion?: string;
}

/** What a run meets. */
export interface Scene {
	network: Network;
	random: Random;
	/** The shares of requests that go wrong, and of replies whose rows are not as they should be. */
	troubleShare: number;
	distortionShare: number;
	/** The generation of the gateway: 2 knows another route for group changes. */
	generation: 1 | 2;
}

const patience = 6_000;

export const apiKey = 'SoakKey+/7f3a91c2e4';

/** A gateway on loopback that does its worst. One run at a time. */
export class HostileGateway {
	received: Received[] = [];
	/** Broken rules that only the gateway sees. */
	complaints: string[] = [];
	faults = new Map<string, number>();
	/** Troubles that a run hung on; they are left out from then on, since each would cost the whole deadline. */
	readonly hungOn = new Set<string>();
	protected scene: Scene | undefined;
	private readonly server = createServer((request, response) => {
		this.answer(request, response).catch((error: unknown) => {
			this.complaints.push(`the hostile gateway itself: ${String(error)}`);
			response.destroy();
		});
	});
	private port = 0;
	private readonly open = new Set<ServerResponse>();
	protected startedJustNow = 0;
	/** Until the gateway listens again. */
	private restarted = Promise.resolve();

	async start(): Promise<void> {
		this.server.keepAliveTimeout = 60_000;
		this.server.listen(this.port, '127.0.0.1');
		await once(this.server, 'listening');
		const { port } = this.server.address() as AddressInfo;
		this.port = port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Begins a run, once a restart in the one before is over. */
	async begin(scene: Scene): Promise<void> {
		await this.restarted;
		this.scene = scene;
		this.received = [];
		this.complaints = [];
		this.startedJustNow = 0;
	}

	async stop(): Promise<void> {
		if (!this.server.listening) await once(this.server, 'listening');
		const closed = once(this.server, 'close');
		this.server.close();
		this.server.closeAllConnections();
		await closed;
	}

	protected keep(received: Received): void {
		this.received.push(received);
	}

	protected fault(name: string): void {
		this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
	}

	protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const scene = this.scene;
		if (scene === undefined) throw new Error('No run has begun');
		const url = new URL(request.url ?? '', this.url);
		const body = await text(request);
		if (request.headers.apikey !== apiKey) this.complaints.push(`${url.pathname} came without the key`);
		if (url.pathname === '/instance/fetchInstances') return this.listInstances(scene, response);
		const instance = decodeURIComponent(
			/^\/group\/updateParticipant\/([^/]+)$/.exec(url.pathname)?.[1] ?? '',
		);
		if (instance === '') {
			this.complaints.push(`an unexpected request: ${request.method} ${url.pathname}`);
			return reply(response, 404, { status: 404, response: { message: ['Not Found'] } });
		}
		if (request.method !== (scene.generation === 1 ? 'PUT' : 'POST')) {
			const message = [`Cannot ${request.method} ${request.url}`];
			return reply(response, 404, { status: 404, error: 'Not Found', response: { message } });
		}
		this.watch(response);
		const { action, participants } = JSON.parse(body) as { action: Action; participants: string[] };
		const groupJid = url.searchParams.get('groupJid') ?? '';
		this.complain(participants, groupJid);
		await this.change(scene, response, { instance, groupJid, action, sent: participants });
	}

	/** Notes two group changes at the same time. What a time-out has left may take a moment to close. */
	private watch(response: ServerResponse): void {
		const others = [...this.open];
		this.open.add(response);
		response.once('close', () => this.open.delete(response));
		if (others.length === 0) return;
		void wait(50).then(() => {
			if (others.some((other) => this.open.has(other))) this.complaints.push('two group changes at once');
		});
	}

	private complain(participants: readonly string[], groupJid: string): void {
		const bad = participants.filter((one) => one.length < 10 || !/\d/.test(one));
		if (participants.length === 0 || bad.length > 0)
			this.complaints.push(`a request with participants [${participants.join(', ')}]`);
		if (new Set(participants).size < participants.length)
			this.complaints.push('a participant twice in a request');
		if (!groupJid.endsWith('@g.us')) this.complaints.push(`a request for group "${groupJid}"`);
	}

	private async change(
		{ network, random, troubleShare, distortionShare }: Scene,
		response: ServerResponse,
		{ sent, ...request }: Pick<Received, 'instance' | 'groupJid' | 'action'> & { sent: string[] },
	): Promise<void> {
		const { instance, groupJid, action } = request;
		const note = (changes: Change[], applied: boolean, more: Pick<Received, 'trouble' | 'distortion'>) => {
			const received: Received = { ...request, changes, applied, ...more };
			this.keep(received);
			// On a busy machine a time-out can come before the reply.
			response.once('close', () => {
				if (!response.writableFinished) received.trouble ??= abandoned;
			});
		};
		const nothing = () => network.copy().change(instance, groupJid, action, sent) ?? [];
		const unchanged = (): Change[] =>
			sent.map((one) => {
				const meant = network.meant(one);
				const before = network.standing(groupJid, meant);
				return { sent: one, meant, asked: network.asked(one), code: '', before, after: before };
			});

		const trouble =
			performance.now() < this.startedJustNow
				? justStarted
				: random.chance(troubleShare)
					? random.weighted(troubles)
					: undefined;
		if (trouble !== undefined && !this.hungOn.has(trouble.name)) {
			const wanted = trouble.applied === 'always' || (trouble.applied === 'either' && random.chance(0.5));
			const changes = wanted ? network.change(instance, groupJid, action, sent) : undefined;
			note(changes ?? unchanged(), changes !== undefined, { trouble });
			this.fault(changes === undefined ? trouble.name : `${trouble.name} (applied)`);
			return await this.makeTrouble(response, trouble, random);
		}
		if (nothing().length === 0) {
			note(unchanged(), false, { trouble: forbidden });
			return reply(response, forbidden.status ?? 400, forbidden.body);
		}
		const group = network.group(groupJid);
		const changes = network.change(instance, groupJid, action, sent) ?? [];
		const rows = changes.flatMap((change) => (group === undefined ? [] : [rowOf(change, network, group)]));
		const distortion = random.chance(distortionShare) ? random.of(Object.keys(distortions)) : undefined;
		if (distortion !== undefined) this.fault(distortion);
		note(changes, true, distortion === undefined ? {} : { distortion });
		const shown = distortion === undefined ? rows : distortions[distortion]?.(rows, random, network);
		reply(response, 201, { updateParticipants: shown });
	}

	protected async makeTrouble(response: ServerResponse, trouble: Trouble, random: Random): Promise<void> {
		const { socket } = response;
		// The node's time-outs are a small part of this. What it has not closed by then, it never does.
		if (trouble.wire !== undefined)
			setTimeout(() => {
				if (socket === null || socket.destroyed) return;
				this.complaints.push(`${trouble.name}: the request was still open ${patience} ms later`);
				socket.destroy();
			}, patience).unref();
		switch (trouble.wire) {
			case undefined:
				return reply(response, trouble.status ?? 500, trouble.body, trouble.headers);
			case 'reset':
				return void socket?.resetAndDestroy();
			case 'hang':
				return;
			case 'drip':
				response.writeHead(201, { 'content-type': 'application/json' });
				for (; !response.destroyed; await wait(20)) response.write(' ');
				return;
			case 'cut':
				response.writeHead(201, { 'content-type': 'application/json', 'content-length': 5000 });
				response.write('{"updateParticipants":[', () => socket?.destroy());
				return;
			case 'upgrade':
				socket?.write(
					'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
				);
				return;
			case 'restart':
				this.restarted = this.restart(random.from(0, 60), random.from(0, 30));
				return await this.restarted;
		}
	}

	private async restart(down: number, dazed: number): Promise<void> {
		await this.stop();
		await wait(down);
		await this.start();
		this.startedJustNow = performance.now() + dazed;
	}

	/** The list of instances, which says whose the accounts are: now and then without them, or a refusal. */
	private listInstances(
		{ network, random, generation, troubleShare }: Scene,
		response: ServerResponse,
	): void {
		const list = [...network.owners].map(([instanceName, number], i) => {
			const owner = random.chance(0.9)
				? `${number}${random.chance(0.3) ? ':7' : ''}@s.whatsapp.net`
				: undefined;
			const shared = { profileName: instanceName, integration: 'WHATSAPP-BAILEYS' };
			return generation === 1
				? { instance: { instanceName, instanceId: `id-${i}`, status: 'open', owner, apikey: 'k' } }
				: { id: `id-${i}`, name: instanceName, connectionStatus: 'open', ownerJid: owner ?? null, ...shared };
		});
		if (!random.chance(troubleShare / 4)) return reply(response, 200, list);
		const status = random.of([401, 403, 500, 502, 200]);
		this.fault(`${status} for the list of instances`);
		reply(response, status, status === 200 ? '<html>' : { status, response: { message: 'No' } });
	}
}

/** Sends a body: text as it is, anything else as JSON. */
export function reply(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
	const shown = (typeof body === 'string' ? body : JSON.stringify(body)).replaceAll(KEY_PLACE, apiKey);
	const type = typeof body === 'string' && shown.startsWith('<') ? 'text/html' : 'application/json';
	response.writeHead(status, { 'content-type': type, ...headers }).end(shown);
}
