import { given, retry, runByHand, type Execution } from '../support/executions';
import { startGate, type Gate } from '../support/gate';
import { addWorkflow, builtInNode, locator, ownNode, type WorkflowNode } from '../support/published';
import { nextRun, publishBehindGate } from '../support/scheduled';
import type { Workflow } from '../support/site';
import { withServer } from '../support/under-test';
import type { FaultKind } from '../../test/gateway/faults';
import { CUSTOMERS, defaultSeed } from '../../test/gateway/seed';

const DAY = 86_400_000;
const NOT_ADMIN = '120363000000000006@g.us';
/** A mistyped ID, of no group at all. */
const NO_GROUP = '120363000000000998@g.us';
const ROW_GROUP = '={{ $json.groupJid }}';
/** The groups of thirty courses. */
const COURSES = Array.from({ length: 30 }, (_, i) => `1203630000000007${10 + i}@g.us`);
const seed = structuredClone(defaultSeed);
const [main] = seed.instances;
for (const jid of COURSES)
	main?.groups.push({ jid, subject: 'Course', members: ['5511990000001'], admins: ['5511990000001'] });

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
let gate: Gate;
beforeAll(async () => (gate = await startGate()));
afterAll(async () => await gate.close());
const setting = withServer({ generation: '2.3', seed }, { workflows: [] });

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

test('dry runs behind one of Create send nothing; without Dry Run the same nodes make, fill and write', async () => {
	const sync = (more: object) => node('syncParticipants', { participants: '={{ $json.phone }}', ...more });
	const begin = (dryRun: boolean) => [create({ dryRun }), sync({ dryRun }), greet({ dryRun })];
	const dryRun = true;
	const all = [
		...begin(dryRun),
		node('update', { dryRun, updateFields: { subject: 'New' } }),
		node('resetInviteLink', { dryRun }),
		node('leave', { dryRun }),
	];
	const rows = people(2).map((row) => ({ ...row, course: 'Dry' }));
	const dry = await requestsOf(async () => await run(all, rows));
	expect(dry.execution.error).toBeUndefined();
	for (const { name } of all) expect([name, outcomes(dry.execution, name)]).toEqual([name, ['planned null']]);
	// The own account is asked for once in a process.
	expect({ fetchInstances: 1, ...dry.routes }).toEqual({ fetchInstances: 1, fetchAllGroups: 1 });

	const real = await requestsOf(async () => await run(begin(false), rows));
	expect(real.execution.error).toBeUndefined();
	expect(begin(false).map(({ name }) => outcomes(real.execution, name))).toEqual([
		...[['done true'], ['unchanged true'], ['sent true']],
	]);
	expect(real.routes).toMatchObject({ create: 1, sendText: 1 });
	expect(created().filter(({ subject }) => subject === 'Dry')).toHaveLength(1);
});

test('dry runs of all operations on a group read it once, and send nothing', async () => {
	const shared = { group: locator('id', CUSTOMERS), dryRun: true };
	const all = [
		node('update', { ...shared, updateFields: { subject: 'New' } }),
		greet(shared),
		node('resetInviteLink', shared),
		node('leave', shared),
	];
	const { execution, routes } = await requestsOf(async () => await run(all, people(2)));
	expect(execution.error).toBeUndefined();
	for (const { name } of all) expect([name, outcomes(execution, name)]).toEqual([name, ['planned null']]);
	expect(routes).toEqual({ findGroupInfos: 1 });
});

test('to leave a mistyped ID is an error, and the gateway is asked to leave nothing', async () => {
	const { calls } = setting().gateway;
	const before = calls.length;
	const { status, error } = await run([node('leave', { group: locator('id', NO_GROUP) })], [{}]);
	expect(status).toBe('error');
	expect(error?.message).toMatch(/^Nothing was changed: the group couldn't be read/);
	expect(calls.slice(before).map(({ path }) => path.split('/')[2])).toEqual(['findGroupInfos']);
});

test('more messages than the maximum are not sent at all; with a higher one each of thirty groups gets one', async () => {
	const rows = COURSES.map((groupJid) => ({ groupJid, course: 'thirty' }));
	const refused = await requestsOf(async () => await run([greet()], rows));
	expect(refused.execution).toMatchObject({
		status: 'error',
		error: { message: expect.stringContaining('30 messages, and Maximum Messages per Run is 10') },
	});
	expect(refused.routes).toEqual({});
	const limits = { maxPerRun: 30 };
	const sent = await requestsOf(async () => await run([greet({ limits })], rows));
	expect(given(sent.execution, 'sendMessage').map(({ outcome }) => outcome)).toEqual(rows.map(() => 'sent'));
	expect(sent.routes).toEqual({ findGroupInfos: 30, sendText: 30 });
});

test('thirty groups are renamed in one run, and a second run changes none of them', async () => {
	const rename = node('update', { updateFields: { subject: '={{ $json.course }}' } });
	const rows = COURSES.map((groupJid, i) => ({ groupJid, course: `Course ${i}` }));
	const first = await requestsOf(async () => await run([rename], rows));
	expect(outcomes(first.execution, 'update')).toEqual(['done true']);
	// Each is read before, and after.
	expect(first.routes).toEqual({ findGroupInfos: 60, updateGroupSubject: 30 });
	const second = await requestsOf(async () => await run([rename], rows));
	expect(outcomes(second.execution, 'update')).toEqual(['unchanged true']);
	expect(second.routes).toEqual({ findGroupInfos: 30 });
	const subjects = COURSES.map((jid) => setting().gateway.group('main', jid)?.subject);
	expect(subjects).toEqual(rows.map(({ course }) => course));
});

test.each([
	['was refused', 'forbidden', 'success'],
	['may have been sent', 'reset-after', 'error'],
] as const)(
	'a retry in the morning writes to no group again, where a message of the night %s',
	async (_, kind, becomes) => {
		const { gateway, server } = setting();
		const workflow = await publishBehindGate(server.rest, gate, greet({ message: `Night: ${kind}` }));
		const groups = COURSES.slice(0, 3);
		const before = gateway.messages.length;
		gateway.fault({ kind, on: ({ path }) => path.includes('/sendText/'), after: 1, times: 1 });
		const rows = groups.map((groupJid) => ({ groupJid }));
		const night = await nextRun(server.rest, gate, workflow, rows);
		expect(night.status).toBe('error');
		await setting().later(DAY / 2);
		expect((await retry(server.rest, night.id)).status).toBe(becomes);
		expect(gateway.messages.slice(before).map(({ to }) => to)).toEqual(groups);
	},
);

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
