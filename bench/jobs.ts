/** What there is to get done on a gateway, and how to see that it is done. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { upTo } from '../test/engine/group/people';
import { defaultSeed, type Seed, type SeedInstance } from '../test/gateway/gateway';

/** One call to the gateway: a GET, or a PUT if it has a body. */
export interface Call {
	path: string;
	body?: { action: string; participants: string[] };
}

/** A job for both nodes. */
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
const ONE_GROUP = { __rl: true, mode: 'list', value: GROUP } as const;
const PER_REQUEST = 50;

const queryOf = (jid: string) => `groupJid=${encodeURIComponent(jid)}`;

/** The call that adds people to a group. */
export function addition(participants: string[], jid = GROUP): Call {
	const path = `/group/updateParticipant/main?${queryOf(jid)}`;
	return { path, body: { action: 'add', participants } };
}

/** Groups and a sheet of those who have to be in them at the end. @param isSynced whether the sheet lists the account, too, and all are members */
function sheetOf(groups: number, size: number, isSynced: boolean) {
	const all = upTo(groups).map((one) => {
		const people = upTo(size).map((person) => String(5_511_990_100_000 + one * size + person));
		const phones = isSynced ? [OWNER, ...people.slice(1)] : people;
		return { jid: `${BigInt(GROUP.split('@')[0] ?? 0) + BigInt(one)}@g.us`, phones };
	});
	const items = all.flatMap(({ jid, phones }) =>
		phones.map((phone, row) => ({ row, name: `Person ${row}`, phone, groupJid: jid })),
	);
	const group = groups === 1 ? ONE_GROUP : { ...ONE_GROUP, mode: 'id', value: '={{ $json.groupJid }}' };
	const seed = seedOf((one) => {
		const known = { subject: 'Group', admins: [OWNER] };
		const seeded = all.map(({ jid, phones }) => ({ ...known, jid, members: isSynced ? phones : [OWNER] }));
		return [{ ...one, owner: `${OWNER}@s.whatsapp.net`, groups: seeded }];
	});
	const members = all.flatMap(({ phones }) => (isSynced ? phones : [OWNER, ...phones]));
	const shared = { resource: 'group', instance, group, participants: '={{ $json.phone }}' };
	return { all, shared, sheet: { seed, items, members } };
}

/** Rows that add people to groups. */
export function updateJob(groups: number, size: number): Job {
	const { all, shared, sheet } = sheetOf(groups, size, false);
	const change = {
		operation: 'updateParticipants',
		action: 'add',
		dryRun: false,
		options: { batchInterval: 0 },
	};
	const starts = upTo(Math.ceil(size / PER_REQUEST)).map((i) => i * PER_REQUEST);
	return {
		...sheet,
		parameters: { ...shared, ...change },
		fewest: all.flatMap(({ jid, phones }) =>
			starts.map((from) => addition(phones.slice(from, from + PER_REQUEST), jid)),
		),
		expected: sheet.items.map(({ phone }) => ({ participant: phone, outcome: 'done' })),
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
	const { all, shared, sheet } = sheetOf(groups, size, true);
	const list = { operation: 'syncParticipants', dryRun: false, unlisted: 'remove' };
	return {
		...sheet,
		parameters: { ...shared, ...list },
		fewest: all.map(({ jid }) => ({ path: `/group/participants/main?${queryOf(jid)}` })),
		expected: sheet.items.map(({ phone }) => ({ participant: phone, outcome: 'unchanged' })),
	};
}

/** A poll of a group in which nothing has happened since the one before. */
export function pollJob(size: number): Job {
	const options = { shortestInterval: 0 };
	const changes = ['joined', 'left'];
	const parameters = { event: 'participantsChanged', instance, group: ONE_GROUP, changes, options };
	return { ...syncJob(1, size), items: [], parameters, expected: [] };
}

/** The usual gateway with other instances, each made from the usual first one. */
function seedOf(instancesFrom: (instance: SeedInstance) => SeedInstance[]): Seed {
	const { instances } = structuredClone(defaultSeed);
	return { ...defaultSeed, instances: instances.slice(0, 1).flatMap(instancesFrom), bots: [] };
}
