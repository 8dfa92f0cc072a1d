import { CUSTOMERS } from '../../test/gateway/seed';
import type { Line } from '../lines';
import { notDry, withoutPauses } from './example-runs';
import { resultOf, type Execution } from './executions';
import type { Gate } from './gate';
import { builtInNode, publish } from './published';
import type { Rest } from './rest';
import { readExample, type Workflow } from './site';
import { Table, type Column } from './tables';

type Node = Workflow['nodes'][number];

const GATE = 'Gate';

const EVERY_5_SECONDS = { interval: [{ field: 'cronExpression', expression: '*/5 * * * * *' }] };

/**
 * Publishes an example for a group with a schedule of seconds; n8n 1.x gets its tables as by hand.
 * Behind the schedule stands a gate, since no run may begin while a test still reads or changes rows.
 *
 * @returns its id
 */
export async function publishScheduled(
	rest: Rest,
	{ line, gate }: { line: Line; gate: Gate },
	name: string,
	group: string,
): Promise<string> {
	const { id, nodes, connections } = readExample(name);
	const changed: Node[] = [];
	for (const node of nodes.map((one) => scheduled(notDry(withoutPauses(inGroup(group, one))))))
		changed.push(line.number === 1 && isNewTable(node) ? await tableMadeByHand(rest, node, group) : node);
	const trigger = nodes.find(isSchedule)?.name ?? '';
	const url = `={{ '${gate.url}?workflow=${id}&execution=' + $execution.id }}`;
	await rest.patch(`/rest/workflows/${id}`, {
		nodes: [...changed, builtInNode(GATE, 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} })],
		connections: {
			...connections,
			[GATE]: new Map(Object.entries(connections)).get(trigger),
			[trigger]: { main: [[{ node: GATE, type: 'main', index: 0 }]] },
		},
	});
	await publish(rest, id);
	return id;
}

/** Waits until the schedule has started a workflow once more, and that run is over. */
export async function nextRun(rest: Rest, gate: Gate, id: string): Promise<Execution> {
	return await resultOf(rest, await gate.letOne(id));
}

function isSchedule({ type }: Node): boolean {
	return type === 'n8n-nodes-base.scheduleTrigger';
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
	const { id } = await Table.create(
		rest,
		tableName.replace(/^=/, '').replace(/\{\{.*\}\}/, `Customers ${group}`),
		columns.column,
	);
	return builtInNode(name, 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ id }) });
}
