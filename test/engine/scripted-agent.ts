import type { EngineResponse, IDataObject, IExecuteFunctions, INodeType, ITaskData } from 'n8n-workflow';
import { isRecord } from '../../nodes/MessagingGateway/common/json';
import type { Line } from './line';
import type { ToolCall } from './protocol';

export const AGENT_TYPE = 'test.scriptedAgent';

/** What n8n hands an agent for each node at its tool input. */
interface Tool {
	name: string;
	invoke: (args: object) => Promise<unknown>;
}

/** What the agent carries from one call to the next while the engine runs a tool. */
interface Progress {
	told: string[];
}

/**
 * An agent whose model is a script: it makes the calls of its parameter `calls` one after the other, whatever it
 * is told. It gives one item: `shown`, its tools as a model is shown them, and `told`, what it was told after each call.
 *
 * n8n's agents call tools in two ways, and `way` chooses: by themselves (`invoke`: AI Agent up to version 2, MCP
 * Server Trigger; `parallel` where a model asks for several calls at once), or by asking the engine to run the tool's
 * node (`engine`: AI Agent from version 3).
 */
export function scriptedAgent(line: Line): INodeType {
	return {
		description: {
			displayName: 'Scripted Agent',
			name: AGENT_TYPE,
			group: ['transform'],
			version: 1,
			description: 'Calls its tools by a script',
			defaults: {},
			inputs: ['main', 'ai_tool'],
			outputs: ['main'],
			properties: [
				{ displayName: 'Calls', name: 'calls', type: 'json', default: '[]' },
				{ displayName: 'Way', name: 'way', type: 'string', default: 'engine' },
			],
		},
		async execute(response) {
			const tools = readTools(await this.getInputConnectionData('ai_tool', 0));
			const shown = tools.map((tool) => line.toModelTool(tool));
			const give = (told: string[]) => [[{ json: { shown, told } as IDataObject, pairedItem: { item: 0 } }]];
			const calls = JSON.parse(String(this.getNodeParameter('calls', 0))) as ToolCall[];
			const way = this.getNodeParameter('way', 0);
			const invokeOne = async (call: ToolCall) => await invoke(tools, call);
			if (way === 'parallel') return give(await Promise.all(calls.map(invokeOne)));
			if (way === 'invoke') return give(await inTurn(calls, invokeOne));

			const told = toldSoFar(response);
			const next = calls[told.length];
			if (next === undefined) return give(told);
			return {
				actions: [
					{
						actionType: 'ExecutionNodeAction',
						nodeName: nodeOf(line, this, next.tool),
						input: next.args,
						type: 'ai_tool',
						id: `call_${told.length + 1}`,
						metadata: {},
					},
				],
				metadata: { told } satisfies Progress,
			};
		},
	};
}

async function inTurn(calls: ToolCall[], invokeOne: (call: ToolCall) => Promise<string>): Promise<string[]> {
	const told: string[] = [];
	for (const call of calls) told.push(await invokeOne(call));
	return told;
}

async function invoke(tools: Tool[], { tool: name, args }: ToolCall): Promise<string> {
	const tool = tools.find((one) => one.name === name);
	if (tool === undefined) throw new Error(`There is no tool ${name}`);
	// What is thrown is told too, as the MCP Server Trigger does.
	return String(await tool.invoke(args).catch((error: Error) => error.message));
}

function toldSoFar(response: EngineResponse | undefined): string[] {
	const before = isRecord(response?.metadata) ? (response.metadata as Partial<Progress>).told : undefined;
	return [...(before ?? []), ...(response?.actionResponses ?? []).map(({ data }) => textOf(data))];
}

/** What n8n's AI Agent tells its model of a tool's run: the items' json, or the error's message. */
function textOf({ data, error }: ITaskData): string {
	const items = data?.ai_tool?.[0];
	return JSON.stringify(items?.length ? items.map(({ json }) => json) : { error: error?.message });
}

/** The node that a tool stands for: n8n names tools after their nodes. */
function nodeOf(line: Line, context: IExecuteFunctions, tool: string): string {
	const nodes = context.getParentNodes(context.getNode().name, { connectionType: 'ai_tool', depth: 1 });
	const node = nodes.find(({ name }) => line.workflow.nodeNameToToolName(name) === tool);
	if (node === undefined) throw new Error(`There is no tool ${tool}`);
	return node.name;
}

/** @param value tools, and the toolkits that n8n 2.x makes of those behind human approval */
function readTools(value: unknown): Tool[] {
	const flat = [value].flat().flatMap((one: unknown) => (isRecord(one) && 'tools' in one ? one.tools : one));
	const tools = flat.flat().filter(isTool);
	if (tools.length === flat.flat().length) return tools;
	throw new Error('n8n gave something else than tools');
}

function isTool(value: unknown): value is Tool {
	return isRecord(value) && typeof value.name === 'string' && typeof value.invoke === 'function';
}
