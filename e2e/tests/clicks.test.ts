import { until } from '../support/children';
import { runByHand } from '../support/executions';
import type { Workflow } from '../support/site';
import { Table, type Row } from '../support/tables';
import { underTest, withEditor, withServer } from '../support/under-test';
import { toJid } from '../../test/gateway/gateway';
import { CUSTOMERS } from '../../test/gateway/seed';

/** As the heading in `docs/recipes.md` says. */
const MOST_CLICKS = 30;

const MEMBERS = ['+5511990000001', '+5511990000002', '+5521990000003'];
const NOT_IN_THE_TABLE = '+447700900004';
const NEW = '+55 11 99000-0100';
/** Can't be added by others, only invited. */
const INVITE_ONLY = '+55 11 99000-0403';

const setting = withServer();
const editor = withEditor(setting);

/** Adds an operation after the node that was added last. */
async function addOperation(node: string, action: string): Promise<void> {
	await editor().search(node, node);
	await editor().pickNode(node);
	await editor().pickNode(action);
	await editor().panel.waitFor();
}

/** The clicks of "By hand, in 30 clicks" in `docs/recipes.md`. Gives the workflow, once the editor has saved it all. */
async function build(): Promise<Workflow> {
	await editor().openNew();
	await editor().command('Add Schedule Trigger');

	await addOperation('Data table', 'Get row(s)');
	await editor().choose('dataTableId', 'People');
	await editor().toggle('returnAll');
	await editor().closeNode();

	await addOperation('Messaging Gateway', 'Sync group participants');
	await editor().choose('instance', 'main');
	await editor().choose('group', 'Customers');
	await editor().typeExpression('participants', '$json.phone');
	await editor().pick('unlisted', 'Remove');
	await editor().addOption('Include Input Fields');
	await editor().closeNode();

	await addOperation('Data table', 'Update row(s)');
	await editor().choose('dataTableId', 'People');
	await editor().addCondition();
	await editor().typeExpression('keyValue', '$json.id');
	await editor().typeExpression('result', "$json.outcome + ': ' + $json.message");

	const id = await editor().workflowId();
	return await until('The saved workflow', async () => {
		const workflow = (await setting().server.rest.get(`/rest/workflows/${id}`)) as Workflow;
		return JSON.stringify(workflow).includes('$json.message') ? workflow : undefined;
	});
}

// n8n 1.x has no command bar.
(underTest().line.number === 2 ? describe : describe.skip)('a group equal to a Data Table, by hand', () => {
	let table: Table;
	let workflow: Workflow;

	beforeAll(async () => {
		const columns = ['phone', 'result', 'note'].map((name) => ({ name, type: 'string' }));
		table = await Table.create(setting().server.rest, 'People', columns);
		await table.add(...[...MEMBERS, NEW, INVITE_ONLY].map((phone) => ({ phone, note: 'mine' })));
	});

	const members = () => setting().gateway.group('main', CUSTOMERS)?.members;
	const results = async () => (await table.rows()).map(({ phone, result }: Row) => [phone, result]);

	test('is made in the editor with few clicks', async () => {
		workflow = await build();
		expect(editor().clicks).toBeLessThanOrEqual(MOST_CLICKS);
	});

	test('adds and removes people, and each row has its own result', async () => {
		expect(members()).toContain(toJid(NOT_IN_THE_TABLE));
		const { status, error } = await runByHand(setting().server.rest, workflow);

		expect({ status, error }).toEqual({ status: 'success', error: undefined });
		expect(members()).toEqual([...MEMBERS, NEW].map((phone) => toJid(phone)).sort());
		expect((await table.rows()).map(({ note }) => note)).toEqual(Array(5).fill('mine'));
		expect(await results()).toEqual([
			...MEMBERS.map((phone) => [phone, 'unchanged: Was already a member of the group.']),
			[NEW, 'done: Added to the group.'],
			[INVITE_ONLY, expect.stringMatching(/^inviteRequired: Couldn't be added/)],
		]);
	});

	test("is a red run that changes nobody where a row can't be read", async () => {
		await table.add({ phone: 'ask Maria' });
		await table.remove('phone', NEW);
		const before = { members: members(), results: await results() };
		const { status, error } = await runByHand(setting().server.rest, workflow);

		expect({ status, message: error?.message }).toEqual({
			status: 'error',
			message: expect.stringMatching(/^Nothing was changed: 1 of 5 rows can't be read: .*"ask Maria"/),
		});
		expect({ members: members(), results: await results() }).toEqual(before);
	});
});
