import { notDry, runExample } from '../support/example-runs';
import { given, type Execution } from '../support/executions';
import { makeOlder } from '../support/play';
import { publish, unpublish } from '../support/published';
import { readExample, type Workflow } from '../support/site';
import { Table } from '../support/tables';
import { underTest, withServer } from '../support/under-test';
import { CUSTOMERS } from '../../test/gateway/seed';

const ANA = '+55 11 99000-0100';
/** Can't be added by others, only invited. */
const INVITE_ONLY = '+55 11 99000-0403';
const LEAVER = '+5521990000003';
const PAYER = '+5511990000002';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer();

type Node = Workflow['nodes'][number];

async function run(...example: [name: string, change?: (node: Node) => Node]): Promise<Execution> {
	return await runExample(setting().server.rest, ...example);
}

/** What a person fills in to take a run back. */
function withExecution(node: Node, id: string): Node {
	const filled = JSON.stringify(node.parameters).replace('"value":""', `"value":"${id}"`);
	return { ...node, parameters: JSON.parse(filled) as Node['parameters'] };
}

async function table(name: string): Promise<Table> {
	return await Table.named(setting().server.rest, name);
}

function members(): string[] {
	return setting().gateway.group('main', CUSTOMERS)?.members ?? [];
}

function changes(): number {
	return setting().gateway.calls.filter(({ method }) => method !== 'GET').length;
}

// n8n 1.x can't make a Data Table in a workflow.
(underTest().line.number === 2 ? describe : describe.skip)('lists in Data Tables', () => {
	test.each(['keep-a-group-equal-to-a-data-table', 'members-while-paid', 'report-of-the-night'])(
		'%s can be published once instance and group are chosen',
		async (name) => {
			const { rest } = setting().server;
			const { id } = readExample(name);
			await publish(rest, id);
			await unpublish(rest, id);
		},
	);

	test('the first run makes the list from who is in the group, and changes nobody', async () => {
		const execution = await run('keep-a-group-equal-to-a-data-table');
		expect(execution.error).toBeUndefined();
		expect(changes()).toBe(0);
		const rows = await (await table(`Group Customers ${CUSTOMERS}`)).rows();
		expect(rows.map(({ phone, outcome }) => [phone, outcome])).toEqual(
			['+5511990000001', PAYER, LEAVER, '+447700900004'].map((phone) => [phone, 'unchanged']),
		);
		for (const { memory } of rows) expect(memory).toMatch(/^member /);
	});

	test('from then on the group follows the list: who is added, who is taken out, who left and who is invited', async () => {
		const list = await table(`Group Customers ${CUSTOMERS}`);
		await makeOlder(list);
		await list.add({ phone: ANA }, { phone: INVITE_ONLY });
		await list.remove('phone', PAYER);
		setting().gateway.network.leave('main', CUSTOMERS, '5521990000003@s.whatsapp.net');
		await run('keep-a-group-equal-to-a-data-table', notDry);

		const results = async () => (await list.rows()).map(({ phone, outcome }) => [phone, outcome]);
		expect(await results()).toEqual([
			['+5511990000001', 'unchanged'],
			[LEAVER, 'left'],
			['+447700900004', 'unchanged'],
			[ANA, 'done'],
			[INVITE_ONLY, 'sent'],
		]);
		expect(members()).toEqual([
			'447700900004@s.whatsapp.net',
			'5511990000001@s.whatsapp.net',
			'5511990000100@s.whatsapp.net',
		]);
		const log = await (await table('Group log')).rows();
		expect(log.map(({ participant, outcome }) => [participant, outcome])).toEqual([
			[LEAVER, 'left'],
			[ANA, 'done'],
			[INVITE_ONLY, 'inviteRequired'],
			['5511990000002', 'done'],
			// Send Invite writes to the number that Sync has sent.
			['5511990000403', 'sent'],
		]);

		await setting().restart('kill');
		const before = changes();
		for (let night = 0; night < 3; night++) await run('keep-a-group-equal-to-a-data-table', notDry);
		expect(changes()).toBe(before);
		expect(await results()).toEqual([
			['+5511990000001', 'unchanged'],
			[LEAVER, 'left'],
			['+447700900004', 'unchanged'],
			[ANA, 'unchanged'],
			[INVITE_ONLY, 'alreadyInvited'],
		]);
		expect(await (await table('Group log')).rows()).toHaveLength(log.length);
	});

	test('an emptied memory makes the node forget', async () => {
		const list = await table(`Group Customers ${CUSTOMERS}`);
		await list.change('phone', LEAVER, { memory: null });
		await run('keep-a-group-equal-to-a-data-table', notDry);
		expect(members()).toContain('5521990000003@s.whatsapp.net');
	});

	test("a run is red where a row can't be carried out, and the others have their results", async () => {
		const list = await table(`Group Customers ${CUSTOMERS}`);
		await list.add({ phone: 'ask Maria' });
		const { status, error } = await run('keep-a-group-equal-to-a-data-table');
		expect({ status, message: error?.message }).toEqual({
			status: 'error',
			message: expect.stringContaining("Rows that couldn't be carried out: 1."),
		});
		expect((await list.rows()).at(-1)).toMatchObject({
			outcome: 'failed',
			message: expect.stringContaining('"ask Maria"'),
		});
		await list.remove('phone', 'ask Maria');
	});

	test('the log is what the report of the night has, and takes a run back by the number of its execution', async () => {
		const log = await (await table('Group log')).rows();
		const report = await run('report-of-the-night');
		expect(given(report, 'Changes of the night')).toHaveLength(log.length);
		const removal = log.find(({ participant }) => participant === '5511990000002');
		await run('take-a-run-back', (node) =>
			node.name === 'Which execution' ? withExecution(node, String(removal?.execution)) : notDry(node),
		);
		expect(members()).toContain('5511990000002@s.whatsapp.net');
		expect(members()).not.toContain('5511990000100@s.whatsapp.net');
	});
});
