import { startGateway, type Call, type Gateway } from '../../test/gateway/gateway';
import { until, type Child } from '../support/children';
import { notDry, runExample } from '../support/example-runs';
import { given, resultOf, startByHand, type Execution } from '../support/executions';
import { executionsOf, locator } from '../support/published';
import { startServices, type Services } from '../support/services';
import { readExample, Site, type Server, type Workflow } from '../support/site';
import { Table } from '../support/tables';
import { underTest } from '../support/under-test';
import { Watcher } from '../support/watcher';
import { callWebhook, publishWebhook } from '../support/webhook';
import { REPORT_LOST_WORKERS, startWorker, takenBy } from '../support/workers';
import { CUSTOMERS } from '../../test/gateway/seed';

const RUNS = 20;
const RUNS_ONE_BY_ONE = 6;
/** One more than a worker takes at once. */
const RUNS_FOR_BOTH = 11;
const WATCHED = '120363000000000002@g.us';
const PEOPLE = ['5511990000100', '5511990000101', '5511990000102', '5511990000103'];
/** Can't be added by others, only invited. */
const INVITE_ONLY = '5511990000403';
const LEAVER = '5521990000003';
/** What became of each row but the removal: of a number with two forms, a second run can't know that it is gone. */
const APPLIED = [true, true, true, false, null, true, true];
/** n8n 2.x gives its workers no static data, so each run starts without what an earlier one has kept. */
const remembers = underTest().line.number === 1;
const sheet = readExample('update-a-group-from-a-sheet');
const rows = sheet.pinData['Read rows'] ?? [];
const workflow: Workflow = { ...sheet, pinData: { ...sheet.pinData, 'Write results': [{ json: {} }] } };

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
let gateway: Gateway;
/** Changes are not answered before. */
let changesMay = Promise.resolve();
let services: Services;
let site: Site;
let server: Server;
let workers: Child[];

function appliedOf(execution: Execution): unknown[] {
	const results = given(execution, 'Update participants');
	return results.filter(({ action }) => action !== 'remove').map(({ applied }) => applied);
}

beforeAll(async () => {
	const { line, packedNode } = underTest();
	gateway = await startGateway({
		hold: async ({ method }) => await (method === 'PUT' ? changesMay : undefined),
	});
	services = await startServices();
	site = await Site.create(line, packedNode, { ...services.env, ...REPORT_LOST_WORKERS });
	await site.seed(gateway);
	server = await site.start();
	await server.rest.patch(`/rest/workflows/${workflow.id}`, { pinData: workflow.pinData });
	workers = [await startWorker(site), await startWorker(site)];
});

afterAll(async () => {
	await site?.remove();
	await services?.stop();
	await gateway?.close();
});

test(`${RUNS} runs at once are shared by both workers, and every row of each is accounted for`, async () => {
	const { rest } = server;
	const startedAt = Date.now();
	const ids = await Promise.all(Array.from({ length: RUNS }, async () => await startByHand(rest, workflow)));
	const executions = await Promise.all(ids.map(async (id) => await resultOf(rest, id)));
	const seconds = (Date.now() - startedAt) / 1000;

	expect(executions.map(({ status }) => status)).toEqual(ids.map(() => 'success'));
	for (const execution of executions) {
		const results = given(execution, 'Update participants');
		expect(results.map(({ participant }) => participant)).toEqual(rows.map(({ json }) => json.phone));
		expect(appliedOf(execution)).toEqual(APPLIED);
	}
	// A run makes four requests, the fewest possible: for its own account, and a removal, an addition and a promotion.
	expect(gateway.calls).toHaveLength(RUNS * 4);
	const taken = workers.map((worker) => takenBy(worker).length);
	expect(taken.reduce((sum, count) => sum + count, 0)).toBe(RUNS);
	expect(Math.min(...taken)).toBeGreaterThan(0);
	process.stdout.write(
		`Queue mode: ${RUNS} runs of ${rows.length} rows at once in ${seconds.toFixed(1)} s, ` +
			`${taken.join(' and ')} on the two workers, ${gateway.calls.length} requests\n`,
	);
});

test('each change of members starts one run on one worker, also where the main process was restarted', async () => {
	const surroundings = () => ({ gateway, rest: server.rest });
	const group = { instance: locator('name', 'main'), group: locator('id', WATCHED) };
	const parameters = { event: 'participantsChanged', ...group };
	const watcher = await Watcher.create(surroundings, 'Changed', parameters, '/group/participants/main');
	await watcher.publish();
	for (const person of PEOPLE) {
		gateway.network.join('main', WATCHED, person);
		await watcher.polls(1);
	}
	const joined = await watcher.news(PEOPLE.length);
	expect(joined.map(({ change, participant }) => [change, participant])).toEqual(
		PEOPLE.map((person) => ['joined', person]),
	);

	await server.process.stop();
	for (const person of PEOPLE) gateway.network.leave('main', WATCHED, person);
	server = await site.start();
	const left = await watcher.news(PEOPLE.length);
	expect(left.map(({ change, participant }) => `${change} ${participant}`).sort()).toEqual(
		PEOPLE.map((person) => `left ${person}`),
	);
	await watcher.unpublish();

	const ids = (await executionsOf(server.rest, watcher.id)).map(({ id }) => id);
	const taken = workers.flatMap(takenBy).filter((id) => ids.includes(id));
	expect(taken.sort()).toEqual(ids.sort());
});

test(`a run ${remembers ? 'knows' : 'does not know'} who was invited and who was refused by an earlier one`, async () => {
	const { rest } = server;
	const group = { instance: locator('name', 'main'), group: locator('id', CUSTOMERS) };
	const shared = { ...group, options: { batchInterval: 0 } };
	await publishWebhook(rest, 'invite', { operation: 'sendInvite', message: 'Join us:', ...shared });
	await publishWebhook(rest, 'sync', { operation: 'syncParticipants', ...shared });
	const outcomes = { invite: new Array<unknown>(), sync: new Array<unknown>() };
	for (let i = 0; i < RUNS_ONE_BY_ONE; i++)
		for (const path of ['invite', 'sync'] as const) {
			const [item] = await callWebhook(rest, path, [INVITE_ONLY]);
			outcomes[path].push(item?.outcome);
		}
	const later = (outcome: string) => Array.from({ length: RUNS_ONE_BY_ONE - 1 }, () => outcome);
	expect(outcomes).toEqual({
		invite: ['sent', ...later(remembers ? 'alreadyInvited' : 'sent')],
		sync: ['inviteRequired', ...later(remembers ? 'postponed' : 'inviteRequired')],
	});
});

// n8n 1.x can't make a Data Table in a workflow.
(remembers ? test.skip : test)(
	'rows remember who left and who was invited, night after night, whichever worker has the run',
	async () => {
		const nightly = async () => await runExample(server.rest, 'keep-a-group-equal-to-a-data-table', notDry);
		const messages = gateway.messages.length;
		await nightly();
		const list = await Table.named(server.rest, `Group Customers ${CUSTOMERS}`);
		await list.add({ phone: INVITE_ONLY });
		gateway.network.leave('main', CUSTOMERS, `${LEAVER}@s.whatsapp.net`);
		const outcomes: unknown[] = [];
		const runs: Execution[] = [];
		for (let night = 0; night < 5; night++) {
			if (night === 2) {
				await server.process.stop();
				server = await site.start();
			}
			if (night === 4) await list.change('phone', `+${LEAVER}`, { memory: null });
			runs.push(await nightly());
			const rows = await list.rows();
			outcomes.push(
				[`+${LEAVER}`, INVITE_ONLY].map((one) => rows.find(({ phone }) => phone === one)?.outcome),
			);
		}
		expect(outcomes).toEqual([
			['left', 'sent'],
			['left', 'alreadyInvited'],
			['left', 'alreadyInvited'],
			['left', 'alreadyInvited'],
			['done', 'alreadyInvited'],
		]);
		expect(gateway.messages).toHaveLength(messages + 1);
		const taken = workers.flatMap(takenBy);
		expect(runs.filter(({ id }) => !taken.includes(id))).toEqual([]);
	},
);

test('runs whose worker is killed are reported as failed, those of the other one go on, and the same rows again end in the state asked for', async () => {
	const { rest } = server;
	let release = (): void => undefined;
	changesMay = new Promise((resolve) => (release = resolve));
	const starting = Array.from({ length: RUNS_FOR_BOTH }, async () => await startByHand(rest, workflow));
	const ids = await Promise.all(starting);
	const isUnderWay = ({ method, finishedAt }: Call) => method === 'PUT' && finishedAt === null;
	await until('A change by each worker', () => {
		const taken = workers.flatMap(takenBy);
		const areTaken = ids.every((id) => taken.includes(id));
		return areTaken && gateway.calls.filter(isUnderWay).length === workers.length ? true : undefined;
	});
	const [killed] = workers;
	await killed?.kill();
	release();

	for (const id of ids) {
		const execution = await resultOf(rest, id);
		if (takenBy(killed).includes(id)) {
			// Depends on which part of n8n finds out first.
			expect(['crashed', 'error']).toContain(execution.status);
		} else {
			expect(execution.status).toBe('success');
			expect(appliedOf(execution)).toEqual(APPLIED);
		}
	}

	const repeated = await resultOf(rest, await startByHand(rest, workflow));
	expect(repeated.status).toBe('success');
	expect(appliedOf(repeated)).toEqual(APPLIED);
	expect(gateway.group('main', CUSTOMERS)).toMatchObject({
		members: [
			'447700900004@s.whatsapp.net',
			'5511990000001@s.whatsapp.net',
			'5511990000100@s.whatsapp.net',
			'5511990000200@s.whatsapp.net',
			'5511990000201@s.whatsapp.net',
			'5521990000003@s.whatsapp.net',
		],
		admins: ['447700900004@s.whatsapp.net', '5511990000001@s.whatsapp.net'],
	});
});
