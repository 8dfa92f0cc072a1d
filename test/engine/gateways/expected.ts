import type { Recorded } from '../../recordings';
import type { Result } from './replies';
import type { Ask } from './asked';
import { field, isNoRoute, listOf, secretsOf, wordsOf } from './recorded';

/** Outcomes by code, except codes that mean something else with another action. */
const outcomes: Readonly<Record<string, readonly [outcome: string, applied: boolean]>> = {
	'200': ['done', true],
	'409': ['unchanged', true],
	'403': ['inviteRequired', false],
	'408': ['recentlyLeft', false],
	'404': ['notFound', false],
	'401': ['blocked', false],
	'419': ['groupFull', false],
};

/** The names that generation 2 has for the published fields. */
const published: Readonly<Record<string, string>> = {
	id: 'instanceId',
	name: 'instanceName',
	connectionStatus: 'status',
	ownerJid: 'owner',
	profilePicUrl: 'profilePictureUrl',
	token: 'apikey',
};
const publishedFields =
	/^(instanceName|instanceId|status|owner|profileName|profilePictureUrl|profileStatus|serverUrl|apikey|integration)$/;

/** An instance's record under the published names, without what is null. */
export function simplified(record: unknown): Record<string, unknown> {
	const entries = Object.entries(Object(record)).map(([name, value]) => [published[name] ?? name, value]);
	const { integration, apikey, ...rest } = Object.fromEntries(
		entries.filter(([name, value]) => publishedFields.test(String(name)) && value !== null),
	);
	const code = field(record, 'disconnectionReasonCode') ?? undefined;
	const isLost = code !== undefined && rest.status !== 'open';
	const kind = typeof integration === 'string' ? { integration } : { ...integration };
	return {
		...rest,
		...(apikey !== undefined && { apikey: '**hidden**' }),
		...(integration !== undefined && {
			integration: { ...kind, ...(kind.token !== undefined && { token: '**hidden**' }) },
		}),
		...(isLost && {
			disconnectionReason: code === 401 ? 'loggedOut' : String(code),
			disconnectedAt: field(record, 'disconnectionAt'),
		}),
	};
}

/** The output without a picture that is null: whether a connected account has one is said either way. */
export function withoutNullPicture(json: object): object {
	return Object.fromEntries(
		Object.entries(json).filter(([name, value]) => !(name === 'profilePictureUrl' && value === null)),
	);
}

/** The instances of a reply, in whatever form. */
export function instancesIn(body: unknown): Array<{ element: unknown; record: unknown; name: unknown }> {
	const elements = Array.isArray(body) ? body : [body];
	return elements.map((element: unknown) => {
		const record = field(element, 'instance') ?? element;
		return { element, record, name: field(record, 'instanceName') ?? field(record, 'name') };
	});
}

/** The run failed with what the gateway said, and with advice. */
export function expectGatewaysWords({ error, main }: Result, body: unknown): void {
	expect(main).toEqual([]);
	expect(wordsOf(body).length).toBeGreaterThan(0);
	for (const words of wordsOf(body)) {
		// Where no form of the route is there, the last one that was tried is named.
		if (isNoRoute(body)) expect(error?.message).toMatch(/Cannot (GET|PUT|POST) \/|Not Found/);
		else expect(error?.message).toContain(words);
	}
	expect(error?.name).toMatch(/^Node(Api|Operation)Error$/);
	expect(error?.description).toMatch(/\w/);
}

/** Whether the network refused the request in words that may be about one person of it. */
export function isRefusedAlone(body: unknown): boolean {
	return /Error: (bad-request|not-acceptable)/.test(JSON.stringify(body));
}

/** The one person of a request is rejected, in the gateway's own words. */
export function expectRejected({ error, main }: Result, ask: Ask): void {
	expect(error).toBeUndefined();
	const message = expect.stringMatching(/Error: (bad-request|not-acceptable)/);
	const [participant] = listOf(ask.participants);
	expect(main.map(({ json }) => json)).toEqual([
		expect.objectContaining({ participant, outcome: 'rejected', applied: false, message }),
	]);
}

/** No key or token of the recording is anywhere in a result. */
export function expectNoSecret(result: unknown, recorded: Recorded, { apiKey }: Ask): void {
	const text = JSON.stringify(result);
	expect([...secretsOf(recorded), apiKey].filter((secret) => text.includes(secret))).toEqual([]);
}

/** The invitation that comes with a refused add. */
function invitationOf(row: unknown): object {
	const [request] = listOf(field(field(row, 'content'), 'content'));
	const attrs = field(request, 'attrs');
	const expires = new Date(Number(field(attrs, 'expiration')) * 1000);
	return { inviteCode: field(attrs, 'code'), inviteExpiresAt: expires.toISOString() };
}

/** Whether a row is one of several by hidden IDs alone, so that nobody knows whose it is. */
function isNobodys(row: unknown, rows: readonly unknown[]): boolean {
	const number = field(field(field(row, 'content'), 'attrs'), 'phone_number');
	return rows.length > 1 && String(field(row, 'jid')).endsWith('@lid') && number === undefined;
}

/** One row of the reply for each participant, in the order in which they were asked. */
export function expectedRows(ask: Ask, body: unknown): object[] {
	const rows = listOf(field(body, 'updateParticipants') ?? field(body, 'participants'));
	const codes = new Set(rows.map((row) => field(row, 'status') ?? field(row, 'error')));
	const isUnclear = codes.size > 1 && rows.every((row) => isNobodys(row, rows));
	const given = listOf(ask.participants);
	return given.map((participant, i) => {
		const row = isUnclear ? undefined : rows[i];
		const code = String(field(row, 'status') ?? field(row, 'error') ?? 200);
		const isRemoval = code === '404' && ask.action === 'remove';
		// Of another form of the number a 404 says nothing.
		const isOpen = code === '404' && /^(55\d\d9?[6-9]\d{7}|521?\d{10}|549?\d{10})$/.test(String(participant));
		const [usual, certain] = isRemoval ? ['unchanged', true] : (outcomes[code] ?? ['rejected', false]);
		const [outcome, applied] = isOpen ? [isRemoval ? 'unconfirmed' : usual, null] : [usual, certain];
		return expect.objectContaining(
			row === undefined
				? { participant, outcome: 'unconfirmed', applied: null }
				: {
						instance: ask.instance,
						groupJid: String(ask.group).replace(/(@g\.us)?$/, '@g.us'),
						action: ask.action,
						participant,
						...(!isNobodys(row, rows) && { jid: field(row, 'jid') }),
						outcome,
						applied,
						code,
						...(code === '403' && field(row, 'content') !== undefined && invitationOf(row)),
					},
		);
	});
}

const roles: Readonly<Record<string, string>> = { superadmin: 'superAdmin', admin: 'admin', null: 'member' };

/** The field for the rank; WhatsMiau has two. */
function rankIn(row: unknown): unknown {
	if (field(row, 'isSuperAdmin') === true) return 'superadmin';
	return field(row, 'isAdmin') === true ? 'admin' : (field(row, 'admin') ?? null);
}

/** The members of a reply, as Get Participants gives them. */
export function expectedMembers(ask: Ask, body: unknown): object[] {
	return listOf(field(body, 'participants')).map((row) => {
		const id = String(field(row, 'id') ?? field(row, 'jid'));
		const lid = field(row, 'lid') ?? (id.endsWith('@lid') ? id : undefined);
		const numbers = [field(row, 'phoneNumber'), id].map(String).filter((one) => /^\d+@s/.test(one));
		const name = field(row, 'name');
		return {
			...about(ask),
			participant: numbers[0]?.replace(/@.*/, '') ?? null,
			jid: id,
			...(lid !== undefined && { lid }),
			role: roles[String(rankIn(row))],
			...(name !== undefined && { name }),
		};
	});
}

/** The groups of a reply, as Get Many gives them. */
export function expectedGroups(ask: Ask, body: unknown): object[] {
	return listOf(body).map((group) => {
		const value = (name: string) => field(group, name);
		const fields = {
			instance: ask.instance,
			groupJid: value('id'),
			subject: value('subject'),
			size: value('size'),
			owner: value('owner'),
			description: value('desc'),
			createdAt: new Date(Number(value('creation')) * 1000).toISOString(),
			announce: value('announce'),
			restrict: value('restrict'),
			isCommunity: value('isCommunity'),
		};
		return Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined && one !== null));
	});
}

/** The link in a reply, as Get Invite Link gives it. */
export function expectedLink(ask: Ask, body: unknown): object {
	return { ...about(ask), inviteUrl: field(body, 'inviteUrl'), inviteCode: field(body, 'inviteCode') };
}

/** The fields that come first for a setting or a link that was changed. */
const done = { outcome: 'done', applied: true, message: expect.any(String) as string };

/** The setting as it is now, as Update Settings gives it. */
export function expectedSetting(ask: Ask): object {
	const who = {
		announcement: 'admins',
		not_announcement: 'everyone',
		locked: 'admins',
		unlocked: 'everyone',
	};
	const name = /announcement/.test(String(ask.action)) ? 'sendMessages' : 'editInfo';
	return { ...done, ...about(ask), [name]: field(who, String(ask.action)) };
}

/** The link made of the code in a reply, as Reset Invite Link gives it. */
export function expectedNewLink(ask: Ask, body: unknown): object {
	const inviteCode = field(body, 'inviteCode');
	return { ...done, ...about(ask), inviteUrl: `https://chat.whatsapp.com/${inviteCode}`, inviteCode };
}

/** What a reply says of a connection, as Get QR Code gives it, and its picture. */
export function expectedQrCode(ask: Ask, body: unknown): { json: object; picture: string | undefined } {
	const base64 = field(body, 'base64');
	if (base64 === undefined) return { json: { instance: ask.instance, status: 'open' }, picture: undefined };
	const pairingCode = field(body, 'pairingCode');
	const json = {
		instance: ask.instance,
		status: 'connecting',
		...(typeof pairingCode === 'string' && { pairingCode }),
	};
	return { json, picture: String(base64).replace('data:image/png;base64,', '') };
}

function about({ instance, group }: Ask): object {
	return { instance, groupJid: String(group).replace(/(@g\.us)?$/, '@g.us') };
}
