import { get, keeper, onceThereIsACall, participants, replied } from './client';
import { KINDS, type Gateway, type Generation } from './gateway';

async function invite(gateway: Gateway, body: object, instance = 'keeper') {
	const description = 'Join us';
	return await replied(gateway, `/group/sendInvite/${instance}`, {
		method: 'POST',
		body: JSON.stringify({ groupJid: KINDS.numbers, description, ...body }),
	});
}

describe('the members of a group', () => {
	test('show their numbers, roles, and the name and picture of a stored contact', async () => {
		expect(await participants(await keeper('1.8'), KINDS.numbers)).toEqual([
			{ id: '5511990000001@s.whatsapp.net', admin: 'superadmin' },
			{
				id: '5511990000002@s.whatsapp.net',
				admin: 'admin',
				name: 'Ana Example',
				imgUrl: 'https://pictures.example/ana.jpg',
			},
			{ id: '5521990000003@s.whatsapp.net', admin: null },
			{ id: '447700900004@s.whatsapp.net', admin: null },
		]);
	});

	const none = [undefined, undefined, undefined, undefined];
	const all = ['5511990000001', '5511990000002', '5521990000003', '447700900004'];
	const two = ['5511990000001', '5511990000002', undefined, undefined];
	test.each<[Generation, string, Array<string | undefined>]>([
		['published', 'hidden', all],
		['1.8', 'hidden', none],
		['2.2', 'hidden', none],
		['2.3', 'hidden', all],
		['2.3', 'hiddenWithoutNumbers', none],
		['2.3', 'mixed', two],
	])('%s, %s ids: the numbers beside them', async (generation, kind, numbers) => {
		const list = await participants(await keeper(generation), new Map(Object.entries(KINDS)).get(kind) ?? '');
		expect(list.every(({ id }) => id.endsWith('@lid'))).toBe(true);
		expect(list.map(({ phoneNumber }) => phoneNumber?.split('@')[0])).toEqual(numbers);
	});

	test('some versions name a number as jid, which is empty where the network has none', async () => {
		const list = await participants(await keeper('2.3.0'), KINDS.mixed);
		expect(list.map(({ jid }) => jid)).toEqual([
			'5511990000001@s.whatsapp.net',
			'5511990000002@s.whatsapp.net',
			'',
			'',
		]);
	});

	test.each([
		['120363000000000106@g.us', 404, 'Error: forbidden'],
		['120363000000000999@g.us', 404, 'Error: item-not-found'],
		['', 400, 'The group id needs to be informed'],
		['1&groupJid=2', 500, 'endsWith is not a function'],
		['abc', 400, 'does not match pattern'],
	])('of %j: %d, %s', async (group, status, words) => {
		const reply = await replied(await keeper(), `/group/participants/keeper?groupJid=${group}`);
		expect(reply).toEqual({ status, text: expect.stringContaining(words) });
	});

	test('an unknown instance is one whatever the key; otherwise the key must be right', async () => {
		const gateway = await keeper();
		const ask = async (instance: string, apikey: string) =>
			(
				await replied(gateway, `/group/participants/${instance}?groupJid=${KINDS.numbers}`, {
					headers: { apikey },
				})
			).status;
		expect(await ask('nobody', 'wrong')).toBe(404);
		expect(await ask('keeper', 'wrong')).toBe(401);
		expect(await ask('keeper', 'TEST-INSTANCE-KEY-FRESH')).toBe(401);
		expect(await ask('keeper', 'TEST-INSTANCE-KEY-KEEPER')).toBe(200);
	});
});

describe('a network that is silent', () => {
	const silent = '120363000000000107@g.us';
	const calls = [
		`/group/participants/keeper?groupJid=${silent}`,
		`/group/inviteCode/keeper?groupJid=${silent}`,
		'/group/fetchAllGroups/waiting?getParticipants=false',
	];
	test.each<[Generation, Array<[status: number, words: string]>]>([
		[
			'2.2',
			[
				[404, '["No participants","Error: Timed Out"]'],
				[404, '["No invite code","Error: Timed Out"]'],
				[500, '"Timed Out"'],
			],
		],
		[
			'2.3',
			[
				[404, "(reading 'attrs')"],
				[200, '{"inviteUrl":"https://chat.whatsapp.com/undefined"}'],
				[200, '[]'],
			],
		],
	])('%s', async (generation, expected) => {
		const gateway = await keeper(generation);
		const replies = await Promise.all(calls.map(async (path) => await replied(gateway, path)));
		expect(replies).toEqual(
			expected.map(([status, words]) => ({ status, text: expect.stringContaining(words) })),
		);
	});

	test('1.8 never says a word', async () => {
		const gateway = await keeper('1.8');
		for (const path of calls)
			await expect(replied(gateway, path, { signal: onceThereIsACall(gateway) })).rejects.toThrow(/abort/);
	});
});

describe('the list of groups', () => {
	test('holds the groups that the account is in, and their members only where asked', async () => {
		const gateway = await keeper('1.8');
		const list = await get(gateway, '/group/fetchAllGroups/keeper?getParticipants=false');
		expect(list).toHaveLength(6);
		expect(list).toHaveProperty('0.pictureUrl', 'https://pictures.example/numbers.jpg');
		expect(list).not.toHaveProperty('0.participants');
		expect(await get(gateway, '/group/fetchAllGroups/keeper?getParticipants=true')).toHaveProperty(
			'0.participants.length',
			4,
		);
	});

	test.each<[Generation, string, number, string]>([
		['1.8', 'ignoring', 200, ''],
		['1.8', 'fresh', 404, "(reading 'groupFetchAllParticipating')"],
		['1.8', 'loggedOut', 404, '["Error fetching group","Error: Connection Closed"]'],
		['2.3', 'fresh', 500, 'Cannot convert undefined or null to object'],
		['2.3', 'loggedOut', 500, '"Connection Closed"'],
	])('%s, %s: %d %s', async (generation, instance, status, words) => {
		const path = `/group/fetchAllGroups/${instance}?getParticipants=false`;
		const reply = await replied(await keeper(generation), path);
		expect(reply).toEqual({ status, text: words === '' ? '' : expect.stringContaining(words) });
	});

	test('a group of an instance that ignores groups is read and changed all the same', async () => {
		expect(await participants(await keeper('1.8'), '120363000000000111@g.us', 'ignoring')).toHaveLength(2);
	});
});

describe('an invitation', () => {
	test('has one link, which only an admin gets', async () => {
		const gateway = await keeper();
		const link = async (group: string) =>
			await replied(gateway, `/group/inviteCode/keeper?groupJid=${group}`);
		const { inviteUrl, inviteCode } = JSON.parse((await link(KINDS.numbers)).text);
		expect(inviteUrl).toBe(`https://chat.whatsapp.com/${inviteCode}`);
		expect((await link('120363000000000105@g.us')).text).toContain(
			'["No invite code","Error: not-authorized"]',
		);
	});

	test('is sent as a message with the text and the link, up to the first who is not on the network', async () => {
		const gateway = await keeper();
		const reply = await invite(gateway, { numbers: ['5531999990002', '5511990000404', '12025550100'] });
		expect(reply).toEqual({ status: 404, text: expect.stringContaining('["No send invite"]') });
		expect(gateway.messages).toEqual([
			{
				instance: 'keeper',
				to: '553199990002@s.whatsapp.net',
				groupJid: KINDS.numbers,
				text: expect.stringMatching(/^Join us\n\nhttps:\/\/chat\.whatsapp\.com\/[\w-]{22}$/),
			},
		]);
		expect((await invite(gateway, { numbers: ['12025550100'] })).status).toBe(200);
		expect(gateway.messages).toHaveLength(2);
	});

	test.each<[Generation, number]>([
		['1.8', 404],
		['2.2', 404],
		['2.3', 200],
	])('%s, to a hidden id: %d', async (generation, status) => {
		const gateway = await keeper(generation);
		expect((await invite(gateway, { numbers: ['199999999999701@lid'] })).status).toBe(status);
	});

	test.each([
		[{}, 400, 'requires property \\"numbers\\"'],
		[{ numbers: [] }, 400, 'minimum length of 1'],
		[{ numbers: ['12025550100'], description: '' }, 400, 'cannot be empty'],
		[{ numbers: ['12025550100'], groupJid: '120363000000000101' }, 404, '["No send invite"]'],
		[{ numbers: ['12025550100'], groupJid: '120363000000000105@g.us' }, 404, '["No send invite"]'],
	])('with %j: %d', async (body, status, words) => {
		const gateway = await keeper();
		expect(await invite(gateway, body)).toEqual({ status, text: expect.stringContaining(words) });
		expect(gateway.messages).toEqual([]);
	});
});

test.each<[Generation, boolean]>([
	['1.8', false],
	['2.3', true],
])('%s, a look-up of numbers gives a row for each', async (generation, exists) => {
	const numbers = ['447700900004', '5511990000404', '199999999999701@lid'];
	const request = { method: 'POST', body: JSON.stringify({ numbers }) };
	const { text } = await replied(await keeper(generation), '/chat/whatsappNumbers/keeper', request);
	expect(JSON.parse(text)).toEqual([
		{ exists: true, jid: '447700900004@s.whatsapp.net', number: numbers[0] },
		{ exists: false, jid: '5511990000404@s.whatsapp.net', number: numbers[1] },
		{ exists, jid: numbers[2], number: numbers[2] },
	]);
});
