import { setTimeout as wait } from 'node:timers/promises';
import { type Call, type Gateway, type Fault, kindsSeed } from '../../gateway/gateway';
import {
	describeEachLine,
	groupParameters,
	inviteParameters,
	REGULAR_OUTPUT,
	runNode,
	withGateways,
	describeOnEngine,
	syncParameters,
	tell,
} from '../support';
import { CUSTOMERS, abroad as rows, phones } from './people';

/** A test that waits this long, in ms, fails by its own time limit. */
const FOREVER = 3_600_000;
const INTERVAL = 150;
/** Timers may be early by this much, in ms. */
const CLOCK = 10;

/** Without the questions for the live state. */
const changesOf = ({ calls }: Gateway): Call[] => calls.filter(({ path }) => path.startsWith('/group/'));

/** From the arrival of each change to that of the next one, in ms: when a reply has gone, a busy gateway sees too late. */
function distancesOf(gateway: Gateway): number[] {
	const calls = changesOf(gateway);
	return calls.slice(1).map(({ startedAt }, i) => startedAt - (calls[i]?.startedAt ?? Infinity));
}

describeEachLine('pauses between requests', (engine) => {
	const start = withGateways();
	const paced = (options: object) =>
		groupParameters({ group: '={{ $json.group }}', options: { batchSize: 2, ...options } });
	const inGroup = (group: string, amount: number) => rows(amount).map((row) => ({ ...row, group }));

	it('waits after a request that failed, too', async () => {
		const gateway = await start();
		gateway.fault({ kind: '500', times: 1 });
		await runNode(
			engine(),
			gateway,
			paced({ batchInterval: INTERVAL }),
			inGroup(CUSTOMERS, 4),
			REGULAR_OUTPUT,
		);
		expect(changesOf(gateway)).toHaveLength(2);
		for (const distance of distancesOf(gateway)) expect(distance).toBeGreaterThanOrEqual(INTERVAL - CLOCK);
	});

	it('waits as long before it repeats a request', async () => {
		const gateway = await start();
		gateway.fault({ kind: '429', times: 1 });
		await runNode(engine(), gateway, paced({ batchInterval: 1_500 }), inGroup(CUSTOMERS, 2));
		expect(gateway.calls.map(({ status }) => status)).toEqual([429, 201]);
		expect(gateway.calls[1]?.body).toEqual(gateway.calls[0]?.body);
		for (const distance of distancesOf(gateway)) expect(distance).toBeGreaterThanOrEqual(1_500 - CLOCK);
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
		const items = inGroup(CUSTOMERS, 8);
		const { main } = await runNode(
			engine(),
			gateway,
			paced({ batchInterval: FOREVER }),
			items,
			REGULAR_OUTPUT,
		);
		expect(main).toHaveLength(8);
		expect(gateway.calls).toHaveLength(1);
	});

	/** Cancels a moment after the reply, since the pause begins when the node has read it: once, or the next test's run ends, too. */
	const cancelAfter = (path: RegExp) => (call: Call) =>
		path.test(call.path) && void wait(200).then(() => engine().cancel());

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'sends nothing more when the execution is canceled in a pause (on error: %s)',
		async (onError) => {
			const gateway = await start({ onCall: cancelAfter(/updateParticipant/) });
			const parameters = paced({ batchInterval: FOREVER });
			const { run } = await runNode(engine(), gateway, parameters, inGroup(CUSTOMERS, 6), { onError });
			expect(run.status).toBe('canceled');
			await wait(200);
			expect(gateway.calls).toHaveLength(1);
		},
	);

	it('ends a request that is under way when the execution is canceled', async () => {
		let end = (_call: Call): void => undefined;
		const ended = new Promise((resolve) => (end = resolve));
		const gateway = await start({ onCall: (call) => end(call) });
		const cancel = () => {
			engine().cancel();
			return true;
		};
		gateway.fault({ kind: 'hang', on: cancel });
		const parameters = paced({ timeout: FOREVER });
		const { run } = await runNode(engine(), gateway, parameters, inGroup(CUSTOMERS, 6));
		expect(run.status).toBe('canceled');
		await ended;
		expect(gateway.calls).toHaveLength(1);
	});

	const inviting = (options: object) => inviteParameters({ instance: 'main', group: CUSTOMERS, options });

	it('looks up what became of an invite half a second later, before anything else is sent', async () => {
		const gateway = await start({ generation: '2.3' });
		await runNode(engine(), gateway, inviting({}), rows(2));
		expect(gateway.calls.map(({ path }) => path.split('/')[2]).slice(1)).toEqual(
			Array(2).fill(['findMessages', 'sendInvite', 'findMessages']).flat(),
		);
		const [, , message, lookUp] = gateway.calls;
		expect((lookUp?.startedAt ?? 0) - (message?.startedAt ?? Infinity)).toBeGreaterThanOrEqual(500 - CLOCK);
	});

	it('keeps nothing of an invite where the run is canceled in the pause after it', async () => {
		const gateway = await start({ onCall: cancelAfter(/sendInvite/) });
		const how = { mode: 'trigger' } as const;
		const { run } = await runNode(engine(), gateway, inviting({ batchInterval: FOREVER }), rows(2), {}, how);
		expect([run.status, run.staticData]).toEqual(['canceled', {}]);
	});
});

const PEOPLE = phones(4);
/** Three tries of one execution, as fast as n8n has them. */
const TRIES = { onError: 'stopWorkflow' as const, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const change: Fault['on'] = ({ path }) => /\/(updateParticipant|sendInvite)\//.test(path);
const changesIn = ({ calls }: Gateway) => calls.filter((call) => change(call));
const invited = ({ messages }: Gateway) => messages.map(({ to }) => to.split('@')[0]);

// A round of a loop, or an agent's next call, is the same to the node: another run in the same execution.
describeOnEngine('the next try of an execution', (engine) => {
	const start = withGateways();

	it.each([
		['update', groupParameters({ options: { batchSize: 1 } }), {}],
		['sync', syncParameters({ options: { batchSize: 1 } }), { seed: kindsSeed }],
	])('sends nothing more after the network has limited the account: %s', async (_, parameters, options) => {
		const gateway = await start(options);
		gateway.fault({ kind: 'rate-overlimit', on: change, after: 1 });
		const { error } = await runNode(engine(), gateway, parameters, rows(PEOPLE.length), TRIES);

		expect(changesIn(gateway)).toHaveLength(2);
		expect(error?.message).toContain('The messaging network is rate limiting this account');
		expect(error?.message).not.toMatch(/Nothing was (changed|sent)/);
		expect(error?.description).toContain('Wait a few hours');
	});

	it("doesn't say that nothing was changed, where an invite was sent before", async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '401', on: change, after: 1 });
		const { error } = await runNode(engine(), gateway, inviteParameters(), rows(PEOPLE.length), TRIES);

		expect(invited(gateway)).toEqual(PEOPLE.slice(0, 1));
		expect(error?.message).toContain('The gateway refused the API key');
		expect(error?.message).not.toContain('Nothing was changed');
	});

	it('keeps the pause after the last reply of the one before', async () => {
		const gateway = await start();
		gateway.fault({ kind: '403', on: change, times: 2 });
		const parameters = groupParameters({ options: { batchInterval: 300 } });
		const { error } = await runNode(engine(), gateway, parameters, rows(PEOPLE.length), TRIES);
		const pauses = changesIn(gateway).map(
			({ startedAt }, i, all) => startedAt - (all[i - 1]?.startedAt ?? -Infinity),
		);

		expect(error).toBeUndefined();
		expect(pauses).toHaveLength(3);
		// Timers may be a millisecond early.
		expect(Math.min(...pauses)).toBeGreaterThan(290);
	});

	it('invites nobody again, whatever else it has to do', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '401', on: change, after: 2, times: 1 });
		const parameters = inviteParameters();
		const { main } = await runNode(engine(), gateway, parameters, rows(PEOPLE.length), TRIES);

		expect(invited(gateway)).toEqual(PEOPLE);
		expect(tell(main, 'outcome')).toBe('alreadyInvited, alreadyInvited, sent, sent');
	});

	it('shares the most invites of a run', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '401', on: change, after: 2, times: 1 });
		const parameters = inviteParameters({ options: { maxPerRun: 3, onlyOnce: false } });
		const { main } = await runNode(engine(), gateway, parameters, rows(PEOPLE.length), TRIES);

		expect(invited(gateway)).toEqual(PEOPLE.slice(0, 2));
		const outcomes = PEOPLE.map((_, i) => (i < 2 ? 'alreadyInvited' : 'postponed'));
		expect(main.map(({ json }) => json.outcome)).toEqual(outcomes);
	});
});
