import type { Gateway } from '../../gateway/gateway';
import type { Engine, OutputItem } from '../engine';
import {
	leadsTo,
	nodeOf,
	NODE_CREDENTIALS,
	NODE_TYPE,
	REGULAR_OUTPUT,
	workflowOf,
	type NodeSettings,
} from '../support';

/** An expression that comes to another of these values in each round of a loop. */
export const ofRound = (values: unknown[]) => `={{ ${JSON.stringify(values)}[$runIndex] }}`;

/** Runs the node so many times in one execution, as a loop does. @returns what the last round gave */
export async function runRounds(
	engine: Engine,
	{ url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
	parameters: object,
	rounds: number,
	items: object[] = [{}],
): Promise<{ main: OutputItem[]; hints: string[] }> {
	const { nodes, connections, ...others } = workflowOf(parameters, REGULAR_OUTPUT);
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const condition = { id: '1', leftValue: `={{ $runIndex < ${rounds - 1} }}`, rightValue: '', operator };
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 };
	const conditions = { options, combinator: 'and', conditions: [condition] };
	const { outputs, hints } = await engine.run(
		{
			...others,
			nodes: [...nodes, nodeOf('Loop', 'n8n-nodes-base.if', { parameters: { conditions } })],
			connections: { ...connections, Gateway: leadsTo('Loop'), Loop: leadsTo('Gateway') },
		},
		{ credentials: { baseUrl: url, apiKey }, items: { Items: items } },
	);
	return { main: outputs.Gateway?.[0] ?? [], hints: (hints.Gateway ?? []).map(({ message }) => message) };
}

/** Runs a node for each of these parameters in one execution, one after the other. @returns what each gave */
export async function runInTurn(
	engine: Engine,
	{ url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
	all: readonly object[],
): Promise<OutputItem[][]> {
	const names = all.map((_, i) => `Gateway ${i}`);
	const settings = { ...REGULAR_OUTPUT, credentials: NODE_CREDENTIALS, executeOnce: true };
	const steps = ['Items', ...names];
	const { outputs } = await engine.run(
		{
			...workflowOf({}),
			nodes: [
				nodeOf('Items', 'n8n-nodes-base.manualTrigger'),
				...all.map((parameters, i) => nodeOf(names[i] ?? '', NODE_TYPE, { parameters, ...settings })),
			],
			connections: Object.fromEntries(names.map((name, i) => [steps[i], leadsTo(name)])),
		},
		{ credentials: { baseUrl: url, apiKey }, items: { Items: [{}] } },
	);
	return names.map((name) => outputs[name]?.[0] ?? []);
}

/** Runs the node in production behind a trigger: one that polls, if nothing else is said. */
export async function runBehindTrigger(
	engine: Engine,
	{ url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
	parameters: object,
	items: object[],
	{ trigger = {}, settings = {} }: { trigger?: object; settings?: NodeSettings } = {},
) {
	const { nodes, connections, ...others } = workflowOf(parameters, settings);
	return await engine.run(
		{
			...others,
			nodes: [{ ...nodeOf('Changes', `${NODE_TYPE}Trigger`), ...trigger }, ...nodes],
			connections: { Changes: leadsTo('Items'), ...connections },
		},
		{ credentials: { baseUrl: url, apiKey }, items: { Changes: items, Items: items }, mode: 'trigger' },
	);
}
