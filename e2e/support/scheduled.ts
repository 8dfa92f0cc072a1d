import { CUSTOMERS } from '../../test/gateway/seed';
import type { Line } from '../lines';
import { notDry, withoutPauses } from './example-runs';
import { resultOf, type Execution } from './executions';
import type { Gate } from './gate';
import { addConnected, addWorkflow, builtInNode, publish, type WorkflowNode } from './published';
import type { Rest } from './rest';
import { readExample, type Workflow } from './site';
import { Table, type Column } from './tables';

type Node = Workflow['nodes'][number];

/** A node as somebody has changed it. */
export type Change = (node: Node) => Node;

export const GATE = 'Gate';

const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';

const EVERY_5_SECONDS = { interval: [{ field: 'cronExpression', expression: '*/5 * * * * *' }] };

/**
 * Publishes an example for a group with a schedule of seconds; n8n 1.x gets its tables as by hand.
 * Behind the schedule stands a gate, since no run may begin while a test still reads or changes rows.
 *
 * @param change what else a person has changed in its nodes
 * @returns its id
 */
export async function publishScheduled(
	rest: Rest,
	{ line, gate }: { line: Line; gate: Gate },
	{
		example,
		group,
		change = (node) => node,
	}: { example: string; group: string; change?: Change | undefined },
): Promise<string> {
	const { nodes, connections } = readExample(example);
	const changed: Node[] = [];
	for (const node of nodes.map((one) =>
		change(withoutMail(scheduled(notDry(withoutPauses(inGroup(group, one)))))),
	))
		changed.push(line.number === 1 && isNewTable(node) ? await tableMadeByHand(rest, node, group) : node);
	const trigger = nodes.find(isSchedule)?.name ?? '';
	const id = await addConnected(rest, `${example} ${group}`, [...changed, nodeOf(gate)], {
		...connections,
		[GATE]: new Map(Object.entries(connections)).get(trigger),
		[trigger]: { main: [[{ node: GATE, type: 'main', index: 0 }]] },
	});
	await publish(rest, id);
	return id;
}

/** Publishes an operation with a schedule of seconds, and a gate between them. Gives the workflow's id. @param next what follows */
export async function publishBehindGate(
	rest: Rest,
	gate: Gate,
	operation: WorkflowNode,
	...next: WorkflowNode[]
): Promise<string> {
	const schedule = builtInNode('Schedule', SCHEDULE, 1.2, { rule: EVERY_5_SECONDS });
	const id = await addWorkflow(rest, operation.name, [schedule, nodeOf(gate), operation, ...next]);
	await publish(rest, id);
	return id;
}

function nodeOf({ url: gate }: Gate): WorkflowNode {
	const url = `={{ '${gate}?workflow=' + $workflow.id + '&execution=' + $execution.id }}`;
	return builtInNode(GATE, 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} });
}

/** A node at which a run waits until the gate lets it end. */
export function exitOf({ exitUrl }: Gate): WorkflowNode {
	const url = `={{ '${exitUrl}?execution=' + $execution.id }}`;
	const options = { timeout: 1_800_000 };
	const ask = builtInNode('Exit', 'n8n-nodes-base.httpRequest', 4.2, { url, options });
	return { ...ask, executeOnce: true };
}

/** Waits until the schedule has started a workflow once more, and that run is over. @param items of the gate */
export async function nextRun(rest: Rest, gate: Gate, id: string, items?: object[]): Promise<Execution> {
	return await resultOf(rest, await gate.letOne(id, items));
}

function isSchedule({ type }: Node): boolean {
	return type === SCHEDULE;
}

/** The node as it is, but for mails: there is no account for them. */
function withoutMail(node: Node): Node {
	return node.type.endsWith('.emailSend') ? builtInNode(node.name, 'n8n-nodes-base.noOp', 1) : node;
}

function scheduled(node: Node): Node {
	return isSchedule(node) ? { ...node, parameters: { rule: EVERY_5_SECONDS } } : node;
}

/** The node as somebody has it who chose another group. */
function inGroup(group: string, node: Node): Node {
	return JSON.parse(JSON.stringify(node).replaceAll(CUSTOMERS, group)) as Node;
}

function isNewTable({ type, parameters }: Node): boolean {
	return type === 'n8n-nodes-base.dataTable' && parameters.resource === 'table';
}

/** Makes the table that a node would make. Gives a node that says which it is. */
async function tableMadeByHand(rest: Rest, { name, parameters }: Node, group: string): Promise<Node> {
	const { tableName, columns } = parameters as { tableName: string; columns: { column: Column[] } };
	const title = tableName.replace(/^=/, '').replace(/\{\{.*\}\}/, `Customers ${group}`);
	const made = async () => await Table.create(rest, title, columns.column);
	const { id } = await Table.named(rest, title).catch(made);
	return builtInNode(name, 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ id }) });
}
