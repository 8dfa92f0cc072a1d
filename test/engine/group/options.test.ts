import {
	describeOnEngine,
	ERROR_OUTPUT,
	groupParameters,
	REGULAR_OUTPUT,
	runNode,
	withGateways,
} from '../support';
import { CUSTOMERS, JUST_ME, jidOf, phones, rows, upTo } from './people';

const INVITED = '5511990000403';

describeOnEngine('options of a group change', (engine) => {
	const start = withGateways();

	describe('dry run', () => {
		it('gives the same items with the outcome planned, and makes no call', async () => {
			const items = [
				{ phone: phones(3) },
				{ phone: INVITED },
				{ phone: '5531999990002' },
				{ phone: '+50051234' },
			];
			const real = await start();
			const { main: done } = await runNode(engine(), real, groupParameters(), items);
			const gateway = await start();
			const before = gateway.snapshot();
			const parameters = groupParameters({ options: { dryRun: true } });
			const { main, hints } = await runNode(engine(), gateway, parameters, items);
			expect(main).toEqual(
				done.map(({ json: { instance, groupJid, action, participant, sentAs }, pairedItem }) => ({
					json: {
						...{ instance, groupJid, action, participant, sentAs },
						outcome: 'planned',
						applied: null,
						message: expect.stringMatching(/nothing was sent/i),
					},
					pairedItem,
				})),
			);
			expect(main).toHaveLength(6);
			expect(hints).toEqual([
				'6 would be added',
				"It would be 1 request. To do it, turn off Dry Run. The group wasn't read",
				expect.stringMatching(/^\d numbers have no \+/),
			]);
			expect(gateway.calls).toEqual([]);
			expect(gateway.snapshot()).toEqual(before);
		});

		it('counts the requests of rows that add and remove in turn', async () => {
			const gateway = await start();
			const items = rows(6).map((row, i) => ({ ...row, action: i % 2 === 0 ? 'add' : 'remove' }));
			const parameters = groupParameters({ action: '={{ $json.action }}', options: { dryRun: true } });
			const { hints } = await runNode(engine(), gateway, parameters, items);
			expect(hints).toEqual([
				'3 would be added, 3 would be removed',
				"It would be 2 requests. To do it, turn off Dry Run. The group wasn't read",
				'6 numbers have no + and are read as +4915200000000, +4915200000001, +4915200000002, …. Check the country codes',
			]);
			expect(gateway.calls).toEqual([]);
		});

		it('checks the rows all the same', async () => {
			const gateway = await start();
			const parameters = groupParameters({ options: { dryRun: true } });
			const { error } = await runNode(engine(), gateway, parameters, [...rows(2), { phone: 'nobody' }]);
			expect(error?.message).toMatch(/"nobody"/);
		});
	});

	describe('options that come from an expression', () => {
		const dryRun = groupParameters({ options: { dryRun: '={{ $json.dry }}' } });

		it.each(['maybe', undefined])('refuses %j for a dry run, before any request', async (dry) => {
			const gateway = await start();
			const items = [...rows(1).map((row) => ({ ...row, dry: false })), { ...rows(1, 1)[0], dry }];
			const { main, error } = await runNode(engine(), gateway, dryRun, items);
			expect([main, gateway.calls]).toEqual([[], []]);
			expect(error?.message).toMatch(
				/^Nothing was changed: 1 of 2 rows can't be read: item 1 "4915200000001" \('Dry Run' must be true or false, but it's .*\)$/,
			);
			expect(error?.description).toMatch(/Default: false/);
		});

		it.each<[string, string, unknown]>([
			['batchSize', 'Participants per Request', 0],
			['batchInterval', 'Interval Between Requests (ms)', 2 ** 31],
			['timeout', 'Timeout (ms)', 'soon'],
			['maxRetries', 'Max Retries', true],
		])('refuses %s, named %s, of %j, before any request', async (name, displayName, value) => {
			const gateway = await start();
			const parameters = groupParameters({ options: { [name]: '={{ $json.value }}' } });
			const { main, error } = await runNode(engine(), gateway, parameters, [{ ...rows(1)[0], value }]);
			expect([main, gateway.calls]).toEqual([[], []]);
			expect(
				error?.message.startsWith(`Nothing was changed: '${displayName}' must be a whole number, `),
			).toBe(true);
		});
	});

	describe('fail when a participant is rejected', () => {
		const parameters = groupParameters({ options: { failOnRejected: true, batchSize: 1 } });
		const [a = '', b = '', c = ''] = phones(3);
		const items = [{ phone: a }, { phone: [b, INVITED] }, { phone: c }];

		it('fails after everything has been sent', async () => {
			const gateway = await start();
			const { main, error } = await runNode(engine(), gateway, parameters, items);
			expect(gateway.calls).toHaveLength(4);
			expect(gateway.group('main', CUSTOMERS)?.members).toEqual(expect.arrayContaining([a, b, c].map(jidOf)));
			expect(main).toEqual([]);
			expect(error).toMatchObject({ name: expect.stringMatching(/^Node(Api|Operation)Error$/) });
			expect(error?.itemIndex).toBe(1);
			expect(error?.message).toMatch(new RegExp(`${INVITED}.*invite`));
		});

		it('makes one error item of the item, in its place', async () => {
			const gateway = await start();
			const { main } = await runNode(engine(), gateway, parameters, items, REGULAR_OUTPUT);
			expect(gateway.calls).toHaveLength(4);
			expect(main.map(({ json, pairedItem }) => [json.outcome, pairedItem])).toEqual([
				['done', { item: 0 }],
				[undefined, { item: 1 }],
				['done', { item: 2 }],
			]);
			expect(main[1]?.json).toMatchObject({ error: expect.stringContaining(INVITED) });
		});

		it('takes only a refusal for one, not an outcome that is not known', async () => {
			const gateway = await start();
			gateway.replay({
				response: { status: 201, contentType: 'application/json', body: { updateParticipants: [] } },
			});
			const { main, error } = await runNode(engine(), gateway, parameters, rows(2));
			expect(error).toBeUndefined();
			expect(main.map(({ json }) => json.outcome)).toEqual(['unconfirmed', 'unconfirmed']);
		});
	});

	describe('without simplify', () => {
		it("gives each reply as it came, paired with all of the request's items", async () => {
			const gateway = await start();
			const body = {
				updateParticipants: [{ status: '200', jid: 'x@lid', content: { tag: 'participant', attrs: {} } }],
				extra: { deep: [1, null, 'ü'] },
			};
			gateway.replay({ response: { status: 201, contentType: 'application/json', body } });
			const items = [...rows(3), { phone: phones(2, 3) }, ...rows(2, 5)];
			const parameters = groupParameters({ simplify: false, options: { batchSize: 4 } });
			const { main } = await runNode(engine(), gateway, parameters, items);
			expect(main).toEqual([
				{ json: body, pairedItem: upTo(4).map((item) => ({ item })) },
				{ json: body, pairedItem: [3, 4, 5].map((item) => ({ item })) },
			]);
		});

		it('gives the error output one item for a bad row, and the reply to the main one', async () => {
			const gateway = await start();
			const items = [{ phone: 'nobody' }, ...rows(2)];
			const { main, failed } = await runNode(
				engine(),
				gateway,
				groupParameters({ simplify: false }),
				items,
				ERROR_OUTPUT,
			);
			expect(main.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 1 }, { item: 2 }]]);
			expect(main[0]?.json.updateParticipants).toHaveLength(2);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		});
	});

	describe('the hint after a run', () => {
		it('counts what failed', async () => {
			const gateway = await start();
			gateway.fault({ kind: '500', after: 1, times: 1 });
			const items = [...rows(6), { phone: 'nobody' }];
			const parameters = groupParameters({ options: { batchSize: 2 } });
			const { hints } = await runNode(engine(), gateway, parameters, items, REGULAR_OUTPUT);
			expect(hints).toEqual([
				expect.stringMatching(/^4 added; 2 failed: .*, not known whether carried out; 1 failed: .*letters$/),
			]);
		});

		it('says that the group is full, and who waits for approval', async () => {
			const gateway = await start();
			const items = [
				...rows(1).map((row) => ({ ...row, group: JUST_ME })),
				...rows(2).map((row) => ({ ...row, group: '120363000000000004@g.us' })),
				...rows(1).map((row) => ({ ...row, group: '120363000000000005@g.us' })),
			];
			const parameters = groupParameters({ group: '={{ $json.group }}' });
			const { hints } = await runNode(engine(), gateway, parameters, items);
			expect(hints).toEqual(["2 added, 1 didn't fit in the group, 1 waits for approval"]);
		});
	});
});
