import { request as httpsRequest } from 'node:https';
import { change, get, members, onceThereIsACall, start, statuses } from './client';
import { defaultSeed, parseGeneration, startGateway, toJid, type Gateway } from './gateway';
import { untilThereAre } from './hold';
import { CUSTOMERS } from './seed';

describe('a group change', () => {
	const added = '447700900999@s.whatsapp.net';

	test('add, add again, promote, demote, remove and remove again', async () => {
		const gateway = await start();
		const participants = ['447700900999'];
		expect(await statuses(gateway, { action: 'promote', participants })).toEqual(['404']);
		expect(await statuses(gateway, { action: 'add', participants })).toEqual(['200']);
		expect(await statuses(gateway, { action: 'add', participants })).toEqual(['409']);
		expect(members(gateway)).toContain(added);
		expect(await statuses(gateway, { action: 'promote', participants })).toEqual(['200']);
		expect(gateway.group('main', CUSTOMERS)?.admins).toContain(added);
		expect(await statuses(gateway, { action: 'demote', participants })).toEqual(['200']);
		expect(gateway.group('main', CUSTOMERS)?.admins).not.toContain(added);
		expect(await statuses(gateway, { action: 'remove', participants })).toEqual(['200']);
		expect(members(gateway)).not.toContain(added);
		expect(await statuses(gateway, { action: 'remove', participants })).toEqual(['404']);
	});

	test('an admin who is removed comes back as a plain member', async () => {
		const gateway = await start();
		const participants = ['447700900004'];
		for (const action of ['promote', 'remove', 'add']) await change(gateway, { action, participants });
		expect(members(gateway)).toContain('447700900004@s.whatsapp.net');
		expect(gateway.group('main', CUSTOMERS)?.admins).toEqual(['5511990000001@s.whatsapp.net']);
	});

	test('people that cannot be added get their own codes, in the order of the request, and stay out', async () => {
		const gateway = await start();
		const before = gateway.snapshot();
		const participants = ['417', '408', '404', '403', '401', '500'].map((code) => `5511990000${code}`);
		expect(await statuses(gateway, { participants })).toEqual(['417', '408', '404', '403', '401', '500']);
		expect(gateway.snapshot()).toEqual(before);
	});

	test.each([
		['that is full', '120363000000000004@g.us', ['447700900991', '447700900992'], ['200', '419']],
		['with approval', '120363000000000005@g.us', ['447700900991'], ['421']],
	])('a group %s', async (_what, group, participants, expected) => {
		const gateway = await start();
		expect(await statuses(gateway, { group, participants })).toEqual(expected);
	});

	test('a group with hidden ids names the phone number beside the id', async () => {
		const gateway = await start();
		const group = '120363000000000003@g.us';
		const body: unknown = await (await change(gateway, { group })).json();
		const lid = members(gateway, group).find((jid) => jid.startsWith('1999'));
		expect(lid).toMatch(/^\d+@lid$/);
		const attrs = { jid: lid, phone_number: added };
		const row = { status: '200', jid: lid, content: { tag: 'participant', attrs } };
		expect(body).toEqual({ updateParticipants: [row] });
	});

	test.each([
		['a group of somebody else', '120363000000000006@g.us', 'Error: forbidden'],
		['an unknown group', '120363000000000099@g.us', 'Error: item-not-found'],
	])('%s is refused as a whole', async (_what, group, text) => {
		const gateway = await start();
		const reply = await change(gateway, { group });
		expect(reply.status).toBe(400);
		expect(await reply.json()).toMatchObject({
			response: { message: ['Error updating participants', text] },
		});
	});

	test('a silent network gives an empty list after a while', async () => {
		const gateway = await start({ seed: { ...defaultSeed, silenceMs: 20 } });
		expect(await statuses(gateway, { group: '120363000000000007@g.us' })).toEqual([]);
	});

	test('the order of the changes does not show in the snapshot', async () => {
		const [one, other] = [await start(), await start()];
		const participants = ['447700900999', '12025550100'];
		await change(one, { participants });
		await change(other, { participants: participants.reverse() });
		expect(one.snapshot()).toEqual(other.snapshot());
	});

	test('the state belongs to one gateway: the seed and another gateway do not change', async () => {
		const [one, other] = [await start(), await start()];
		await change(one);
		expect(members(one)).toHaveLength(5);
		expect(members(other)).toHaveLength(4);
		expect(members(await start())).toHaveLength(4);
		const seed = structuredClone(defaultSeed);
		const own = await start({ seed });
		seed.instances.pop();
		expect(await get(own, '/instance/fetchInstances')).toHaveLength(5);
	});
});

describe('settings and the link', () => {
	const path = (route: string): string => `/group/${route}/main?groupJid=${encodeURIComponent(CUSTOMERS)}`;
	const put = async (gateway: Gateway, route: string, body: object): Promise<unknown> => {
		const headers = { apikey: gateway.apiKey, 'content-type': 'application/json' };
		const asked = { method: 'PUT', headers, body: JSON.stringify(body) };
		return await (await fetch(gateway.url + path(route), asked)).json();
	};

	test('a group keeps its settings, and shows them alone and in the list', async () => {
		const gateway = await start();
		const states = [];
		for (const action of ['announcement', 'locked', 'not_announcement', 'unlocked']) {
			expect(await put(gateway, 'updateSetting', { action })).toEqual({});
			states.push(gateway.group('main', CUSTOMERS)?.settings);
			expect(await get(gateway, path('findGroupInfos'))).toMatchObject(states.at(-1) ?? {});
			const list = await get(gateway, '/group/fetchAllGroups/main?getParticipants=false');
			expect(list).toContainEqual(expect.objectContaining({ id: CUSTOMERS, ...states.at(-1) }));
		}
		expect(states).toEqual([
			{ announce: true, restrict: false },
			{ announce: true, restrict: true },
			{ announce: false, restrict: true },
			{ announce: false, restrict: false },
		]);
	});

	test('a new link takes the place of the one before, every time', async () => {
		const gateway = await start();
		const codes = [await get(gateway, path('inviteCode'))];
		for (let i = 0; i < 2; i++) {
			const reset = await put(gateway, 'revokeInviteCode', {});
			codes.push(await get(gateway, path('inviteCode')));
			const { inviteCode } = gateway.group('main', CUSTOMERS) ?? {};
			expect(reset).toEqual({ revoked: true, inviteCode });
			expect(codes.at(-1)).toEqual({ inviteCode, inviteUrl: `https://chat.whatsapp.com/${inviteCode}` });
		}
		expect(new Set(codes.map((code) => JSON.stringify(code))).size).toBe(3);
	});
});

describe('plain numbers are rewritten', () => {
	test.each([
		['5531999990002', '553199990002@s.whatsapp.net'],
		['5530999990002', '5530999990002@s.whatsapp.net'],
		['5531966990002', '5531966990002@s.whatsapp.net'],
		['5215512345678', '525512345678@s.whatsapp.net'],
		['5491112345678', '541112345678@s.whatsapp.net'],
		['+55 (21) 99999-0004', '5521999990004@s.whatsapp.net'],
		['5531999990002@c.us', '553199990002@s.whatsapp.net'],
	])('%s', (given, expected) => {
		expect(toJid(given)).toBe(expected);
	});

	test('a full JID is not', async () => {
		const gateway = await start();
		await change(gateway, { participants: ['5531999990002@s.whatsapp.net'] });
		expect(members(gateway)).toContain('5531999990002@s.whatsapp.net');
	});
});

describe('generations', () => {
	test('each has one way to change members and says that the other does not exist', async () => {
		const replies = ['published', '1', '2.2', '2'].map(async (name) => {
			const gateway = await start({ generation: parseGeneration(name) });
			return [
				(await change(gateway, { method: 'PUT' })).status,
				(await change(gateway, { method: 'POST' })).status,
			];
		});
		expect(await Promise.all(replies)).toEqual([
			[201, 404],
			[201, 404],
			[404, 201],
			[404, 201],
		]);
	});

	test('a name that is not one is refused', () => {
		expect(() => parseGeneration('constructor')).toThrow('Unknown generation "constructor"');
	});

	test.each([
		['published', '/instance/fetchInstances?instanceName=nobody', []],
		['published', '/openai/find/cmtestbot0000000000000003/main', null],
		['published', '/openai/find/closed', []],
		['2.2', '/openai/find/closed', null],
		[
			'2.3',
			'/openai/fetch/cmtestbot0000000000000003/main',
			expect.objectContaining({ description: 'Zweiter Laden' }),
		],
		['1.8', '/instance/fetchInstances?instanceName=constructor', Array(5).fill(expect.anything())],
		['2.3', '/openai/find/closed?instanceName=main', Array(2).fill(expect.anything())],
		['1.8', '/group/fetchAllGroups/main?getParticipants=false', Array(7).fill(expect.anything())],
	])('%s answers %s', async (name, path, expected) => {
		const gateway = await start({ generation: parseGeneration(name) });
		expect(await get(gateway, path)).toEqual(expected);
	});

	test('a name with a slash, a space and a letter beyond ASCII is one segment', async () => {
		const gateway = await start();
		const path = `/group/fetchAllGroups/${encodeURIComponent('second one/ü')}?getParticipants=true`;
		expect(await get(gateway, path)).toMatchObject([{ subject: 'Kundinnen & Kunden', size: 2 }]);
	});
});

describe('the library', () => {
	test('calls are logged in the order of arrival, with what was sent and how it ended', async () => {
		const gateway = await start({ latency: 20, hold: untilThereAre(2) });
		await Promise.all([get(gateway, '/instance/fetchInstances'), get(gateway, '/instance/fetchInstances')]);
		expect([gateway.maxConcurrent, gateway.maxConnections]).toEqual([2, 2]);
		await change(gateway);
		expect(gateway.calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'PUT']);
		const put = gateway.calls[2];
		expect(put).toMatchObject({
			path: `/group/updateParticipant/main?groupJid=${encodeURIComponent(CUSTOMERS)}`,
			headers: { apikey: gateway.apiKey },
			body: { action: 'add', participants: ['447700900999'] },
			status: 201,
		});
		expect((put?.finishedAt ?? 0) - (put?.startedAt ?? 0)).toBeGreaterThanOrEqual(19);
	});

	test('a recording is played back for every request until that ends', async () => {
		const gateway = await start();
		const body = { updateParticipants: [] };
		gateway.replay({ response: { status: 201, contentType: 'application/json', body } });
		expect(await get(gateway, '/anything')).toEqual(body);
		gateway.replay({ response: { status: null, contentType: null, body: null } });
		const signal = onceThereIsACall(gateway);
		await expect(change(gateway, { signal })).rejects.toThrow(/abort/);
		gateway.replay(undefined);
		expect((await change(gateway)).status).toBe(201);
	});

	test('with TLS its certificate is one that nobody has signed', async () => {
		const gateway = await start({ tls: true });
		const ask = (rejectUnauthorized: boolean): Promise<number | string | undefined> =>
			new Promise((resolve) => {
				const options = { headers: { apikey: gateway.apiKey }, rejectUnauthorized };
				httpsRequest(`${gateway.url}/instance/fetchInstances`, options, (reply) => {
					reply.resume();
					resolve(reply.statusCode);
				})
					.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
					.end();
			});
		expect(await ask(true)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
		expect(await ask(false)).toBe(200);
	});

	test('close ends the requests that hang', async () => {
		const gateway = await startGateway();
		gateway.fault({ kind: 'hang' });
		const pending = fetch(gateway.url).then(
			() => 'answered',
			() => 'ended',
		);
		while (gateway.calls.length === 0) await new Promise(setImmediate);
		await gateway.close();
		expect(await pending).toBe('ended');
	});
});
