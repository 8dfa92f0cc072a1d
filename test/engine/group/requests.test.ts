import {
	describeOnEngine,
	groupParameters,
	locator,
	REGULAR_OUTPUT,
	runNode,
	seedWith,
	tell,
	withGateways,
} from '../support';
import { sizeOf } from '../../thorough';
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
} from './people';

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

describeOnEngine('rows to requests', (engine) => {
	const start = withGateways();

	it('sends many rows for one group in requests of 50, and gives an item for each row', async () => {
		const amount = sizeOf(10_000);
		const gateway = await start();
		const { main, error, run } = await runNode(engine(), gateway, groupParameters(), rows(amount));
		expect(error).toBeUndefined();
		expect(run.status).toBe('success');
		expect(gateway.calls).toHaveLength(amount / 50);
		expect(gateway.maxConcurrent).toBe(1);
		expect(changesAsked(gateway).flatMap(({ participants }) => participants)).toEqual(phones(amount));
		expect(main.map(({ json }) => json.participant)).toEqual(phones(amount));
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual(upTo(amount).map((item) => ({ item })));
		expect(new Set(main.map(({ json }) => json.outcome))).toEqual(new Set(['done']));
		expect(membersAmong(gateway, phones(amount))).toHaveLength(amount);
	});

	it('sends the published call', async () => {
		const gateway = await start();
		const parameters = {
			...groupParameters(),
			instance: locator(SECOND_INSTANCE, 'name'),
			group: locator('120363000000000021', 'id'),
		};
		await runNode(engine(), gateway, parameters, rows(1));
		expect(gateway.calls).toMatchObject([
			{
				method: 'PUT',
				path: '/group/updateParticipant/second%20one%2F%C3%BC?groupJid=120363000000000021%40g.us',
				body: { action: 'add', participants: phones(1) },
			},
		]);
		expect(gateway.calls[0]?.body).toEqual({ action: 'add', participants: phones(1) });
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

	it('keeps items apart where they are not to be combined', async () => {
		const gateway = await start();
		const [a, b, c, d] = phones(4);
		const items = [{ phone: [a, b] }, { phone: a }, { phone: [c, d] }];
		const parameters = groupParameters({ options: { combineItems: false } });
		const { main } = await runNode(engine(), gateway, parameters, items);
		expect(changesAsked(gateway).map(({ participants }) => participants)).toEqual([[a, b], [a], [c, d]]);
		expect(tell(main, 'participant', 'outcome')).toBe(
			`${a} done, ${b} done, ${a} unchanged, ${c} done, ${d} done`,
		);
		expect(main.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 2, 2].map((item) => ({ item })));
	});

	it('puts at most so many participants into a request as the option says', async () => {
		const gateway = await start();
		await runNode(engine(), gateway, groupParameters({ options: { batchSize: 3 } }), rows(8));
		expect(changesAsked(gateway).map(({ participants }) => participants.length)).toEqual([3, 3, 2]);
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
		const OWN = '5511990000001';
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
			expect(readsAsked(gateway)).toEqual([]);
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
			const items = [...before, change('demote', OWN), change('add', c), change('remove', d)];
			const { main } = await runNode(engine(), gateway, groupParameters(byItem), items, REGULAR_OUTPUT);
			expect(asked(gateway)).toEqual([
				['remove', [b, d]],
				['add', [a, c]],
				['demote', [OWN]],
			]);
			expect(tell(main, 'outcome')).toBe('done, done, done, done, done');
		});

		it('send nothing in a dry run', async () => {
			const gateway = await start({ seed });
			const parameters = groupParameters({ ...byItem, options: { dryRun: true } });
			const { main } = await runNode(engine(), gateway, parameters, inTurn(4));
			expect(gateway.calls).toEqual([]);
			expect(tell(main, 'outcome')).toBe('planned, planned, planned, planned');
		});
	});
});
