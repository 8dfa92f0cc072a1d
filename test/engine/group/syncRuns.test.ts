import { KINDS, kindsSeed, type FaultKind, type Gateway } from '../../gateway/gateway';
import {
	describeOnEngine,
	REGULAR_OUTPUT,
	runNode,
	syncParameters,
	withGateways,
	type NodeSettings,
} from '../support';

const NEWCOMERS = ['4915200000001', '4915200000002', '4915200000003', '4915200000004'];
const [ANA = '', BO = ''] = NEWCOMERS;

const parametersOf = (options: object, more: object = {}) =>
	syncParameters({ shouldBeMember: '={{ $json.stays ?? true }}', options, ...more });

function asked(gateway: Gateway, action = 'add'): string[] {
	return gateway.calls
		.filter(({ path }) => path.includes('/updateParticipant/'))
		.map(({ body }) => JSON.parse(JSON.stringify(body)))
		.filter((body) => body.action === action)
		.flatMap(({ participants }) => participants);
}

describeOnEngine('what a run of Sync says of people over a limit', (engine) => {
	const start = withGateways();

	it.each<[string, object, string]>([
		[
			'run it again',
			{ maxAdditions: 1 },
			"Postponed: over 'Maximum Additions per Run'. Run it again to go on.",
		],
		[
			'nothing was sent, in a dry run',
			{ maxAdditions: 1, dryRun: true },
			"Would be postponed: over 'Maximum Additions per Run'. Dry run: nothing was sent.",
		],
	])('is: %s', async (_, options, message) => {
		const gateway = await start({ seed: kindsSeed });
		const rows = [{ phone: ANA }, { phone: BO }];
		const { main } = await runNode(engine(), gateway, parametersOf(options), rows);

		expect(main[1]?.json.message).toBe(message);
	});
});

describeOnEngine('the hint of a run of Sync', (engine) => {
	const start = withGateways();

	it('says who stays because an item is not valid', async () => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = parametersOf({ maxRemovalPercent: 100 }, { unlisted: 'remove' });
		const rows = [{ phone: '5521990000003' }, { phone: 'nobody' }];
		const { hints } = await runNode(engine(), gateway, parameters, rows, REGULAR_OUTPUT);

		expect(hints.join()).toContain('1 member not in the list stays until all items are valid');
	});
});

describeOnEngine('a change of which nothing is known', (engine) => {
	const start = withGateways();

	async function sync(kind: FaultKind, group: string, settings: NodeSettings = {}) {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind, on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const parameters = parametersOf({}, { group });
		const ended = await runNode(engine(), gateway, parameters, [{ phone: ANA }, { phone: BO }], settings);
		const reads = gateway.calls.filter(({ path }) => path.startsWith('/group/participants/'));
		return { ...ended, reads: reads.length };
	}

	it('ends the run with its own reason, and the group is not read again', async () => {
		const { error, reads } = await sync('reset-after', KINDS.numbers);

		expect(error?.message).toContain(
			"closed the connection before the full response arrived. It's not known",
		);
		expect(reads).toBe(1);
	});

	it.each<[string, FaultKind, string, [string, boolean | null]]>([
		['done, where the group shows them', 'reset-after', KINDS.numbers, ['done', true]],
		["rejected, where it doesn't", '500', KINDS.numbers, ['rejected', false]],
		['unconfirmed, where it hides numbers', '500', KINDS.hiddenWithoutNumbers, ['unconfirmed', null]],
	])('is no error item if the run goes on: %s', async (_, kind, group, result) => {
		const { main, reads } = await sync(kind, group, REGULAR_OUTPUT);

		expect(main.map(({ json }) => [json.outcome, json.applied])).toEqual([result, result]);
		expect(main[0]?.json.message).toContain(kind === '500' ? 'with status 500' : 'the group was read again');
		expect(reads).toBe(2);
	});
});

describeOnEngine('the tries of one execution', (engine) => {
	const start = withGateways();
	const settings = { onError: 'stopWorkflow' as const, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it('share the most additions of a run', async () => {
		const gateway = await start({ seed: kindsSeed });
		const on = ({ path }: { path: string }) => path.includes('/updateParticipant/');
		gateway.fault({ kind: '500', on, times: 1, after: 1 });
		const rows = NEWCOMERS.map((phone) => ({ phone }));
		const parameters = parametersOf({ maxAdditions: 2, batchSize: 1, maxRetries: 0 });
		const { main } = await runNode(engine(), gateway, parameters, rows, settings);

		// It isn't known what came of the second one, who takes a place and isn't sent again.
		expect(asked(gateway)).toEqual([ANA, BO]);
		expect(main.map(({ json }) => json.outcome)).toEqual([
			'unchanged',
			'unconfirmed',
			'postponed',
			'postponed',
		]);
		expect(main[1]?.json.message).toMatch(/^Was tried a moment ago/);
	});

	it('share the most removals of a run', async () => {
		const gateway = await start({ seed: kindsSeed });
		const on = ({ path }: { path: string }) => path.includes('/updateParticipant/');
		gateway.fault({ kind: '500', on, times: 1, after: 1 });
		const rows = [
			{ phone: '5521990000003', stays: false },
			{ phone: ANA },
			{ phone: '447700900004', stays: false },
		];
		await runNode(engine(), gateway, parametersOf({ maxRemovals: 1 }), rows, settings);

		expect(asked(gateway, 'remove')).toHaveLength(1);
	});

	it('go on with the same list where unlisted members are removed', async () => {
		const gateway = await start({ seed: kindsSeed });
		const on = ({ path }: { path: string }) => path.includes('/updateParticipant/');
		gateway.fault({ kind: '500', on, times: 1 });
		const parameters = parametersOf({ maxRemovalPercent: 100 }, { unlisted: 'remove' });
		const { main, error } = await runNode(engine(), gateway, parameters, [{ phone: ANA }], settings);

		expect(error).toBeUndefined();
		expect(main.map(({ json }) => json.outcome)).toEqual(['done', 'kept', 'kept', 'done', 'done']);
	});

	it("don't say that nothing was changed where only an earlier one did", async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '403', on: ({ path }) => path.includes('/updateParticipant/'), after: 1 });
		const rows = NEWCOMERS.map((phone) => ({ phone }));
		const parameters = parametersOf({ batchSize: 1, maxRetries: 0 });
		const threeTries = { ...settings, maxTries: 3 };
		const { error } = await runNode(engine(), gateway, parameters, rows, threeTries);

		expect(error?.message).toMatch(/^The gateway doesn't allow this/);
		expect(error?.message).not.toContain('Nothing was changed');
	});
});
