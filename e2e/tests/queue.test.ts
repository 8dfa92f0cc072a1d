import { startGateway, type Gateway } from '../../test/gateway/gateway';
import { until, type Child } from '../support/children';
import { given, resultOf, startByHand } from '../support/executions';
import { startServices, type Services } from '../support/services';
import { readExample, Site, type Server, type Workflow } from '../support/site';
import { underTest } from '../support/under-test';
import { CUSTOMERS } from '../../test/gateway/seed';

const RUNS = 20;
/** So that n8n reports a lost worker, and in seconds. */
const REPORT_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
	// n8n 1.x would start the run again on the other worker by itself; 2.x never does.
	QUEUE_WORKER_MAX_STALLED_COUNT: '0',
};
const sheet = readExample('update-a-group-from-a-sheet');
const rows = sheet.pinData['Read rows'] ?? [];
const workflow: Workflow = {
	...sheet,
	pinData: { ...sheet.pinData, 'Write results': [{ json: {} }] },
};

let gateway: Gateway;
let services: Services;
let site: Site;
let server: Server;
let workers: Child[];

async function startWorker(): Promise<Child> {
	const worker = await site.spawn(['worker']);
	await until('Worker', () => (worker.output.includes('n8n worker is now ready') ? true : undefined), {
		child: worker,
	});
	return worker;
}

/** The executions that a worker took. */
function takenBy(worker: Child | undefined): string[] {
	const lines = worker?.output.matchAll(/Worker started execution (\d+)/g) ?? [];
	return [...lines].map(([, id]) => id ?? '');
}

beforeAll(async () => {
	const { line, packedNode } = underTest();
	gateway = await startGateway();
	services = await startServices();
	site = await Site.create(line, packedNode, { ...services.env, ...REPORT_SOON });
	await site.seed(gateway);
	server = await site.start();
	await server.rest.patch(`/rest/workflows/${workflow.id}`, { pinData: workflow.pinData });
	workers = [await startWorker(), await startWorker()];
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
		expect(results.map(({ applied }) => applied)).toEqual([true, true, true, false, false, true, true, true]);
	}
	// The rows of a run make five requests, the fewest possible.
	expect(gateway.calls).toHaveLength(RUNS * 5);
	const taken = workers.map((worker) => takenBy(worker).length);
	expect(taken.reduce((sum, count) => sum + count, 0)).toBe(RUNS);
	expect(Math.min(...taken)).toBeGreaterThan(0);
	process.stdout.write(
		`Queue mode: ${RUNS} runs of ${rows.length} rows at once in ${seconds.toFixed(1)} s, ` +
			`${taken.join(' and ')} on the two workers, ${gateway.calls.length} requests\n`,
	);
});

test('a run whose worker is killed is reported as failed, and the same rows again end in the state asked for', async () => {
	const { rest } = server;
	const before = gateway.calls.length;
	const lost = await startByHand(rest, workflow);
	await until('The first request of the run', () => (gateway.calls.length > before ? true : undefined));
	const worker = await until('Its worker', () => workers.find((one) => takenBy(one).includes(lost)));
	await worker.kill();

	// Depends on which part of n8n finds out first.
	const { status } = await resultOf(rest, lost);
	expect(['crashed', 'error']).toContain(status);

	const repeated = await resultOf(rest, await startByHand(rest, workflow));
	expect(repeated.status).toBe('success');
	const applied = given(repeated, 'Update participants').map((result) => result.applied);
	expect(applied).toEqual([true, true, true, false, false, true, true, true]);
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
