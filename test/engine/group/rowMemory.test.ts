import { KINDS, kindsSeed, type Fault, type Gateway } from '../../gateway/gateway';
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
	let days = 0;
	const run = async (options: object = {}, more: object = {}) => {
		// Dates are to the minute: runs of one minute are taken for one.
		age(1 / (24 * 60));
		const parameters = syncParameters({
			shouldBeMember: '={{ $json.paid ?? true }}',
			options: { memory: '={{ $json.memory }}', ...options },
			...more,
		});
		const before = gateway.calls.length;
		const { main, error, hints } = await runNode(engine, gateway, parameters, sheet, REGULAR_OUTPUT, {
			ahead: days * DAY,
		});
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
	const age = (more: number) => {
		days += more;
	};
	return { run, age, sheet };
}

describeEachLine('a row remembers', (engine) => {
	const start = withGateways();

	test('who left, and Sync keeps them out until somebody adds them', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age, sheet } = sheetOf(engine(), gateway, { phone: NEWCOMER });
		expect(await run()).toMatchObject({ said: ['done'], remembered: ['member'] });
		const [before = ''] = sheet.map(({ memory }) => memory);
		age(1);
		expect(await run()).toMatchObject({ said: ['unchanged'], asked: [] });
		// The date moves with each run that sees them.
		expect(String(sheet[0]?.memory) >= before).toBe(true);

		gateway.network.leave('keeper', KINDS.numbers, NEWCOMER);
		expect(await run()).toMatchObject({ said: ['left'], asked: [], remembered: ['left'] });
		age(400);
		expect(await run()).toMatchObject({ said: ['left'], asked: [] });
		expect(await run({ whoLeft: 'addAgain', dryRun: true })).toMatchObject({
			said: ['planned'],
			remembered: ['left'],
		});
		expect(await run({ whoLeft: 'addAgain' })).toMatchObject({ said: ['done'], remembered: ['member'] });
	});

	test('no days of grace of somebody who is wanted again, also where they are postponed', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = sheetOf(engine(), gateway, { phone: NEWCOMER, memory: 'toLeave 2020-01-01' });
		expect(await run({ maxAdditions: 0 })).toMatchObject({
			said: ['postponed maxAdditions'],
			remembered: [''],
		});
	});

	test('who was refused, in manual runs, too', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = sheetOf(engine(), gateway, { phone: BLOCKED });
		expect(await run()).toMatchObject({ said: ['blocked'], remembered: ['refused blocked'] });
		age(6.9);
		expect(await run()).toMatchObject({ said: ['postponed refusedLately'], asked: [] });
		age(0.2);
		expect(await run()).toMatchObject({ said: ['blocked'], remembered: ['refused blocked x2'] });
		age(13);
		expect(await run()).toMatchObject({ said: ['postponed refusedLately'], asked: [] });
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
		expect(await run()).toMatchObject({ said: ['done'], remembered: ['member'] });
		expect(sheet[0]?.memory).toMatch(/^member /);
	});

	test("nobody's leaving where the row wasn't in the run before: they are added", async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age, sheet } = sheetOf(engine(), gateway, { phone: NEWCOMER }, { phone: OTHER });
		await run();
		const [newcomer, other] = sheet;
		// For a night, the source gives only one of the two, and this node removes the other.
		sheet.splice(0, 2, ...(other ? [other] : []));
		age(1);
		await run({ maxRemovalPercent: 100 }, { unlisted: 'remove' });
		sheet.push(...(newcomer ? [newcomer] : []));
		age(1);
		expect(await run({}, { unlisted: 'remove' })).toMatchObject({
			said: ['unchanged', 'done', 'kept self', 'kept admin'],
			remembered: ['member', 'member'],
		});
	});

	const onChange = ({ path }: { path: string }) => path.includes('/updateParticipant/');

	test('whose addition ended unknown: they go alone once, and then wait', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = sheetOf(engine(), gateway, { phone: NEWCOMER }, { phone: OTHER });
		const unknown = {
			kind: 'wrong-shape',
			body: { updateParticipants: [] },
			on: onChange,
			times: 1,
		} as const;
		gateway.fault(unknown);
		expect(await run()).toMatchObject({ said: ['rejected', 'rejected'], remembered: ['asked', 'asked'] });
		gateway.fault(unknown);
		expect(await run()).toMatchObject({
			asked: [{ participants: [NEWCOMER] }, { participants: [OTHER] }],
			said: ['rejected', 'done'],
			remembered: ['refused unconfirmed', 'member'],
		});
		const { asked, said, main } = await run();
		expect([asked, said]).toEqual([[], ['postponed refusedLately', 'unchanged']]);
		expect(main[0]?.json.message).toMatch(/^On \d{4}-\d\d-\d\d: Its result wasn't known\. Next try: /);
	});

	test.each<[string, Fault]>([
		['no answer', { kind: 'reset-before' }],
		['a page', { kind: 'html' }],
		['502', { kind: '502' }],
		['403 of a proxy', { kind: '403', body: '<html>Forbidden</html>' }],
		['413', { kind: '413', body: { message: 'Too large' } }],
	])('whose addition met %s on the way: they are tried for three days, and then wait', async (_, fault) => {
		const gateway = await start({ seed: kindsSeed });
		const { run, age } = sheetOf(engine(), gateway, { phone: NEWCOMER });
		gateway.fault({ ...fault, on: onChange });
		const nights: string[] = [];
		for (let night = 0; night < 5; night++) {
			const { asked, remembered } = await run();
			nights.push(`${asked.length} ${remembered.join()}`);
			age(0.98);
		}
		expect(nights).toEqual(['1 asked', '1 asked', '1 asked', '1 asked', '1 refused unconfirmed']);
		gateway.clearFaults();
		expect((await run()).said).toEqual(['postponed refusedLately']);
	});

	test('last of all fields', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = sheetOf(engine(), gateway, { phone: NEWCOMER });
		const { main } = await run({ includeInputFields: true });
		expect(Object.keys(main[0]?.json ?? {}).slice(-2)).toEqual(['phone', 'memory']);
	});

	test('as it was where its group is stopped', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run, sheet } = sheetOf(engine(), gateway, { phone: NEWCOMER, memory: 'out 2026-01-01' });
		const { main } = await run({ maxRemovalPercent: 0 }, { unlisted: 'remove' });
		expect(main[0]?.json.error).toMatch(/^Nothing was changed: 2 of 4 members would be removed/);
		expect(main[0]?.json.memory).toBe(sheet[0]?.memory);
	});

	test('where the node stops on errors, too', async () => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = syncParameters({ options: { memory: '={{ $json.memory }}' } });
		const { main, error } = await runNode(engine(), gateway, parameters, [
			{ phone: NEWCOMER, memory: 'out 2026-01-01' },
		]);
		expect(error).toBeUndefined();
		expect(String(main[0]?.json.memory)).toMatch(/^member /);
	});

	test.each<[string, object, object]>([
		['a credential that is no use', {}, { apiKey: '' }],
		['another option that n8n can not work out', { batchSize: "={{ $('Nowhere').first() }}" }, {}],
	])('and keeps its text where it fails for %s', async (_, options, credentials) => {
		const gateway = { ...(await start({ seed: kindsSeed })), ...credentials };
		const memory = 'out 2026-01-01';
		const parameters = syncParameters({ options: { memory: '={{ $json.memory }}', ...options } });
		const sheet = [{ phone: NEWCOMER, memory }, { phone: OTHER }];
		const { main } = await runNode(engine(), gateway, parameters, sheet, REGULAR_OUTPUT);
		expect(main.map(({ json }) => [typeof json.error, json.memory])).toEqual([
			['string', memory],
			['string', ''],
		]);
	});

	test('of one person alone: an item with several participants has none', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { run } = sheetOf(engine(), gateway, {
			phone: `${BLOCKED}, ${NEWCOMER}`,
			memory: 'left 2026-01-01',
		});
		const { main, said } = await run({ includeInputFields: true });
		expect(said).toEqual(['blocked', 'done']);
		for (const { json } of main) expect(json).not.toHaveProperty('memory');
	});

	test('of one person alone: an error item for several participants has none', async () => {
		const gateway = await start({ seed: kindsSeed });
		const sheet = [
			{ phone: `ask Ana, ${NEWCOMER}`, memory: 'left 2026-01-01' },
			{ phone: 'ask Ana', memory: 'left 2026-01-01' },
		];
		const parameters = syncParameters({ options: { memory: '={{ $json.memory }}' } });
		const { main } = await runNode(engine(), gateway, parameters, sheet, REGULAR_OUTPUT);
		expect(main.map(({ json }) => json.memory)).toEqual([undefined, 'left 2026-01-01']);
	});
});
