import { kindsSeed, type FaultKind, type Gateway } from '../../gateway/gateway';
import { describeOnEngine, REGULAR_OUTPUT, runNode, syncParameters, withGateways } from '../support';

const REFUSED = '5511990000403';
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

describeOnEngine('what a run of Sync says of the next one', (engine) => {
	const start = withGateways();

	async function said(phones: string[], options: object, mode: 'manual' | 'trigger' = 'manual') {
		const gateway = await start({ seed: kindsSeed });
		const rows = phones.map((phone) => ({ phone }));
		const { main } = await runNode(engine(), gateway, parametersOf(options), rows, {}, { mode });
		return String(main.at(-1)?.json.message);
	}

	it('is not that it goes on where it would ask for somebody refused again', async () => {
		expect(await said([REFUSED, ANA], { maxAdditions: 1 })).toBe(
			"Postponed: over 'Maximum Additions per Run'. The next run may start with the same people: add the option 'Row Memory', or raise it.",
		);
	});

	it('is that it goes on where n8n remembers who was refused', async () => {
		expect(await said([REFUSED, ANA], { maxAdditions: 1 }, 'trigger')).toBe(
			"Postponed: over 'Maximum Additions per Run'. Run it again to go on.",
		);
	});

	it('is what to do where nobody may be added', async () => {
		expect(await said([ANA], { maxAdditions: 0 }, 'trigger')).toBe(
			"Postponed: over 'Maximum Additions per Run'. Raise it to go on.",
		);
	});

	it('is nothing in a dry run', async () => {
		expect(await said([ANA, BO], { maxAdditions: 1, dryRun: true }, 'trigger')).toBe(
			"Would be postponed: over 'Maximum Additions per Run'. Dry run: nothing was sent.",
		);
	});

	it('is in a dry run where nobody may be added that a real one would add nobody either', async () => {
		expect(await said([ANA], { maxAdditions: 0, dryRun: true }, 'trigger')).toBe(
			"Would be postponed: over 'Maximum Additions per Run'. Raise it to go on. Dry run: nothing was sent.",
		);
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

describeOnEngine('a run of Sync that ends without a reply', (engine) => {
	const start = withGateways();

	it.each<[string, FaultKind, string[]]>([
		["the participant of this request isn't as asked", '500', [ANA]],
		['the participant of this request is as asked', 'reset-after', [ANA]],
		['none of the 2 participants of this request are as asked', '500', [ANA, BO]],
		['1 of the 2 participants of this request is as asked', 'reset-after', [ANA, REFUSED]],
		['2 of the 2 participants of this request are as asked', 'reset-after', [ANA, BO]],
	])('says what the group shows when it is read again: %s', async (said, kind, phones) => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind, on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const rows = phones.map((phone) => ({ phone }));
		const { error } = await runNode(engine(), gateway, parametersOf({}), rows);

		expect(error?.message).toContain(`. The group was read again: ${said} (instance keeper, group `);
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

		// It isn't known what came of the second one, who goes alone then and takes no place.
		expect(asked(gateway)).toEqual([ANA, BO, BO]);
		expect(main.map(({ json }) => json.outcome)).toEqual(['unchanged', 'done', 'postponed', 'postponed']);
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

	it('are named where the second one could remove members', async () => {
		const gateway = await start({ seed: kindsSeed });
		const on = ({ path }: { path: string }) => path.includes('/updateParticipant/');
		gateway.fault({ kind: '500', on, times: 1 });
		const parameters = parametersOf({ maxRemovalPercent: 100 }, { unlisted: 'remove' });
		const { error } = await runNode(engine(), gateway, parameters, [{ phone: ANA }], settings);

		expect(error?.description).toContain('in a loop, by Retry On Fail, or before the execution was retried');
	});

	it('are all told where the last one changes nothing', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '403', on: ({ path }) => path.includes('/updateParticipant/'), after: 1 });
		const rows = NEWCOMERS.map((phone) => ({ phone }));
		const parameters = parametersOf({ batchSize: 1, maxRetries: 0 });
		const threeTries = { ...settings, maxTries: 3 };
		const { error } = await runNode(engine(), gateway, parameters, rows, threeTries);

		expect(error?.message).toMatch(
			/\. Earlier, this execution synced the group: 1 added; [^,]*, then 1 already there; [^,]* \(instance/,
		);
		expect(error?.message).not.toContain('Nothing was changed');
	});
});
