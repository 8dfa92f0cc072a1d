import { toJid, type Call } from '../../test/gateway/gateway';
import { CUSTOMERS } from '../../test/gateway/seed';
import { until } from '../support/children';
import { resultOf } from '../support/executions';
import { startGate, type Gate } from '../support/gate';
import { adding, ownNode } from '../support/published';
import { publishBehindGate } from '../support/scheduled';
import { withServer } from '../support/under-test';
import { callWebhook, publishWebhook } from '../support/webhook';

/** Long enough for a run to be stopped between two of its requests. */
const INTERVAL = 6000;
/** Timers may be early by this much, in ms. */
const CLOCK = 10;
const STOPPED = ['5511990000110', '5511990000111', '5511990000112'];
const OTHER = ['5511990000120', '5511990000121'];
const LATER = '5511990000130';

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(900_000);
let gate: Gate;
beforeAll(async () => (gate = await startGate()));
afterAll(async () => await gate.close());

describe.each([
	['in one process', 'regular', 1],
	['on two workers', 'queue', 2],
] as const)('two scheduled runs at once on one account %s', (_, mode, queues) => {
	const setting = withServer({}, { mode });

	const callsFor = (phones: string[]): Call[] =>
		setting().gateway.calls.filter(({ body }) =>
			phones.some((phone) => JSON.stringify(body)?.includes(phone)),
		);

	test('keep their pauses; where one is stopped between two changes, the other goes on, and a later one is not held up', async () => {
		const { gateway, server } = setting();
		const { rest } = server;
		await publishWebhook(rest, 'later', adding(INTERVAL));
		const [stopped = '', other = ''] = await Promise.all(
			[STOPPED, OTHER].map(async (phones) => {
				// With +, so that nobody asks for the own account, which takes no turn.
				const participants = phones.map((phone) => `+${phone}`).join();
				const operation = ownNode(participants, adding(INTERVAL, { participants }));
				return await gate.letOne(await publishBehindGate(rest, gate, operation));
			}),
		);
		await until('The first change', () => callsFor(STOPPED)[0]?.finishedAt ?? undefined);
		await rest.post(`/rest/executions/${stopped}/stop`, {});
		expect((await resultOf(rest, stopped)).status).toBe('canceled');
		expect((await resultOf(rest, other)).status).toBe('success');
		expect(await callWebhook(rest, 'later', [`+${LATER}`])).toMatchObject([{ outcome: 'done' }]);

		expect(callsFor(STOPPED)).toHaveLength(1);
		expect(gateway.group('main', CUSTOMERS)?.members).toEqual(
			expect.arrayContaining([...STOPPED.slice(0, 1), ...OTHER, LATER].map((phone) => toJid(phone))),
		);
		expect(gateway.maxConcurrent).toBeLessThanOrEqual(queues);
		// Each process has a queue of its own.
		const paced = queues === 1 ? gateway.calls : callsFor(OTHER);
		const pauses = paced.slice(1).map(({ startedAt }, i) => startedAt - (paced[i]?.finishedAt ?? Infinity));
		expect(Math.min(...pauses)).toBeGreaterThanOrEqual(INTERVAL - CLOCK);
	});
});
