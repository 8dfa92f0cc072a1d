import { KINDS, kindsSeed, type Gateway } from '../../gateway/gateway';
import { describeEachLine, REGULAR_OUTPUT, runNode, syncParameters, withGateways } from '../support';

const NEWCOMER = '4915200000000';
const OTHER = '4915200000001';
const BLOCKED = '5511990000401';
const DAY = 24 * 60 * 60 * 1000;

interface SheetRow {
	phone: string;
	paid?: boolean;
	memory?: string | undefined;
}

/** A sheet with a column for the memory, into which each run is written back; rows of an error item keep what they have. */
function sheetOf(engine: Parameters<typeof runNode>[0], gateway: Gateway, ...sheet: SheetRow[]) {
	const run = async (options: object = {}, more: object = {}) => {
		const parameters = syncParameters({
			shouldBeMember: '={{ $json.paid ?? true }}',
			options: { memory: '={{ $json.memory }}', ...options },
			...more,
		});
		const before = gateway.calls.length;
		const { main, error, hints } = await runNode(engine, gateway, parameters, sheet, REGULAR_OUTPUT);
		expect(error).toBeUndefined();
		main.forEach(({ json, pairedItem }) => {
			const row = sheet[typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1];
			if (row && typeof json.memory === 'string') row.memory = json.memory;
		});
		const changes = gateway.calls.slice(before).filter(({ path }) => path.includes('/updateParticipant/'));
		return {
			asked: changes.map(({ body }) => body),
			said: main.map(({ json }) =>
				[json.outcome, ...(json.reason === undefined ? [] : [json.reason])].join(' '),
			),
			remembered: sheet.map(({ memory = '' }) =>
				memory.replaceAll(/ \d{4}-[^ ;]*/g, '').replace(/; for .*/, ''),
			),
			hints,
			main,
		};
	};
	/** Lets so many days pass: whatever is remembered was so much earlier. */
	const age = (days: number) => {
		for (const row of sheet)
			row.memory = row.memory?.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, (date) =>
				new Date(Date.parse(date) - days * DAY).toISOString().replace(/:\d\d\.\d+Z$/, 'Z'),
			);
	};
	return { run, age, sheet };
}

describeEachLine('a row remembers', (engine) => {
	const start = withGateways();

	test('who left, and Sync keeps them out until the cell is emptied', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age, sheet } = sheetOf(engine(), gateway, { phone: NEWCOMER });
		expect(await run()).toMatchObject({ said: ['done'], remembered: ['member'] });
		const [before] = sheet.map(({ memory }) => memory);
		expect(await run()).toMatchObject({ said: ['unchanged'], asked: [] });
		expect(sheet[0]?.memory).toBe(before);

		gateway.network.leave('keeper', KINDS.numbers, NEWCOMER);
		expect(await run()).toMatchObject({ said: ['left'], asked: [], remembered: ['left'] });
		age(400);
		expect(await run()).toMatchObject({ said: ['left'], asked: [] });
		expect(await run({ whoLeft: 'addAgain', dryRun: true })).toMatchObject({
			said: ['planned'],
			remembered: ['left'],
		});
		for (const row of sheet) row.memory = '';
		expect(await run()).toMatchObject({ said: ['done'], remembered: ['member'] });
	});

	test('who was refused, in manual runs, too', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = sheetOf(engine(), gateway, { phone: BLOCKED });
		expect(await run()).toMatchObject({ said: ['blocked'], remembered: ['refused blocked'] });
		age(6.9);
		expect(await run()).toMatchObject({ said: ['postponed refusedLately'], asked: [] });
		age(0.2);
		expect(await run()).toMatchObject({ said: ['blocked'], remembered: ['refused blocked'] });
	});

	test('since when people should leave, who have days of grace', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age, sheet } = sheetOf(engine(), gateway, { phone: NEWCOMER }, { phone: OTHER });
		await run();
		for (const row of sheet) row.paid = false;
		const grace = { removeAfter: 7 };
		expect(await run(grace)).toMatchObject({
			said: ['postponed removeAfter', 'postponed removeAfter'],
			remembered: ['toLeave', 'toLeave'],
			asked: [],
		});
		age(6);
		for (const row of sheet.slice(1)) row.paid = true;
		expect(await run(grace)).toMatchObject({
			said: ['postponed removeAfter', 'unchanged'],
			remembered: ['toLeave', 'member'],
		});
		age(1.1);
		expect(await run(grace)).toMatchObject({ said: ['done', 'unchanged'], remembered: ['out', 'member'] });
		for (const row of sheet) row.paid = true;
		expect(await run(grace)).toMatchObject({ said: ['done', 'unchanged'], remembered: ['member', 'member'] });
	});

	test('only its own person and group', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, sheet } = sheetOf(engine(), gateway, { phone: NEWCOMER });
		await run();
		for (const row of sheet) row.phone = OTHER;
		const { said, hints, remembered } = await run();
		expect([said, remembered]).toEqual([['done'], ['member']]);
		expect(hints.join('\n')).toContain('The memory of 1 row was for another number or group');
	});

	test('last of all fields, and says so where it is not written back', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, sheet } = sheetOf(engine(), gateway, { phone: NEWCOMER });
		await run();
		for (const row of sheet) delete row.memory;
		const { main, hints } = await run({ includeInputFields: true });
		expect(Object.keys(main[0]?.json ?? {}).slice(-2)).toEqual(['phone', 'memory']);
		expect(hints.join('\n')).toContain("write the output field 'memory' back");
	});

	test.each<[string, SheetRow, object, object, boolean]>([
		[
			'a member whom the group does not show',
			{ phone: '447700900004' },
			{},
			{ group: KINDS.hiddenWithoutNumbers },
			true,
		],
		['a member who should leave', { phone: '447700900004', paid: false }, { removeAfter: 7 }, {}, true],
		['nobody who is a member', { phone: NEWCOMER }, {}, {}, false],
	])('and says so of %s', async (_, row, options, more, isSaid) => {
		const gateway = await start({ seed: kindsSeed });
		const { hints } = await sheetOf(engine(), gateway, row).run(options, more);
		expect(hints.some((hint) => hint.includes("write the output field 'memory' back"))).toBe(isSaid);
	});

	test.each<[object, object, SheetRow, string]>([
		[{ failOnRejected: true }, {}, { phone: NEWCOMER }, "'Fail if Rejected' doesn't go with 'Row Memory'"],
		[{ removeAfter: 1 }, { unlisted: 'remove' }, { phone: NEWCOMER }, 'needs a row for each person'],
		[{ removeAfter: 1 }, {}, { phone: `${NEWCOMER}, ${OTHER}` }, 'needs a row for each person'],
		[{ whoLeft: 'maybe' }, {}, { phone: NEWCOMER }, "'People Who Left' can't be"],
	])('and %j with %j is refused', async (options, more, row, says) => {
		const gateway = await start({ seed: kindsSeed });
		const { main } = await sheetOf(engine(), gateway, row).run(options, more);
		expect(JSON.stringify(main)).toContain(says);
		expect(gateway.calls).toEqual([]);
	});

	test('nothing of items with several participants, which n8n remembers', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, sheet } = sheetOf(engine(), gateway, { phone: `${BLOCKED}, ${NEWCOMER}`, memory: 'mine' });
		const { hints } = await run();
		expect(sheet[0]?.memory).toBe('mine');
		expect(hints.join('\n')).toContain('of 1 row is of an item with several participants');
	});
});
