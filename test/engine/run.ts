import type { WorkflowExecute } from 'n8n-core';
import type {
	INode,
	INodeExecutionData,
	INodeTypes,
	IPinData,
	IRun,
	ITaskData,
	Workflow,
	WorkflowParameters,
} from 'n8n-workflow';
import { createAdditionalData } from './additional-data';
import { createCredentialsHelper } from './credentials-helper';
import type { InstalledPackage } from './installed-package';
import type { Line } from './line';
import { createNodeTypes, isTriggerType } from './node-types';
import type { OutputItem, RunOptions, RunResult } from './protocol';
import { serialiseError, toRawText } from './serialise';

/** n8n's export format, read from JSON. */
export type ExportedWorkflow = Pick<
	WorkflowParameters,
	'name' | 'nodes' | 'connections' | 'settings' | 'pinData'
>;

/** Number of executions so far, as n8n's database counts them. */
let executions = 0;

/** Runs a workflow, and gives what a test wants to know of it. */
export async function runWorkflow(
	line: Line,
	installed: InstalledPackage,
	exported: ExportedWorkflow,
	options: RunOptions,
	canceled: AbortSignal,
): Promise<Omit<RunResult, 'logs'>> {
	const nodeTypes = createNodeTypes(line, installed);
	const started = performance.now();
	const staticData = structuredClone(options.staticData ?? {});
	const run = await executeWorkflow(
		line,
		installed,
		exported,
		{ ...options, staticData },
		nodeTypes,
		canceled,
	);
	const elapsedMs = Math.round(performance.now() - started);
	const isKept = (options.mode ?? 'manual') !== 'manual' && run.status !== 'canceled';
	return {
		...summarise(run),
		raw: toRawText(run),
		elapsedMs,
		staticData: isKept ? staticData : (options.staticData ?? {}),
	};
}

/**
 * Runs a workflow as the editor's "Execute workflow" or one of its triggers does, and cancels it as "Stop" does. What
 * nodes keep is written to the static data that is given.
 */
export async function executeWorkflow(
	line: Line,
	installed: InstalledPackage,
	exported: ExportedWorkflow,
	{ credentials, items, mode = 'manual', staticData = {}, executionId = `${++executions}` }: RunOptions,
	nodeTypes: INodeTypes,
	canceled?: AbortSignal,
): Promise<IRun> {
	const workflow = new line.workflow.Workflow({
		...exported,
		id: exported.name ?? 'test',
		active: mode !== 'manual',
		nodeTypes,
		staticData,
	});
	const startNode = findStartNode(workflow, exported.nodes);
	const pinData: IPinData = { ...exported.pinData, ...toPinData(items ?? {}) };
	const helper = createCredentialsHelper(line, installed, credentials);
	const additionalData = createAdditionalData(line, helper, { executionId });
	const now = new Date();
	additionalData.hooks = new line.core.ExecutionLifecycleHooks(mode, executionId, {
		...exported,
		id: workflow.id,
		name: exported.name ?? '',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
	});

	const execute = new line.core.WorkflowExecute(additionalData, mode);
	const execution = start(line, execute, workflow, startNode, pinData);
	// n8n calls the run canceled if the node returns, or if its error says "canceled" or is named "…Cancelled…";
	// a node that answers the signal with any other error makes it a failed one.
	canceled?.addEventListener('abort', () => execution.cancel());
	return await execution;
}

/** 1.x takes its arguments by position, 2.x in an object; the types are those of 2.x. */
function start(
	line: Line,
	execute: WorkflowExecute,
	workflow: Workflow,
	startNode: INode,
	pinData: IPinData,
): ReturnType<WorkflowExecute['run']> {
	if (line.number === 2) return execute.run({ workflow, startNode, pinData });
	return Reflect.apply(execute.run, execute, [workflow, startNode, undefined, pinData]);
}

/** The trigger, or else the first node that no other leads to. */
function findStartNode(workflow: Workflow, nodes: INode[]): INode {
	const enabled = nodes.filter((node) => !node.disabled && !node.type.endsWith('.stickyNote'));
	const first =
		enabled.find((node) => isTriggerType(node.type)) ??
		enabled.find((node) => workflow.getParentNodes(node.name, 'main', 1).length === 0);
	const startNode = first && workflow.getNode(first.name);
	if (!startNode) throw new Error('The workflow has no node to start from');
	return startNode;
}

function toPinData(items: Record<string, object[]>): IPinData {
	const isItem = (value: object): value is INodeExecutionData =>
		'json' in value && typeof value.json === 'object' && value.json !== null;
	const toItem = (value: object): INodeExecutionData =>
		isItem(value) ? value : { json: Object.fromEntries(Object.entries(value)) };
	return Object.fromEntries(Object.entries(items).map(([node, values]) => [node, values.map(toItem)]));
}

function summarise({
	status,
	data: { resultData },
}: IRun): Omit<RunResult, 'logs' | 'raw' | 'elapsedMs' | 'staticData'> {
	const lastRuns = Object.entries(resultData.runData).flatMap(([node, runs]): Array<[string, ITaskData]> => {
		const last = runs.at(-1);
		return last ? [[node, last]] : [];
	});
	return {
		status,
		...(resultData.error && { error: serialiseError(resultData.error) }),
		outputs: Object.fromEntries(
			lastRuns.map(([node, run]) => [
				node,
				(run.data?.main ?? []).map((output) => (output ?? []).map(toOutput)),
			]),
		),
		errors: Object.fromEntries(
			lastRuns.flatMap(([node, run]) => (run.error ? [[node, serialiseError(run.error)]] : [])),
		),
		hints: Object.fromEntries(
			lastRuns.flatMap(([node, run]) => (run.hints?.length ? [[node, run.hints]] : [])),
		),
	};
}

function toOutput({ json, binary, pairedItem, error }: INodeExecutionData): OutputItem {
	return {
		json,
		...(binary && { binary }),
		...(pairedItem !== undefined && { pairedItem }),
		...errorItemIn(json, pairedItem),
		...(error && { hasErrorBeside: true }),
	};
}

/** An error item's message is what happened and what to do, and its `error` only the first. */
function errorItemIn(
	{ error, message }: INodeExecutionData['json'],
	pairedItem: INodeExecutionData['pairedItem'],
): Pick<OutputItem, 'error'> {
	if (typeof error !== 'string' || typeof message !== 'string') return {};
	const start = error.replace(/\.$/, '');
	if (!message.startsWith(start)) return {};
	const description = message.slice(start.length).replace(/^\. /, '');
	const index = typeof pairedItem === 'object' && 'item' in pairedItem ? { itemIndex: pairedItem.item } : {};
	return { error: { name: 'error item', message: error, description, ...index } };
}
