import type { ServerResponse } from 'node:http';
import { HostileGateway, reply, type About, type Scene } from '../network/gateway';
import type { NetworkGroup } from '../network/network';
import { html, KEY_PLACE, type Trouble } from '../network/troubles';
import type { Random } from '../random';
import { idsOfMember, same, type Member } from './people';

/** What a member's row in a list holds, by its style. */
const styles = {
	number: (jid: string) => ({ id: jid }),
	'number and hidden id': (jid: string, lid: string) => ({ id: jid, lid }),
	'hidden id and number': (jid: string, lid: string) => ({ id: lid, phoneNumber: jid }),
	'hidden id and jid': (jid: string, lid: string) => ({
		id: lid,
		jid: jid.replace('@', ':12@'),
		phoneNumber: '',
	}),
	'hidden id': (_: string, lid: string) => ({ id: lid, jid: '' }),
};
export type Style = keyof typeof styles;

/** What a run of Sync meets, besides what a run of group changes meets. */
export interface SyncScene extends Scene {
	/** By group and number, how a list shows the member. */
	style: (groupJid: string, number: string) => Style;
	/** The share of reads that go wrong. */
	readTroubleShare: number;
}

/** A reading of a group. */
export interface Read extends About {
	/** What it was answered with; undefined where that was no list. */
	members?: Member[];
	trouble?: Trouble;
	/** The list leaves people out. */
	lied: boolean;
}

const among = (weight: number, ...replies: Array<Partial<Trouble>>): Trouble[] =>
	replies.map((one) => ({
		certain: 'yes',
		weight: weight / replies.length,
		...one,
		name: `read ${one.name ?? one.wire ?? `${one.status} ${JSON.stringify(one.body)}`}`,
	}));
const unread = (why: string) => ({
	status: 404,
	body: { status: 404, error: 'Not Found', response: { message: ['No participants', why] } },
});
const lists = (...all: unknown[]) => all.map((participants) => ({ status: 200, body: { participants } }));
const noMembers = [null, [null], [{ admin: null }, { id: '', admin: 'admin' }]];
const noLists = [html, '{"participants":[{"id":"4915200000001@s.what', {}, [], 'null', '', { error: true }];
const refused = ['Error: forbidden', 'Error: item-not-found', 'Error: not-authorized', 'Connection Closed'];

const [forbidden, ...unreadable] = among(12, ...[...refused, 'Timed Out', ''].map(unread));
const [withoutOwn, withoutOne] = among(
	20,
	{ name: 'without the own account' },
	{ name: 'without one member' },
);
const [dazed] = among(2, unread("TypeError: Cannot read properties of undefined (reading 'id')"));

/** What goes wrong with a read. Some of them still are lists. */
const troubles = [forbidden, ...unreadable, withoutOwn, withoutOne, dazed]
	.filter((one) => one !== undefined)
	.concat(
		among(12, ...lists(...noMembers), { status: 503, body: { status: 503 } }),
		among(6, ...lists([])),
		among(24, ...noLists.map((body) => ({ status: 200, body })), { status: 502, body: html }),
		among(3, { status: 500, body: { status: 500, response: { message: [`${KEY_PLACE} fell`] } } }),
		among(1, { ...unread('Error: rate-overlimit'), stops: 'instance' }),
		among(1, { name: '401', status: 401, body: { status: 401, error: 'Unauthorized' }, stops: 'instance' }),
		among(1, { status: 429, body: {}, stops: 'gateway', headers: { 'retry-after': '0' } }),
		among(6, { wire: 'reset' }, { wire: 'cut' }),
		among(0.8, { wire: 'hang' }, { wire: 'restart' }),
	);

/** The hostile gateway with the reads that Sync makes. */
export class SyncGateway extends HostileGateway<SyncScene> {
	reads: Read[] = [];

	override async begin(scene: SyncScene): Promise<void> {
		await super.begin(scene);
		this.reads = [];
	}

	protected override read(scene: SyncScene, response: ServerResponse, route: string, about: About): boolean {
		if (route !== 'GET /group/participants') return false;
		const { network, random } = scene;
		const own = network.owners.get(about.instance) ?? '';
		const group = network.group(about.groupJid);
		const all = group === undefined ? [] : membersOf(group, scene, random);
		const chance = random.chance(scene.readTroubleShare) ? random.weighted(troubles) : undefined;
		const out = network.standing(about.groupJid, own) === 'out';
		const trouble = performance.now() < this.startedJustNow ? dazed : out ? forbidden : chance;
		const ofOwn = { numbers: [own], lids: [network.person(own)?.lid ?? ''] };
		const isOwn = (one: Member) => same(idsOfMember(one), ofOwn);
		const shown =
			trouble === withoutOwn
				? all.filter((one) => !isOwn(one))
				: trouble === withoutOne
					? random.shuffled(all).filter((one, i) => i > 0 || isOwn(one))
					: all;
		// What a second list does not show decides what became of people, so that only first ones lie.
		const isFirst = this.reads.every(({ groupJid }) => groupJid !== about.groupJid);
		const isList = trouble === undefined || trouble === withoutOwn || trouble === withoutOne;
		const members = isFirst ? shown : all;
		this.reads.push({ ...about, lied: members.length < all.length, ...(isList ? { members } : { trouble }) });
		if (isList) reply(response, 200, { participants: members });
		else this.makeTrouble(response, trouble, random);
		return true;
	}
}

function membersOf(group: NetworkGroup, { network, style }: SyncScene, random: Random): Member[] {
	return [...group.standings].flatMap(([number, standing]): Member[] => {
		if (standing === 'out') return [];
		const [jid, lid] = [`${number}@s.whatsapp.net`, `${network.person(number)?.lid ?? ''}@lid`];
		const admin = number === group.creator ? 'superadmin' : standing === 'admin' ? 'admin' : null;
		const ids = styles[style(group.groupJid, number)](jid, lid);
		return [{ ...ids, admin, ...(random.chance(0.2) && { name: 'Ana' }) }];
	});
}
