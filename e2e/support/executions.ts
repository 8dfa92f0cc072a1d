import { parse } from 'flatted';
import type { IDataObject, IRun, ITaskData } from 'n8n-workflow';
import { isRecord } from '../../nodes/MessagingGateway/common/json';
import { until } from './children';
import type { Rest } from './rest';
import type { Workflow } from './site';

/** States in which an execution stays. */
const OVER = ['success', 'error', 'crashed', 'canceled'];

/** What became of an execution. */
export interface Execution {
	id: string;
	status: string;
	/** How it was started, in n8n's words: `trigger` by a schedule, `manual` by hand. */
	mode: string;
	/** The error that ended it, in n8n's words. */
	error?: { message?: string };
	/** By node, what its last run gave. */
	runs: Record<string, ITaskData>;
}

/** Starts a workflow as the editor's button does, with its pinned data, from its first trigger. Gives the execution's id. */
export async function startByHand(rest: Rest, workflow: Workflow): Promise<string> {
	const trigger = workflow.nodes.find(({ type }) => /trigger$|\.webhook$/i.test(type))?.name;
	const reply = await rest.post(`/rest/workflows/${workflow.id}/run`, {
		// n8n 1.x takes the workflow from the request, 2.x from its database.
		workflowData: workflow,
		triggerToStartFrom: { name: trigger },
	});
	if (isRecord(reply) && typeof reply.executionId === 'string') return reply.executionId;
	throw new Error(`n8n did not start "${workflow.name}": ${JSON.stringify(reply)}`);
}

/** Retries an execution that ended red, with its workflow as it was then. */
export async function retry(rest: Rest, id: string): Promise<Execution> {
	const reply = await rest.post(`/rest/executions/${id}/retry`, { loadWorkflow: false });
	if (isRecord(reply) && typeof reply.id === 'string') return await resultOf(rest, reply.id);
	throw new Error(`n8n did not retry ${id}: ${JSON.stringify(reply)}`);
}

/** What is known of an execution now. */
export async function stateOf(rest: Rest, id: string): Promise<Execution> {
	const execution = await rest.get(`/rest/executions/${id}`);
	if (!isRecord(execution)) throw new Error(`n8n does not know the execution ${id}`);
	const data = typeof execution.data === 'string' ? (parse(execution.data) as IRun['data']) : undefined;
	return { id, status: String(execution.status), mode: String(execution.mode), ...read(data) };
}

/** Waits until an execution is over. */
export async function resultOf(rest: Rest, id: string): Promise<Execution> {
	return await until(`Execution ${id}`, async () => {
		const result = await stateOf(rest, id);
		if (!OVER.includes(result.status)) return undefined;
		// n8n 1.x writes the status a moment before the data.
		const isComplete = result.status !== 'success' || Object.keys(result.runs).length > 0;
		return isComplete ? result : undefined;
	});
}

/** Runs a workflow as the editor's button does. */
export async function runByHand(rest: Rest, workflow: Workflow): Promise<Execution> {
	return await resultOf(rest, await startByHand(rest, workflow));
}

/** Reads what `n8n execute --rawOutput` printed. */
export function readRun(text: string): Pick<Execution, 'error' | 'runs'> {
	const run = JSON.parse(text.slice(text.indexOf('{\n'))) as Pick<IRun, 'data'>;
	return read(run.data);
}

function read(data: IRun['data'] | undefined): Pick<Execution, 'error' | 'runs'> {
	const { runData = {}, error } = data?.resultData ?? {};
	const last = ([node, runs]: [string, ITaskData[]]) => runs.slice(-1).map((run) => [node, run] as const);
	return { runs: Object.fromEntries(Object.entries(runData).flatMap(last)), ...(error && { error }) };
}

/** The json of what a node gave on an output: 0 is main, 1 the error output. */
export function given({ runs }: Pick<Execution, 'runs'>, node: string, output = 0): IDataObject[] {
	return (runs[node]?.data?.main?.[output] ?? []).map(({ json }) => json);
}
