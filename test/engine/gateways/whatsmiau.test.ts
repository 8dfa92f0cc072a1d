import { KINDS, kindsSeed, type Gateway, type Seed } from '../../gateway/gateway';
import { CUSTOMERS, NOT_ADMIN, NOT_AN_ADMIN, NOT_IN_IT, UNKNOWN_GROUP } from '../group/people';
import {
	describeOnEngine,
	ERROR_OUTPUT,
	groupParameters,
	inviteParameters,
	runNode,
	seedWith,
	syncParameters,
	withGateways,
	type NodeRun,
} from '../support';
import {
	getGroups,
	getInstance,
	getInviteLink,
	getMany,
	getMembers,
	getQrCode,
	resetInviteLink,
	updateSettings,
} from './parameters';

const FOUNDER = '5511990000001';
const [ADMIN, MEMBER, OTHER] = ['5511990000002', '5521990000003', '447700900004'];
const NEWCOMER = '4915200000001';
const INVITE_ONLY = '5511990000403';
const NOT_ON_NETWORK = '5511990000404';
const seed: Seed = { ...kindsSeed, silenceMs: 20 };

const asRows = (phones: string[]) => phones.map((phone) => ({ phone }));
const membersIn = (gateway: Gateway, group: string = KINDS.numbers) =>
	gateway.group('keeper', group)?.members.map((jid) => jid.split('@')[0]);
/** The requests that changed something or tried to, by method. */
const changes = ({ calls }: Gateway) =>
	calls
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path, body, status }) => ({ method, path, body, status }));
const told = ({ main }: NodeRun) => main.map(({ json }) => [json.participant, json.outcome, json.applied]);

describeOnEngine('a gateway with the shapes of WhatsMiau', (engine) => {
	const start = withGateways();
	const open = async (own: Seed = seed) => await start({ generation: 'whatsmiau', seed: own });
	const run = async (gateway: Gateway, parameters: object, items: object[] = [{}], settings = {}) =>
		await runNode(engine(), gateway, parameters, items, settings);
	const errorOf = async (parameters: object, items: object[] = [{}], own: Seed = seed) => {
		const { failed } = await run(await open(own), parameters, items, ERROR_OUTPUT);
		return failed.map(({ json }) => json.error).join();
	};

	test.each([KINDS.numbers, KINDS.hidden])(
		'shows members with number, hidden ID and role: %s',
		async (group) => {
			const { main, hints } = await run(await open(), getMembers(group));

			expect(main.map(({ json }) => [json.participant, json.role])).toEqual([
				[FOUNDER, 'superAdmin'],
				[ADMIN, 'admin'],
				[MEMBER, 'member'],
				[OTHER, 'member'],
			]);
			for (const { json } of main) expect(json.lid).toMatch(/^\d+@lid$/);
			expect(hints).toEqual([]);
		},
	);

	test('takes changes as POST, with the group in query and body', async () => {
		const gateway = await open();
		const phones = [NEWCOMER, ADMIN, INVITE_ONLY];
		const result = await run(
			gateway,
			groupParameters({ instance: 'keeper', group: KINDS.numbers }),
			asRows(phones),
		);

		expect(told(result)).toEqual([
			[NEWCOMER, 'done', true],
			[ADMIN, 'unchanged', true],
			[INVITE_ONLY, 'inviteRequired', false],
		]);
		expect(result.main.map(({ json }) => json.code)).toEqual(['200', '409', '403']);
		const path = `/v1/group/updateParticipant/keeper?groupJid=${encodeURIComponent(KINDS.numbers)}`;
		const body = { action: 'add', participants: phones };
		expect(changes(gateway)).toEqual([
			{ method: 'PUT', path, body, status: 405 },
			{ method: 'POST', path, body: { ...body, groupJid: KINDS.numbers }, status: 201 },
		]);
	});

	test.each([
		['remove', [[MEMBER, 'done', true]], [FOUNDER, ADMIN, OTHER]],
		['promote', [[MEMBER, 'done', true]], [FOUNDER, ADMIN, MEMBER, OTHER]],
	])('changes who is meant, also by a hidden ID: %s', async (action, expected, after) => {
		for (const group of [KINDS.numbers, KINDS.hidden]) {
			const gateway = await open();
			const [lid] = (await run(gateway, getMembers(group))).main.flatMap(({ json }) =>
				json.participant === MEMBER ? [String(json.lid)] : [],
			);
			const parameters = groupParameters({ instance: 'keeper', group, action });
			const phone = group === KINDS.hidden ? lid : MEMBER;
			const result = await run(gateway, parameters, [{ phone }]);

			expect(told(result)).toEqual(expected.map(([, ...rest]) => [phone, ...rest]));
			const now = await run(gateway, getMembers(group));
			expect(now.main.map(({ json }) => json.participant)).toEqual(after);
		}
	});

	test.each([KINDS.numbers, KINDS.hidden])(
		'keeps the founder and admins in a Sync that removes members who are not in the list: %s',
		async (group) => {
			const gateway = await open();
			const options = { maxRemovalPercent: 100 };
			const parameters = syncParameters({ group, unlisted: 'remove', options });
			const first = await run(gateway, parameters, asRows([MEMBER, NEWCOMER]));

			expect(told(first)).toEqual([
				[MEMBER, 'unchanged', true],
				[NEWCOMER, 'done', true],
				[FOUNDER, 'kept', true],
				[ADMIN, 'kept', true],
				[OTHER, 'done', true],
			]);
			const now = await run(gateway, getMembers(group));
			expect(now.main.map(({ json }) => json.participant).sort()).toEqual(
				[FOUNDER, ADMIN, MEMBER, NEWCOMER].sort(),
			);
		},
	);

	test('never removes the founder, also if admins may be removed', async () => {
		const [keeper] = structuredClone(kindsSeed.instances);
		if (keeper === undefined) throw new Error('There is no instance');
		const instances = [{ ...keeper, owner: `${ADMIN}@s.whatsapp.net` }];
		const gateway = await open({ ...seed, instances });
		const options = { maxRemovalPercent: 100, removeAdmins: true };
		const result = await run(gateway, syncParameters({ unlisted: 'remove', options }), asRows([MEMBER]));

		expect(result.error).toBeUndefined();
		expect(membersIn(gateway)?.sort()).toEqual([FOUNDER, ADMIN, MEMBER].sort());
	});

	test('sends invites', async () => {
		const gateway = await open();
		const { main } = await run(gateway, inviteParameters(), asRows([NEWCOMER]));

		expect(main.map(({ json }) => [json.outcome, json.applied])).toEqual([['sent', true]]);
		expect(gateway.messages.map(({ to, groupJid }) => [to, groupJid])).toEqual([
			[`${NEWCOMER}@s.whatsapp.net`, KINDS.numbers],
		]);
	});

	test('says of an invite that failed that nobody knows whether it was sent', async () => {
		const gateway = await open({ ...seed, people: { [NOT_ON_NETWORK]: 'notOnNetwork' } });
		const { main } = await run(gateway, inviteParameters(), asRows([NOT_ON_NETWORK]));

		expect(main.map(({ json }) => [json.outcome, json.applied])).toEqual([['unconfirmed', null]]);
		expect(main[0]?.json.message).toMatch(
			/^The gateway couldn't send the invite and gives no reason\. It's not known whether/,
		);
		expect(gateway.messages).toEqual([]);
	});

	test('gives and renews the link of a group', async () => {
		const gateway = await open();
		const before = await run(gateway, getInviteLink(KINDS.numbers));
		const { main } = await run(gateway, resetInviteLink(KINDS.numbers));
		const inviteCode = gateway.group('keeper', KINDS.numbers)?.inviteCode;

		expect(inviteCode).not.toBe(before.main[0]?.json.inviteCode);
		expect(main.map(({ json }) => json)).toMatchObject([
			{ inviteCode, inviteUrl: `https://chat.whatsapp.com/${inviteCode}` },
		]);
	});

	test('changes settings', async () => {
		const gateway = await open();
		const parameters = updateSettings(KINDS.numbers, 'keeper', {
			sendMessages: 'admins',
			editInfo: 'admins',
		});
		const { error } = await run(gateway, parameters);

		expect(error).toBeUndefined();
		expect(gateway.group('keeper', KINDS.numbers)?.settings).toEqual({ announce: true, restrict: true });
	});

	test('lists instances by their ID, with their own account, and without the password of a proxy', async () => {
		const gateway = await open(seedWith(() => {}));
		const simple = await run(gateway, getMany({ returnAll: true }));
		expect(simple.main[0]?.json).toEqual({
			instanceName: 'main',
			instanceId: 'main',
			owner: '5511990000001@s.whatsapp.net',
		});
		const { main } = await run(gateway, getInstance('main', { simplify: false }));
		expect(main[0]?.json).toMatchObject({
			id: 'main',
			proxyHost: 'proxy.example',
			proxyPassword: '**hidden**',
		});
		expect(JSON.stringify(main)).not.toContain('TEST-PROXY-PASSWORD');
	});

	test('lists groups', async () => {
		const { main } = await run(await open(), getGroups());
		expect(main.map(({ json }) => json.groupJid)).toContain(KINDS.numbers);
	});

	test('gives a QR code, and none for an instance that is connected', async () => {
		const gateway = await open();
		const code = await run(gateway, getQrCode('loggedOut'));
		expect(code.main[0]?.json).toMatchObject({ status: 'connecting' });
		const connected = await run(gateway, getQrCode('keeper'));
		expect(connected.main[0]?.json).toMatchObject({ status: 'open' });
	});

	describe('says what is wrong', () => {
		const addTo = (group: string, instance = 'keeper') => groupParameters({ instance, group });
		const phone = asRows([NEWCOMER]);

		test.each<[string, string, RegExp]>([
			['in a group that the account is not in', NOT_IN_IT, /^The instance's account isn't in this group/],
			['in a group that does not exist', UNKNOWN_GROUP, /^This group doesn't exist/],
		])('%s', async (_, group, says) => {
			expect(await errorOf(getMembers(group))).toMatch(says);
		});

		test('of an instance that is not connected', async () => {
			expect(await errorOf(addTo(KINDS.numbers, 'loggedOut'), phone)).toMatch(/instance isn't connected/);
		});

		test('of an instance that does not exist', async () => {
			expect(await errorOf(getInstance('nobody'))).toMatch(/"nobody" couldn't be found/);
			expect(await errorOf(getQrCode('nobody'))).toMatch(/instance couldn't be found/);
		});

		test('of a change that failed, in the words of the network', async () => {
			const said = await errorOf(addTo(NOT_AN_ADMIN), phone);
			expect(said).toMatch(/operation failed, info query returned status 403: forbidden/);
			expect(said).toMatch(/not known/);
		});

		test('of a link that only an admin gets', async () => {
			const own = seedWith(() => {});
			expect(await errorOf(getInviteLink(NOT_ADMIN, 'main'), [{}], own)).toMatch(
				/unauthorized to access invite link/,
			);
		});

		test('of a rate limit', async () => {
			const own = seedWith(({ instances }) => {
				const group = instances[0]?.groups.find(({ jid }) => jid === CUSTOMERS);
				if (group) group.refuses = 'rate-overlimit';
			});
			const options = { maxRetries: 0 };
			const said = await errorOf(groupParameters({ options }), phone, own);
			expect(said).toMatch(/limits the number of requests.*rate limit exceeded/);
		});

		test('of a refused key', async () => {
			const { url } = await open();
			const { error } = await runNode(engine(), { url, apiKey: 'WRONG-KEY-0000' }, getMany(), [{}]);
			expect(error?.message).toMatch(/refused the API key/);
		});

		test('of bots, which it lacks', async () => {
			const parameters = {
				resource: 'bot',
				operation: 'get',
				instance: { __rl: true, mode: 'name', value: 'keeper' },
				bot: { __rl: true, mode: 'id', value: 'x' },
			};
			expect(await errorOf(parameters)).toMatch(/status 404.*Not Found/);
		});
	});
});
