/** What there is to get done on a gateway, in the words of every contender, and how to see that it is done. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { upTo } from '../test/engine/group/people';
import { defaultSeed, type Seed, type SeedInstance } from '../test/gateway/gateway';

/** One call to the gateway: a GET, or a PUT if it has a body. */
export interface Call {
	path: string;
	body?: { action: string; participants: string[] };
}

/** A job for all contenders. */
export interface Job {
	/** The gateway at the start. */
	seed: Seed;
	items: IDataObject[];
	/** Parameters of this project's node, or of its trigger if they have an event. */
	parameters: INodeParameters;
	/** The fewest calls that do the job. */
	fewest: Call[];
	/** Fields of each item that has to come out. */
	expected: IDataObject[];
	/** The phone numbers of those who have to be in the groups at the end. */
	members: string[];
}

const OWNER = '5511990000001';
const GROUP = '120363000000000000@g.us';
const instance = { __rl: true, mode: 'list', value: 'main' } as const;
const group = { __rl: true, mode: 'list', value: GROUP } as const;
/** What gateways take in one request. */
const PER_REQUEST = 50;

const phoneOf = (person: number) => String(447_700_900_000 + person);
const rowOf = (phone: string, row: number) => ({ row, name: `Person ${row}`, phone });
const queryOf = (jid: string) => `groupJid=${encodeURIComponent(jid)}`;

/** The call that adds people to the group. */
export function addition(participants: string[]): Call {
	const path = `/group/updateParticipant/main?${queryOf(GROUP)}`;
	return { path, body: { action: 'add', participants } };
}

/** Rows that add people to one group. */
export function updateJob(rows: number): Job {
	const phones = upTo(rows).map(phoneOf);
	const change = { action: 'add', participants: '={{ $json.phone }}', options: { batchInterval: 0 } };
	const requests = upTo(Math.ceil(rows / PER_REQUEST)).map((i) => i * PER_REQUEST);
	return {
		seed: seedOfGroups([{ jid: GROUP, members: [OWNER] }]),
		items: phones.map(rowOf),
		parameters: { resource: 'group', operation: 'updateParticipants', instance, group, ...change },
		fewest: requests.map((from) => addition(phones.slice(from, from + PER_REQUEST))),
		expected: phones.map((participant) => ({ participant, outcome: 'done' })),
		members: [OWNER, ...phones],
	};
}

/** A gateway's instances, all listed for one item. */
export function listJob(instances: number): Job {
	const names = upTo(instances).map((number) => `instance ${number}`);
	return {
		seed: seedOf((one) =>
			names.map((name) => ({ ...one, instanceName: name, instanceId: name, groups: [] })),
		),
		items: [{}],
		parameters: { resource: 'instance', operation: 'getAll', returnAll: true },
		fewest: [{ path: '/instance/fetchInstances' }],
		expected: names.map((instanceName) => ({ instanceName })),
		members: [],
	};
}

/** A sheet that has exactly the members of each group, so that Sync has nothing to do. */
export function syncJob(groups: number, size: number): Job {
	const all = upTo(groups).map((one) => ({
		jid: `${BigInt(GROUP.split('@')[0] ?? 0) + BigInt(one)}@g.us`,
		members: [OWNER, ...upTo(size - 1).map((member) => phoneOf(one * size + member))],
	}));
	const rows = all.flatMap(({ jid, members }) => members.map((phone) => ({ groupJid: jid, phone })));
	const list = { participants: '={{ $json.phone }}', shouldBeMember: true, unlisted: 'remove' };
	const byRow = { ...group, mode: 'id', value: '={{ $json.groupJid }}' };
	const which = { instance, group: groups === 1 ? group : byRow };
	return {
		seed: seedOfGroups(all),
		items: rows.map(({ groupJid, phone }, i) => ({ ...rowOf(phone, i), groupJid })),
		parameters: { resource: 'group', operation: 'syncParticipants', ...which, ...list },
		fewest: all.map(({ jid }) => ({ path: `/group/participants/main?${queryOf(jid)}` })),
		expected: rows.map(({ phone }) => ({ participant: phone, outcome: 'unchanged' })),
		members: rows.map(({ phone }) => phone),
	};
}

/** A poll of a group in which nothing has happened since the one before. */
export function pollJob(size: number): Job {
	const options = { shortestInterval: 0 };
	const changes = ['joined', 'left'];
	const parameters = { event: 'participantsChanged', instance, group, changes, options };
	return { ...syncJob(1, size), items: [], parameters, expected: [] };
}

function seedOfGroups(all: Array<{ jid: string; members: string[] }>): Seed {
	const groups = all.map((one) => ({ ...one, subject: 'Group', admins: [OWNER] }));
	return seedOf((one) => [{ ...one, owner: `${OWNER}@s.whatsapp.net`, groups }]);
}

/** The usual gateway with other instances, each made from the usual first one. */
function seedOf(instancesFrom: (instance: SeedInstance) => SeedInstance[]): Seed {
	const { instances } = structuredClone(defaultSeed);
	return { ...defaultSeed, instances: instances.slice(0, 1).flatMap(instancesFrom), bots: [] };
}
