import { CUSTOMERS } from '../../test/gateway/seed';
import { isRecord } from '../../nodes/MessagingGateway/common/json';
import { resultOf, type Execution } from './executions';
import type { Rest } from './rest';
import { CREDENTIAL, type Workflow } from './site';

const OURS = 'n8n-nodes-messaging-gateway';

/** A node of a workflow, as the editor saves it. */
export type WorkflowNode = Workflow['nodes'][number] & {
	id: string;
	typeVersion: number;
	position: [number, number];
	credentials?: object;
	webhookId?: string;
	executeOnce?: boolean;
};

/** One of this package's nodes, with its credential. */
export function ownNode(
	name: string,
	parameters: Record<string, unknown>,
	type: 'messagingGateway' | 'messagingGatewayTool' | 'messagingGatewayTrigger' = 'messagingGateway',
): WorkflowNode {
	const { id, name: credential } = CREDENTIAL;
	return {
		...builtInNode(name, `${OURS}.${type}`, 1, parameters),
		credentials: { [CREDENTIAL.type]: { id, name: credential } },
	};
}

/** One of n8n's own nodes. */
export function builtInNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters };
}

/** What a resource locator holds where somebody typed the value. */
export function locator(mode: 'name' | 'id', value: string): object {
	return { __rl: true, mode, value };
}

/** An addition to a group, one person a request. */
export function adding(batchInterval: number, more: Record<string, unknown> = {}): Record<string, unknown> {
	const group = { instance: locator('name', 'main'), group: locator('id', CUSTOMERS) };
	const operation = { resource: 'group', operation: 'updateParticipants', action: 'add', dryRun: false };
	return { ...operation, ...group, options: { batchSize: 1, batchInterval }, ...more };
}

/** Puts a workflow into the database whose nodes lead from one to the next, and gives its id. */
export async function addWorkflow(rest: Rest, name: string, nodes: WorkflowNode[]): Promise<string> {
	const connections = Object.fromEntries(
		nodes.slice(1).map((to, i) => [nodes[i]?.name, { main: [[{ node: to.name, type: 'main', index: 0 }]] }]),
	);
	return await addConnected(rest, name, nodes, connections);
}

/** Puts a workflow into the database, and gives its id. */
export async function addConnected(
	rest: Rest,
	name: string,
	nodes: Workflow['nodes'],
	connections: object,
): Promise<string> {
	const settings = { executionOrder: 'v1' };
	const made = await rest.post('/rest/workflows', { name, nodes, connections, settings, active: false });
	if (isRecord(made) && typeof made.id === 'string') return made.id;
	throw new Error(`n8n did not take "${name}": ${JSON.stringify(made)}`);
}

/** Lets a workflow start by itself from now on: n8n 1.x activates it, 2.x publishes its newest version. */
export async function publish(rest: Rest, id: string): Promise<void> {
	await setActive(rest, id, true);
}

/** Lets a workflow no longer start by itself. */
export async function unpublish(rest: Rest, id: string): Promise<void> {
	await setActive(rest, id, false);
}

async function setActive(rest: Rest, id: string, active: boolean): Promise<void> {
	const workflow = await rest.get(`/rest/workflows/${id}`);
	const versionId = isRecord(workflow) ? workflow.versionId : undefined;
	await rest.post(`/rest/workflows/${id}/${active ? 'activate' : 'deactivate'}`, { versionId });
}

/** All executions of a workflow so far, oldest first, each when it is over. */
export async function executionsOf(rest: Rest, workflowId: string): Promise<Execution[]> {
	const executions: Execution[] = [];
	for (const id of await executionIdsOf(rest, workflowId)) executions.push(await resultOf(rest, id));
	return executions;
}

/** The ids of all executions of a workflow so far, oldest first, also of those that are not over. */
export async function executionIdsOf(rest: Rest, workflowId: string): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const reply = await rest.get(`/rest/executions?limit=100&filter=${filter}`);
	const results: unknown = isRecord(reply) ? reply.results : undefined;
	if (!Array.isArray(results)) throw new Error(`n8n lists no executions: ${JSON.stringify(reply)}`);
	const ids = results.filter(isRecord).map(({ id }) => String(id));
	return ids.sort((a, b) => Number(a) - Number(b));
}
