/** A form of a route. `{name}` in the path stands for a value that is percent-encoded as one segment. */
export interface RouteForm {
	method: 'GET' | 'PUT' | 'POST' | 'DELETE';
	path: string;
}

/** A function of the gateway, in the forms of its generations. */
export interface Route {
	/** Whether it changes something: then it is repeated only where it certainly was not carried out. */
	changes: boolean;
	/** The noun of a read that wasn't sent: "… couldn't be read". */
	subject?: string;
	/** The published form first; each next one is tried only where the gateway lacks the one before. */
	forms: [RouteForm, ...RouteForm[]];
}

const get = (path: string): RouteForm => ({ method: 'GET', path });
const put = (path: string): RouteForm => ({ method: 'PUT', path });
const post = (path: string): RouteForm => ({ method: 'POST', path });
const read = (...forms: Route['forms']): Route => ({ changes: false, forms });
const show = (subject: string, ...forms: Route['forms']): Route => ({ changes: false, subject, forms });
const change = (...forms: Route['forms']): Route => ({ changes: true, forms });
/** Makes a change that generation 1 takes as PUT, and others as POST. The other method is a missing route. */
const putOrPost = (path: string): Route => change(put(path), post(path));

/** Every call that the node makes. First the published form, then those seen on 1.8.2, 2.2.3 and 2.3.6. */
export const ROUTES = {
	listInstances: show('The instances', get('/instance/fetchInstances')),
	updateParticipants: putOrPost('/group/updateParticipant/{instance}'),
	updateSetting: putOrPost('/group/updateSetting/{instance}'),
	revokeInviteCode: putOrPost('/group/revokeInviteCode/{instance}'),
	updateSubject: putOrPost('/group/updateGroupSubject/{instance}'),
	updateDescription: putOrPost('/group/updateGroupDescription/{instance}'),
	updatePicture: putOrPost('/group/updateGroupPicture/{instance}'),
	toggleEphemeral: putOrPost('/group/toggleEphemeral/{instance}'),
	// 2.2.3 and 2.3.6 answer "find" with 404 "Cannot GET …"; 1.8.2 has no bots at all.
	findBot: show('The bot', get('/openai/find/{bot}/{instance}'), get('/openai/fetch/{bot}/{instance}')),
	// Not published, and the same on all known generations.
	listGroups: show('The groups', get('/group/fetchAllGroups/{instance}')),
	listParticipants: show('The members of the group', get('/group/participants/{instance}')),
	inviteCode: show('The invite link', get('/group/inviteCode/{instance}')),
	findNumbers: read(post('/chat/whatsappNumbers/{instance}')),
	findMessages: read(post('/chat/findMessages/{instance}')),
	sendInvite: change(post('/group/sendInvite/{instance}')),
	groupInfo: show('The group', get('/group/findGroupInfos/{instance}')),
	createGroup: change(post('/group/create/{instance}')),
	leaveGroup: change({ method: 'DELETE', path: '/group/leaveGroup/{instance}' }),
	sendText: change(post('/message/sendText/{instance}')),
	// It starts a connection.
	connect: change(get('/instance/connect/{instance}')),
	connectionState: show('The state of the connection', get('/instance/connectionState/{instance}')),
	listBots: show('The bots', get('/openai/find/{instance}')),
} satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** The calls that update a group, by the field that each sets, and their bodies. */
export const UPDATES = {
	subject: (subject: string) => ['updateSubject', { subject }],
	description: (description: string) => ['updateDescription', { description }],
	picture: (image: string) => ['updatePicture', { image }],
	sendMessages: (who: string) => [
		'updateSetting',
		{ action: who === 'admins' ? 'announcement' : 'not_announcement' },
	],
	editInfo: (who: string) => ['updateSetting', { action: who === 'admins' ? 'locked' : 'unlocked' }],
	disappearingMessages: (time: string) => ['toggleEphemeral', { expiration: LIFETIMES[time] }],
} satisfies Record<string, (value: string) => [RouteName, Record<string, unknown>]>;

/** The lives of messages, in seconds. */
const LIFETIMES: Partial<Record<string, number>> = { off: 0, day: 86_400, week: 604_800, quarter: 7_776_000 };

/** Gives the key of a known form. One missing PUT tells the method of all changes of a group. */
export const formsKey = (route: RouteName): string =>
	ROUTES[route].forms[0].method === 'PUT' ? 'PUT' : route;

/** Values of a call: of the path's `{name}`s (never empty, `.` or `..`), the query, and the body. */
export interface CallValues {
	instance?: string;
	bot?: string;
	groupJid?: string;
	instanceName?: string;
	getParticipants?: 'false';
	body?: Readonly<Record<string, unknown>>;
}

/** Stands for a reply that lacks its essential part. */
export const EMPTY = Symbol('empty');

/** Reads the body of a 2xx reply; `undefined` for another's. `isSilent`: the network was silent. */
export type ReplyReader<T> = (body: unknown, isSilent: boolean) => T | typeof EMPTY | undefined;

/** Makes a call's address. Values are percent-encoded. Without a place in the path, they're its query. */
export function urlOf(baseUrl: string, { path }: RouteForm, { body: _, ...values }: CallValues): string {
	let address = baseUrl + path;
	const query: string[] = [];
	for (const [name, value] of Object.entries(values)) {
		const encoded = encodeURIComponent(value);
		if (path.includes(`{${name}}`)) address = address.replace(`{${name}}`, encoded);
		else query.push(`${name}=${encoded}`);
	}
	return address + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** Gives the body of a call. A POST has the group there, too: WhatsMiau looks nowhere else. */
export const bodyOf = ({ method }: RouteForm, { body, groupJid }: CallValues): CallValues['body'] =>
	method === 'POST' && groupJid !== undefined ? { ...body, groupJid } : body;
