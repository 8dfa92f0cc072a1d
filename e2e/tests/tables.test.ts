import { notDry, runExample } from '../support/example-runs';
import type { Execution } from '../support/executions';
import { publish, unpublish } from '../support/published';
import { readExample, type Workflow } from '../support/site';
import { Table } from '../support/tables';
import { underTest, withServer } from '../support/under-test';
import { CUSTOMERS } from '../../test/gateway/seed';

const TABLE = 'keep-a-group-equal-to-a-data-table';
const ANA = '+55 11 99000-0100';
const PAYER = '+5511990000002';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer();

type Node = Workflow['nodes'][number];

async function run(...example: [name: string, change?: (node: Node) => Node]): Promise<Execution> {
	return await runExample(setting().server.rest, ...example);
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

/** A node that is no dry run, and removes at once: a test can't wait for the next night. */
function now(node: Node): Node {
	const { parameters } = notDry(node);
	return { ...node, parameters: { ...parameters, ...(parameters.limits !== undefined && { limits: {} }) } };
}

// n8n 1.x can't make a Data Table in a workflow.
(underTest().line.number === 2 ? describe : describe.skip)('lists in Data Tables', () => {
	test.each([TABLE, 'members-while-paid'])(
		'%s can be published once instance and group are chosen',
		async (name) => {
			const { rest } = setting().server;
			const { id } = readExample(name);
			await publish(rest, id);
			await unpublish(rest, id);
		},
	);

	test('the first run makes the list from who is in the group, and changes nobody', async () => {
		const execution = await run(TABLE);
		expect(execution.error).toBeUndefined();
		expect(changes()).toBe(0);
		const rows = await (await table(`Group Customers ${CUSTOMERS}`)).rows();
		expect(rows.map(({ phone }) => phone)).toEqual([
			'+5511990000001',
			PAYER,
			'+5521990000003',
			'+447700900004',
		]);
	});

	test('from then on the group follows the list, and other nights change nobody, also after a crash', async () => {
		const list = await table(`Group Customers ${CUSTOMERS}`);
		await list.add({ phone: ANA, name: 'Ana' });
		await list.remove('phone', PAYER);
		await run(TABLE, now);
		expect(members()).toEqual([
			'447700900004@s.whatsapp.net',
			'5511990000001@s.whatsapp.net',
			'5511990000100@s.whatsapp.net',
			'5521990000003@s.whatsapp.net',
		]);
		await setting().restart('kill');
		const before = changes();
		for (let night = 0; night < 3; night++) await run(TABLE, now);
		expect(changes()).toBe(before);
		expect(await list.rows()).toHaveLength(4);
	});

	test('an empty row changes nothing, as editors of tables leave them', async () => {
		const list = await table(`Group Customers ${CUSTOMERS}`);
		await list.add({ phone: '' });
		await list.add({ name: 'Nobody' });
		const [before, execution] = [changes(), await run(TABLE, now)];
		expect([execution.error, changes()]).toEqual([undefined, before]);
	});

	test("a run is red where a row can't be carried out", async () => {
		const list = await table(`Group Customers ${CUSTOMERS}`);
		await list.add({ phone: 'ask Maria' });
		const { status, error } = await run(TABLE);
		expect({ status, message: error?.message }).toEqual({
			status: 'error',
			message: expect.stringContaining("Rows that couldn't be carried out: 1."),
		});
		await list.remove('phone', 'ask Maria');
	});
});
