import { isRecord } from '../../nodes/MessagingGateway/common/json';
import { until } from '../support/children';
import { notDry } from '../support/example-runs';
import { given, resultOf, startByHand, stateOf } from '../support/executions';
import { startModel, type Model, type ToolCall } from '../support/model';
import { locator, ownNode, type WorkflowNode } from '../support/published';
import { readExample, type Workflow } from '../support/site';
import { underTest, withServer } from '../support/under-test';
import { CUSTOMERS, defaultSeed } from '../../test/gateway/seed';

const MEMBER = '5521990000003@s.whatsapp.net';
const isLine2 = underTest().line.number === 2;

/** What the chat shows to the person who has to approve. */
interface Question {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

const seed = structuredClone(defaultSeed);
Object.assign(seed.instances[0] ?? {}, { contacts: { [MEMBER]: { name: 'Leo' } } });
const setting = withServer({ seed });
let model: Model;
let credential: unknown;

beforeAll(async () => {
	model = await startModel();
	const data = { apiKey: 'KEY-OF-THE-MODEL', url: model.url };
	credential = await setting().server.rest.post('/rest/credentials', {
		name: 'OpenAI account',
		type: 'openAiApi',
		data,
	});
});
afterAll(async () => await model.close());

const EXAMPLE = 'ai-agent-with-approval';

/** The example's tool to add members, to be used without approval. */
function additions(): WorkflowNode {
	const [tool] = readExample(EXAMPLE).nodes.filter(({ name }) => name === 'Add members');
	if (tool === undefined) throw new Error('The example has no tool to add members');
	return notDry(tool) as WorkflowNode;
}

/** The example with the scripted model, or as much of it as these nodes are, with tools that need no approval. */
async function agentExample(nodeNames?: string[], tools: WorkflowNode[] = []): Promise<Workflow> {
	const example = readExample(EXAMPLE);
	const nodes = example.nodes
		.filter(({ name }) => nodeNames?.includes(name) ?? tools.every((tool) => tool.name !== name))
		.map(notDry)
		.map((node) => (node.name === 'Model' ? { ...node, credentials: { openAiApi: credential } } : node));
	const names = new Set(nodes.map(({ name }) => name));
	const toAgent = { ai_tool: [[{ node: 'Assistant', type: 'ai_tool', index: 0 }]] };
	const changed = {
		nodes: [...nodes, ...tools],
		connections: Object.fromEntries([
			...Object.entries(example.connections).filter(
				([name, to]) => names.has(name) && names.has(targetOf(to)),
			),
			...tools.map(({ name }) => [name, toAgent]),
		]),
		// The example pins no chat, which would stand for what somebody writes.
		pinData: {
			'When somebody writes': [
				{ json: { sessionId: 'test', action: 'sendMessage', chatInput: 'Look after the group' } },
			],
		},
	};
	await setting().server.rest.patch(`/rest/workflows/${example.id}`, changed);
	return { ...example, ...changed };
}

/** The node that a node of the example leads to; each leads to one. */
function targetOf(outputs: unknown): string {
	const [target] = Object.values(Object(outputs)).flat(2).filter(isRecord);
	return String(target?.node);
}

/** What the model was told of its calls. */
function told(): string[] {
	const messages = [model.asked.at(-1)?.messages].flat().filter(isRecord);
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

function membersNow(): string[] | undefined {
	return setting().gateway.group('main', CUSTOMERS)?.members;
}

test("n8n's AI Agent adds members, and is told what became of them", async () => {
	const { rest } = setting().server;
	const workflow = await agentExample(
		['When somebody writes', 'Which group', 'Assistant', 'Model', 'Memory'],
		[additions()],
	);
	model.follow([
		{ calls: [{ tool: 'Add_members', args: { Participants: 'Maria', Who: 'Maria' } }] },
		{
			calls: [
				{
					tool: 'Add_members',
					args: { Participants: '+55 11 99000-0100, +55 11 99000-0403', Who: 'Ana, Dani' },
				},
			],
		},
		{ text: 'One was added.' },
	]);
	const execution = await resultOf(rest, await startByHand(rest, workflow));
	expect(given(execution, 'Assistant')).toEqual([{ output: 'One was added.' }]);
	expect(model.asked[0]?.tools).toEqual([
		{
			type: 'function',
			function: expect.objectContaining({
				name: 'Add_members',
				description: expect.stringContaining('Adds people to the group'),
				parameters: expect.objectContaining({
					properties: {
						Who: { type: 'string', description: expect.stringContaining('names') },
						Participants: { type: 'string', description: expect.stringContaining('country code') },
					},
				}),
			}),
		},
	]);
	expect(told()).toEqual([
		expect.stringMatching(/Maria.*isn't a valid phone number.*with country code/),
		expect.stringMatching(/"outcome":"done".*"outcome":"inviteRequired"/),
	]);
	expect(JSON.stringify(model.asked)).not.toContain(setting().gateway.apiKey);
	expect(membersNow()).toContain('5511990000100@s.whatsapp.net');
});

test("n8n's AI Agent looks who is in a group, and makes it equal to a list", async () => {
	const { gateway, server } = setting();
	const [main, id] = ['main', '120363000000000004@g.us'];
	const group = { resource: 'group', instance: locator('name', main), group: locator('id', id) };
	const tool = (name: string, toolDescription: string, parameters: object) => ({
		...ownNode(
			name,
			{ descriptionType: 'manual', toolDescription, ...group, ...parameters },
			'messagingGatewayTool',
		),
		onError: 'continueRegularOutput',
	});
	const workflow = await agentExample(
		['When somebody writes', 'Which group', 'Assistant', 'Model', 'Memory'],
		[
			tool('List members', 'Lists the members', { operation: 'getParticipants' }),
			tool('Make equal', 'Makes the group equal to a list', {
				operation: 'syncParticipants',
				participants: "={{ $fromAI('Participants', `Phone numbers`, 'string') }}",
				unlisted: 'remove',
				dryRun: false,
				limits: { maxRemovalPercent: 100 },
				options: { batchInterval: 0 },
			}),
		],
	);
	const equalTo = (Participants: string) => ({ calls: [{ tool: 'Make_equal', args: { Participants } }] });
	model.follow([
		{ calls: [{ tool: 'List_members', args: {} }] },
		equalTo('Maria'),
		equalTo('+55 21 99000-0003, +55 11 99000-0403'),
		{ text: 'It is equal now.' },
	]);
	const execution = await resultOf(server.rest, await startByHand(server.rest, workflow));
	expect(given(execution, 'Assistant')).toEqual([{ output: 'It is equal now.' }]);
	// The example's memory holds what was said before.
	expect(told().slice(-3)).toEqual([
		expect.stringMatching(/"participant":"5511990000001".*"role":"admin".*"participant":"5511990000002"/),
		expect.stringMatching(/Maria.*isn't a valid phone number/),
		expect.stringMatching(/"outcome":"done".*"outcome":"inviteRequired".*"outcome":"kept".*"outcome":"done"/),
	]);
	expect(gateway.group(main, id)?.members).toEqual([
		'5511990000001@s.whatsapp.net',
		'5521990000003@s.whatsapp.net',
	]);
});

// n8n 1.x has no approval of tools.
(isLine2 ? describe : describe.skip)('a tool behind approval', () => {
	/** Lets the model look a name up and call tools until a person is asked, and presses a button. Gives what the person was asked. */
	async function answer(
		label: 'Approve' | 'Decline',
		calls: ToolCall[],
		tools: WorkflowNode[] = [],
	): Promise<string> {
		const { rest } = setting().server;
		const workflow = await agentExample(undefined, tools);
		model.follow([{ calls: [{ tool: 'Find_members', args: {} }] }, { calls }, { text: 'That is all.' }]);
		const id = await startByHand(rest, workflow);
		const question = await until('The question', async () => await questionOf(id));
		expect(membersNow()).toContain(MEMBER);
		const { link } = question.buttons.find(({ text }) => text === label) ?? {};
		// As a person's browser does: n8n ignores what looks like the preview of a link.
		const response = await fetch(String(link), { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } });
		expect(response.status).toBe(200);
		await until("The model's answer", () => (model.asked.length === 3 ? true : undefined));
		return question.text;
	}

	/** What a person is asked in the chat, once they are. */
	async function questionOf(id: string): Promise<Question | undefined> {
		const { runs } = await stateOf(setting().server.rest, id);
		return runs['Ask for approval']?.data?.ai_tool?.[0]?.[0]?.sendMessage as Question | undefined;
	}

	const removal = {
		tool: 'Remove_members',
		args: { toolParameters: { Participants: '+55 21 99000-0003', Who: 'Leo' }, hitlParameters: {} },
	};

	test('does nothing where a person declines, and the model is told so', async () => {
		await answer('Decline', [removal]);
		expect(told().at(-1)).toMatch(/rejected the tool call/);
		expect(membersNow()).toContain(MEMBER);
	});

	test('leaves a tool without approval that is called beside it to be run once', async () => {
		const { gateway } = setting();
		const before = gateway.calls.length;
		const addition = { tool: 'Add_members', args: { Participants: '+55 11 99000-0102', Who: 'Bia' } };
		await answer('Decline', [addition, removal], [additions()]);
		const changes = gateway.calls.slice(before).filter(({ method }) => method !== 'GET');
		expect(changes.map(({ body }) => body)).toEqual([{ action: 'add', participants: ['5511990000102'] }]);
		expect(told().slice(-2)).toEqual([
			expect.stringContaining('"outcome":"done"'),
			expect.stringMatching(/rejected the tool call/),
		]);
	});

	test('does what the person was asked, once it is approved, to somebody whom the model knew by name', async () => {
		expect(await answer('Approve', [removal])).toBe(
			'May I do this?\n\nRemove members: +55 21 99000-0003 (Leo)\n\nChosen group: Customers',
		);
		expect(told().slice(-2)).toEqual([
			expect.stringMatching(/"participant":"5521990000003".{0,60}"name":"Leo"/),
			expect.stringContaining('"outcome":"done"'),
		]);
		expect(membersNow()).not.toContain(MEMBER);
	});
});
