import { given, runByHand, type Execution } from '../support/executions';
import { addWorkflow, builtInNode, locator, ownNode, type WorkflowNode } from '../support/published';
import type { Workflow } from '../support/site';
import { withServer } from '../support/under-test';
import type { FaultKind } from '../../test/gateway/faults';
import { CUSTOMERS } from '../../test/gateway/seed';

const DAY = 86_400_000;
const NOT_ADMIN = '120363000000000006@g.us';
const ROW_GROUP = '={{ $json.groupJid }}';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer({ generation: '2.3' }, { workflows: [] });

/** The node with an operation on a group of the row, without a pause. */
const node = (
	operation: string,
	{ options, ...more }: Record<string, unknown> = {},
	settings: object = {},
) => ({
	...ownNode(operation, {
		...{ resource: 'group', operation, instance: locator('name', 'main'), group: locator('id', ROW_GROUP) },
		...{ dryRun: false, options: { batchInterval: 0, ...Object(options) }, ...more },
	}),
	...settings,
});

const create = (more: object = {}, settings: object = {}) =>
	node('create', { subject: '={{ $json.course }}', participants: '={{ $json.phone }}', ...more }, settings);
const greet = (more: object = {}, settings: object = {}) =>
	node('sendMessage', { message: '={{ "Welcome to " + $json.course }}', ...more }, settings);

/** Runs nodes one behind the other on these rows. */
async function run(nodes: WorkflowNode[], rows: object[]): Promise<Execution> {
	const { rest } = setting().server;
	const start = builtInNode('Start', 'n8n-nodes-base.manualTrigger', 1);
	const code = `return ${JSON.stringify(rows.map((json) => ({ json })))}`;
	const sheet = builtInNode('Rows', 'n8n-nodes-base.code', 2, { jsCode: code });
	const id = await addWorkflow(rest, 'Groups', [start, sheet, ...nodes]);
	return await runByHand(rest, (await rest.get(`/rest/workflows/${id}`)) as Workflow);
}

/** The requests that something makes, counted by their route. */
async function requestsOf(something: () => Promise<Execution>) {
	const { calls } = setting().gateway;
	const before = calls.length;
	const execution = await something();
	const routes: Record<string, number> = {};
	for (const { path, status } of calls.slice(before)) {
		const [, room, route = room] = path.split(/[/?]/);
		// Generation 2 lacks the published form of a change.
		if (status !== 404 && route !== undefined) routes[route] = (routes[route] ?? 0) + 1;
	}
	return { execution, routes };
}

const outcomes = (execution: Execution, name: string) => [
	...new Set(given(execution, name).map(({ outcome, applied }) => `${String(outcome)} ${String(applied)}`)),
];

const created = () =>
	setting()
		.gateway.snapshot()
		.filter(({ groupJid }) => groupJid.startsWith('12036399'));

/** People of three courses, in turn. */
const people = (amount: number) =>
	Array.from({ length: amount }, (_, i) => ({
		phone: `+${4_915_200_000_000 + i}`,
		course: ['A', 'B', 'C'][i % 3],
		name: ['A', 'B', 'C: full'][i % 3],
	}));

test('a nightly workflow makes three groups once, fills them, renames one and writes to each', async () => {
	const nightly = [
		create(),
		node('syncParticipants', { participants: '={{ $json.phone }}' }),
		node('update', { updateFields: { subject: '={{ $json.name }}' } }),
		greet(),
	];
	for (const night of [1, 2, 3]) {
		if (night > 1) await setting().later(DAY);
		// From the second night on, one more person is in the sheet, which has the new name.
		const rows = people(night === 1 ? 41 : 42).map((row) =>
			night === 1 ? row : { ...row, course: row.name },
		);
		const { execution, routes } = await requestsOf(async () => await run(nightly, rows));
		expect(execution.error).toBeUndefined();
		expect(outcomes(execution, 'create')).toEqual([night === 1 ? 'done true' : 'unchanged true']);
		// Whom Create has put in is there already.
		expect(outcomes(execution, 'syncParticipants')).toEqual([
			'unchanged true',
			...(night === 2 ? ['done true'] : []),
		]);
		expect(outcomes(execution, 'update')).toEqual(['unchanged true', ...(night === 1 ? ['done true'] : [])]);
		expect(outcomes(execution, 'sendMessage')).toEqual(['sent true']);
		expect(routes).toEqual({
			...{ participants: 3, sendText: 3 },
			// Of the new name, too, the group is remembered.
			...(night < 3 && { fetchAllGroups: 1 }),
			...(night === 1
				? { create: 3, updateGroupSubject: 1, findGroupInfos: 4, fetchInstances: 1 }
				: { findGroupInfos: 3, fetchInstances: 1 }),
			// Sync changes what Create has read.
			...(night === 2 && { updateParticipant: 1, findGroupInfos: 4 }),
		});
	}
	expect(created().map(({ subject, members }) => [subject, members.length])).toEqual([
		['A', 15],
		['B', 15],
		['C: full', 15],
	]);
});

test('dry runs of all operations send nothing, also of Sync behind Create', async () => {
	const dryRun = true;
	const group = locator('id', CUSTOMERS);
	const all = [
		create({ dryRun }),
		node('syncParticipants', { participants: '={{ $json.phone }}', dryRun }),
		node('update', { group, dryRun, updateFields: { subject: 'New' } }),
		greet({ group, dryRun }),
		node('resetInviteLink', { group, dryRun }),
		node('leave', { group, dryRun }),
	];
	const rows = people(2).map((row) => ({ ...row, course: 'Dry' }));
	const { execution, routes } = await requestsOf(async () => await run(all, rows));
	expect(execution.error).toBeUndefined();
	for (const { name } of all) expect([name, outcomes(execution, name)]).toEqual([name, ['planned null']]);
	expect(routes).toEqual({ fetchAllGroups: 1, findGroupInfos: 1 });
});

test('an account that is no admin is told so, and nothing is changed', async () => {
	const update = node('update', { group: locator('id', NOT_ADMIN), updateFields: { subject: 'New' } });
	const { error } = await run([update], [{}]);
	expect(error?.message).toMatch(
		/^Nothing was changed\. The instance's account isn't an admin of this group/,
	);
});

test('41 items are one message for each group, in each execution', async () => {
	for (const night of [1, 2]) {
		const rows = people(41).map((row, i) => ({ ...row, groupJid: [CUSTOMERS, NOT_ADMIN][i % 2], night }));
		const text = '={{ "Night " + $json.night }}';
		const { execution, routes } = await requestsOf(async () => await run([greet({ message: text })], rows));
		expect(given(execution, 'sendMessage').map(({ outcome }) => outcome)).toEqual(rows.map(() => 'sent'));
		expect(routes).toEqual({ findGroupInfos: 2, sendText: 2 });
	}
});

test('a picture is set by its address, and from a file of the item', async () => {
	const GIF = 'GIF89a, a picture';
	const file = builtInNode('File', 'n8n-nodes-base.convertToFile', 1.1, {
		...{ operation: 'toText', sourceProperty: 'text', binaryPropertyName: 'data' },
	});
	const update = node('update', { group: locator('id', CUSTOMERS), updateFields: { picture: 'data' } });
	const { execution, routes } = await requestsOf(async () => await run([file, update], [{ text: GIF }]));
	expect(outcomes(execution, 'update')).toEqual(['done true']);
	const picture = () => setting().gateway.group('main', CUSTOMERS)?.info.picture;
	expect(picture()).toBe(Buffer.from(GIF).toString('base64'));
	expect(JSON.stringify(given(execution, 'update'))).not.toContain(picture());
	expect(routes).toEqual({ findGroupInfos: 1, updateGroupPicture: 1 });
	const address = 'https://example.com/a.jpg';
	const byAddress = node('update', { group: locator('id', CUSTOMERS), updateFields: { picture: address } });
	expect(outcomes(await run([byAddress], [{}]), 'update')).toEqual(['done true']);
	expect(picture()).toBe(address);
});

test.each<FaultKind>(['closed-1006', 'reset-after'])(
	'a connection that is lost in the middle makes no second group and no second message (%s)',
	async (kind) => {
		const { gateway } = setting();
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const rows = people(3).map((row) => ({ ...row, course: `Lost ${kind}` }));
		const before = gateway.messages.length;
		gateway.fault({ kind, on: ({ path }) => path.includes('/group/create/'), times: 1 });
		// Of a group that it can't read, the gateway says that it sent nothing.
		gateway.fault({ kind: 'reset-after', on: ({ path }) => path.includes('/sendText/'), times: 1 });
		const { execution, routes } = await requestsOf(
			async () => await run([create({}, retry), greet({}, retry)], rows),
		);
		expect(outcomes(execution, 'create')).toEqual(['done true']);
		expect(execution.error?.message).toMatch(/It's not known whether the message was sent/);
		expect(routes).toMatchObject({ create: 1, sendText: 1 });
		expect(created().filter(({ subject }) => subject === `Lost ${kind}`)).toHaveLength(1);
		expect(gateway.messages).toHaveLength(before + 1);
	},
);
