import { NodeHelpers, type INode } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import type { WorkflowJson } from './engine';
import { CUSTOMERS, KINDS, kindsSeed } from '../gateway/seed';
import { asThen, saved, withoutAdded, withoutUndated, type Saved } from '../saved';
import { describeEachLine, ERROR_OUTPUT, locator, NODE_TYPE, runNode, withGateways } from './support';
import { participants, told, Trigger } from './trigger/trigger';

const { description } = new MessagingGateway();

/** The parameters of a node as the editor has them when the workflow is opened: those that it shows, with defaults. */
function openedWith(node: WorkflowJson['nodes'][number], typeVersion: number) {
	const opened = { ...node, typeVersion } as INode;
	const { properties } = description;
	return NodeHelpers.getNodeParameters(properties, opened.parameters, true, false, opened, description);
}

const savedNodes = saved.flatMap(([version, name, { workflow }]) =>
	workflow.nodes
		.filter(({ type }) => type === NODE_TYPE)
		.map((node): [string, string, typeof node] => [version, `${name}: ${node.name}`, node]),
);

test.each(savedNodes)('%s: "%s" keeps each parameter when it is opened', (_, __, node) => {
	const parameters = openedWith(node, 1);
	expect(parameters).toMatchObject(node.parameters);
	expect(parameters).toHaveProperty('options');
	for (const field of ['limits', 'memory', 'dryRun']) expect(parameters).not.toHaveProperty(field);
});

test('version 1.1 has Row Memory, Dry Run and Limits in places of their own', () => {
	const [, , node] = savedNodes.find(([, name]) => name.endsWith(': Sync participants')) ?? [];
	if (node === undefined) throw new Error('No saved workflow has a Sync');
	expect(openedWith(node, 1.1)).toMatchObject({ memory: '', limits: {} });
});

describeEachLine('workflows saved with an earlier version', (engine) => {
	const start = withGateways();

	const run = async (workflow: Saved['workflow'], version = '1.2.0') => {
		const gateway = await start();
		const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
		const { error, outputs } = await engine().run(workflow, { credentials });
		expect(error).toBeUndefined();
		const { members, admins } = gateway.group('main', CUSTOMERS) ?? {};
		const ours = workflow.nodes.filter(({ type }) => type === NODE_TYPE).map(({ name }) => name);
		const now = ours.map((node): [string, Array<Array<Record<string, unknown>>>] => [
			node,
			(outputs[node] ?? []).map((items) => items.map(({ json }) => withoutAdded(version, json))),
		]);
		return { now, after: { members, admins, messages: gateway.messages } };
	};

	test.each(saved)('%s: "%s" changes and gives what it did then', async (version, __, one) => {
		expect(await run(withoutUndated(one.workflow), version)).toEqual(asThen(one));
	});

	test.each(saved.filter(([version, name]) => version === '1.1.0' && name === 'Members while paid'))(
		'%s: "%s" removes nobody while a row has no date (1.3)',
		async (_, __, { workflow, after }) => {
			const { now, after: afterwards } = await run(workflow);
			const [[, [items = [], failed] = []] = []] = now;
			expect(items.map(({ outcome, reason }) => [outcome, reason])).toEqual([
				['done', undefined],
				['kept', 'badRow'],
				['unchanged', undefined],
				['unchanged', undefined],
			]);
			expect(failed).toHaveLength(1);
			const members = [...(after.members ?? []), '5511990000002@s.whatsapp.net'].sort();
			expect(afterwards).toEqual({ ...after, members });
		},
	);

	test('1.1: a trigger tells once what has changed since its last poll', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const parameters = { ...participants(), options: {} };
		const trigger = new Trigger(engine(), gateway, parameters, { typeVersion: 1 });
		const members = [
			['447700900004@s.whatsapp.net'],
			['5511990000001@s.whatsapp.net', 2],
			['5511990000002@s.whatsapp.net', 1, 0, 0, 'Ana Example'],
			['5521990000003@s.whatsapp.net'],
		];
		const about = JSON.stringify(['1', JSON.stringify(['participants', 'keeper', KINDS.numbers])]);
		const snapshot = JSON.stringify({ version: 1, about, value: { members } });
		trigger.staticData = { 'node:Trigger': { snapshot } };
		trigger.restart();
		gateway.network.join('keeper', KINDS.numbers, '12025550100');

		expect(told(await trigger.items())).toEqual(['joined 12025550100']);
		expect(await trigger.items()).toEqual([]);
	});

	test('1.2: Sync goes on from what rows remember', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const parameters = {
			resource: 'group',
			operation: 'syncParticipants',
			instance: locator('keeper'),
			group: locator(KINDS.numbers),
			participants: '={{ $json.phone }}',
			options: { memory: '={{ $json.memory }}', batchInterval: 0 },
		};
		const today = new Date().toISOString();
		const rows = [
			{ phone: '5511990000403', memory: `refused inviteRequired ${today}` },
			{ phone: '5511990000404', memory: '' },
		];
		const { main } = await runNode(engine(), gateway, parameters, rows, ERROR_OUTPUT);
		expect(main.map(({ json }) => [json.outcome, json.reason, json.memory])).toEqual([
			['postponed', 'refusedLately', expect.stringMatching(/^refused inviteRequired .*; for [0-9a-f]{8}$/)],
			['notFound', undefined, expect.stringMatching(/^refused notFound .*; for [0-9a-f]{8}$/)],
		]);
	});
});
