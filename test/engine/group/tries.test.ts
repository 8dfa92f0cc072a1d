import type { Fault, Gateway } from '../../gateway/gateway';
import { kindsSeed } from '../../gateway/gateway';
import {
	describeOnEngine,
	groupParameters,
	inviteParameters,
	runNode,
	syncParameters,
	tell,
	withGateways,
} from '../support';
import { phones, rows } from './people';

const PEOPLE = phones(4);
/** Three tries of one execution, as fast as n8n has them. */
const TRIES = { onError: 'stopWorkflow' as const, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const change: Fault['on'] = ({ path }) => /\/(updateParticipant|sendInvite)\//.test(path);
const changesOf = ({ calls }: Gateway) => calls.filter((call) => change(call));
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

		expect(changesOf(gateway)).toHaveLength(2);
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
		const pauses = changesOf(gateway).map(
			({ startedAt }, i, all) => startedAt - (all[i - 1]?.startedAt ?? -Infinity),
		);

		expect(error).toBeUndefined();
		expect(pauses).toHaveLength(3);
		// Timers may be a millisecond early.
		expect(Math.min(...pauses)).toBeGreaterThan(290);
	});

	it('invites nobody again, whose row remembers nothing yet, and gives the row what it is to remember', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '401', on: change, after: 2, times: 1 });
		const parameters = inviteParameters({ options: { memory: '' } });
		const { main } = await runNode(engine(), gateway, parameters, rows(PEOPLE.length), TRIES);

		expect(invited(gateway)).toEqual(PEOPLE);
		expect(tell(main, 'outcome')).toBe('alreadyInvited, alreadyInvited, sent, sent');
		for (const { json } of main) expect(json.memory).toMatch(/^invited \S+Z; for [\da-f]{8}$/);
	});

	it('shares the most invites of a run', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '401', on: change, after: 2, times: 1 });
		const parameters = inviteParameters({ options: { maxPerRun: 3, onlyOnce: false } });
		const { main } = await runNode(engine(), gateway, parameters, rows(PEOPLE.length), TRIES);

		expect(invited(gateway)).toEqual(PEOPLE.slice(0, 2));
		expect(main.map(({ json }) => json.outcome)).toEqual(PEOPLE.map(() => 'postponed'));
	});
});
