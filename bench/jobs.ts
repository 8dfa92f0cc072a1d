/** What there is to get done on a gateway, in the words of every contender, and how to see that it is done. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { upTo } from '../test/engine/group/people';
import { defaultSeed, type Seed, type SeedInstance } from '../test/gateway/gateway';

/** One call to the gateway: a GET, or a PUT if it has a body. */
export interface Call {
	path: string;
	body?: { action: string; participants: string[] };
}

/** The HTTP method of a call. */
export function methodOf({ body }: Call): 'GET' | 'PUT' {
	return body ? 'PUT' : 'GET';
}

/** A job for all contenders. */
export interface Job {
	/** The gateway at the start. */
	seed: Seed;
	/** The input items. */
	items: IDataObject[];
	/** Parameters of this project's node, or of its trigger. */
	parameters: INodeParameters;
	/** Whether the trigger does it. */
	isPoll?: true;
	/** The fewest calls that do the job. */
	fewest(): Call[];
	/** The call for an item, for those who work item by item; undefined if no such calls do the job. */
	callFor?(item: number): Call;
	/** How many items have to come out. */
	amount: number;
	/** Fields that an item which comes out has to have. */
	expected(item: number): IDataObject;
	/** The phone numbers of those who have to be in the group at the end. */
	members: string[];
}

interface BenchGroup {
	jid: string;
	/** Phone numbers, in the order of the rows. */
	members: string[];
}

const INSTANCE = 'main';
const OWNER = '5511990000001';
const GROUP = '120363000000000000@g.us';
const LOCATORS = {
	instance: { __rl: true, mode: 'list', value: INSTANCE },
	group: { __rl: true, mode: 'list', value: GROUP },
} as const;

/** What gateways take in one request. */
const PER_REQUEST = 50;

/** The phone number of a person. */
export function phoneOf(person: number): string {
	return String(447_700_900_000 + person);
}

/** Rows that change one group: they add people, or remove and add them in turn. */
export function updateJob(rows: number, inTurn = false): Job {
	const actionOf = (row: number) => (inTurn && row % 2 === 0 ? 'remove' : 'add');
	const phonesTo = (action: string) =>
		upTo(rows)
			.filter((row) => actionOf(row) === action)
			.map(phoneOf);
	return {
		seed: seedOfGroups([{ jid: GROUP, members: [OWNER, ...phonesTo('remove')] }]),
		items: upTo(rows).map((row) => ({ ...rowOf(phoneOf(row), row), action: actionOf(row) })),
		parameters: {
			resource: 'group',
			operation: 'updateParticipants',
			...LOCATORS,
			action: inTurn ? '={{ $json.action }}' : 'add',
			participants: '={{ $json.phone }}',
			options: { batchInterval: 0 },
		},
		fewest: () =>
			['remove', 'add'].flatMap((action) =>
				chunks(phonesTo(action), PER_REQUEST).map((participants) => change(action, participants)),
			),
		callFor: (item) => change(actionOf(item), [phoneOf(item)]),
		amount: rows,
		expected: (item) => ({ participant: phoneOf(item), outcome: 'done' }),
		members: [OWNER, ...phonesTo('add')],
	};
}

/** A gateway's instances, all listed for one item. */
export function listJob(instances: number): Job {
	const nameOf = (number: number) => `instance ${number}`;
	return {
		seed: seedOf((instance) =>
			upTo(instances).map((number) => ({
				...instance,
				instanceName: nameOf(number),
				instanceId: String(number).padStart(36, '0'),
				groups: [],
			})),
		),
		items: [{}],
		parameters: { resource: 'instance', operation: 'getAll', returnAll: true },
		fewest: () => [{ path: '/instance/fetchInstances' }],
		amount: instances,
		expected: (item) => ({ instanceName: nameOf(item) }),
		members: [],
	};
}

/** A sheet that has exactly the members of a group, so that Sync has nothing to do. */
export function syncJob(rows: number): Job {
	return listedJob([{ jid: GROUP, members: [OWNER, ...upTo(rows - 1).map(phoneOf)] }]);
}

/** The same for many groups, each of which its rows name. @param isFirst whether nobody is in them yet but the owner */
export function groupsJob(groups: number, size: number, isFirst = false): Job {
	const all = upTo(groups).map((group) => ({
		jid: `${BigInt(GROUP.split('@')[0] ?? 0) + BigInt(group)}@g.us`,
		members: [OWNER, ...upTo(size - 1).map((member) => phoneOf(group * size + member))],
	}));
	const job = listedJob(all, isFirst);
	const group = { ...LOCATORS.group, mode: 'id', value: '={{ $json.groupJid }}' };
	return { ...job, parameters: { ...job.parameters, group } };
}

function listedJob(groups: BenchGroup[], isFirst = false): Job {
	const isMember = (phone?: string) => !isFirst || phone === OWNER;
	const rows = groups.flatMap(({ jid, members }) => members.map((phone) => ({ groupJid: jid, phone })));
	return {
		seed: seedOfGroups(groups.map((one) => ({ ...one, members: one.members.filter(isMember) }))),
		items: rows.map((row, i) => ({ ...rowOf(row.phone, i), groupJid: row.groupJid })),
		parameters: {
			resource: 'group',
			operation: 'syncParticipants',
			...LOCATORS,
			participants: '={{ $json.phone }}',
			shouldBeMember: true,
			unlisted: 'remove',
			options: { batchInterval: 0, batchSize: PER_REQUEST, maxAdditions: rows.length },
		},
		fewest: () => groups.map(({ jid }) => ({ path: `/group/participants/${INSTANCE}?${queryOf(jid)}` })),
		amount: rows.length,
		expected: (item) => {
			const participant = rows[item]?.phone;
			return { participant, outcome: isMember(participant) ? 'unchanged' : 'done' };
		},
		members: rows.map(({ phone }) => phone),
	};
}

/** A poll of a group in which nothing has happened since the one before. */
export function pollJob(size: number): Job {
	const options = { shortestInterval: 0 };
	const parameters = { event: 'participantsChanged', ...LOCATORS, changes: ['joined', 'left'], options };
	return { ...syncJob(size), items: [], parameters, isPoll: true, amount: 0 };
}

const rowOf = (phone: string, row: number) => ({ row, name: `Person ${row}`, phone });

function change(action: string, participants: string[]): Call {
	return { path: `/group/updateParticipant/${INSTANCE}?${queryOf(GROUP)}`, body: { action, participants } };
}

function queryOf(jid: string): string {
	return `groupJid=${encodeURIComponent(jid)}`;
}

function seedOfGroups(all: BenchGroup[]): Seed {
	const groups = all.map((group) => ({ ...group, subject: 'Group', admins: [OWNER] }));
	return seedOf((instance) => [{ ...instance, owner: `${OWNER}@s.whatsapp.net`, groups }]);
}

/** The usual gateway with other instances, each made from the usual first one. */
function seedOf(instancesFrom: (instance: SeedInstance) => SeedInstance[]): Seed {
	const { instances } = structuredClone(defaultSeed);
	return { ...defaultSeed, instances: instances.slice(0, 1).flatMap(instancesFrom), bots: [] };
}

function chunks<T>(all: T[], size: number): T[][] {
	return upTo(Math.ceil(all.length / size)).map((i) => all.slice(i * size, (i + 1) * size));
}
