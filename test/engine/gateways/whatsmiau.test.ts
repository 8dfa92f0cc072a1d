import { KINDS, kindsSeed, type Call, type Gateway } from '../../gateway/gateway';
import {
	callsOf,
	describeOnEngine,
	groupParameters,
	inviteParameters,
	REGULAR_OUTPUT,
	runNode,
	skipPauses,
	syncParameters,
	tell,
	withGateways,
} from '../support';
import { getBot, getInstance, getInviteLink, getMany, getMembers, getQrCode } from './parameters';

const MEMBER = '447700900004';
const [NEWCOMER, OTHER, THIRD] = ['4915200000001', '4915200000002', '4915200000003'];
const [BLOCKED, INVITE_ONLY, RECENTLY_LEFT] = ['5511990000401', '5511990000403', '5511990000408'];
const NOBODY = '4915200000404';
const HIDDEN_ID = '199999999999709@lid';

const routeOf = ({ path }: Call) => path.split('/')[3] ?? '';

describeOnEngine('WhatsMiau', (engine) => {
	skipPauses(engine);
	const startGateway = withGateways();

	async function start(): Promise<Gateway> {
		const seed = structuredClone(kindsSeed);
		seed.instances[0]!.extra = { Proxy: { host: 'proxy.example', password: 'TEST-PROXY-PASSWORD' } };
		seed.people[NOBODY] = 'notOnNetwork';
		seed.fates = { [THIRD]: 'refused' };
		return await startGateway({ generation: 'whatsmiau', seed });
	}

	/** Runs the node on a row for each number. */
	async function run(gateway: Gateway, parameters: object, phones: string[] = ['']) {
		const before = callsOf(gateway).length;
		const items = phones.map((phone) => ({ phone }));
		const { main, error, hints } = await runNode(engine(), gateway, parameters, items, REGULAR_OUTPUT);
		expect(error).toBeUndefined();
		const calls = callsOf(gateway).slice(before);
		return { main, hints, json: main[0]?.json, calls, asked: calls.map(routeOf) };
	}

	const add = (group: string, options: object = {}, action = 'add') =>
		groupParameters({ instance: 'keeper', group, options, action });

	test('takes changes as POST only, which the next run knows', async () => {
		const gateway = await start();
		const { main, calls } = await run(gateway, add(KINDS.numbers), [NEWCOMER, MEMBER, BLOCKED]);
		expect(tell(main, 'outcome', 'applied', 'code')).toBe(
			'done true 200, unchanged true 409, blocked false 401',
		);
		expect(calls.map(({ method }) => method)).toEqual(['PUT', 'POST']);
		expect((await run(gateway, add(KINDS.numbers), [OTHER])).calls.map(({ method }) => method)).toEqual([
			'POST',
		]);
	});

	test('shows members with number, hidden ID and role, of whom Sync keeps the founder and admins', async () => {
		const gateway = await start();
		const { main } = await run(gateway, getMembers(KINDS.hidden));
		expect(tell(main, 'participant', 'role')).toBe(
			'5511990000001 superAdmin, 5511990000002 admin, 5521990000003 member, 447700900004 member',
		);
		const options = { maxRemovalPercent: 100 };
		const sync = syncParameters({ group: KINDS.numbers, unlisted: 'remove', options });
		expect(tell((await run(gateway, sync, ['5521990000003'])).main, 'participant', 'outcome')).toBe(
			'5521990000003 unchanged, 5511990000001 kept, 5511990000002 kept, 447700900004 done',
		);
	});

	test('names nobody in a hidden group: its additions go one per request from then on, also in the next run', async () => {
		const gateway = await start();
		const options = { batchSize: 2 };
		const phones = [NEWCOMER, INVITE_ONLY, BLOCKED, RECENTLY_LEFT];
		const first = await run(gateway, add(KINDS.hidden, options), phones);
		expect(tell(first.main, 'outcome')).toBe('unconfirmed, unconfirmed, blocked, recentlyLeft');
		expect(first.asked).toHaveLength(1 + 3);
		const { main, asked } = await run(gateway, add(KINDS.hidden, options), phones);
		expect(tell(main, 'outcome')).toBe('unchanged, inviteRequired, blocked, recentlyLeft');
		expect(asked).toHaveLength(4);
		// Others aren't concerned.
		const others = [add(KINDS.numbers, options), add(KINDS.hidden, options, 'remove')];
		for (const parameters of others)
			expect((await run(gateway, parameters, [NEWCOMER, OTHER])).asked).toHaveLength(1);
	});

	test('sends a change again by itself after a lost connection: whoever Sync changed is so now', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'sent-again', on: (call) => call.method === 'POST' });
		const listOf = (shouldBeMember: boolean) => syncParameters({ group: KINDS.numbers, shouldBeMember });
		const { json } = await run(gateway, listOf(true), [NEWCOMER]);
		expect(json).toMatchObject({ outcome: 'unchanged', applied: true, message: 'Is in the group now.' });
		const removed = await run(gateway, listOf(false), [NEWCOMER]);
		expect(removed.json).toMatchObject({ outcome: 'unchanged', message: "Isn't in the group now." });
	});

	test('writes to anybody: from its first reply on, numbers are looked up before a message', async () => {
		const gateway = await start();
		const parameters = inviteParameters({ group: KINDS.numbers });
		const { main, asked } = await run(gateway, parameters, [NEWCOMER, NOBODY, OTHER, HIDDEN_ID]);
		expect(tell(main, 'outcome', 'applied')).toBe('sent true, notFound false, sent true, sent true');
		expect(asked).toEqual([
			...['inviteCode', 'findMessages', 'sendInvite'],
			...['whatsappNumbers', 'whatsappNumbers', 'sendInvite', 'sendInvite'],
		]);
		expect(gateway.messages.map(({ to }) => to.replace(/@s.*/, ''))).toEqual([NEWCOMER, OTHER, HIDDEN_ID]);

		const next = await run(gateway, parameters, [THIRD, '4915200000005']);
		expect(tell(next.main, 'outcome')).toBe('rejected, postponed');
		expect(next.json?.message).toMatch(/^The network refused the message/);
		expect(next.asked).toEqual(['inviteCode', 'findMessages', 'whatsappNumbers', 'sendInvite']);
	});

	test('gets no message where the look-up fails', async () => {
		const gateway = await start();
		const parameters = inviteParameters({ group: KINDS.numbers });
		await run(gateway, parameters, [NEWCOMER]);
		gateway.fault({ kind: '500', on: (call) => routeOf(call) === 'whatsappNumbers' });
		const { json } = await run(gateway, parameters, [OTHER]);
		expect(json?.error).toMatch(/^Nothing was sent for this item: .*status 500/);
		expect(gateway.messages).toHaveLength(1);
	});

	test('lists instances without a status, so that Get asks for it once', async () => {
		const gateway = await start();
		const owner = '5511990000001@s.whatsapp.net';
		const { json } = await run(gateway, getInstance('keeper'));
		expect(json).toEqual({ instanceName: 'keeper', instanceId: 'keeper', status: 'open', owner });
		const routes = ['fetchInstances', 'connectionState'];
		expect(gateway.calls.map(routeOf)).toEqual(routes.map((route) => expect.stringMatching(route)));
		expect((await run(gateway, getInstance('waiting'))).json).toMatchObject({ status: 'connecting' });
		expect((await run(gateway, getInstance('keeper', { options: { simplify: false } }))).json).toMatchObject({
			proxyPassword: '**hidden**',
		});
		expect(tell((await run(gateway, getMany())).main, 'instanceName')).toMatch(
			/^keeper, ignoring, loggedOut/,
		);

		gateway.fault({ kind: '500', on: ({ path }) => path.includes('connectionState') });
		expect((await run(gateway, getInstance('keeper'))).json).not.toHaveProperty('status');
	});

	test.each<[string, object, RegExp]>([
		[
			'a missing instance, also where its reply is about the connection',
			getMembers(KINDS.numbers, 'nobody'),
			/^The instance couldn't be found/,
		],
		['that of Get', getInstance('nobody'), /"nobody" couldn't be found/],
		['that of a QR code', getQrCode('nobody'), /instance couldn't be found/],
		['an instance that is closed', getMembers(KINDS.numbers, 'loggedOut'), /^The instance isn't connected/],
		[
			'a group that only an admin gets the link of',
			getInviteLink('120363000000000105@g.us'),
			/isn't an admin of this group/,
		],
		['that there are no bots', getBot('b1', 'keeper'), /doesn't have this function.*Not Found/],
		['that its list says no status', getMany({ filters: { status: 'open' } }), /doesn't say their status/],
	])('says of %s', async (_, parameters, says) => {
		const { json } = await run(await start(), parameters);
		expect(json?.error).toMatch(says);
	});

	test('is no Evolution API that an update would help', async () => {
		const { hints } = await run(await start(), getMembers(KINDS.hiddenWithoutNumbers));
		expect(hints).toEqual([expect.stringMatching(/^All 4 .*\. This gateway doesn't show them$/)]);
	});
});
