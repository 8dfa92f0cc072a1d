import { kindsSeed, KINDS } from '../../gateway/gateway';
import { changesAsked, phones } from '../group/people';
import { describeOnEngine, inviteParameters, syncParameters, withGateways } from '../support';
import { fromAi, runAgent, type ToolNode } from './agents';

const PEOPLE = phones(5, 100);
const [ANNA = ''] = PEOPLE;
const asTool = (name: string, parameters: object): ToolNode => ({
	name,
	parameters: { ...parameters, descriptionType: 'manual', toolDescription: name },
	settings: { onError: 'continueRegularOutput' },
});

// AI Agent up to version 2 makes all calls at once that its model asks for in one answer.
describeOnEngine('the calls of an AI agent', (engine) => {
	const start = withGateways();

	it.each(['invoke', 'parallel'] as const)(
		'share the most invites of a run, and invite nobody twice: %s',
		async (way) => {
			const gateway = await start({ seed: kindsSeed, latency: 20 });
			const parameters = inviteParameters({
				participants: fromAi('phone', 'Phone number'),
				options: { batchInterval: 0, maxPerRun: 3 },
			});
			const calls = [ANNA, ...PEOPLE].map((phone) => ({ tool: 'Invite', args: { phone: `+${phone}` } }));
			const { told } = await runAgent(engine(), gateway, [asTool('Invite', parameters)], calls, way);

			// Of calls at once it isn't known which comes first.
			const outcomes = told.map((one) => /"outcome":"(\w+)"/.exec(one)?.[1] ?? one);
			expect(outcomes.filter((one) => one === 'sent')).toHaveLength(3);
			expect(outcomes.join()).toMatch(/^(?:(?:sent|alreadyInvited|postponed),?)+$/);
			expect(gateway.messages).toHaveLength(3);
			expect(new Set(gateway.messages.map(({ to }) => to)).size).toBe(3);
		},
	);

	it.each([
		['invoke', 'additions', true],
		['parallel', 'additions', true],
		['parallel', 'removals', false],
	] as const)('share the most changes of a run of Sync: %s, %s', async (way, _, shouldBeMember) => {
		const gateway = await start({ seed: kindsSeed, latency: 20 });
		const groups = [KINDS.numbers, KINDS.hidden];
		const peopleOf = (i: number) => PEOPLE.slice(2 * i, 2 * i + 2);
		if (!shouldBeMember)
			groups.forEach((group, i) =>
				peopleOf(i).forEach((phone) => gateway.network.join('keeper', group, phone)),
			);
		const parameters = syncParameters({
			group: fromAi('group', 'ID of the group'),
			participants: fromAi('phones', 'Phone numbers'),
			shouldBeMember,
			options: { batchInterval: 0, maxAdditions: 2, maxRemovals: 2 },
		});
		const calls = groups.map((group, i) => ({ tool: 'Sync', args: { group, phones: peopleOf(i).join() } }));
		await runAgent(engine(), gateway, [asTool('Sync', parameters)], calls, way);
		const changed = changesAsked(gateway).flatMap(({ participants }) => participants);

		expect(changed).toHaveLength(2);
	});

	test('that sync two groups at once leave n8n the refusals of both', async () => {
		const gateway = await start({ seed: kindsSeed, latency: 20 });
		const parameters = syncParameters({
			group: fromAi('group', 'ID of the group'),
			participants: fromAi('phones', 'Phone numbers'),
		});
		const groups = [KINDS.numbers, KINDS.mixed];
		const calls = groups.map((group) => ({ tool: 'Sync', args: { group, phones: '5511990000401' } }));
		const { run } = await runAgent(
			engine(),
			gateway,
			[asTool('Sync', parameters)],
			calls,
			'parallel',
			'trigger',
		);

		const kept = JSON.stringify(run.staticData);
		for (const group of groups) expect(kept).toContain(group);
	});
});
