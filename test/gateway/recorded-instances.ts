import { load } from '../recordings';
import type { FaultKind } from './faults';
import type { Connection, MessageFate, SeedGroup, SeedInstance } from './gateway';

/** What was set on a server between the recordings, or befell it. */
export interface Circumstances {
	/** Members of the groups that are changed, besides those that are always there. */
	members?: string[];
	maxMembers?: number;
	lid?: boolean;
	/** The network is silent about the group that is changed. */
	silent?: boolean;
	/** The group that a call is about, where it is not as usual. */
	group?: Partial<SeedGroup>;
	/** Connections that were others than usual. */
	connections?: Record<string, Connection>;
	ignoresGroups?: boolean;
	knownContacts?: boolean;
	/** The groups that this recording of a list shows are all that there are. */
	groupsAsIn?: string;
	noInstances?: boolean;
	/** What became of messages to the person whom a recording is about, oldest first. */
	fates?: MessageFate[];
	/** The gateway keeps no messages. */
	storesNoMessages?: boolean;
	fault?: FaultKind;
}

const simAccount = '5511999990000';
const mainAccount = '5511988880000';
const mainAccountHidden = '187877263176050@lid';

function group(account: string, jid: string, more: Partial<SeedGroup> = {}): SeedGroup {
	return { jid, subject: 'Recorded', members: [account], admins: [account], creator: account, ...more };
}

interface ListedGroup {
	id: string;
	subject: string;
	participants: Array<{ id: string; phoneNumber?: string; admin: string | null }>;
}

/** The groups of a recorded list with participants, or the only one. */
function groupsIn(name: string): SeedGroup[] {
	const list: ListedGroup[] = JSON.parse(JSON.stringify([load(name).response.body].flat()));
	return list.map(({ id, subject, participants, ...extra }) => {
		const ofRole = (fits: (admin: string | null) => boolean): string[] =>
			participants
				.filter(({ admin }) => fits(admin))
				.map((one) => one.phoneNumber ?? one.id.replace(mainAccountHidden, mainAccount));
		const [creator] = ofRole((admin) => admin === 'superadmin');
		return {
			jid: id,
			subject,
			members: ofRole(() => true),
			admins: ofRole((admin) => admin !== null),
			...(creator === undefined ? {} : { creator }),
			lid: participants.every((one) => one.id.endsWith('@lid')),
			extra: { owner: undefined, ...extra },
		};
	});
}

function simGroups(now: Circumstances): SeedGroup[] {
	const simGroup = (jid: string, more: Partial<SeedGroup> = {}): SeedGroup => group(simAccount, jid, more);
	return [
		simGroup('120363021345678901@g.us', {
			members: [simAccount, ...(now.members ?? [])],
			...(now.maxMembers === undefined ? {} : { maxMembers: now.maxMembers }),
			...(now.lid === undefined ? {} : { lid: now.lid }),
			...(now.silent === undefined ? {} : { silent: now.silent }),
		}),
		simGroup('true@g.us'),
		simGroup('1203630213450000400@g.us', { refuses: 'bad-request' }),
		simGroup('1203630213450000401@g.us', { refuses: 'not-authorized' }),
		simGroup('1203630213450000429@g.us', { refuses: 'rate-overlimit' }),
		simGroup('1203630213450000999@g.us', { silent: true }),
	];
}

const notIn = { members: ['5511999990050'], admins: ['5511999990050'], creator: '5511999990050' };

function mainGroups({ members = [] }: Circumstances): SeedGroup[] {
	const mainGroup = (jid: string, more: Partial<SeedGroup> = {}): SeedGroup => group(mainAccount, jid, more);
	const usual = {
		members: [mainAccount, '5511999990010', '5511999990012', '5511999990013', ...members],
		admins: [mainAccount, '5511999990012'],
	};
	return [
		mainGroup('120363000000002001@g.us', usual),
		mainGroup('120363000000002002@g.us', { ...usual, lid: true }),
		mainGroup('120363000000002003@g.us', {
			members: [mainAccount, '5511999990012'],
			admins: ['5511999990012'],
			creator: '5511999990012',
		}),
		mainGroup('120363000000002004@g.us', { members: [mainAccount, '5511999990010'], lid: true }),
		mainGroup('120363000000002006@g.us', notIn),
		mainGroup('120363000000006001@g.us', {
			members: [mainAccount, '5511999990105', '5511999990106'],
			lid: true,
			withoutNumbers: true,
		}),
	];
}

let made = 0;

function instance(instanceName: string, more: Partial<SeedInstance> = {}): SeedInstance {
	made += 1;
	const token = /[^A-Z\d]/.test(instanceName.toUpperCase()) ? 'CLOUD' : instanceName.toUpperCase();
	return {
		instanceName,
		instanceId: `f1ff826b-0675-4823-a992-${String(made).padStart(12, '0')}`,
		apikey: `TEST-INSTANCE-TOKEN-${token}`,
		status: 'close',
		integration: 'WHATSAPP-BAILEYS',
		groups: [],
		...more,
	};
}

/** The kind of instance is only named where it was given when the instance was made. */
function withoutKind({ integration: _integration, ...rest }: SeedInstance): SeedInstance {
	return rest;
}

const cloud = instance('Cloud Três', {
	status: 'open',
	integration: 'WHATSAPP-BUSINESS',
	number: '100000000000001',
	extra: { businessId: '200000000000002' },
});

function first(alphaId: string, ignoresGroups = false): SeedInstance[] {
	return [withoutKind(instance('alpha', { instanceId: alphaId, ignoresGroups })), instance('beta'), cloud];
}

function seeded(): SeedInstance[] {
	return [
		instance('seed-open', {
			instanceId: '11111111-1111-4111-8111-111111111111',
			apikey: 'TEST-INSTANCE-TOKEN-OPEN',
			status: 'open',
			connection: 'connecting',
			owner: '5511999990001@s.whatsapp.net',
			profileName: 'Lab Profile',
			profilePictureUrl: 'https://pps.whatsapp.net/v/t61.24694-24/000000000_n.jpg',
			number: '5511999990001',
			extra: { Setting: null },
		}),
		instance('seed-loggedout', {
			instanceId: '22222222-2222-4222-8222-222222222222',
			owner: '5511999990002@s.whatsapp.net',
			profileName: 'Lab Profile 2',
			extra: {
				Setting: null,
				disconnectionReasonCode: 401,
				disconnectionObject: '{"date": "2026-11-20T16:00:00.000Z"}',
				disconnectionAt: '2026-11-20T16:31:01.622Z',
			},
		}),
	];
}

function sim(status: SeedInstance['status'], groups: SeedGroup[]): SeedInstance {
	const owner = { owner: simAccount, extra: { ownerJid: null } };
	return instance('sim', { status, connection: 'open', ...owner, groups });
}

function simulatedOne(now: Circumstances): SeedInstance[] {
	const groups =
		now.groupsAsIn === undefined
			? simGroups(now)
			: [...groupsIn(now.groupsAsIn), group(simAccount, '120363021345678903@g.us', notIn)];
	return [
		sim('connecting', groups),
		instance('sim2', { connection: 'close' }),
		...first('d009a6c2-dd0d-4151-8d42-c6c45647d8b2', now.ignoresGroups),
		withoutKind(instance('gamma', { connection: 'close' })),
	];
}

function simulatedTwo(now: Circumstances): SeedInstance[] {
	const contact = { name: 'Ana Example', imgUrl: 'https://pps.example/ana.jpg' };
	const listed = now.groupsAsIn === undefined ? undefined : groupsIn(now.groupsAsIn);
	const waiting = { status: 'connecting', connection: 'waiting', qrCodes: 1 } as const;
	return [
		// The list has the last status that was stored, which here is stale.
		sim('close', simGroups(now)),
		instance('main', {
			status: 'open',
			owner: mainAccount,
			groups: listed ?? mainGroups(now),
			...(now.knownContacts === true ? { contacts: { '5511999990010@s.whatsapp.net': contact } } : {}),
		}),
		instance('second', { status: 'open', owner: '5511988880001', groups: listed ?? [] }),
		instance('never', waiting),
		instance('fresh'),
		instance('loggedout', { connection: 'close' }),
		...['tmp1', 'tmp6', 'tmp7'].map((name) => instance(name, { connection: 'close', qrCodes: 1 })),
		cloud,
	];
}

function simulatedSix({ silent = false }: Circumstances): SeedInstance[] {
	const account = '5511999990086';
	const groups = [group(account, '120363021345678986@g.us', { members: [account, '5511999990001'], silent })];
	return [
		instance('six', {
			status: 'open',
			owner: account,
			profileName: 'Sim Six',
			profilePictureUrl: null,
			groups,
		}),
		withoutKind(instance('idle', { ignoresGroups: true })),
	];
}

/** The connections of the instances on the server of the calls about one group. */
const connections: Readonly<Record<string, Connection>> = {
	gone: 'close',
	hang: 'waiting',
	never: 'never',
	wait: 'waiting',
};

/** The instance that a recording is about, and its group as far as the recording itself tells of it. */
function ofOneGroup(now: Circumstances, name: string): SeedInstance[] {
	const { request, response } = load(name);
	const [, , , instanceName = ''] = request.path.split(/[/?]/);
	const asked = /unknown/.test(name) ? '' : `${request.path} ${JSON.stringify(request.body)}`;
	const jids = asked.match(/120363\d{9,}/g) ?? [];
	const groups =
		/findGroupInfos/.test(name) && response.status === 200 && response.body !== null
			? groupsIn(name)
			: jids.map((jid) => group(simAccount, `${jid}@g.us`, now.group));
	const named = instanceName === 'nobody' ? [] : [instanceName];
	const owner = groups[0]?.members[0] ?? simAccount;
	return [...new Set(['main', 'quiet', ...named])].map((one) =>
		instance(one, {
			status: 'open',
			connection: connections[one] ?? 'open',
			ignoresGroups: one === 'ign',
			owner,
			groups,
		}),
	);
}

/** The instances of WhatsMiau, with the groups that a recording is about. */
function ofWhatsMiau({ group: own }: Circumstances, name: string): SeedInstance[] {
	const account = '5511900000000';
	const admins = [account, '5511900000050', '5511900000001'];
	const members = [...admins, '5511910000001', '5511910000002'];
	const { request, response } = load(name);
	const asked = `${decodeURIComponent(request.path)} ${JSON.stringify(request.body)}`;
	const listed: Array<{ id: string }> =
		/fetchAllGroups/.test(name) && Array.isArray(response.body) ? response.body : [];
	const jids = [...new Set(asked.match(/120363\d+@g\.us/g))];
	const groups = [...jids.map((id) => ({ id })), ...listed].map(({ id, ...extra }) =>
		group(account, id, {
			members,
			admins,
			creator: '5511900000001',
			extra: { owner: undefined, ...extra },
			...own,
		}),
	);
	const main = instance('main', { status: 'open', owner: account, groups });
	return [main, { ...main, instanceName: 'lost' }, instance('neverlinked')];
}

/** The recorded servers: by the beginning of a recording's name, the global key and the instances. */
const servers: ReadonlyArray<
	readonly [name: RegExp, apiKey: string, instances: (now: Circumstances, name: string) => SeedInstance[]]
> = [
	[/^whatsmiau/, 'TEST-GLOBAL-KEY', ofWhatsMiau],
	[/^v1.*__(updateSetting|revokeInviteCode|findGroupInfos)__/, 'TEST-GLOBAL-KEY-0001', ofOneGroup],
	[
		/^v2.*__(updateSetting|revokeInviteCode|findGroupInfos)__|^v2\.3\.7-SIM__(create|leave|send|toggle|update|fetchAll)/,
		'TEST-GLOBAL-KEY',
		ofOneGroup,
	],
	[/__findMessages__/, 'TEST-GLOBAL-KEY', simulatedTwo],
	[/^v1\.8\.2-SIM__/, 'TEST-GLOBAL-KEY-0001', simulatedOne],
	[/^v1\.8\.6-SIM__/, 'TEST-GLOBAL-KEY-0001', simulatedSix],
	[/^v2\.2\.3-SIM__/, 'TEST-GLOBAL-KEY-0001', simulatedTwo],
	[/^v2\.3\.6-SIM__/, 'TEST-GLOBAL-KEY-0002', simulatedTwo],
	[/^v2\.3\.6-SEED__/, 'TEST-GLOBAL-KEY-0002', seeded],
	[/^v1\.8\.2__/, 'TEST-GLOBAL-KEY-0001', () => first('d009a6c2-dd0d-4151-8d42-c6c45647d8b2')],
	[/^v2\.2\.3__/, 'TEST-GLOBAL-KEY-0002', () => first('d6dc3a0d-e20a-40cc-b8c4-be2e6ded2e68')],
	[/^v2\.3\.6__/, 'TEST-GLOBAL-KEY-0002', () => first('7b8678a7-1e77-4075-89fd-4fd0a8102ba3')],
];

/** The key and the instances of the server of a recording. */
export function recordedServer(
	name: string,
	now: Circumstances,
): { apiKey: string; instances: SeedInstance[] } {
	const server = servers.find(([label]) => label.test(name));
	if (server === undefined) throw new Error(`No server is known for ${name}`);
	const [, apiKey, instances] = server;
	const connected = instances(now, name).map((one) => {
		const connection = now.connections?.[one.instanceName];
		return connection === undefined ? one : { ...one, connection };
	});
	return { apiKey, instances: now.noInstances === true ? [] : connected };
}
