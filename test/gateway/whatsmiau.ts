import { renewInviteCode, applySetting, type Change, type Group } from './group';
import { toGroupJid, toJid, toLid } from './jid';
import { stateOf, type Unanswered } from './network';
import { json, type Reply } from './reply';
import type { GatewayRequest } from './request';
import type { SeedInstance } from './seed';
import type { Backend } from './target';

/** The path below which WhatsMiau has all its routes. */
export const WHATSMIAU_PATH = '/v1';

/** A request about an instance of WhatsMiau, as read from its source: no exchange was recorded. */
interface Asked {
	backend: Backend;
	request: GatewayRequest;
	name: string;
	/** Undefined for a name that doesn't exist. */
	instance: SeedInstance | undefined;
}

type Answer = (asked: Asked) => Reply;

/** How its connection is called there. */
const states = { ...stateOf, close: 'closed', never: 'closed', waiting: 'qr-code' } as const;

const fail = (status: number, message: string, errorMessage = message): Reply =>
	json(status, { error: null, message, errorMessage });

const badBody = fail(
	400,
	'invalid request body',
	"Field validation for 'GroupJid' failed on the 'required' tag",
);
const notConnected = fail(404, 'instance is not connected', 'client is nil');
const failed = (why: string): Reply => fail(500, 'operation failed', why);

/** By the network's word, what a call says; of a change it says no more than that it failed. */
const refusals: ReadonlyArray<readonly [word: RegExp, read: Reply, change: Reply]> = [
	[/TypeError|Connection Closed/, notConnected, notConnected],
	[
		/rate-overlimit/,
		...twice(
			fail(429, 'rate limit exceeded, try again later', 'info query returned status 429: rate-overlimit'),
		),
	],
	[/forbidden/, fail(403, 'not a member of this group'), failed('info query returned status 403: forbidden')],
	[
		/not-authorized/,
		fail(403, 'unauthorized to access invite link'),
		failed('info query returned status 401: not-authorized'),
	],
	[/item-not-found/, fail(404, 'group not found'), failed('info query returned status 404: item-not-found')],
];

function twice(reply: Reply): [Reply, Reply] {
	return [reply, reply];
}

function unanswered({ backend }: Asked, found: Unanswered, kind: 'read' | 'change'): Reply {
	if ('silent' in found)
		return { ...failed('info query timed out'), afterMs: backend.seed.silenceMs ?? 75_000 };
	const [, read, change] = refusals.find(([word]) => word.test(found.refused)) ?? [];
	const reply = kind === 'read' ? read : change;
	return reply ?? failed(found.refused);
}

const listInstances = ({ backend, request }: Asked): Reply => {
	const name = request.query('instanceName');
	const all = backend.seed.instances.filter(({ instanceName }) => !name || instanceName === name);
	return json(200, all.length === 0 ? null : all.map(elementOf));
};

function elementOf({ instanceName, owner, extra }: SeedInstance): object {
	const { host, password } = Object(extra?.Proxy);
	return {
		id: instanceName,
		...(owner !== undefined && { remoteJID: owner.replace('@', ':12@') }),
		webhook: {},
		proxyHost: host,
		proxyPassword: password,
	};
}

const getState: Answer = ({ backend, instance, name }) => {
	if (instance === undefined) return fail(404, 'instance not found', '');
	const state = states[backend.network.connection(instance)];
	return json(200, { id: name, state, instance: { instanceName: name, state } });
};

const connect: Answer = ({ backend, instance }) => {
	if (instance === undefined) return fail(404, 'instance not found', '');
	if (backend.network.connection(instance) === 'open')
		return json(200, { message: 'instance already connected', connected: true });
	backend.network.connect(instance);
	return json(200, { message: 'Scan the code', base64: `data:image/png;base64,${btoa('PNG')}` });
};

/** Everybody by number and hidden ID, where the network gives both. */
function memberOf(id: string, number: string | undefined): { jid: string; lid: string } {
	const jid = number ?? id;
	return { jid, lid: toLid(jid) };
}

function participantsOf({ members, admins, creator, seed }: Group): unknown[] {
	return [...members].map(([id, number]) => ({
		...memberOf(id, seed.withoutNumbers === true ? undefined : number),
		isAdmin: id === creator || admins.has(id),
		isSuperAdmin: id === creator,
	}));
}

function withGroup(
	asked: Asked,
	call: 'groupMetadata' | 'groupInviteCode' | 'groupRevokeInvite' | 'groupSettingUpdate',
	goOn: (group: Group) => Reply,
): Reply {
	const { backend, instance, request } = asked;
	const reads = request.method === 'GET';
	const groupJid = reads ? request.query('groupJid') : request.body.groupJid;
	if (typeof groupJid !== 'string' || groupJid === '') return badBody;
	if (instance === undefined) return notConnected;
	const found = backend.network.group(instance, toGroupJid(groupJid), call);
	return 'group' in found ? goOn(found.group) : unanswered(asked, found, reads ? 'read' : 'change');
}

const listParticipants: Answer = (asked) =>
	withGroup(asked, 'groupMetadata', (group) => json(200, { participants: participantsOf(group) }));

const listGroups: Answer = (asked) => {
	if (asked.instance === undefined) return notConnected;
	const found = asked.backend.network.groups(asked.instance, 'groupFetchAllParticipating');
	if (!('groups' in found)) return unanswered(asked, found, 'read');
	return json(
		200,
		found.groups.map(({ seed, members, settings: { announce, restrict } }) => ({
			id: seed.jid,
			subject: seed.subject,
			size: members.size,
			announce,
			restrict,
		})),
	);
};

function linkOf({ inviteCode }: Group): { inviteUrl: string; inviteCode: string } {
	return { inviteUrl: `https://chat.whatsapp.com/${inviteCode}`, inviteCode };
}

const getInviteCode: Answer = (asked) =>
	withGroup(asked, 'groupInviteCode', (group) => json(200, linkOf(group)));

const revokeInviteCode: Answer = (asked) =>
	withGroup(asked, 'groupRevokeInvite', (group) => {
		renewInviteCode(group);
		return json(201, linkOf(group));
	});

const updateSetting: Answer = (asked) => {
	const { action } = asked.request.body;
	if (typeof action !== 'string') return badBody;
	return withGroup(asked, 'groupSettingUpdate', (group) => {
		applySetting(group, action);
		return json(201, {});
	});
};

const updateParticipant: Answer = (asked) => {
	const { backend, instance, request } = asked;
	const { groupJid, action, participants }: Partial<Change> = request.body;
	if (groupJid === undefined || action === undefined || !Array.isArray(participants)) return badBody;
	if (instance === undefined) return notConnected;
	const change = {
		groupJid: toGroupJid(groupJid),
		action,
		participants: participants.map((one) => (/@/.test(one) ? String(one) : `${one}@s.whatsapp.net`)),
	};
	const outcome = backend.network.change(instance, change);
	if (!('rows' in outcome)) return unanswered(asked, outcome, 'change');
	return json(201, { participants: outcome.rows.map(rowOf) });
};

/** A row of the network, as WhatsMiau shows it: `error` only where there is one. */
function rowOf(row: unknown): object {
	const { status, jid, content } = Object(row);
	const person = memberOf(jid, content.attrs.phone_number);
	const error = Number(status);
	return { ...person, isAdmin: false, isSuperAdmin: false, ...(error !== 200 && { error }) };
}

const sendInvite: Answer = (asked) => {
	const { description, numbers } = asked.request.body;
	const { instance, backend } = asked;
	if (!Array.isArray(numbers)) return badBody;
	return withGroup(asked, 'groupInviteCode', (group) => {
		const { inviteUrl } = linkOf(group);
		const sent = numbers.map(String).map((number) => {
			const message = {
				instance: instance?.instanceName ?? '',
				to: toJid(number),
				groupJid: group.seed.jid,
				text: `${description}\n\n${inviteUrl}`,
			};
			const success = backend.network.send(message);
			return { number, success, ...(!success && { error: 'no devices found for the user' }) };
		});
		return json(200, { inviteUrl, sent });
	});
};

const routes: Readonly<Record<string, { method: string; answer: Answer }>> = {
	'instance/fetchInstances': { method: 'GET', answer: listInstances },
	'instance/connectionState': { method: 'GET', answer: getState },
	'instance/connect': { method: 'GET', answer: connect },
	'group/participants': { method: 'GET', answer: listParticipants },
	'group/fetchAllGroups': { method: 'GET', answer: listGroups },
	'group/inviteCode': { method: 'GET', answer: getInviteCode },
	'group/sendInvite': { method: 'POST', answer: sendInvite },
	'group/revokeInviteCode': { method: 'POST', answer: revokeInviteCode },
	'group/updateSetting': { method: 'POST', answer: updateSetting },
	'group/updateParticipant': { method: 'POST', answer: updateParticipant },
};

/** WhatsMiau's reply: only its own key opens it, and another method of a route is 405. */
export function answerAsWhatsMiau(backend: Backend, request: GatewayRequest): Reply {
	const [version, room, what, encoded = ''] = request.segments;
	if (`/${version}` !== WHATSMIAU_PATH) return json(404, { message: 'Not Found' });
	if (request.key !== backend.seed.apiKey) return json(401, { message: 'Unauthorized' });
	const route = new Map(Object.entries(routes)).get(`${room}/${what}`);
	if (route === undefined) return json(404, { message: 'Not Found' });
	if (route.method !== request.method) return json(405, { message: 'Method Not Allowed' });
	const name = decodeURIComponent(encoded);
	const instance = backend.seed.instances.find(({ instanceName }) => instanceName === name);
	return route.answer({ backend, request, name, instance });
}
