import { applySetting, idIn, renewInviteCode, type Change, type Group } from './group';
import { toGroupJid, toLid } from './jid';
import { stateOf, type GroupCall, type Unanswered } from './network';
import { json as jsonReply, type Reply } from './reply';
import type { GatewayRequest } from './request';
import type { SeedInstance } from './seed';
import type { Backend } from './target';

/** The path below which WhatsMiau has all its routes. */
export const WHATSMIAU_PATH = '/v1';

/** A request about an instance of WhatsMiau 1.0.0, which the recordings `whatsmiau-1.0__…` are of. */
interface Asked {
	backend: Backend;
	request: GatewayRequest;
	name: string;
	/** Undefined for a name that doesn't exist, or that a path can't hold there. */
	instance: SeedInstance | undefined;
}

type Answer = (asked: Asked) => Reply;

/** How its connection is called there. */
const states = { ...stateOf, close: 'closed', never: 'closed', waiting: 'qr-code' } as const;

const json = (status: number, body: unknown): Reply => ({
	...jsonReply(status, body),
	contentType: 'application/json',
});

const fail = (status: number, message: string, errorMessage: string, error: unknown = {}): Reply =>
	json(status, { error, message, errorMessage });

const routeMissing = json(404, { message: 'Not Found' });
const instanceNotFound = fail(404, 'instance not found', '', null);
const notConnected = fail(404, 'instance is not connected', 'client is nil');
const timedOut = fail(500, 'operation failed', 'info query timed out');

const invalid = (message: string, field: string): Reply =>
	fail(400, message, `Key: '${field}' Error:Field validation for 'GroupJid' failed on the 'required' tag`, [
		{},
	]);

/** The network's codes of its words. */
const codes = new Map([
	['bad-request', 400],
	['not-authorized', 401],
	['forbidden', 403],
	['item-not-found', 404],
	['not-allowed', 405],
	['not-acceptable', 406],
	['conflict', 409],
	['resource-limit', 419],
	['rate-overlimit', 429],
	['internal-server-error', 500],
]);

/** What reads and links say of such a word; changes say no more than that they failed. */
const refusedReads = new Map([
	[
		'not-authorized',
		fail(
			403,
			'unauthorized to access invite link',
			"you don't have the permission to get the group's invite link",
		),
	],
	['forbidden', fail(403, 'not a member of this group', "you're not participating in that group")],
	['item-not-found', fail(404, 'group not found', 'that group does not exist')],
]);

/** Its reply where the network refuses a call with a word, or is lost while one is under way. */
export function refusedByWhatsMiau(why: string, isRead: boolean): Reply {
	const word = why.replace(/^Error: /, '');
	if (word === 'Timed Out') return timedOut;
	const code = codes.get(word);
	if (code === undefined)
		return fail(500, 'operation failed', 'websocket disconnected before info query returned response');
	const text = `info query returned status ${code}: ${word}`;
	if (code === 429) return fail(429, 'rate limit exceeded, try again later', text);
	return (isRead ? refusedReads.get(word) : undefined) ?? fail(500, 'operation failed', text);
}

function unanswered({ backend, request }: Asked, found: Unanswered): Reply {
	if ('silent' in found) return { ...timedOut, afterMs: backend.seed.silenceMs ?? 75_000 };
	return refusedByWhatsMiau(found.refused, request.method === 'GET');
}

const listInstances: Answer = ({ backend, request }) => {
	const name = request.query('instanceName');
	const all = backend.seed.instances.filter(({ instanceName }) => !name || instanceName === name);
	return json(200, all.map(elementOf));
};

function elementOf({ instanceName, owner, extra }: SeedInstance): object {
	const { host, password } = Object(extra?.Proxy);
	const account = owner?.replace(/@.*/, '');
	return {
		id: instanceName,
		...(account !== undefined && { remoteJID: `${account}:5@s.whatsapp.net` }),
		webhook: {},
		proxyHost: host,
		proxyPassword: password,
		...(account !== undefined && { ownerJid: `${account}@s.whatsapp.net` }),
		instanceName,
	};
}

const getState: Answer = ({ backend, instance, name }) => {
	if (instance === undefined) return instanceNotFound;
	const state = states[backend.network.connection(instance)];
	return json(200, { id: name, state, instance: { instanceName: name, state } });
};

const connect: Answer = ({ backend, instance }) => {
	if (instance === undefined) return instanceNotFound;
	if (backend.network.connection(instance) === 'open')
		return json(200, { message: 'instance already connected', connected: true });
	backend.network.connect(instance);
	const message = 'If instance restart this instance could be lost if you cannot connect';
	return json(200, { message, base64: `data:image/png;base64,${btoa('PNG')}` });
};

/** Somebody by number and hidden ID; where there is no number, by the hidden ID twice. */
function personOf(id: string, number: string | undefined): { jid: string; lid: string } {
	const jid = number ?? id;
	return { jid, lid: toLid(jid) };
}

function participantsOf({ members, admins, creator, seed }: Group): unknown[] {
	return [...members].map(([id, number]) => ({
		...personOf(id, seed.withoutNumbers === true ? undefined : number),
		isAdmin: id === creator || admins.has(id),
		isSuperAdmin: id === creator,
	}));
}

function withGroup(
	asked: Asked,
	call: GroupCall,
	goOn: (group: Group, instance: SeedInstance) => Reply,
): Reply {
	const { backend, instance, request } = asked;
	const isRead = request.method === 'GET';
	const groupJid = isRead ? request.query('groupJid') : request.body.groupJid;
	if (typeof groupJid !== 'string' || groupJid === '')
		return isRead
			? invalid('invalid request', 'GroupJidQuery.GroupJid')
			: invalid('invalid request body', 'GroupUpdateParticipantRequest.GroupJid');
	if (/@(?!g\.us$)/.test(groupJid)) return fail(400, 'invalid groupJid', `not a group jid: ${groupJid}`);
	if (instance === undefined || backend.network.connection(instance) !== 'open') return notConnected;
	const found = backend.network.group(instance, toGroupJid(groupJid), call);
	return 'group' in found ? goOn(found.group, instance) : unanswered(asked, found);
}

const listParticipants: Answer = (asked) =>
	withGroup(asked, 'groupMetadata', (group) => json(200, { participants: participantsOf(group) }));

const findGroup: Answer = (asked) =>
	withGroup(asked, 'groupMetadata', (group) =>
		json(200, { ...groupOf(group), participants: participantsOf(group) }),
	);

const listGroups: Answer = ({ backend, instance }) => {
	if (instance === undefined) return notConnected;
	const found = backend.network.groups(instance, 'groupFetchAllParticipating');
	return 'groups' in found ? json(200, found.groups.map(groupOf)) : notConnected;
};

const foundedAt = 1_767_225_600;

function groupOf({ seed, members, admins, creator, settings, info }: Group): object {
	const owner = creator ?? [...admins][0];
	return {
		id: seed.jid,
		subject: info.subject,
		subjectOwner: owner,
		subjectTime: foundedAt,
		size: members.size,
		creation: foundedAt,
		owner,
		...settings,
		isCommunity: false,
		isCommunityAnnounce: false,
		joinApprovalMode: seed.approval === true,
		...seed.extra,
		...(info.desc !== undefined && { desc: info.desc }),
	};
}

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

const updateSetting: Answer = (asked) =>
	withGroup(asked, 'groupSettingUpdate', (group) => {
		applySetting(group, asked.request.body.action);
		return json(201, {});
	});

/** An update of a group: 201 with nothing in it. */
const update =
	(call: GroupCall, apply: (group: Group, body: Record<string, unknown>) => Reply | undefined): Answer =>
	(asked) =>
		withGroup(asked, call, (group) => apply(group, asked.request.body) ?? json(201, {}));

const updateSubject = update('groupUpdateSubject', ({ info }, { subject }) => {
	if ([...String(subject)].length > 25) return tooLong('UpdateGroupSubjectRequest');
	info.subject = String(subject);
	return undefined;
});

const tooLong = (request: string) =>
	fail(
		400,
		'invalid request body',
		`Key: '${request}.Subject' Error:Field validation for 'Subject' failed on the 'max' tag`,
		[{}],
	);

const updateDescription = update('groupUpdateDescription', ({ info }, { description }) => {
	info.desc = String(description);
	return undefined;
});

/** It takes JPEG alone. */
const updatePicture = update('updateProfilePicture', ({ info }, { image }) => {
	if (!String(image).startsWith('/9j/'))
		return fail(500, 'operation failed', 'the given data is not a valid image');
	info.picture = String(image);
	return undefined;
});

const toggleEphemeral = update('groupToggleEphemeral', ({ info }, { expiration }) => {
	info.expiration = Number(expiration);
	return undefined;
});

const leaveGroup: Answer = (asked) => {
	const { backend, request, instance } = asked;
	if (instance === undefined) return notConnected;
	const groupJid = toGroupJid(String(request.query('groupJid') ?? request.body.groupJid));
	const found = backend.network.leaveGroup(instance, groupJid);
	return found === undefined ? json(200, {}) : unanswered(asked, found);
};

const createGroup: Answer = (asked) => {
	const { backend, request, instance } = asked;
	if (instance === undefined) return notConnected;
	const { subject, participants } = request.body;
	if ([...String(subject)].length > 25) return tooLong('CreateGroupRequest');
	const jids = [participants].flat().map((one) => jidOf(asked, String(one)));
	const there = jids.filter((jid) => backend.network.find(jid) !== undefined);
	const found = backend.network.create(instance, String(subject), there);
	if (!('group' in found)) return unanswered(asked, found);
	return json(201, { ...groupOf(found.group), participants: participantsOf(found.group) });
};

const unsent = (why: string) => fail(500, 'failed to send text', why);

/** It reads the group first, and waits for the network's word. */
const sendText: Answer = ({ backend, request, instance }) => {
	if (instance === undefined) return notConnected;
	const { number, text } = request.body;
	const groupJid = toGroupJid(String(number));
	const found = backend.network.group(instance, groupJid, 'groupFetch');
	if (!('group' in found)) {
		const why = 'silent' in found ? 'info query timed out' : refusedMembers.get(found.refused);
		return unsent(`failed to get group members: ${why ?? 'info query timed out'}`);
	}
	if (!backend.network.mayWrite(instance, found.group)) return unsent('server returned error 420');
	const { instanceName } = instance;
	backend.network.send({ instance: instanceName, to: groupJid, groupJid, text: String(text) });
	const id = `3EB0${backend.network.messages.length}`;
	return json(200, { key: { remoteJid: groupJid, fromMe: true, id }, status: 'sent' });
};

const refusedMembers = new Map([
	['Error: forbidden', "you're not participating in that group"],
	['Error: item-not-found', 'that group does not exist'],
]);

/** The JID that it makes of an entry. It looks Brazilian numbers up, and takes all others as they are. */
function jidOf({ backend }: Asked, entry: string): string {
	if (entry.includes('@')) return entry;
	const jid = `${entry}@s.whatsapp.net`;
	return (/^55\d{10,11}@/.test(jid) ? backend.network.find(jid) : undefined) ?? jid;
}

const updateParticipant: Answer = (asked) =>
	withGroup(asked, 'groupParticipantsUpdate', (group, instance) => {
		const { groupJid, action, participants }: Change = Object(asked.request.body);
		const known = new Set(group.members.keys());
		const jids = participants.map((entry) => jidOf(asked, String(entry)));
		const change = { groupJid: toGroupJid(groupJid), action, participants: jids };
		const outcome = asked.backend.network.change(instance, change);
		if (!('rows' in outcome)) return unanswered(asked, outcome);
		const rows = outcome.rows.map((row, i) => rowOf(row, known.has(idIn(group, jids[i] ?? ''))));
		return json(201, { participants: rows });
	});

/** A row of the network as it is shown: `error` only where there is one, a number by a hidden ID only of members. */
function rowOf(row: unknown, isKnown: boolean): object {
	const { status, jid, content } = Object(row);
	const person = personOf(jid, isKnown ? content.attrs.phone_number : undefined);
	const error = Number(status);
	return { ...person, isAdmin: false, isSuperAdmin: false, ...(error !== 200 && { error }) };
}

const sendInvite: Answer = (asked) =>
	withGroup(asked, 'groupInviteCode', (group, { instanceName }) => {
		const { description, numbers } = asked.request.body;
		const { inviteUrl } = linkOf(group);
		const sent = [numbers].flat().map((number) => {
			const to = jidOf(asked, String(number));
			const text = `${description}\n\n${inviteUrl}`;
			asked.backend.network.send({ instance: instanceName, to, groupJid: group.seed.jid, text });
			// A message to nobody is none of the network's refusals.
			const isRefused = asked.backend.network.fate(to) === 'refused';
			return { number, success: !isRefused, ...(isRefused && { error: 'server returned error 463' }) };
		});
		return json(200, { inviteUrl, sent });
	});

const findNumbers: Answer = (asked) => {
	const { backend, instance, request } = asked;
	if (instance === undefined || backend.network.connection(instance) !== 'open') return notConnected;
	const rows = [request.body.numbers].flat().map((number) => {
		const asJid = String(number).replace(/(@.*)?$/, (domain) => domain || '@s.whatsapp.net');
		const jid = backend.network.find(asJid);
		return { exists: jid !== undefined, jid: jid ?? asJid, lid: jid === undefined ? '' : toLid(jid), number };
	});
	return json(200, rows);
};

const routes = new Map<string, Answer>([
	['GET instance/fetchInstances', listInstances],
	['GET instance/connectionState', getState],
	['GET instance/connect', connect],
	['GET group/participants', listParticipants],
	['GET group/findGroupInfos', findGroup],
	['GET group/fetchAllGroups', listGroups],
	['GET group/inviteCode', getInviteCode],
	['POST group/sendInvite', sendInvite],
	['POST group/revokeInviteCode', revokeInviteCode],
	['POST group/updateSetting', updateSetting],
	['POST group/updateParticipant', updateParticipant],
	['POST group/create', createGroup],
	['POST group/updateGroupSubject', updateSubject],
	['POST group/updateGroupDescription', updateDescription],
	['POST group/updateGroupPicture', updatePicture],
	['POST group/toggleEphemeral', toggleEphemeral],
	['DELETE group/leaveGroup', leaveGroup],
	['POST message/sendText', sendText],
	['POST chat/whatsappNumbers', findNumbers],
]);

/** WhatsMiau's reply. Only its own key opens it, and another method of a route is a missing route. */
export function answerAsWhatsMiau(backend: Backend, request: GatewayRequest): Reply {
	const [version, room, what, encoded = ''] = request.segments;
	if (`/${version}` !== WHATSMIAU_PATH) return routeMissing;
	if (request.key !== backend.seed.apiKey) return json(401, { message: 'Unauthorized' });
	const answer = routes.get(`${request.method} ${room}/${what}`);
	if (answer === undefined) return routeMissing;
	const name = decodeURIComponent(encoded);
	const isReached = !/[+%/]/.test(name);
	const instance = backend.seed.instances.find(({ instanceName }) => isReached && instanceName === name);
	return answer({ backend, request, name, instance });
}
