import fc from 'fast-check';
import { type Gateway, KINDS, kindsSeed, type Seed } from '../../gateway/gateway';
import type { OutputItem } from '../engine';
import { sizeOf, runsOf } from '../../thorough';
import { getMembers } from '../gateways/parameters';
import { withServers, type Answer } from '../gateways/server';
import {
	describeOnEngine,
	groupParameters,
	locator,
	REGULAR_OUTPUT,
	runNode,
	seedWith,
	tell,
	withGateways,
	withEngine,
	type NodeRun,
	ERROR_OUTPUT,
	syncParameters,
	inviteParameters,
	callsOf,
} from '../support';
import {
	changesAsked,
	CUSTOMERS,
	jidOf,
	membersAmong,
	phones,
	readsAsked,
	rows,
	SECOND_INSTANCE,
	upTo,
	HIDDEN_NUMBERS,
	JUST_ME,
	SECOND_GROUP,
} from './people';
import { runBehindTrigger, runRounds } from './workflows';

/** Every item says itself what is to be done where. */
const byItem = {
	instance: '={{ $json.instance }}',
	group: '={{ $json.group }}',
	action: '={{ $json.action }}',
};
const change = (action: string, phone: unknown, group = CUSTOMERS, instance = 'main') => ({
	action,
	phone,
	group,
	instance,
});

function hideAccounts(gateway: Gateway): void {
	const refused = { status: 401, contentType: 'application/json', body: {} };
	gateway.replay({ response: refused }, ({ path }) => path.startsWith('/instance/'));
}

describeOnEngine('rows to requests', (engine) => {
	const start = withGateways();

	it('sends many rows for one group in requests of 50, and gives an item for each row', async () => {
		const amount = sizeOf(10_000);
		const gateway = await start();
		const { main, error, run } = await runNode(engine(), gateway, groupParameters(), rows(amount));
		expect(error).toBeUndefined();
		expect(run.status).toBe('success');
		expect(callsOf(gateway)).toHaveLength(amount / 50);
		expect(gateway.maxConcurrent).toBe(1);
		expect(changesAsked(gateway).flatMap(({ participants }) => participants)).toEqual(phones(amount));
		expect(main.map(({ json }) => json.participant)).toEqual(phones(amount));
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual(upTo(amount).map((item) => ({ item })));
		expect(new Set(main.map(({ json }) => json.outcome))).toEqual(new Set(['done']));
		expect(membersAmong(gateway, phones(amount))).toHaveLength(amount);
	});

	it("asks for the own account's country once, and only where a number can be local somewhere", async () => {
		const gateway = await start();
		const local = Array.from({ length: 60 }, (_, i) => ({ phone: String(51_981_000_000 + i * 7919) }));
		const full = Array.from({ length: 60 }, (_, i) => ({ phone: String(5_511_990_000_100 + i) }));
		for (const items of [full, local, local]) {
			const { error } = await runNode(engine(), gateway, groupParameters(), items);
			expect(error?.message).toBe(
				items === local
					? 'Nothing was changed: none of the 60 rows can be read: they have no country code. Choose Add option > Default Country Code below Options, and enter 55, as your own account has'
					: undefined,
			);
			expect(readsAsked(gateway)).toHaveLength(items === full ? 0 : 1);
		}
		expect(readsAsked(gateway)).toEqual(['GET /instance/fetchInstances?instanceName=main']);
		expect(changesAsked(gateway)).toHaveLength(2);
	});

	test.each([
		['main', groupParameters(), 2],
		// The members' country stands in for the account's.
		['keeper', syncParameters(), 0],
	])(
		"asks for the own account once in an execution where the gateway doesn't tell it: instance %s",
		async (instance, parameters, changes) => {
			const gateway = await start(instance === 'main' ? {} : { seed: kindsSeed });
			hideAccounts(gateway);
			for (const phone of ['51991234567', '51991234568'])
				await runNode(engine(), gateway, parameters, [{ phone }], {}, { executionId: '7' });
			expect(readsAsked(gateway).filter((read) => read.includes('/instance/'))).toEqual([
				`GET /instance/fetchInstances?instanceName=${instance}`,
			]);
			expect(changesAsked(gateway)).toHaveLength(changes);
		},
	);

	it('takes no country from an own account of which only the hidden ID is told', async () => {
		const gateway = await start();
		const body = [{ name: 'main', ownerJid: '55119876543210@lid' }];
		gateway.replay({ response: { status: 200, contentType: 'application/json', body } }, ({ path }) =>
			path.startsWith('/instance/'),
		);
		await runNode(engine(), gateway, groupParameters(), [{ phone: '51991234567' }]);
		expect(changesAsked(gateway)).toHaveLength(1);
	});

	it('asks for it once in two runs of an execution at the same time, and both have the answer', async () => {
		const gateway = await start();
		const runs = ['51991234567', '51991234568'].map(
			async (phone) =>
				await runNode(engine(), gateway, groupParameters(), [{ phone }], {}, { executionId: '8' }),
		);
		const errors = (await Promise.all(runs)).map(({ error }) => String(error?.message));
		expect(errors).toEqual(Array(2).fill(expect.stringContaining('(Peru) or')));
		expect(readsAsked(gateway)).toHaveLength(1);
		expect(changesAsked(gateway)).toEqual([]);
	});

	it('sends the published call', async () => {
		const gateway = await start();
		const parameters = {
			...groupParameters(),
			instance: locator(SECOND_INSTANCE, 'name'),
			group: locator('120363000000000021', 'id'),
		};
		await runNode(engine(), gateway, parameters, rows(1));
		expect(callsOf(gateway)).toMatchObject([
			{
				method: 'PUT',
				path: '/group/updateParticipant/second%20one%2F%C3%BC?groupJid=120363000000000021%40g.us',
				body: { action: 'add', participants: phones(1) },
			},
		]);
		expect(callsOf(gateway)[0]?.body).toEqual({ action: 'add', participants: phones(1) });
	});

	it('changes a group in rounds, and keeps the order of the changes to a person', async () => {
		const gateway = await start();
		const [a = '', b = '', c = ''] = phones(3);
		const items = [
			...[change('add', a), change('add', b), change('promote', a), change('remove', b)],
			...[change('remove', a), change('add', b), change('add', c)],
		];
		const { main } = await runNode(engine(), gateway, groupParameters(byItem), items);
		expect(changesAsked(gateway).map(({ action, participants }) => [action, participants])).toEqual([
			['add', [a, b, c]],
			['promote', [a]],
			['remove', [b, a]],
			['add', [b]],
		]);
		expect(tell(main, 'participant', 'action', 'outcome')).toBe(
			items.map(({ phone, action }) => `${String(phone)} ${action} done`).join(', '),
		);
		expect(membersAmong(gateway, [a, b, c])).toEqual([b, c]);
	});

	it('takes a group with and without its suffix for the same one', async () => {
		const gateway = await start();
		const [a = '', b = ''] = phones(2);
		const items = [change('add', a, CUSTOMERS), change('add', b, '120363000000000001')];
		await runNode(engine(), gateway, groupParameters(byItem), items);
		expect(changesAsked(gateway).map(({ participants }) => participants)).toEqual([[a, b]]);
	});

	it('sends a participant who occurs twice in a request once, and gives both the outcome', async () => {
		const gateway = await start();
		const [a = '', b] = phones(2, 1);
		const spelled = `+${a.slice(0, 2)} (${a.slice(2, 5)}) ${a.slice(5)}`;
		const items = [{ phone: [a, spelled] }, { phone: b }, { phone: `00${a}` }, { phone: Number(a) }];
		const { main } = await runNode(engine(), gateway, groupParameters({ options: { batchSize: 2 } }), items);
		expect(changesAsked(gateway).map(({ participants }) => participants)).toEqual([[a, b]]);
		expect(tell(main, 'participant', 'sentAs', 'outcome')).toBe(
			`${a} ${a} done, ${spelled} ${a} done, ${b} ${b} done, 00${a} ${a} done, ${a} ${a} done`,
		);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 2, 3].map((item) => ({ item })));
		expect(main[0]?.json.jid).toBe(jidOf(a));
	});

	describe('that add and remove in turn', () => {
		const ADMIN = '5511990000002';
		/** Removes people who are members, and adds others in between. */
		const inTurn = (amount: number) =>
			phones(amount).map((phone, i) => change(i % 2 ? 'remove' : 'add', phone));
		const leaving = (amount: number) => phones(amount).filter((_, i) => i % 2 === 1);
		const seed = seedWith(({ instances }) => {
			for (const { groups } of instances) for (const { members } of groups) members.push(...leaving(1000));
		});
		const asked = (gateway: Parameters<typeof changesAsked>[0]) =>
			changesAsked(gateway).map(({ action, participants }) => [action, participants]);

		it('are 20 requests for 1,000 rows and no read, with the results in input order', async () => {
			const gateway = await start({ seed });
			const items = inTurn(1000);
			const { main } = await runNode(engine(), gateway, groupParameters(byItem), items);
			expect(changesAsked(gateway).map(({ action }) => action)).toEqual([
				...Array<string>(10).fill('remove'),
				...Array<string>(10).fill('add'),
			]);
			expect(readsAsked({ calls: callsOf(gateway) })).toEqual([]);
			expect(
				main.map(({ json, pairedItem }) => [json.participant, json.action, json.outcome, pairedItem]),
			).toEqual(items.map(({ phone, action }, item) => [phone, action, 'done', { item }]));
			expect(membersAmong(gateway, phones(1000))).toEqual(
				items.filter(({ action }) => action === 'add').map(({ phone }) => phone),
			);
		});

		it('demote last, also where a row after that changes somebody else', async () => {
			const gateway = await start({ seed });
			const [a, b, c, d] = phones(4);
			const before = inTurn(2);
			const items = [...before, change('demote', ADMIN), change('add', c), change('remove', d)];
			const { main } = await runNode(engine(), gateway, groupParameters(byItem), items, REGULAR_OUTPUT);
			expect(asked(gateway)).toEqual([
				['remove', [b, d]],
				['add', [a, c]],
				['demote', [ADMIN]],
			]);
			expect(tell(main, 'outcome')).toBe('done, done, done, done, done');
		});
	});
});

interface Row {
	instance: string;
	group: string;
	action: string;
	people: string[];
}

/** There is no such instance. */
const NOBODY = 'nobody';
/** Few of each, so that rows get into each other's way. Who gets the last places of a full group may differ. */
const places: ReadonlyArray<readonly [instance: string, group: string]> = [
	['main', CUSTOMERS],
	['main', JUST_ME],
	['main', HIDDEN_NUMBERS],
	['main', '120363000000000005@g.us'], // by approval
	[SECOND_INSTANCE, SECOND_GROUP],
	[NOBODY, CUSTOMERS],
];
/** By person, the ways to write them; the gateway rewrites some, and knows some under another id. */
const spellings: ReadonlyArray<readonly string[]> = [
	['5511990000002', '+55 11 99000-0002', '5511990000002@c.us', '12000000991155@lid'],
	['4915200000000', '00 49 1520 0000000'],
	['4915200000001'],
	['5531999990002', '553199990002', '5531999990002@s.whatsapp.net'],
	['5215512345678', '525512345678@s.whatsapp.net'],
	['+50051234'],
	...['401', '403', '404', '408', '417', '500'].map((code) => [`5511990000${code}`]),
];
const personOf = (spelling: unknown) => spellings.findIndex((one) => one.includes(String(spelling)));

const row: fc.Arbitrary<Row> = fc
	.record({
		place: fc.constantFrom(...places),
		action: fc.constantFrom('add', 'add', 'remove', 'promote', 'demote'),
		people: fc.array(fc.constantFrom(...spellings.flat()), { minLength: 1, maxLength: 4 }),
	})
	.map(({ place: [instance, group], ...rest }) => ({ instance, group, ...rest }));
/** Often the same place many times, so that there is something to combine. */
const sheet = fc
	.tuple(fc.array(row, { minLength: 1, maxLength: 12 }), fc.subarray([...places], { minLength: 1 }))
	.map(([rows, within]) =>
		rows.map((one, i): Row => {
			const [instance = one.instance, group = one.group] = within[i % within.length] ?? [];
			return i % 3 === 0 ? one : { ...one, instance, group };
		}),
	);

describe('combining items (n8n 2.x)', () => {
	const engine = withEngine(2);
	const start = withGateways();
	const seed = seedWith((it) => {
		// What the gateway makes of 5531999990002, but not of the same number as a JID.
		it.people['553199990002@s.whatsapp.net'] = 'notOnNetwork';
	});

	const runOn = async (gateway: Gateway, rows: Row[], options: object): Promise<NodeRun> =>
		await runNode(
			engine(),
			gateway,
			groupParameters({
				instance: '={{ $json.instance }}',
				group: '={{ $json.group }}',
				action: '={{ $json.action }}',
				participants: '={{ $json.people }}',
				options,
			}),
			rows,
			REGULAR_OUTPUT,
		);
	const shown = (items: readonly OutputItem[]) =>
		items.map(({ json }) => ({ participant: json.participant, failed: 'error' in json }));

	it('leaves the groups as one request per item would, and says the same of everybody', async () => {
		await fc.assert(
			fc.asyncProperty(sheet, fc.integer({ min: 1, max: 6 }), async (rows, batchSize) => {
				const [combining, apart] = [await start({ seed }), await start({ seed })];
				const combined = await runOn(combining, rows, { batchSize });
				const separate: OutputItem[] = [];
				for (const row of rows) separate.push(...(await runOn(apart, [row], {})).main);
				expect(combined.error).toBeUndefined();
				expect(
					changesAsked(apart).map(({ instance, groupJid, action }) => [instance, groupJid, action]),
				).toEqual(rows.map(({ instance, group, action }) => [instance, group, action]));
				expect(combining.snapshot()).toEqual(apart.snapshot());
				expect(shown(combined.main)).toEqual(shown(separate));
				expect(changesAsked(combining).length).toBeLessThanOrEqual(
					batchSize < 4 ? Infinity : callsOf(apart).length,
				);
				combined.main.forEach(({ json }, i) => {
					const other = separate[i]?.json ?? {};
					if (json.outcome === other.outcome) {
						expect(json.applied).toEqual(other.applied);
					} else {
						// Somebody who is there twice: more or less is known of a request of one's own, and nothing else.
						expect(json.applied ?? other.applied).toBe(other.applied ?? json.applied);
						const twins = combined.main.filter(
							({ json: one }) =>
								personOf(one.participant) === personOf(json.participant) &&
								one.action === json.action &&
								one.groupJid === json.groupJid,
						);
						expect(twins.length).toBeGreaterThan(1);
					}
				});
				await Promise.all([combining.close(), apart.close()]);
			}),
			runsOf(80, 4),
		);
	});

	it('gives every participant of every item, in order, once', async () => {
		await fc.assert(
			fc.asyncProperty(
				sheet,
				fc.integer({ min: 1, max: 6 }),
				fc.boolean(),
				async (rows, batchSize, dryRun) => {
					const gateway = await start({ seed });
					const { main } = await runOn(gateway, rows, { batchSize, dryRun });
					const failed = new Set(
						main.flatMap(({ json, pairedItem }) => ('error' in json ? [JSON.stringify(pairedItem)] : [])),
					);
					expect(main.map(({ json, pairedItem }) => [pairedItem, json.participant])).toEqual(
						upTo(rows.length).flatMap((item): unknown[] => {
							const pairedItem = { item };
							if (failed.has(JSON.stringify(pairedItem))) return [[pairedItem, undefined]];
							return (rows[item]?.people ?? []).map((one) => [pairedItem, one]);
						}),
					);
					if (dryRun) expect(callsOf(gateway)).toEqual([]);
					await gateway.close();
				},
			),
			runsOf(25, 2),
		);
	});
});

const [OWN = '', ADMIN = '', MEMBER = '', UNKNOWN = '', WANTED = ''] = [1, 2, 3, 4, 5].map(
	(n) => `49152000000${n}0`,
);
const without = (...phones: string[]) => phones.map((phone) => ({ id: jidOf(phone) }));
const known = [
	{ id: jidOf(OWN), admin: 'superadmin' },
	{ id: jidOf(ADMIN), isAdmin: true, isSuperAdmin: false },
	{ id: jidOf(MEMBER), admin: null },
];

describeOnEngine('members whose role the gateway does not tell', (engine) => {
	const startServer = withServers();
	/** A gateway with these members, that makes every change; and whom it was asked to change. */
	const startWith = async (participants: object[]) =>
		await startServer(({ path }): Answer => {
			if (path.includes('/participants/')) return { status: 200, body: { participants } };
			if (path.includes('/fetchInstances'))
				return { status: 200, body: [{ name: 'keeper', id: '1', ownerJid: jidOf(OWN) }] };
			return { status: 201, body: { updateParticipants: [] } };
		});
	const run = async ({ url }: { url: string }, parameters: object, items: object[] = [{}]) =>
		await runNode(engine(), { url, apiKey: 'TEST-KEY' }, parameters, items, ERROR_OUTPUT);
	const sync = (more: object = {}) =>
		syncParameters({ unlisted: 'remove', options: { maxRemovalPercent: 100, ...more } });

	test('have no role', async () => {
		const gateway = await startWith([...known, ...without(UNKNOWN)]);
		const { main } = await run(gateway, getMembers(KINDS.numbers));

		expect(tell(main, 'participant', 'role')).toBe(
			`${OWN} superAdmin, ${ADMIN} admin, ${MEMBER} member, ${UNKNOWN}`,
		);
	});

	test('are kept by Sync where other roles are known, also if admins may be removed', async () => {
		const gateway = await startWith([...known, ...without(UNKNOWN)]);
		const options = { removeAdmins: true, dryRun: true };
		const { main } = await run(gateway, sync(options), [{ phone: WANTED }]);

		expect(tell(main, 'participant', 'action', 'outcome', 'reason')).toBe(
			[
				`${WANTED} add planned`,
				`${OWN} none kept self, ${ADMIN} remove planned, ${MEMBER} remove planned`,
				`${UNKNOWN} none kept unidentified`,
			].join(', '),
		);
	});

	test('keep everybody who would be removed in Sync if no role is known, and others are added', async () => {
		const gateway = await startWith(without(OWN, MEMBER, UNKNOWN));
		const { main, hints } = await run(gateway, sync(), [{ phone: WANTED }]);

		expect(tell(main, 'action', 'outcome', 'reason')).not.toContain('remove');
		expect(gateway.calls.filter(({ method }) => method !== 'GET')).toHaveLength(1);
		expect(hints[0]).toContain("members stay: the gateway doesn't show who is an admin");
	});
});

const [ANA = '', BO = ''] = phones(2);
/** A member who may be removed. */
const CLEO = '5521990000003';

describeOnEngine('an invite that n8n does not keep', (engine) => {
	const start = withGateways();

	it('is known in its run by every instance: one message for a person and a group', async () => {
		const seed: Seed = structuredClone(kindsSeed);
		const [keeper] = structuredClone(kindsSeed.instances);
		if (keeper !== undefined) seed.instances.push({ ...keeper, instanceName: 'other' });
		const gateway = await start({ seed });
		const items = ['keeper', 'other'].flatMap((instance) => [ANA, BO].map((phone) => ({ phone, instance })));
		const parameters = inviteParameters({ instance: '={{ $json.instance }}' });
		// n8n keeps nothing where a trigger polls.
		const { outputs } = await runBehindTrigger(engine(), gateway, parameters, items, {
			settings: ERROR_OUTPUT,
		});

		expect(tell(outputs.Gateway?.[0] ?? [], 'outcome')).toBe('sent, sent, alreadyInvited, alreadyInvited');
		expect(gateway.messages.map(({ to }) => to)).toEqual([jidOf(ANA), jidOf(BO)]);
	});
});

describeOnEngine('a removal of which nothing is known', (engine) => {
	const start = withGateways();

	it('is not tried again by the next round of a loop, which has the memory', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '500', on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const participants = '={{ $json.phone ?? $json.participant }}';
		const parameters = syncParameters({ shouldBeMember: false, participants });
		const items = [{ phone: CLEO }];
		const { main } = await runRounds(engine(), gateway, parameters, 2, items);

		expect(tell(main, 'outcome', 'action')).toBe('unconfirmed none');
		expect(changesAsked(gateway)).toHaveLength(1);
	});
});
