import { setTimeout as wait } from 'node:timers/promises';
import type { Gateway } from '../../gateway/gateway';
import { describeEachLine, groupParameters, runNode, withGateways } from '../support';
import { CUSTOMERS, JUST_ME, rows } from './people';

/** A test that waits this long, in ms, fails by its own time limit. */
const FOREVER = 600_000;
const INTERVAL = 150;
/** The reply's end and the next request's start are seen by two processes, with timers of a millisecond. */
const CLOCK = 10;

/** From the end of each call to the start of the next one, in ms. */
function pausesOf({ calls }: Gateway): number[] {
	return calls.slice(1).map(({ startedAt }, i) => startedAt - (calls[i]?.finishedAt ?? Infinity));
}

describeEachLine('pauses between requests', (engine) => {
	const start = withGateways();
	const paced = (options: object) =>
		groupParameters({ group: '={{ $json.group }}', options: { batchSize: 2, ...options } });
	const inGroup = (group: string, amount: number) => rows(amount).map((row) => ({ ...row, group }));

	it('waits after each reply before the next request, whichever group it is for', async () => {
		const gateway = await start({ latency: 60 });
		const items = [...inGroup(CUSTOMERS, 4), ...inGroup(JUST_ME, 3)];
		await runNode(engine(), gateway, paced({ batchInterval: INTERVAL }), items);
		expect(gateway.calls).toHaveLength(4);
		expect(gateway.maxConcurrent).toBe(1);
		for (const pause of pausesOf(gateway)) expect(pause).toBeGreaterThanOrEqual(INTERVAL - CLOCK);
	});

	it('waits after a request that failed, too', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500', times: 1 });
		const settings = { onError: 'continueRegularOutput' } as const;
		await runNode(engine(), gateway, paced({ batchInterval: INTERVAL }), inGroup(CUSTOMERS, 4), settings);
		expect(gateway.calls).toHaveLength(2);
		for (const pause of pausesOf(gateway)) expect(pause).toBeGreaterThanOrEqual(INTERVAL - CLOCK);
	});

	it('waits as long before it repeats a request', async () => {
		const gateway = await start();
		gateway.fault({ kind: '429', times: 1 });
		await runNode(engine(), gateway, paced({ batchInterval: 1_500 }), inGroup(CUSTOMERS, 2));
		expect(gateway.calls.map(({ status }) => status)).toEqual([429, 201]);
		for (const pause of pausesOf(gateway)) expect(pause).toBeGreaterThanOrEqual(1_500 - CLOCK);
	});

	it('waits neither before the first request nor after the last', async () => {
		const gateway = await start();
		const items = inGroup(CUSTOMERS, 2);
		const { main } = await runNode(engine(), gateway, paced({ batchInterval: FOREVER }), items);
		expect(main).toHaveLength(2);
	});

	it('does not wait for what is not sent any more', async () => {
		const gateway = await start();
		gateway.fault({ kind: '401' });
		const settings = { onError: 'continueRegularOutput' } as const;
		const items = inGroup(CUSTOMERS, 8);
		const { main } = await runNode(engine(), gateway, paced({ batchInterval: FOREVER }), items, settings);
		expect(main).toHaveLength(8);
		expect(gateway.calls).toHaveLength(1);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'sends nothing more when the execution is canceled in a pause (on error: %s)',
		async (onError) => {
			const gateway = await start();
			const settings = { onError, cancelAfter: 1_000 };
			const parameters = paced({ batchInterval: FOREVER });
			const { run } = await runNode(engine(), gateway, parameters, inGroup(CUSTOMERS, 6), settings);
			expect(run.status).toBe('canceled');
			await wait(200);
			expect(gateway.calls).toHaveLength(1);
		},
	);

	it('sends nothing more when the execution is canceled before a repetition', async () => {
		const gateway = await start();
		gateway.fault({ kind: '429' });
		const parameters = paced({ maxRetries: 30 });
		const { run } = await runNode(engine(), gateway, parameters, inGroup(CUSTOMERS, 2), { cancelAfter: 400 });
		expect(run.status).toBe('canceled');
		const sent = gateway.calls.length;
		await wait(1_200);
		expect(gateway.calls).toHaveLength(sent);
	});

	it('ends a request that is under way when the execution is canceled', async () => {
		const gateway = await start();
		gateway.fault({ kind: 'hang' });
		const settings = { cancelAfter: 700 };
		const { run } = await runNode(engine(), gateway, paced({}), inGroup(CUSTOMERS, 6), settings);
		expect(run.status).toBe('canceled');
		await wait(200);
		expect(gateway.calls).toHaveLength(1);
		expect(gateway.calls[0]?.finishedAt).not.toBeNull();
	});
});
