import type { Gateway } from '../../gateway/gateway';
import type { Engine, RunOptions, RunResult, ToolCall } from '../engine';
import { AGENT_TYPE } from '../scripted-agent';
import {
	groupParameters,
	leadsTo,
	locator,
	nodeOf,
	NODE_CREDENTIALS,
	NODE_TYPE,
	type NodeSettings,
} from '../support';
import { CUSTOMERS } from '../../gateway/seed';

/** How agents call tools: see `scriptedAgent`. */
export const WAYS = ['engine', 'invoke'] as const;
export type Way = (typeof WAYS)[number];

/** A tool at an agent, by its node. */
export interface ToolNode {
	name: string;
	parameters: object;
	settings?: NodeSettings;
}

/** What an agent's model saw. */
export interface AgentRun {
	/** The tools, as a model is shown them. */
	shown: unknown;
	/** What the model was told after each of its calls. */
	told: string[];
	run: RunResult;
}

/** A value that the model gives, as n8n's editor writes it. */
export function fromAi(key: string, description: string, type = 'string'): string {
	return `={{ $fromAI('${key}', '${description}', '${type}') }}`;
}

/** Update Participants with each parameter that can be left to a model left to it. */
export const changeMembers = (options: object = {}): ToolNode => ({
	name: 'Change group members',
	parameters: {
		...groupParameters({
			instance: fromAi('instance', 'Name of the instance, e.g. main'),
			group: fromAi('group', 'ID of the group, ends with @g.us'),
			action: fromAi('action', 'One of add, remove, promote, demote'),
			participants: fromAi('participants', 'Phone numbers with country code, separated by commas'),
			options: {
				dryRun: fromAi('dry_run', 'Whether to only say what would be done', 'boolean'),
				maxRetries: 0,
				...options,
			},
		}),
		descriptionType: 'manual',
		toolDescription: 'Adds, removes, promotes or demotes members of a group.',
	},
	// Without it, n8n 1.x ends the agent's run where its tool fails.
	settings: { onError: 'continueRegularOutput' },
});

/** What a model gives that tool to add somebody, changed. */
export function change(args: object = {}): ToolCall {
	return {
		tool: 'Change_group_members',
		args: {
			instance: 'main',
			group: CUSTOMERS,
			action: 'add',
			participants: '+55 11 99000-0100',
			dry_run: false,
			...args,
		},
	};
}

export const GET_INSTANCE: ToolNode = {
	name: 'Get instance',
	parameters: {
		resource: 'instance',
		operation: 'get',
		instance: locator(fromAi('instance', 'Name of the instance'), 'name'),
		options: { simplify: false },
	},
};

export const GET_BOT: ToolNode = {
	name: 'Get bot',
	parameters: {
		resource: 'bot',
		operation: 'get',
		instance: locator('main', 'name'),
		bot: locator(fromAi('bot', 'ID of the bot'), 'id'),
	},
};

/** Lets an agent whose model makes these calls run with these tools. */
export async function runAgent(
	engine: Engine,
	{ url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
	tools: ToolNode[],
	calls: ToolCall[],
	way: Way | 'parallel' = 'engine',
	mode: RunOptions['mode'] = 'manual',
): Promise<AgentRun> {
	const credentials = NODE_CREDENTIALS;
	const run = await engine.run(
		{
			nodes: [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
				nodeOf('Agent', AGENT_TYPE, { parameters: { calls: JSON.stringify(calls), way } }),
				...tools.map(({ name, parameters, settings }) =>
					nodeOf(name, `${NODE_TYPE}Tool`, { parameters, credentials, ...settings }),
				),
			],
			connections: {
				Start: leadsTo('Agent'),
				...Object.fromEntries(
					tools.map(({ name }) => [name, { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] }]),
				),
			},
			settings: { executionOrder: 'v1' },
		},
		{ credentials: { baseUrl: url, apiKey }, mode },
	);
	const seen = run.outputs.Agent?.[0]?.[0]?.json;
	return { shown: seen?.shown, told: [seen?.told ?? []].flat().map(String), run };
}
