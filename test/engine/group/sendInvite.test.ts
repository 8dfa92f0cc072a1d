import fc from 'fast-check';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import {
	GENERATIONS,
	KINDS,
	kindsSeed,
	type Call,
	type Fault,
	type FaultKind,
	type Gateway,
	type Seed,
	type SeedGroup,
} from '../../gateway/gateway';
import type { OutputItem, RunOptions } from '../engine';
import { withServers, type Answer } from '../gateways/server';
import {
	describeEachLine,
	describeOnEngine,
	ERROR_OUTPUT,
	groupParameters,
	inPlaces,
	inviteParameters,
	NODE_TYPE,
	runNode,
	skipPauses,
	tell,
	withGateways,
	type NodeRun,
	type NodeSettings,
	callsOf,
} from '../support';
import { runsOf } from '../../thorough';
import { abroad, jidOf, NOT_AN_ADMIN, phones, rows, UNKNOWN_GROUP } from './people';
import { runBehindTrigger } from './workflows';

const NOT_ON_NETWORK = '5511990000404';
const DAY = 24 * 60 * 60 * 1000;
const [ANA = '', BEN = '', CLEO = '', DAN = ''] = phones(4);

/** The reply to a question for the link. */
const LINK: Answer = { status: 200, body: { inviteUrl: 'https://chat.whatsapp.com/Abc', inviteCode: 'Abc' } };

/** The seed of kinds with more instances that are in the same groups; every object has a `constructor`. */
const seed: Seed = structuredClone(kindsSeed);
const [keeper] = structuredClone(kindsSeed.instances);
if (keeper !== undefined)
	for (const instanceName of ['other', 'constructor']) seed.instances.push({ ...keeper, instanceName });

/** The same seed with another one of each group. */
function withGroup(change: (group: SeedGroup, instance: string) => void): Seed {
	const instances = structuredClone(seed.instances);
	for (const { instanceName, groups } of instances) for (const group of groups) change(group, instanceName);
	return { ...seed, instances };
}

const byItem = inviteParameters({ instance: '={{ $json.instance }}', group: '={{ $json.group }}' });
const row = (phone: unknown, { instance = 'keeper', group = KINDS.numbers as string } = {}) => ({
	phone,
	instance,
	group,
});

const toEach = (...phones: unknown[]) => phones.map((phone) => ({ phone }));

/** Who got a message, in order. */
const invited = ({ messages }: Gateway) => messages.map(({ to }) => to.split('@')[0]);
/** The calls of a route, and how many they were. */
const of = ({ calls }: Pick<Gateway, 'calls'>, route: string) =>
	calls.filter(({ path }) => path.split('/')[2] === route);
const callsTo = (gateway: Pick<Gateway, 'calls'>, route: string) => of(gateway, route).length;
/** A fault that befalls messages alone. */
const onMessage = (fault: Fault): Fault => ({ ...fault, on: ({ path }) => path.includes('/sendInvite/') });
/** The message goes out, and yet the gateway refuses without a reason: its database is away. */
const unstored = onMessage({ kind: 'forbidden', applied: true });
const said = (items: readonly OutputItem[]) => tell(items, 'outcome', 'applied');

describeOnEngine('invites', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	const startServer = withServers();
	const send = async (
		gateway: Pick<Gateway, 'url' | 'apiKey'>,
		items: object[],
		parameters = inviteParameters(),
		settings: NodeSettings = {},
		how: Pick<RunOptions, 'mode' | 'staticData' | 'executionId'> = {},
	): Promise<NodeRun> => await runNode(engine(), gateway, parameters, items, settings, how);

	test.each(GENERATIONS)('are one message each, with what the items say: %s', async (generation) => {
		const gateway = await start({ generation, seed });
		const items = Object.values(KINDS).map((group) => row(ANA, { group }));
		const { main, error, hints } = await send(gateway, items, byItem);
		expect(error).toBeUndefined();
		// Generations before 2 lack the route, so they are asked once.
		const hasStatus = generation.startsWith('2');
		const where = { key: { remoteJid: jidOf(ANA), fromMe: true } };
		const lookUp = (offset: number) => ['POST', '/chat/findMessages/keeper', { where, offset }];
		expect(callsOf(gateway).map(({ method, path, body }) => [method, path, body])).toEqual(
			items.flatMap(({ group }, item) => [
				['GET', `/group/inviteCode/keeper?groupJid=${encodeURIComponent(group)}`, undefined],
				...(hasStatus || item === 0 ? [lookUp(20)] : []),
				[
					'POST',
					'/group/sendInvite/keeper',
					{ groupJid: group, description: 'Join us here:', numbers: [ANA] },
				],
				...(hasStatus ? [lookUp(1)] : []),
			]),
		);
		expect(main.map(({ json, pairedItem }) => [Object.entries(json), pairedItem])).toEqual(
			items.map(({ group }, item) => [
				[
					['participant', ANA],
					['action', 'invite'],
					['outcome', 'sent'],
					[
						'message',
						"A message with the group's link was handed to the gateway. Whether it arrives isn't known.",
					],
					['applied', true],
					['sentAs', ANA],
					['instance', 'keeper'],
					['groupJid', group],
				],
				{ item },
			]),
		);
		expect(hints[0]).toBe('4 invited');
	});

	test('go to one number per request, also where an item names several', async () => {
		const gateway = await start({ seed });
		const { main } = await send(gateway, [{ phone: `${ANA}; +49 1520 0000001` }, { phone: [CLEO] }]);
		expect(of(gateway, 'sendInvite').map(({ body }) => body)).toEqual(
			[ANA, BEN, CLEO].map((phone) => expect.objectContaining({ numbers: [phone] })),
		);
		expect(gateway.maxConcurrent).toBe(1);
		expect(tell(main, 'participant', 'sentAs')).toBe(
			`${ANA} ${ANA}, +49 1520 0000001 ${BEN}, ${CLEO} ${CLEO}`,
		);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1].map((item) => ({ item })));
	});

	test('to somebody who occurs twice are one, and both items have its outcome', async () => {
		const gateway = await start({ seed });
		const items = ['5531999990002', BEN, '+55 31 9999-0002', NOT_ON_NETWORK, NOT_ON_NETWORK];
		const { main } = await send(gateway, toEach(...items));
		expect(callsTo(gateway, 'sendInvite')).toBe(3);
		expect(tell(main, 'participant')).toBe(items.join(', '));
		expect(said(main)).toBe('sent true, sent true, sent true, notFound false, notFound false');
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	});

	test('of one text go out once in an execution, also without Only Once; another text is another message', async () => {
		const gateway = await start({ seed });
		const outcomes: string[] = [];
		for (const [message, executionId] of [
			['Hi', 'first'],
			['Hi', 'first'],
			['Last call', 'first'],
			['Hi', 'second'],
		] as const) {
			const off = inviteParameters({ message, options: { onlyOnce: false } });
			const { main } = await send(gateway, rows(1), off, {}, { executionId });
			outcomes.push(said(main));
		}
		expect(outcomes).toEqual(['sent true', 'alreadyInvited true', 'sent true', 'sent true']);
		expect(gateway.messages).toHaveLength(3);
	});

	test('of one text go out in a second try if certainly none did, also to who had one before', async () => {
		const gateway = await start({ seed });
		const off = inviteParameters({ options: { onlyOnce: false } });
		await send(gateway, rows(1), off, {}, { executionId: 'first' });
		gateway.fault(onMessage({ kind: '404-route', times: 1 }));
		const again = async () => await send(gateway, rows(1), off, {}, { executionId: 'second' });
		expect((await again()).run.status).toBe('error');
		expect(said((await again()).main)).toBe('sent true');
	});

	test('of two calls of one execution at once are no more than the maximum', async () => {
		let release = () => {};
		const both = new Promise<void>((resolve) => (release = resolve));
		const gateway: Gateway = await start({
			seed,
			hold: async ({ path }) => {
				if (!path.includes('/inviteCode/')) return;
				if (callsTo(gateway, 'inviteCode') === 2) release();
				await both;
			},
		});
		const one = inviteParameters({ options: { maxPerRun: 1 } });
		const how = { executionId: 'agent' };
		const calls = [ANA, BEN].map(async (phone) => await send(gateway, toEach(phone), one, {}, how));
		const ends = (await Promise.all(calls)).map(({ main }) => said(main));
		expect(ends.sort()).toEqual(['postponed false', 'sent true']);
	});

	test('that a stop keeps back take no place of others', async () => {
		const gateway = await start({ seed });
		gateway.fault(onMessage({ kind: '401' }));
		const parameters = inviteParameters({ options: { maxPerRun: 2 } });
		const { main, failed } = await send(gateway, rows(4), parameters, ERROR_OUTPUT);
		expect([main.length, failed.length, callsTo(gateway, 'sendInvite')]).toEqual([0, 4, 1]);
	});

	test('to somebody through two instances are one of each, and each account remembers them', async () => {
		const gateway = await start({ seed });
		const items = ['keeper', 'other', 'keeper'].map((instance) => ({ ...row(ANA, { instance }), instance }));
		const twice = inviteParameters({
			instance: '={{ $json.instance }}',
			message: '=From {{ $json.instance }}',
			options: { onlyOnce: false },
		});
		expect(said((await send(gateway, items, twice)).main)).toBe('sent true, sent true, sent true');
		expect(gateway.messages.map(({ instance, text }) => [instance, text.split('\n')[0]])).toEqual([
			['keeper', 'From keeper'],
			['other', 'From other'],
		]);
		const { main } = await send(gateway, items, byItem);
		expect(tell(main, 'outcome')).toBe('alreadyInvited, alreadyInvited, alreadyInvited');
		expect(gateway.messages).toHaveLength(2);
	});

	describe('of a run are no more than Maximum Invites per Run', () => {
		test.each([0, 1, 3])('%i', async (maxPerRun) => {
			const gateway = await start({ seed });
			const { main, error } = await send(gateway, rows(4), inviteParameters({ options: { maxPerRun } }));
			expect(error).toBeUndefined();
			expect(invited(gateway)).toEqual(phones(maxPerRun));
			const outcomes = phones(4).map((_, i) => (i < maxPerRun ? 'sent true' : 'postponed false'));
			expect(said(main)).toBe(outcomes.join(', '));
		});

		test('10, where nothing is said', async () => {
			const gateway = await start({ seed });
			const { hints } = await send(gateway, rows(12));
			expect(gateway.messages).toHaveLength(10);
			expect(hints[0]).toBe('2 postponed, 10 invited');
		});

		test('those that are refused among them', async () => {
			const gateway = await start({ seed });
			const items = [{ phone: NOT_ON_NETWORK }, ...rows(2)];
			await send(gateway, items, inviteParameters({ options: { maxPerRun: 2 } }));
			expect(invited(gateway)).toEqual([ANA]);
		});
	});

	describe("wait for the group's link", () => {
		test("which is asked for once for an instance's group; without one only its items fail", async () => {
			const gateway = await start({
				seed: withGroup((group, instance) => {
					if (group.jid === NOT_AN_ADMIN && instance === 'other') group.admins.push('5511990000001');
				}),
			});
			const items = [
				row(ANA, { group: NOT_AN_ADMIN }),
				row(CLEO),
				row(BEN, { group: NOT_AN_ADMIN }),
				row(DAN, { group: NOT_AN_ADMIN, instance: 'other' }),
				row(ANA),
			];
			const { main, failed } = await send(gateway, items, byItem, ERROR_OUTPUT);
			expect(said(main)).toBe('sent true, sent true, sent true');
			expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
				[0, 2].map((item) => [
					expect.stringMatching(/^Nothing was sent for this item: .*isn't an admin of this group/),
					{ item },
				]),
			);
			expect([callsTo(gateway, 'sendInvite'), callsTo(gateway, 'inviteCode')]).toEqual([3, 3]);
		});

		test.each<[string, string, string[]]>([
			['item-not-found', "This group doesn't exist", ['inviteCode']],
			['forbidden', "account isn't in this group", ['inviteCode']],
			// Its live state is open, so it's asked once more.
			['Connection Closed', "isn't connected", ['inviteCode', 'connectionState', 'inviteCode']],
			['Timed Out', "network didn't answer", ['inviteCode', 'connectionState', 'inviteCode']],
		])('and stop the group for "%s", without a word of what is not known', async (why, says, asked) => {
			const gateway = await start({ seed: withGroup((group) => (group.refuses = why)) });
			const { failed } = await send(gateway, rows(3), inviteParameters(), ERROR_OUTPUT);
			expect(failed).toHaveLength(3);
			for (const { json } of failed) {
				expect(json.error).toMatch(/^Nothing was sent for this item/);
				expect(json.error).toContain(says);
				expect(json.error).not.toMatch(/not known/);
			}
			expect(callsOf(gateway).map(({ path }) => path.split('/')[2])).toEqual(asked);
		});

		test('and stop all groups where the key is refused, and say of each that nothing was sent', async () => {
			const gateway = await start({ seed });
			gateway.fault({ kind: '401' });
			const items = [row(ANA), row(BEN, { group: NOT_AN_ADMIN })];
			const { failed } = await send(gateway, items, byItem, ERROR_OUTPUT);
			expect(failed.map(({ json }) => json.error)).toEqual(
				Array(2).fill(
					expect.stringMatching(/^Nothing was sent for this item: The gateway refused the API key/),
				),
			);
			expect(callsOf(gateway)).toHaveLength(1);
		});

		test('and for the group end a run that does not continue', async () => {
			const gateway = await start({ seed });
			const { main, error } = await send(gateway, rows(3), inviteParameters({ group: UNKNOWN_GROUP }));
			expect(main).toEqual([]);
			expect(error?.message).toMatch(/^Nothing was changed: This group doesn't exist, or .*No invite code/);
			expect(error?.message).not.toMatch(/Nothing was sent|before this/);
			expect(error?.itemIndex).toBe(0);
			expect(callsOf(gateway)).toHaveLength(1);
		});

		test('while another run stops the account: then nothing was changed', async () => {
			const limit = async () => {
				gateway.fault({ kind: 'rate-overlimit' });
				const change = groupParameters({ instance: 'keeper', group: KINDS.numbers });
				await runNode(engine(), gateway, change, [{ phone: CLEO }]);
			};
			const gateway = await start({
				seed,
				hold: async ({ path }) => await (path.includes('inviteCode') ? limit() : Promise.resolve()),
			});
			const { error } = await send(gateway, rows(2));
			expect(error?.message).toMatch(/^Nothing was changed: The messaging network is rate limiting/);
			expect(error?.message).not.toMatch(/Nothing was sent|before this/);
			expect(callsTo(gateway, 'sendInvite')).toBe(0);
		});

		test('and for the group end a run that has sent something, and say so', async () => {
			const gateway = await start({ seed });
			const { error } = await send(gateway, [row(ANA), row(BEN, { group: UNKNOWN_GROUP })], byItem);
			expect(error?.message).toMatch(
				/^Nothing more was sent for this item: This group .*\. Some changes were made before this/,
			);
		});

		test('but not where nobody is to get one', async () => {
			const gateway = await start({ seed });
			await send(gateway, rows(1), inviteParameters({ options: { maxPerRun: 0 } }));
			expect(callsOf(gateway)).toEqual([]);
		});
	});

	test.each([
		['ends in "undefined"', { send: true, inviteUrl: 'https://chat.whatsapp.com/undefined' }],
		['is missing', { send: true }],
	])('whose link %s are rejected, and that instance sends no more', async (_, body) => {
		const gateway = await start({ seed });
		gateway.fault(onMessage({ kind: 'wrong-shape', applied: true, body, times: 1 }));
		const items = [row(ANA), row(ANA), row(BEN), row(CLEO, { instance: 'other' })];
		const { main } = await send(gateway, items, byItem);
		expect(said(main)).toBe('rejected false, rejected false, postponed false, sent true');
		expect(main[0]?.json.message).toMatch(
			/sent a message without a working link.*turn off 'Only Once' for this row/,
		);
		expect(main[2]?.json.message).toMatch(/^Not sent, since an earlier message went out without a working/);
		expect(gateway.messages).toHaveLength(2);
	});

	describe('that a gateway refuses without a reason', () => {
		test('have the number looked up once; where the network lacks it, that is all', async () => {
			const gateway = await start({ seed });
			const items = toEach(NOT_ON_NETWORK, ANA, '199999999999709@lid', NOT_ON_NETWORK, BEN);
			const { main, error } = await send(gateway, items);
			expect(error).toBeUndefined();
			expect(tell(main, 'outcome')).toBe('notFound, sent, notFound, notFound, sent');
			expect(main[0]?.json).toMatchObject({
				applied: false,
				message: expect.stringMatching(/^Not on the network\. /),
			});
			expect(main[2]?.json.message).toMatch(/hidden ID.*phone number/);
			expect(of(gateway, 'whatsappNumbers').map(({ method, path, body }) => [method, path, body])).toEqual(
				[NOT_ON_NETWORK, '199999999999709@lid'].map((number) => [
					'POST',
					'/chat/whatsappNumbers/keeper',
					{ numbers: [number] },
				]),
			);
		});

		test('are unconfirmed where the look-up is not answered, and it is repeated as reads are', async () => {
			const gateway = await start({ seed });
			gateway.fault({ ...unstored, times: 1 });
			gateway.fault({ kind: '503', on: ({ path }) => path.includes('whatsappNumbers') });
			const { main } = await send(gateway, rows(2));
			expect(said(main)).toBe('unconfirmed null, sent true');
			expect(main[0]?.json.message).toMatch(/\. It's not known whether the message was sent\.$/);
			expect(callsTo(gateway, 'whatsappNumbers')).toBe(3);
		});

		test('are no reason to go on after two in a row', async () => {
			const gateway = await start({ seed });
			const refuse = (after: number, times: number) => gateway.fault({ ...unstored, after, times });
			// The first, and the third and fourth; a number that isn't there is between these.
			refuse(0, 1);
			refuse(1, 1);
			refuse(2, 1);
			const items = [ANA, BEN, CLEO, NOT_ON_NETWORK, DAN, '491520000009'].map((phone) => row(phone));
			const elsewhere = row(ANA, { instance: 'other', group: KINDS.hidden });
			const { main } = await send(gateway, [...items, elsewhere], byItem);
			expect(tell(main, 'outcome')).toBe(
				'unconfirmed, sent, unconfirmed, notFound, unconfirmed, postponed, sent',
			);
			expect(main[5]?.json.message).toMatch(/^Not sent, since the gateway refused two messages in a row/);
		});
	});

	describe('that the network refuses, as the gateway stores it', () => {
		const fates = { [ANA]: 'refused', [BEN]: 'refused', [DAN]: 'refused' } as const;
		const refused = { generation: '2.3', seed: { ...seed, fates } } as const;

		test('are rejected, and end the invites of the instance in this run', async () => {
			const gateway = await start(refused);
			const items = [row(CLEO), row(ANA), row(BEN), row(DAN, { instance: 'other' })];
			const { main } = await send(gateway, items, byItem);
			expect(said(main)).toBe('sent true, rejected false, postponed false, rejected false');
			expect(main[1]?.json.message).toMatch(
				/^The network refused the message: this account may not write to/,
			);
			expect(main[2]?.json.message).toMatch(/^Not sent, since the network refused an earlier message/);
			expect(invited(gateway)).toEqual([CLEO, ANA, DAN]);
		});

		test('in two runs in a row, end the invites of the account for a day, and no group change', async () => {
			const gateway = await start(refused);
			await send(gateway, [{ phone: ANA }]);
			expect(said((await send(gateway, [{ phone: BEN }])).main)).toBe('rejected false');
			const { main } = await send(gateway, [{ phone: CLEO }]);
			expect(said(main)).toBe('postponed false');
			expect(main[0]?.json.message).toMatch(
				/refused two messages of this account in a row.*Group changes go on/,
			);
			expect(said((await send(gateway, [row(CLEO, { instance: 'other' })], byItem)).main)).toBe('sent true');
			const change = groupParameters({ instance: 'keeper', group: KINDS.numbers });
			expect(said((await send(gateway, [{ phone: CLEO }], change)).main)).toBe('done true');
		});

		test('are remembered by the process for a day and a half, as long as runs ask', async () => {
			const gateway = await start(refused);
			const toAna = async () => said((await send(gateway, [{ phone: ANA }])).main);
			expect(await toAna()).toBe('rejected false');
			for (let night = 1; night <= 2; night++) expect(await toAna()).toBe('postponed false');
			expect(invited(gateway)).toEqual([ANA]);
		});

		test('are no two in a row with one in between that was sent', async () => {
			const gateway = await start(refused);
			for (const phone of [ANA, CLEO, BEN]) await send(gateway, [{ phone }]);
			expect(said((await send(gateway, [{ phone: '491520000009' }])).main)).toBe('sent true');
		});

		test.each(['5531999990002', '553199990002'])(
			'are found for a Brazilian number, stored in whatever form: %s',
			async (stored) => {
				const gateway = await start({ generation: '2.3', seed });
				const message = { conversation: 'Join us here:' };
				const record = {
					message,
					messageTimestamp: Math.floor(Date.now() / 1000),
					MessageUpdate: [{ status: 'ERROR' }],
				};
				const isLookUp = ({ path }: Call) => path.includes('findMessages');
				const isStored = ({ body }: Call) => JSON.stringify(body).includes(`"${jidOf(stored)}"`);
				const reply = (records: object[], on: (call: Call) => boolean) =>
					gateway.fault({ kind: 'wrong-shape', body: { messages: { records } }, on });
				reply([record], (call) => isLookUp(call) && isStored(call));
				reply([], isLookUp);
				const { main } = await send(gateway, [{ phone: '5531999990002' }]);
				expect(said(main)).toBe('rejected false');
			},
		);

		test.each<[string, Seed]>([
			['stores no messages', { ...refused.seed, storesMessages: false }],
			['has no word of it', { ...seed, fates: { [ANA]: 'unanswered' } }],
		])('are sent as far as anybody knows where the gateway %s', async (_, ofGateway) => {
			const gateway = await start({ generation: '2.3', seed: ofGateway });
			expect(said((await send(gateway, [{ phone: ANA }])).main)).toBe('sent true');
		});
	});

	describe('whose link went to the person before, as the gateway knows,', () => {
		const text = 'Come in\n\nhttps://chat.whatsapp.com/Abc';
		const record = (days: number, message: object = { conversation: text }, status = 'READ') => ({
			message,
			messageTimestamp: Math.floor(Date.now() / 1000) - days * 24 * 60 * 60,
			MessageUpdate: [{ status }],
		});

		/** What n8n keeps of somebody who was taken out so many days ago. */
		const outSince = (days: number) => {
			const out = `out ${new Date(Date.now() - days * DAY).toISOString().slice(0, 16)}Z`;
			const text = JSON.stringify({ [out]: [`phone:${ANA}`] });
			return {
				global: { 'messagingGateway Gateway': { name: 'Gateway', groups: { [KINDS.numbers]: text } } },
			};
		};

		test.each<[string, object[], string, RunOptions['staticData']?]>([
			['lately', [record(0, { conversation: 'Hi' }), record(59)], 'alreadyInvited true'],
			['by hand', [record(1, { extendedTextMessage: { text: `${text}?mode=ac` } })], 'alreadyInvited true'],
			['and was refused', [record(1, undefined, 'ERROR')], 'sent true'],
			['more than 100 days ago', [record(101)], 'sent true'],
			['by a clock that is far ahead', [record(-30)], 'sent true'],
			['by somebody else to them', [{ ...record(1), key: { fromMe: false } }], 'sent true'],
			['and another person', [{ ...record(1), key: { fromMe: true, remoteJid: jidOf(BEN) } }], 'sent true'],
			['and was reset since', [record(1, { conversation: text.replace('Abc', 'Old') })], 'sent true'],
			['and who was taken out since', [record(5)], 'sent true', outSince(2)],
			['after they were taken out', [record(2)], 'alreadyInvited true', outSince(5)],
		])('%s', async (...[, records, expected, staticData = {}]) => {
			const gateway = await start({ generation: '2.3', seed });
			gateway.fault({ kind: 'wrong-shape', body: LINK.body, on: ({ path }) => path.includes('inviteCode') });
			const on = ({ path, body }: Call) =>
				path.includes('findMessages') && JSON.stringify(body).includes('"offset":20');
			gateway.fault({ kind: 'wrong-shape', body: { messages: { records } }, on });
			const parameters = inviteParameters({ options: { maxPerRun: 1 } });
			const { main } = await send(gateway, rows(2), parameters, {}, { staticData, mode: 'trigger' });
			const isBefore = expected !== 'sent true';
			expect(said(main)).toBe(`${expected}, ${isBefore ? expected : 'postponed false'}`);
			expect(gateway.messages).toHaveLength(isBefore ? 0 : 1);
			if (!isBefore) return;
			expect(main[0]?.json.message).toMatch(
				/^The gateway has sent them this group's link on \d{4}-\d\d-\d\d\.$/,
			);
			// It isn't asked where the person may get more than one.
			const again = await send(gateway, rows(1), inviteParameters({ options: { onlyOnce: false } }));
			expect(said(again.main)).toBe('sent true');
		});

		test('are sent where the gateway can not tell', async () => {
			const gateway = await start({ generation: '2.3', seed });
			gateway.fault({ kind: '500', on: ({ path }) => path.includes('findMessages') });
			expect(said((await send(gateway, rows(2))).main)).toBe('sent true, sent true');
		});
	});

	test('of which nothing is certain are unconfirmed, and that instance sends no more', async () => {
		const gateway = await start({ seed });
		gateway.fault(onMessage({ kind: 'reset-after', times: 1 }));
		const items = [row(ANA), row(BEN, { group: KINDS.hidden }), row(CLEO, { instance: 'other' })];
		const { main, error } = await send(gateway, items, byItem);
		expect(error).toBeUndefined();
		expect(said(main)).toBe('unconfirmed null, postponed false, sent true');
		expect(main[0]?.json.message).toMatch(/It's not known whether the message was sent\.$/);
		expect(main[1]?.json.message).toMatch(/isn't known whether an earlier message was sent.*Check the inst/);
		expect(callsTo(gateway, 'sendInvite')).toBe(2);
	});

	test('of a restricted account are unconfirmed, and the others say until when nothing is sent', async () => {
		const gateway = await start({ seed });
		const body = { status: 500, response: { message: ['Error: account_reachout_restricted'] } };
		gateway.fault(onMessage({ kind: '500', body }));
		const { main, failed } = await send(gateway, rows(2), inviteParameters(), ERROR_OUTPUT);
		expect(said(main)).toBe('unconfirmed null');
		expect(failed.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^Nothing was sent for this item: .*has restricted.*more is sent until \d{4}-/),
		]);
	});

	test('that are refused with a reason fail their item', async () => {
		const body = { response: { message: [{ property: 'n', message: 'bad' }] } };
		const server = await startServer(({ path }) =>
			path.includes('inviteCode') ? LINK : { status: 400, body },
		);
		const gateway = { url: server.url, apiKey: 'TEST-KEY' };
		const { main, failed } = await send(gateway, abroad(2), inviteParameters(), ERROR_OUTPUT);
		expect(main).toEqual([]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(failed[0]?.json.error).toMatch(/bad/);
		expect(failed[0]?.json.error).not.toMatch(/not known/);
		expect(server.calls.filter(({ path }) => path.includes('sendInvite'))).toHaveLength(2);
	});

	test.each([
		['as not on the network', { jid: jidOf(ANA), exists: false, number: ANA }],
		['as no number', { property: 'instance.numbers[0]', message: 'instance.numbers[0] is too short' }],
	])('whose number is refused %s are rejected, remembered, and end nothing', async (_, why) => {
		const body = { response: { message: [why] } };
		const sent = { send: true, inviteUrl: 'https://chat.whatsapp.com/Abc' };
		const replies: Answer[] = [
			LINK,
			{ status: 404, body: {} },
			{ status: 400, body },
			{ status: 200, body: sent },
		];
		const server = await startServer(() => replies.shift() ?? { status: 404, body: {} });
		const gateway = { url: server.url, apiKey: 'TEST-KEY' };
		const how = { mode: 'trigger' } as const;
		const { main, run } = await send(gateway, abroad(2), inviteParameters(), ERROR_OUTPUT, how);
		expect(said(main)).toBe('rejected false, sent true');
		expect(JSON.stringify(run.staticData)).toContain('refused rejected ');
	});

	describe('are refused before anything is sent', () => {
		test.each<[string, Parameters<typeof inviteParameters>[0], RegExp, RegExp]>([
			['an empty message', { message: ' ' }, /Nothing was changed: the message is empty/, /'Message'/],
			[
				'a message that is none',
				{ message: '={{ true }}' },
				/the message must be text, but it's true/,
				/'Message'/,
			],
			['no group', { group: '={{ "" }}' }, /group is empty/, /\w/],
			['too few', { options: { maxPerRun: -1 } }, /'Maximum Invites per Run' must be/, /Default: 10/],
		])('%s', async (_, change, says, advises) => {
			const gateway = await start({ seed });
			const { main, error } = await send(gateway, [{ phone: ANA }], inviteParameters(change));
			expect(main).toEqual([]);
			expect(error?.message).toMatch(says);
			expect(error?.description).toMatch(advises);
			expect(callsOf(gateway)).toEqual([]);
		});
	});

	test('that are tried out say that none would be sent', async () => {
		const parameters = inviteParameters({ options: { dryRun: true, maxPerRun: 0 } });
		const { hints } = await send(await start({ seed }), rows(1), parameters);
		expect(hints).toContain('Nothing would be sent');
	});

	test('that are tried out are no request', async () => {
		const gateway = await start({ seed });
		const options = { dryRun: true, maxPerRun: 2, batchInterval: 30_000 };
		const { main, hints } = await send(gateway, rows(3), inviteParameters({ options }));
		expect(callsOf(gateway)).toEqual([]);
		expect(said(main)).toBe('planned null, planned null, postponed false');
		expect(hints).toEqual([
			'1 postponed, 2 would be invited',
			"'Maximum Invites per Run' lets 2 of 3 messages go out in one run",
			'It would be 2 requests and take at least 30 seconds. To do it, turn off Dry Run',
			'3 numbers have no + and are read as Germany (3). Check the country codes',
		]);
	});

	test('have a pause of half a minute between them, unless told otherwise, and are never repeated', () => {
		const { properties } = engine().describe().node;
		const { options = [] } =
			properties.find(
				({ name, displayOptions }) =>
					name === 'options' && displayOptions?.show?.operation?.includes('sendInvite') === true,
			) ?? {};
		expect(options.find(({ name }) => name === 'batchInterval')).toHaveProperty('default', 30_000);
		expect(options.map(({ name }) => name)).not.toContain('maxRetries');
	});
});

describeEachLine('the memory of invites', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	type Mode = NonNullable<RunOptions['mode']>;

	/** Several runs of one workflow, of which n8n keeps what it keeps. */
	function workflow(gateway: Gateway, staticData: NonNullable<RunOptions['staticData']> = {}) {
		return async (items: object[], options: object = {}, mode: Mode = 'trigger', ahead = 0) => {
			const parameters = inviteParameters({ options });
			const how = { mode, staticData, ahead };
			const result = await runNode(engine(), gateway, parameters, items, ERROR_OUTPUT, how);
			({ staticData } = result.run);
			return { ...result, outcomes: result.main.map(({ json }) => json.outcome) };
		};
	}

	test.each<Mode>(['trigger', 'webhook'])(
		'keeps from one %s run to the next who was invited',
		async (mode) => {
			const gateway = await start({ seed });
			const run = workflow(gateway);
			expect((await run(rows(2), {}, mode)).outcomes).toEqual(['sent', 'sent']);
			const { outcomes, hints } = await run(abroad(3), { maxPerRun: 1 }, mode);
			expect(outcomes).toEqual(['alreadyInvited', 'alreadyInvited', 'sent']);
			expect(hints).toEqual(['1 invited, 2 were invited before']);
			expect(invited(gateway)).toEqual(phones(3));
		},
	);

	test.each([
		['a trigger that polls', { type: `${NODE_TYPE}Trigger`, parameters: {} }, false],
		[
			'a trigger that polls and is off',
			{ type: `${NODE_TYPE}Trigger`, parameters: {}, disabled: true },
			true,
		],
		['a trigger that does not poll', { type: 'test.otherTrigger', parameters: {} }, true],
	])(
		'where %s leads to the node: whether it is written, and the run says that it is not',
		async (_, trigger, isWritten) => {
			const gateway = await start({ seed });
			const behind = { trigger };
			const ran = await runBehindTrigger(engine(), gateway, inviteParameters(), rows(1), behind);
			const { staticData, hints } = ran;
			expect(invited(gateway)).toEqual(phones(1));
			expect(JSON.stringify(staticData).includes('invited')).toBe(isWritten);
			expect(JSON.stringify(hints).includes('n8n keeps no memory here: put this node into')).toBe(!isWritten);
		},
	);

	test.each([
		['asked in a dry run, and not written by it', { dryRun: true }, ['alreadyInvited', 'planned'], 'sent'],
		[
			'not asked without Only Once, and still written',
			{ onlyOnce: false },
			['sent', 'sent'],
			'alreadyInvited',
		],
	])('is %s', async (_, options, outcomes, next) => {
		const gateway = await start({ seed });
		const run = workflow(gateway);
		await run(rows(1));
		expect((await run(rows(2), options)).outcomes).toEqual(outcomes);
		expect((await run(rows(2))).outcomes).toEqual(['alreadyInvited', next]);
	});

	test('is not written by a dry run, in which nobody was met', async () => {
		const { run } = await workflow(await start({ seed }))(rows(1), { dryRun: true });
		expect(run.staticData).toEqual({ global: {} });
	});

	test('is known to another run before the first one ends', async () => {
		let meanwhile: string | undefined;
		const gateway: Gateway = await start({
			seed,
			hold: async ({ path }) => {
				if (!path.includes('sendInvite') || gateway.messages.length !== 1) return;
				meanwhile = said((await workflow(gateway)(rows(1))).main);
			},
		});
		await workflow(gateway)(rows(2));
		expect(meanwhile).toBe('alreadyInvited true');
	});

	test('has nobody whom a limit kept from a message, and lets wait who is not on the network', async () => {
		const gateway = await start({ seed });
		const run = workflow(gateway);
		gateway.fault(onMessage({ kind: '429', times: 1 }));
		expect((await run([{ phone: NOT_ON_NETWORK }])).failed).toHaveLength(1);
		// The gateway limits requests: the next run says so, and sends nothing either.
		expect((await run([{ phone: NOT_ON_NETWORK }])).failed).toHaveLength(1);
		expect(callsTo(gateway, 'sendInvite')).toBe(1);
		const other = await start({ seed });
		const later = workflow(other);
		expect((await later([{ phone: NOT_ON_NETWORK }])).outcomes).toEqual(['notFound']);
		// Who waits takes no place.
		const { main, outcomes } = await later(toEach(NOT_ON_NETWORK, ANA), { maxPerRun: 1 });
		expect(outcomes).toEqual(['postponed', 'sent']);
		expect(main[0]?.json).toMatchObject({ applied: false, reason: 'refusedLately' });
	});

	test('lets who was never tried go first', async () => {
		const gateway = await start({ seed });
		const run = workflow(gateway);
		await run([{ phone: NOT_ON_NETWORK }]);
		const { outcomes } = await run(toEach(NOT_ON_NETWORK, ANA), { maxPerRun: 1 }, 'trigger', 8 * DAY);
		expect(outcomes).toEqual(['postponed', 'sent']);
	});

	test('has those who got a message without a link, and whose number has another form', async () => {
		const gateway = await start({ seed: { ...seed, knownAs: { [DAN]: '491520000009@s.whatsapp.net' } } });
		const run = workflow(gateway);
		gateway.fault(onMessage({ kind: 'wrong-shape', applied: true, body: { send: true }, times: 1 }));
		expect((await run(rows(1))).outcomes).toEqual(['rejected']);
		expect(said((await run(rows(1))).main)).toBe('alreadyInvited null');
		expect((await run([{ phone: DAN }])).outcomes).toEqual(['rejected']);
		expect((await run([{ phone: DAN }])).outcomes).toEqual(['postponed']);
	});

	test.each([
		['a message that was cut off', onMessage({ kind: 'reset-after', times: 1 }), 'postponed'],
		['a refusal without a reason', { ...unstored, times: 1 }, 'sent'],
	])('has those of whom nothing is certain after %s, and says so', async (_, fault, next) => {
		const gateway = await start({ seed });
		const run = workflow(gateway);
		gateway.fault(fault);
		expect((await run(rows(2))).outcomes).toEqual(['unconfirmed', next]);
		const { main } = await run(rows(2));
		const ofBen = next === 'sent' ? 'alreadyInvited' : 'sent';
		expect(said(main)).toBe(`alreadyInvited null, ${ofBen} true`);
		expect(main[0]?.json.message).toMatch(/isn't known whether .* a new execution with 'Only Once' off/);
		expect(invited(gateway)).toEqual([ANA, BEN]);
		expect((await run(rows(1), { onlyOnce: false })).outcomes).toEqual(['sent']);
		expect(said((await run(rows(1))).main)).toBe('alreadyInvited true');
	});

	test('has nobody get a message twice after a manual run, which the process remembers', async () => {
		const gateway = await start({ seed });
		const run = workflow(gateway);
		const { hints } = await run(abroad(1), {}, 'manual');
		expect(hints).toEqual(['1 invited']);
		expect((await run(rows(1))).outcomes).toEqual(['alreadyInvited']);
		expect((await run(rows(1), { onlyOnce: false })).outcomes).toEqual(['sent']);
	});

	test.each([true, false])('postpones who is over the limit, and invites them next: %p', async (onlyOnce) => {
		const gateway = await start({ seed });
		const run = workflow(gateway);
		for (const dryRun of [true, false]) {
			const { main } = await run(rows(2), { maxPerRun: 1, dryRun, onlyOnce });
			expect(main[1]?.json).toMatchObject({ outcome: 'postponed', applied: false, reason: 'maxPerRun' });
			expect(main[1]?.json.message).toBe('Postponed. Run this again to go on.');
		}
		await run(rows(2), { maxPerRun: 1, onlyOnce });
		expect(invited(gateway)).toEqual(phones(2));
	});
});

describeOnEngine('over many production runs', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	/** What may befall a run. */
	const certain: FaultKind[] = ['401', '429', '503-license', 'forbidden', '502', 'reset-before'];
	const applied: FaultKind[] = ['forbidden', '500', '504', 'html', 'empty', 'wrong-shape'];
	const cut: FaultKind[] = ['reset-after', 'truncated-body'];
	const faults: Fault[] = [
		...[...certain, ...cut].map((kind) => ({ kind, times: 1 })),
		...applied.map((kind) => ({ kind, applied: true, times: 1 })),
	];

	const numbers = ['5531999990002', '553199990002', '+55 31 9999-0002', ...phones(5), NOT_ON_NETWORK];
	const runs = fc.array(
		fc.record({
			items: fc.array(
				fc.record({
					phone: fc.array(fc.constantFrom(...numbers), { minLength: 1, maxLength: 3 }),
					group: fc.constantFrom<string>(KINDS.numbers, KINDS.hidden),
					instance: fc.constantFrom('keeper', 'other'),
				}),
				{ minLength: 1, maxLength: 4 },
			),
			trouble: fc.option(fc.record({ fault: fc.constantFrom(...faults), after: fc.nat(3) })),
			maxPerRun: fc.integer({ min: 1, max: 6 }),
			onError: fc.constantFrom<NonNullable<NodeSettings['onError']>>(
				'stopWorkflow',
				'continueRegularOutput',
				'continueErrorOutput',
			),
		}),
		{ minLength: 2, maxLength: 6 },
	);

	test('nobody is invited to a group twice, and all that is told is so', async () => {
		await fc.assert(
			fc.asyncProperty(runs, async (all) => {
				const gateway = await start({ seed });
				let staticData: NonNullable<RunOptions['staticData']> = {};
				for (const { items, trouble, maxPerRun, onError } of all) {
					gateway.clearFaults();
					if (trouble) gateway.fault({ ...trouble.fault, after: trouble.after });
					const before = callsOf(gateway).length;
					const parameters = { ...byItem, ...inPlaces({ maxPerRun }) };
					const how = { mode: 'trigger', staticData } as const;
					const { main, run } = await runNode(engine(), gateway, parameters, items, { onError }, how);
					({ staticData } = run);
					await gateway.handled();
					const now = callsOf(gateway)
						.slice(before)
						.filter(({ path }) => path.includes('sendInvite'));
					expect(now.length).toBeLessThanOrEqual(maxPerRun);
					const people = gateway.messages.map(({ to, groupJid }) => keyOf(groupJid, to));
					expect(new Set(people).size).toBe(people.length);
					for (const { json } of main) {
						const got = people.includes(
							keyOf(String(json.groupJid), String(json.sentAs ?? json.participant)),
						);
						if (json.applied === true) expect(got).toBe(true);
						if (json.outcome === 'rejected' || json.outcome === 'notFound') expect(got).toBe(false);
					}
				}
			}),
			runsOf(60, 3),
		);
	});

	function keyOf(groupJid: string, id: string): string {
		return `${groupJid} ${identityFor(id).canonical}`;
	}
});
