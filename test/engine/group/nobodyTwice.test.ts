import { kindsSeed, type Seed } from '../../gateway/gateway';
import {
	describeOnEngine,
	ERROR_OUTPUT,
	inviteParameters,
	NODE_TYPE,
	REGULAR_OUTPUT,
	runNode,
	syncParameters,
	withGateways,
	workflowOf,
} from '../support';
import { changesAsked, jidOf, phones } from './people';

const [ANA = '', BO = ''] = phones(2);
/** A member who may be removed. */
const CLEO = '5521990000003';

describeOnEngine('an invite that n8n does not keep', (engine) => {
	const start = withGateways();

	it('is known in its run by every instance: one message for a person and a group', async () => {
		const seed: Seed = structuredClone(kindsSeed);
		const [keeper] = structuredClone(kindsSeed.instances);
		if (keeper !== undefined) seed.instances.push({ ...keeper, instanceName: 'other' });
		const gateway = await start({ seed });
		const { nodes, ...others } = workflowOf(
			inviteParameters({ instance: '={{ $json.instance }}' }),
			ERROR_OUTPUT,
		);
		const place = { id: '2', typeVersion: 1, position: [0, 0] };
		// n8n keeps nothing where a trigger polls.
		const trigger = { ...place, name: 'Changes', type: `${NODE_TYPE}Trigger`, parameters: {} };
		const toItems = { Changes: { main: [[{ node: 'Items', type: 'main', index: 0 }]] } };
		const items = [
			{ phone: ANA, instance: 'keeper' },
			{ phone: BO, instance: 'keeper' },
			{ phone: ANA, instance: 'other' },
			{ phone: BO, instance: 'other' },
		];
		const { outputs } = await engine().run(
			{ ...others, nodes: [trigger, ...nodes], connections: { ...toItems, ...others.connections } },
			{
				credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey },
				items: { Changes: items, Items: items },
				mode: 'trigger',
			},
		);

		expect((outputs.Gateway?.[0] ?? []).map(({ json }) => json.outcome)).toEqual([
			'sent',
			'sent',
			'alreadyInvited',
			'alreadyInvited',
		]);
		expect(gateway.messages.map(({ to }) => to)).toEqual([jidOf(ANA), jidOf(BO)]);
	});
});

describeOnEngine('a removal of which nothing is known', (engine) => {
	const start = withGateways();

	it('is not tried again by the next round of a loop, which has the memory', async () => {
		const gateway = await start({ seed: kindsSeed });
		gateway.fault({ kind: '500', on: ({ path }) => path.includes('/updateParticipant/'), times: 1 });
		const participants = '={{ $json.phone ?? $json.participant }}';
		const options = { memory: '={{ $json.memory }}' };
		const { nodes, connections } = workflowOf(
			syncParameters({ shouldBeMember: false, participants, options }),
			REGULAR_OUTPUT,
		);
		const operator = { type: 'boolean', operation: 'true', singleValue: true };
		const condition = { id: '1', leftValue: '={{ $runIndex < 1 }}', rightValue: '', operator };
		const strict = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
		const loop = {
			...{ id: 'Loop', name: 'Loop', type: 'n8n-nodes-base.if', typeVersion: 1, position: [0, 0] },
			parameters: { conditions: { options: strict, combinator: 'and', conditions: [condition] } },
		};
		const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
		const { outputs } = await engine().run(
			{
				nodes: [...nodes, loop],
				connections: { ...connections, Gateway: to('Loop'), Loop: to('Gateway') },
				settings: { executionOrder: 'v1' },
			},
			{
				credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey },
				items: { Items: [{ phone: CLEO, memory: '' }] },
			},
		);

		expect(outputs.Gateway?.[0]?.map(({ json }) => [json.outcome, json.action])).toEqual([
			['unconfirmed', 'none'],
		]);
		expect(changesAsked(gateway)).toHaveLength(1);
	});
});

describeOnEngine('a dry run of removals that a limit would hold back', (engine) => {
	const start = withGateways();

	it.each([
		['stops on errors', {}],
		['continues', ERROR_OUTPUT],
	])('gives all items and says it first, where the node %s', async (_, settings) => {
		const gateway = await start({ seed: kindsSeed });
		const options = { maxRemovalPercent: 0, overLimit: 'hold', dryRun: true };
		const parameters = syncParameters({ unlisted: 'remove', options });
		const { main, failed, error, hints } = await runNode(
			engine(),
			gateway,
			parameters,
			[{ phone: ANA }],
			settings,
		);

		expect([error, failed]).toEqual([undefined, []]);
		expect(main.map(({ json }) => [json.outcome, json.reason])).toEqual([
			['planned', undefined],
			['kept', 'self'],
			['kept', 'admin'],
			['kept', 'maxRemovalPercent'],
			['kept', 'maxRemovalPercent'],
		]);
		expect(hints[0]).toMatch(/^Nobody would be removed: 2 of 4 members would be removed \(50 %\), more than/);
		expect(hints).toContain('It would be 1 request. To do it, turn off Dry Run');
	});
});

describeOnEngine('Remove After of a new node', (engine) => {
	const start = withGateways();

	it.each([
		['the column is empty', {}],
		['the field is cleared', { memory: '' }],
	])('refuses several people in an item, where %s: their days would never be over', async (_, memory) => {
		const gateway = await start({ seed: kindsSeed });
		const parameters = syncParameters({ shouldBeMember: false, limits: { removeAfter: 7 }, ...memory });
		const { error } = await runNode(engine(), gateway, parameters, [{ phone: [CLEO, ANA] }], {
			typeVersion: 1.1,
		});

		expect(error?.message).toMatch(/row Memory needs a row for each person/i);
		expect(gateway.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});
