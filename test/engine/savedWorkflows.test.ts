import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
	return { ...item, message, groupName: 'Customers (4 members)', ...doubts };
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

	test.each(saved.filter(([, name]) => name === 'Members while paid'))(
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
