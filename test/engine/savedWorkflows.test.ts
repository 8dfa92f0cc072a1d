import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type INode } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import type { WorkflowJson } from './engine';
import { CUSTOMERS, KINDS, kindsSeed } from '../gateway/seed';
import { describeEachLine, ERROR_OUTPUT, locator, NODE_TYPE, runNode, withGateways } from './support';
import { participants, told, Trigger } from './trigger/trigger';

const SAVED = join(__dirname, '../fixtures/saved');

/** An example of an earlier version, without pauses and notes, and what came of it then, with the gateway's usual seed. */
interface Saved {
	workflow: WorkflowJson & { name: string; pinData: Record<string, Array<{ json: Item }>> };
	/** By node, the json of the items on each of its outputs. */
	gave: Record<string, Item[][]>;
	/** Who was in the group afterwards, and the messages that were sent. */
	after: { members?: string[]; admins?: string[]; messages: unknown[] };
}

type Item = Record<string, unknown>;

const saved = readdirSync(SAVED).flatMap((file) =>
	(JSON.parse(readFileSync(join(SAVED, file), 'utf8')) as Saved[]).map((one): [string, string, Saved] => [
		file.replace('.json', ''),
		one.workflow.name,
		one,
	]),
);

/** An item of then as it is now: what differs stands in the CHANGELOG. Messages are for people, and have other words. */
function asNow(item: Item): unknown {
	const message = expect.any(String);
	if ('error' in item) return expect.objectContaining({ error: message, message });
	// These numbers can be written in another form, of which "not found" says nothing.
	const doubts = item.code === '404' && { applied: null };
	const { memory, groupName = 'Customers (4 members)' } = item;
	const now = {
		...{ ...item, message, groupName, ...doubts },
		...(typeof memory === 'string' && { memory: expect.stringMatching(withAnyDate(memory)) }),
		// Since 1.3, operations without participants say what came of them, too.
		...(item.outcome === undefined && { outcome: 'done', applied: true }),
	};
	if (item.action !== 'invite') return now;
	const others = Object.entries(now).filter(([field]) => !OF_THE_ADDITION.includes(field));
	return memory === undefined ? now : Object.fromEntries(others);
}

/** Output fields of the node before, which stood beside a new outcome until 1.3. */
const OF_THE_ADDITION = ['code', 'inviteCode', 'inviteExpiresAt', 'jid', 'groupName'];

/** Matches a memory with the same facts: each run writes its own date and, since 1.3, whose memory it is. */
function withAnyDate(memory: string): RegExp {
	const facts = memory.replace(/; for .*/, '').replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, '[^ ;]+');
	return new RegExp(`^${facts}; for [0-9a-f]{8}$`);
}

/** What a row without a date gave. */
const UNDATED = "'Should Be Member' is empty [item 4]";

/** The workflow without rows that have no date: since 1.3 such a row holds back the removals of its group. */
function withoutUndated(workflow: Saved['workflow']): Saved['workflow'] {
	const pinned = Object.entries(workflow.pinData).map(([node, items]) => [
		node,
		items.filter(({ json }) => json.paidUntil !== ''),
	]);
	return { ...workflow, pinData: Object.fromEntries(pinned) };
}

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
	expect(openedWith(node, 1.1)).toMatchObject({ memory: '={{ $json.memory }}', dryRun: false, limits: {} });
});

describeEachLine('workflows saved with an earlier version', (engine) => {
	const start = withGateways();

	const run = async (workflow: Saved['workflow']) => {
		const gateway = await start();
		const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
		const { error, outputs } = await engine().run(workflow, { credentials });
		expect(error).toBeUndefined();
		const { members, admins } = gateway.group('main', CUSTOMERS) ?? {};
		const ours = workflow.nodes.filter(({ type }) => type === NODE_TYPE).map(({ name }) => name);
		const now = ours.map((node): [string, Item[][]] => [
			node,
			(outputs[node] ?? []).map((items) => items.map(({ json }) => json)),
		]);
		return { now, after: { members, admins, messages: gateway.messages } };
	};

	test.each(saved)(
		'%s: "%s" changes and gives what it did then',
		async (_, __, { workflow, gave, after }) => {
			const result = await run(withoutUndated(workflow));
			expect(result.after).toEqual(after);
			const outputs = Object.entries(gave).map(([node, all]) => [
				node,
				all.map((items) => items.filter(({ error }) => error !== UNDATED).map(asNow)),
			]);
			expect(result.now).toEqual(outputs);
		},
	);

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

	test("1.1: Sync doesn't ask again for who refused", async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const seconds = Math.floor(Date.now() / 1000);
		const noted = { 'phone:551190000403': [seconds, 'inviteRequired', '403'] };
		const refusals = JSON.stringify({ version: 1, groups: { [KINDS.numbers]: noted } });
		const { main } = await runNode(
			engine(),
			gateway,
			{
				resource: 'group',
				operation: 'syncParticipants',
				instance: locator('keeper'),
				group: locator(KINDS.numbers),
				participants: '={{ $json.phone }}',
			},
			[{ phone: '5511990000403' }],
			{},
			{ mode: 'trigger', staticData: { 'node:Gateway': { refusals } } },
		);

		expect(main.map(({ json }) => [json.outcome, json.reason])).toEqual([['postponed', 'refusedLately']]);
	});

	test('1.2: Sync goes on from what rows remember once it continues on fail, and is refused before that', async () => {
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
		const refused = await runNode(engine(), gateway, parameters, rows);
		expect(refused.error?.message).toContain('Row Memory needs Settings > On Error');
		expect(gateway.calls).toEqual([]);

		const { main } = await runNode(engine(), gateway, parameters, rows, ERROR_OUTPUT);
		expect(main.map(({ json }) => [json.outcome, json.reason, json.memory])).toEqual([
			['postponed', 'refusedLately', expect.stringMatching(/^refused inviteRequired .*; for [0-9a-f]{8}$/)],
			['notFound', undefined, expect.stringMatching(/^refused notFound .*; for [0-9a-f]{8}$/)],
		]);
	});
});
