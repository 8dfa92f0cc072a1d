import { toJid, type Call } from '../../test/gateway/gateway';
import { until } from '../support/children';
import { notDry, withoutPauses } from '../support/example-runs';
import { given, resultOf, startByHand, type Execution } from '../support/executions';
import { executionsOf, locator } from '../support/published';
import { readExample, type Workflow } from '../support/site';
import { underTest, withServer } from '../support/under-test';
import { Watcher } from '../support/watcher';
import { callWebhook, publishWebhook } from '../support/webhook';
import { takenBy } from '../support/workers';
import { CUSTOMERS } from '../../test/gateway/seed';

const RUNS = 20;
const RUNS_ONE_BY_ONE = 6;
/** One more than a worker takes at once. */
const RUNS_FOR_BOTH = 11;
const WATCHED = '120363000000000002@g.us';
const PEOPLE = ['5511990000100', '5511990000101', '5511990000102', '5511990000103'];
/** Can't be added by others, only invited. */
const INVITE_ONLY = '5511990000403';
/** What became of each row but the removal: two are added, and one who is no member can't be promoted. */
const APPLIED = [true, true, false];
/** n8n 2.x gives its workers no static data: each knows only of its own runs. */
const remembers = underTest().line.number === 1;
const sheet = readExample('update-a-group-from-a-sheet');
/** The recipe's rows, of which the third one asks for a promotion. */
const rows = (sheet.pinData['Read rows'] ?? []).map(({ json }, i) => ({
	json: i === 2 ? { ...json, action: 'promote' } : json,
}));
const nodes = sheet.nodes.map((node) => notDry(withoutPauses(node)));
const pinData = { ...sheet.pinData, 'Read rows': rows, 'Write results': [{ json: {} }] };
const workflow: Workflow = { ...sheet, nodes, pinData };

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
/** Changes are not answered before. */
let changesMay = Promise.resolve();
const hold = async ({ method }: Call) => await (method === 'PUT' ? changesMay : undefined);
const setting = withServer({ hold }, { mode: 'queue' });

function appliedOf(execution: Execution): unknown[] {
	const results = given(execution, 'Update participants');
	return results.filter(({ action }) => action !== 'remove').map(({ applied }) => applied);
}

beforeAll(async () => {
	await setting().server.rest.patch(`/rest/workflows/${workflow.id}`, { nodes, pinData });
});

test(`${RUNS} runs at once are shared by both workers, and every row of each is accounted for`, async () => {
	const { gateway, server, workers } = setting();
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
	// A run makes three requests, the fewest possible: a removal, an addition and a promotion. The first ones ask whose account it is.
	const asked = gateway.calls.filter(({ path }) => path.includes('/fetchInstances'));
	expect(gateway.calls).toHaveLength(RUNS * 3 + asked.length);
	expect(asked.length).toBeLessThanOrEqual(RUNS);
	const taken = workers.map((worker) => takenBy(worker).length);
	expect(taken.reduce((sum, count) => sum + count, 0)).toBe(RUNS);
	expect(Math.min(...taken)).toBeGreaterThan(0);
	process.stdout.write(
		`Queue mode: ${RUNS} runs of ${rows.length} rows at once in ${seconds.toFixed(1)} s, ` +
			`${taken.join(' and ')} on the two workers, ${gateway.calls.length} requests\n`,
	);
});

test('each change of members starts one run on one worker, also where the main process was restarted', async () => {
	const { gateway, restart, workers } = setting();
	const surroundings = () => ({ gateway, rest: setting().server.rest });
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

	await restart('stop', () => PEOPLE.forEach((one) => gateway.network.leave('main', WATCHED, one)));
	const left = await watcher.news(PEOPLE.length);
	expect(left.map(({ change, participant }) => `${change} ${participant}`).sort()).toEqual(
		PEOPLE.map((person) => `left ${person}`),
	);
	await watcher.unpublish();

	const ids = (await executionsOf(surroundings().rest, watcher.id)).map(({ id }) => id);
	const taken = workers.flatMap(takenBy).filter((id) => ids.includes(id));
	expect(taken.sort()).toEqual(ids.sort());
});

test(`a run knows whom an earlier one ${remembers ? '' : 'of the same worker '}invited, and who was refused`, async () => {
	const { gateway, server, workers } = setting();
	const { rest } = server;
	const group = { instance: locator('name', 'main'), group: locator('id', CUSTOMERS) };
	const shared = { ...group, options: { batchInterval: 0 } };
	await publishWebhook(rest, 'invite', { operation: 'sendInvite', message: 'Join us:', ...shared });
	await publishWebhook(rest, 'sync', { operation: 'syncParticipants', ...shared });
	const outcomes = { invite: new Array<unknown>(), sync: new Array<unknown>() };
	const messages = gateway.messages.length;
	for (let i = 0; i < RUNS_ONE_BY_ONE; i++)
		for (const path of ['invite', 'sync'] as const) {
			const [item] = await callWebhook(rest, path, [INVITE_ONLY]);
			outcomes[path].push(item?.outcome);
		}
	for (const [path, first, again] of [
		['invite', 'sent', 'alreadyInvited'],
		['sync', 'inviteRequired', 'postponed'],
	] as const) {
		const news = outcomes[path].filter((outcome) => outcome !== again);
		expect(new Set(news)).toEqual(new Set([first]));
		expect(news.length).toBeLessThanOrEqual(remembers ? 1 : workers.length);
	}
	expect(gateway.messages.slice(messages)).toHaveLength(
		outcomes.invite.filter((outcome) => outcome === 'sent').length,
	);
});

test('runs whose worker is killed are reported as failed, those of the other one go on, and the same rows again end in the state asked for', async () => {
	const { gateway, server, workers } = setting();
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
	const members = gateway.group('main', CUSTOMERS)?.members ?? [];
	const inGroup = rows.map(({ json }) => members.includes(toJid(String(json.phone))));
	expect(inGroup).toEqual([true, true, false, false]);
});
