import type { IncomingMessage, ServerResponse } from 'node:http';
import { HostileGateway, reply, type Received, type Scene } from '../hostile/gateway';
import { rewritten, type NetworkGroup } from '../hostile/network';
import { KEY_PLACE, type Trouble } from '../hostile/troubles';
import type { Random } from '../random';
import type { Member } from './people';

/** What a member's row in a list holds. */
export type Style =
	'number' | 'number and hidden id' | 'hidden id and number' | 'hidden id and jid' | 'hidden id';

/** What a run of Sync meets, besides what a run of group changes meets. */
export interface SyncScene extends Scene {
	/** By group and number, how a list shows the member. */
	style: (groupJid: string, number: string) => Style;
	/** The share of reads that go wrong. */
	readTroubleShare: number;
	/** Whose owners the list of instances does not say. */
	ownerless: ReadonlySet<string>;
}

/** A request, in the order of arrival. */
export type Logged = { arrived: number; closed?: number } & (
	| { kind: 'list'; asked: string | null; owners: Map<string, string> | undefined }
	| {
			kind: 'read';
			instance: string;
			groupJid: string;
			members?: Member[];
			trouble?: Trouble;
			lied?: boolean;
	  }
	| { kind: 'change'; instance: string; groupJid: string; change: Received }
);

const html = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const unread = (why: string): Omit<Trouble, 'weight'> => ({
	name: `read 404 ${why}`,
	applied: 'never',
	certain: 'yes',
	status: 404,
	body: { status: 404, error: 'Not Found', response: { message: ['No participants', why] } },
});
const told = (name: string, status: number, body: unknown, more: Partial<Trouble> = {}): Trouble => ({
	name: `read ${name}`,
	weight: 3,
	applied: 'never',
	certain: 'yes',
	status,
	body,
	...more,
});

/** What goes wrong with a read. Some of them still are lists. */
export const readTroubles: Trouble[] = [
	...[
		'Error: forbidden',
		'Error: item-not-found',
		'Error: not-authorized',
		'Connection Closed',
		'Timed Out',
		'',
	].map((why) => ({ ...unread(why), weight: 2 })),
	{ ...unread("TypeError: Cannot read properties of undefined (reading 'id')"), weight: 2 },
	{ ...unread('Error: rate-overlimit'), weight: 1, stops: 'instance' },
	told('empty list', 200, { participants: [] }, { weight: 6 }),
	told('without the own account', 200, '', { weight: 10 }),
	told('without one member', 200, '', { weight: 10 }),
	told('200 HTML', 200, html),
	told('502 HTML', 502, html),
	told('503', 503, { status: 503, response: { message: ['no'] } }),
	told('500 key', 500, { status: 500, response: { message: [`${KEY_PLACE} fell`] } }),
	told('200 truncated', 200, '{"participants":[{"id":"4915200000001@s.what'),
	told('200 {}', 200, {}),
	told('200 []', 200, []),
	told('200 null', 200, 'null'),
	told('200 empty', 200, ''),
	told('participants null', 200, { participants: null }),
	told('a member is null', 200, { participants: [null] }),
	told('members without ids', 200, { participants: [{ admin: null }, { id: '', admin: 'admin' }] }),
	told('200 error', 200, { error: true, message: ['x'] }),
	told(
		'401',
		401,
		{ status: 401, error: 'Unauthorized', response: { message: 'Unauthorized' } },
		{ weight: 1, stops: 'instance' },
	),
	told('429', 429, { status: 429 }, { weight: 1, stops: 'gateway', headers: { 'retry-after': '0' } }),
	{ name: 'read reset', weight: 4, applied: 'never', certain: 'yes', wire: 'reset' },
	{ name: 'read cut', weight: 2, applied: 'never', certain: 'yes', wire: 'cut' },
	{ name: 'read hang', weight: 0.4, applied: 'never', certain: 'yes', wire: 'hang' },
	{ name: 'read restart', weight: 0.4, applied: 'never', certain: 'yes', wire: 'restart' },
];
const dazed: Trouble = {
	...unread("TypeError: Cannot read properties of undefined (reading 'groupMetadata')"),
	weight: 0,
};

/** The hostile gateway with the reads that Sync makes. */
export class SyncGateway extends HostileGateway {
	log: Logged[] = [];
	private readonly arrivals = new Map<string, number>();
	private readonly openNow = new Set<ServerResponse>();
	private more: SyncScene | undefined;

	override async begin(scene: SyncScene): Promise<void> {
		await super.begin(scene);
		this.more = scene;
		this.log = [];
	}

	protected override async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const scene = this.more;
		if (scene === undefined) throw new Error('No run has begun');
		const url = new URL(request.url ?? '', this.url);
		const arrived = performance.now();
		if (this.openNow.size > 0 && url.pathname !== '/instance/fetchInstances')
			this.complaints.push('two requests at once');
		this.openNow.add(response);
		response.once('close', () => {
			this.openNow.delete(response);
			const entry = this.log.find((one) => one.arrived === arrived);
			if (entry !== undefined) entry.closed = performance.now();
		});
		const instance = decodeURIComponent(/^\/group\/participants\/([^/]+)$/.exec(url.pathname)?.[1] ?? '');
		if (url.pathname === '/instance/fetchInstances')
			return this.owners(scene, response, arrived, url.searchParams.get('instanceName'));
		if (request.method === 'GET' && instance !== '')
			return await this.read(scene, response, arrived, instance, url.searchParams.get('groupJid') ?? '');
		this.arrivals.set('change', arrived);
		return await super.answer(request, response);
	}

	protected override keep(received: Received): void {
		super.keep(received);
		const { instance, groupJid } = received;
		const arrived = this.arrivals.get('change') ?? 0;
		this.log.push({ kind: 'change', arrived, instance, groupJid, change: received });
	}

	private owners(scene: SyncScene, response: ServerResponse, arrived: number, asked: string | null): void {
		const { network, random, generation } = scene;
		if (random.chance(scene.readTroubleShare / 2)) {
			this.log.push({ kind: 'list', arrived, asked, owners: undefined });
			this.fault('list of instances');
			const status = random.of([401, 403, 500, 502, 200]);
			return reply(response, status, status === 200 ? '<html>' : { status, response: { message: 'No' } });
		}
		const owners = new Map([...network.owners].filter(([instance]) => !scene.ownerless.has(instance)));
		this.log.push({ kind: 'list', arrived, asked, owners });
		const jid = (instance: string) => {
			const number = owners.get(instance);
			return number === undefined ? undefined : `${number}${random.chance(0.3) ? ':7' : ''}@s.whatsapp.net`;
		};
		const list = [...network.owners.keys()]
			.filter((name) => asked === null || name === asked)
			.map((name, i) =>
				generation === 1
					? { instance: { instanceName: name, instanceId: `id-${i}`, status: 'open', owner: jid(name) } }
					: { id: `id-${i}`, name, connectionStatus: 'open', ownerJid: jid(name) ?? null },
			);
		reply(response, 200, list);
	}

	private async read(
		scene: SyncScene,
		response: ServerResponse,
		arrived: number,
		instance: string,
		groupJid: string,
	): Promise<void> {
		const { network, random } = scene;
		const own = network.owners.get(instance) ?? '';
		const group = network.group(groupJid);
		const all = group === undefined ? [] : membersOf(group, scene, random);
		const unreadable =
			performance.now() < this.startedJustNow ? dazed : network.standing(groupJid, own) === 'out';
		const trouble =
			typeof unreadable === 'object'
				? unreadable
				: unreadable
					? readTroubles[0]
					: random.chance(scene.readTroubleShare)
						? random.weighted(readTroubles)
						: undefined;
		const first = !this.log.some((one) => one.kind === 'read' && one.groupJid === groupJid);
		const lid = network.person(own)?.lid ?? '';
		const isOwn = ({ id }: Member) => id.startsWith(`${own}@`) || id.startsWith(`${lid}@`);
		let members: Member[] | undefined = trouble === undefined ? all : undefined;
		// What a second list does not show decides what became of people, so that only first ones lie.
		if (trouble?.name === 'read without the own account' && first) members = all.filter((one) => !isOwn(one));
		if (trouble?.name === 'read without one member' && first) {
			const gone = random.of(all);
			members = all.filter((one) => one !== gone || isOwn(one));
		}
		if (trouble?.body === '' && trouble.status === 200 && trouble.name.startsWith('read without'))
			members ??= all;
		if (trouble !== undefined) this.fault(trouble.name);
		this.log.push({
			kind: 'read',
			arrived,
			instance,
			groupJid,
			...(members !== undefined && { members, lied: members.length < all.length }),
			...(trouble !== undefined && members === undefined && { trouble }),
		});
		if (members !== undefined) return reply(response, 200, { participants: members });
		if (trouble !== undefined) await this.makeTrouble(response, trouble, random);
	}
}

function membersOf(group: NetworkGroup, { network, style }: SyncScene, random: Random): Member[] {
	return [...group.standings].flatMap(([number, standing]): Member[] => {
		if (standing === 'out') return [];
		const [jid, lid] = [`${number}@s.whatsapp.net`, `${network.person(number)?.lid ?? ''}@lid`];
		const admin = number === group.creator ? 'superadmin' : standing === 'admin' ? 'admin' : null;
		const name = random.chance(0.2) ? { name: 'Ana' } : {};
		switch (style(group.groupJid, number)) {
			case 'number':
				return [{ id: jid, admin, ...name }];
			case 'number and hidden id':
				return [{ id: jid, lid, admin, ...name }];
			case 'hidden id and number':
				return [{ id: lid, phoneNumber: jid, admin, ...name }];
			case 'hidden id and jid':
				return [{ id: lid, jid: `${number}:12@s.whatsapp.net`, phoneNumber: '', admin, ...name }];
			case 'hidden id':
				return [{ id: lid, jid: '', admin, ...name }];
		}
	});
}

/** Whether a gateway makes another number of this one. */
export function isRewritten(digits: string): boolean {
	return rewritten(digits) !== digits;
}
