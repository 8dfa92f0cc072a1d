import { until } from '../support/children';
import { resultOf, startByHand, type Execution } from '../support/executions';
import {
	adding,
	addWorkflow,
	builtInNode,
	executionIdsOf,
	locator,
	ownNode,
	publish,
	unpublish,
} from '../support/published';
import type { Workflow } from '../support/site';
import { withServer } from '../support/under-test';
import { callWebhook, publishWebhook } from '../support/webhook';

const SOMEBODY_ELSES = '120363000000000006@g.us';
const INTERVAL = 700;
/** Timers may be early by this much, in ms. */
const CLOCK = 10;
/** A run that waits this long, in ms, fails by the test's own time limit. */
const FOREVER = 3_600_000;

/** With +, so that nobody asks for the own account, which takes no turn. */
const CALLED = ['+5511990000110', '+5511990000111', '+5511990000112'];
const SCHEDULED = [
	['+5511990000120', '+5511990000121', '+5511990000122'],
	['+5511990000130', '+5511990000131', '+5511990000132'],
];
const STOPPED = '+5511990000140';
const FAILING = '+5511990000150';
const LAST = '+5511990000160';

let release = (): void => undefined;
const released = new Promise<void>((resolve) => (release = resolve));

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
const setting = withServer({ hold: async () => await released });

/** Publishes a workflow that runs every ten seconds, at the same time as others of this kind. */
async function publishSchedule(phones: string[]): Promise<string> {
	const { rest } = setting().server;
	const rule = { interval: [{ field: 'cronExpression', expression: '*/10 * * * * *' }] };
	const schedule = builtInNode('Schedule', 'n8n-nodes-base.scheduleTrigger', 1.2, { rule });
	const operation = ownNode('Operation', adding(INTERVAL, { participants: phones.join() }));
	const id = await addWorkflow(rest, phones.join(), [schedule, operation]);
	await publish(rest, id);
	return id;
}

async function startAdding(phone: string): Promise<string> {
	const { rest } = setting().server;
	const operation = ownNode('Operation', adding(FOREVER, { participants: phone }));
	const id = await addWorkflow(rest, phone, [
		builtInNode('Start', 'n8n-nodes-base.manualTrigger', 1),
		operation,
	]);
	return await startByHand(rest, (await rest.get(`/rest/workflows/${id}`)) as Workflow);
}

test('runs by schedules, a webhook and hand change an account in turns, and one that is stopped or fails holds up nobody', async () => {
	const { gateway, server } = setting();
	const { rest } = server;
	await publishWebhook(rest, 'called', adding(INTERVAL));
	await publishWebhook(rest, 'failing', adding(FOREVER, { group: locator('id', SOMEBODY_ELSES) }));
	await publishWebhook(rest, 'last', adding(INTERVAL));

	// The first request of the first run isn't answered until all others wait for their turn.
	const answers = Promise.allSettled([
		callWebhook(rest, 'called', CALLED),
		callWebhook(rest, 'failing', [FAILING]),
	]);
	await until('The first request', () => (gateway.calls.length > 0 ? true : undefined));
	const stopped = await startAdding(STOPPED);
	const workflows = await Promise.all(SCHEDULED.map(publishSchedule));
	const runs = await until('A run of each schedule', async () => {
		const ids = await Promise.all(workflows.map(async (id) => await executionIdsOf(rest, id)));
		return ids.every((some) => some.length > 0) ? ids : undefined;
	});
	await Promise.all(workflows.map(async (id) => await unpublish(rest, id)));
	await rest.post(`/rest/executions/${stopped}/stop`, {});
	expect((await resultOf(rest, stopped)).status).toBe('canceled');
	expect(gateway.calls).toHaveLength(1);
	release();

	const [called, failing] = await answers;
	expect(called).toMatchObject({ value: CALLED.map(() => ({ outcome: 'done' })) });
	expect(failing).toMatchObject({ reason: { message: expect.stringContaining('answered 500') } });
	const results: Execution[] = [];
	for (const id of runs.flat()) results.push(await resultOf(rest, id));
	expect(results.map(({ status }) => status)).toEqual(runs.flat().map(() => 'success'));

	const asked = gateway.calls.map(({ body }) => JSON.stringify(body)).join();
	for (const phone of [...CALLED, ...SCHEDULED.flat(), FAILING]) expect(asked).toContain(phone.slice(1));
	expect(asked).not.toContain(STOPPED.slice(1));
	expect(gateway.maxConcurrent).toBe(1);
	const pauses = gateway.calls
		.slice(1)
		.map(({ startedAt }, i) => startedAt - (gateway.calls[i]?.finishedAt ?? Infinity));
	expect(Math.min(...pauses)).toBeGreaterThanOrEqual(INTERVAL - CLOCK);

	// Who is stopped or fails keeps no turn, and of two pauses the shorter one counts.
	expect(await callWebhook(rest, 'last', [LAST])).toMatchObject([{ outcome: 'done' }]);
});
