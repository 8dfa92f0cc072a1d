import { describeOnEngine, groupParameters, runNode, withGateways } from '../support';
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
	['a number that a spreadsheet turned into a decimal one', { phone: '5.51E+12' }, '5.51E+12'],
	['a fraction', { phone: 4915200000000.5 }, '4915200000000.5'],
	['a negative number', { phone: -4915200000000 }, '-4915200000000'],
	['two numbers run together', { phone: '55119999900015511999990002' }, '55119999900015511999990002'],
	['two numbers with only a space between', { phone: '5511999990001 5511999990002' }, /5511999990001/],
	['a number that is too short', { phone: '1234567' }, '1234567'],
	['one bad entry among good ones', { phone: [good, 'nobody'] }, 'nobody'],
	['no participants', { phone: '' }, /empty/],
	['nothing but separators', { phone: ' ,;\n' }, /empty/],
	['an empty list', { phone: [] }, /empty/],
	['no value', { phone: null }, /empty|null/],
	['a group as a participant', { phone: CUSTOMERS }, CUSTOMERS],
	['`true` for a group', { phone: good, group: true }, 'true'],
	['no group', { phone: good, group: '' }, /group/i],
	['an invite link', { phone: good, group: 'https://chat.whatsapp.com/AbCdEf' }, 'chat.whatsapp.com/AbCdEf'],
	['a person for a group', { phone: good, group: '5511999990001@s.whatsapp.net' }, '5511999990001@s.whats'],
	['no instance', { phone: good, instance: '' }, /instance/i],
	['a dot for an instance', { phone: good, instance: '.' }, '"."'],
	['two dots for an instance', { phone: good, instance: '..' }, '".."'],
	['an action that does not exist', { phone: good, action: 'kick' }, 'kick'],
];

function escape(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describeOnEngine('the rows', (engine) => {
	describe('rows are checked before anything is sent', () => {
		const start = withGateways();

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
				const settings = { onError: 'continueErrorOutput' } as const;
				const { hints, failed } = await runNode(engine(), gateway, parameters, items, settings);
				expect(failed).toHaveLength(2);
				expect(hints).toEqual(['2 failed: the participants are empty']);
			},
		);

		it('gives a bad row to the error output, and all others to the main one', async () => {
			const gateway = await start();
			const items: Row[] = rows(120);
			items.splice(77, 1, { phone: 'nobody' });
			const settings = { onError: 'continueErrorOutput' } as const;
			const { main, failed, error, run } = await runNode(engine(), gateway, byItem, items, settings);
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
			const settings = { onError: 'continueRegularOutput' } as const;
			const { main, failed, error } = await runNode(engine(), gateway, byItem, items, settings);
			expect(error).toBeUndefined();
			expect(failed).toEqual([]);
			expect(main.map(({ pairedItem }) => pairedItem)).toEqual(upTo(items.length).map((item) => ({ item })));
			main.forEach(({ json, error: itemError }, i) => {
				if (i % 2 === 0) return expect([json.outcome, itemError]).toEqual(['done', undefined]);
				expect(Object.keys(json)).toEqual(['error', 'message']);
				expect(itemError?.message).toMatch(new RegExp(`^Item ${i}: `));
				expect(itemError?.description).toMatch(/\w/);
			});
			expect(gateway.calls).toHaveLength(1);
		});

		it('sends nothing where every row is bad', async () => {
			const gateway = await start();
			const settings = { onError: 'continueErrorOutput' } as const;
			const items = [{ phone: 'nobody' }, { phone: '' }];
			const { main, failed } = await runNode(engine(), gateway, byItem, items, settings);
			expect(main).toEqual([]);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
			expect(gateway.calls).toEqual([]);
		});
	});

	describe('how rows may be written', () => {
		const start = withGateways();

		it.each([
			['a plus, spaces, brackets, dots and dashes', ' +55 (11) 9.9999-0001 ', ['5511999990001']],
			['a leading 00', '0049 1520 0000000', ['4915200000000']],
			['a number', 5511999990001, ['5511999990001']],
			['commas, semicolons and line breaks', '5511999990001,447700900005;\n447700900006\r\n', undefined],
			['a list of texts and numbers', ['5511999990001', 447700900005, '+44 7700 900006'], undefined],
		])('takes %s', async (_how, phone, sent = ['5511999990001', '447700900005', '447700900006']) => {
			const gateway = await start();
			const { main } = await runNode(engine(), gateway, byItem, [{ phone }]);
			expect(changesAsked(gateway).map(({ participants }) => participants)).toEqual([sent]);
			expect(main.map(({ json }) => json.sentAs)).toEqual(sent);
			if (!Array.isArray(phone) && sent.length === 1)
				expect(main[0]?.json.participant).toBe(String(phone).trim());
		});

		it('sends short numbers as JIDs, and JIDs as they are', async () => {
			const gateway = await start();
			const phone = [
				'12345678',
				'123456789',
				'1234567890',
				'447700900005@s.whatsapp.net',
				'447700900006@c.us',
				'99887766554433@lid',
			];
			await runNode(engine(), gateway, byItem, [{ phone }]);
			expect(changesAsked(gateway)[0]?.participants).toEqual([
				'12345678@s.whatsapp.net',
				'123456789@s.whatsapp.net',
				'1234567890',
				'447700900005@s.whatsapp.net',
				'447700900006@s.whatsapp.net',
				'99887766554433@lid',
			]);
			expect(gateway.calls[0]?.status).toBe(201);
		});
	});
});
