import {
	describeOnEngine,
	ERROR_OUTPUT,
	groupParameters,
	REGULAR_OUTPUT,
	runNode,
	withGateways,
} from '../support';
import { changesAsked, CUSTOMERS, phones, rows, upTo } from './people';

interface Row {
	phone: unknown;
	group?: unknown;
	instance?: unknown;
	action?: unknown;
}

const byItem = groupParameters({
	instance: '={{ $json.instance ?? "main" }}',
	group: `={{ $json.group ?? "${CUSTOMERS}" }}`,
	action: '={{ $json.action ?? "add" }}',
});
const [good = ''] = phones(1);

/** What a row may not hold, and what the message has to say of it. */
const badRows: Array<[what: string, row: Row, says: string | RegExp]> = [
	['letters', { phone: 'Maria 5511999990001' }, 'Maria 5511999990001'],
	['one bad entry among good ones', { phone: [good, 'nobody'] }, 'nobody'],
	['no participants', { phone: '' }, /empty/],
	['no group', { phone: good, group: '' }, /group/i],
	['no instance', { phone: good, instance: '' }, /instance/i],
	['two dots for an instance', { phone: good, instance: '..' }, '".."'],
	['an action that does not exist', { phone: good, action: 'kick' }, 'kick'],
];

function escape(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describeOnEngine('the rows', (engine) => {
	const start = withGateways();

	describe('rows are checked before anything is sent', () => {
		it.each(badRows)(
			'a last row with %s stops the run before the first request',
			async (_what, row, says) => {
				const gateway = await start();
				const { main, error } = await runNode(engine(), gateway, byItem, [...rows(3), row]);
				expect(gateway.calls).toEqual([]);
				expect(main).toEqual([]);
				expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 3 } });
				expect(error?.message).toMatch(typeof says === 'string' ? new RegExp(escape(says)) : says);
				expect(error?.message).toMatch(/\bitem 3\b/);
				expect(error?.description).toMatch(/\w/);
			},
		);

		it.each(['updateParticipants', 'syncParticipants', 'sendInvite'])(
			'%s: says so if every row is bad, which else looks like a run with nothing to do',
			async (operation) => {
				const gateway = await start();
				const parameters = {
					...byItem,
					operation,
					shouldBeMember: true,
					unlisted: 'keep',
					message: 'Join us',
				};
				const items = [{ name: 'Ana' }, { name: 'Ben' }];
				const { hints, failed } = await runNode(engine(), gateway, parameters, items, ERROR_OUTPUT);
				expect(failed).toHaveLength(2);
				expect(hints).toEqual(['2 failed: the participants are empty']);
			},
		);

		it('gives a bad row to the error output, and all others to the main one', async () => {
			const gateway = await start();
			const items: Row[] = rows(120);
			items.splice(77, 1, { phone: 'nobody' });
			const { main, failed, error, run } = await runNode(engine(), gateway, byItem, items, ERROR_OUTPUT);
			expect(error).toBeUndefined();
			expect(failed).toHaveLength(1);
			expect(failed[0]?.json).toEqual({
				...items[77],
				error: expect.stringMatching(/^Item 77: .*"nobody".* has letters$/),
				message: expect.stringMatching(/^Item 77: .*"nobody".* has letters\. Enter phone numbers/),
			});
			expect(failed[0]?.pairedItem).toEqual({ item: 77 });
			expect(main.map(({ pairedItem }) => pairedItem)).toEqual(
				upTo(120)
					.filter((item) => item !== 77)
					.map((item) => ({ item })),
			);
			expect(main.every(({ json }) => json.outcome === 'done')).toBe(true);
			expect(changesAsked(gateway).map(({ participants }) => participants.length)).toEqual([50, 50, 19]);
			// And so do the nodes that are wired to the outputs.
			expect(run.outputs.Main?.[0]).toHaveLength(119);
			expect(run.outputs.Failed?.[0]).toHaveLength(1);
		});

		it('gives a bad row in its place on the one output, where the node continues with that', async () => {
			const gateway = await start();
			const items = badRows.flatMap(([, row], i): Row[] => [{ phone: phones(1, i)[0] }, row]);
			const { main, failed, error } = await runNode(engine(), gateway, byItem, items, REGULAR_OUTPUT);
			expect(error).toBeUndefined();
			expect(failed).toEqual([]);
			expect(main.map(({ pairedItem }) => pairedItem)).toEqual(upTo(items.length).map((item) => ({ item })));
			main.forEach(({ json, error: itemError }, i) => {
				if (i % 2 === 0) return expect([json.outcome, itemError]).toEqual(['done', undefined]);
				expect(Object.keys(json)).toEqual(['error', 'message']);
				expect(itemError?.message).toMatch(new RegExp(`^Item ${i}\\b`));
				expect(itemError?.description).toMatch(/\w/);
			});
			expect(gateway.calls).toHaveLength(1);
		});
	});
});
