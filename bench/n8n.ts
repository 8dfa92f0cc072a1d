import { randomUUID } from 'node:crypto';
import type {
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeTypeDescription,
	INodeTypes,
} from 'n8n-workflow';
import { installPackage } from '../test/engine/installed-package';
import { loadLine } from '../test/engine/line';
import { createNodeTypes } from '../test/engine/node-types';
import { pollTrigger } from '../test/engine/poll';
import { executeWorkflow } from '../test/engine/run';
import type { NodeUnderMeasure } from './contenders/nodes';
import { send } from './contenders/plain';
import type { Access } from './gateway-host';
import type { Call, Job } from './jobs/job';

/** n8n's engine with the built package loaded, in this process. */
export interface N8n {
	/** The package's node as n8n's loader gives it. */
	ownDescription: INodeTypeDescription;
	/** A workflow of a trigger and the node, ready to run. @returns what runs it and gives the node's items */
	prepare(job: Job, access: Access, node?: NodeUnderMeasure): () => Promise<unknown[]>;
	/** The package's trigger, after its first poll and perhaps an event. @returns what polls again and gives the items */
	preparePoll(job: Job, event: Call | undefined, access: Access): Promise<() => Promise<unknown[]>>;
}

const FOREIGN = 'bench.node';

/** Loads the 2.x line, whose nodes the private package.json has. */
export async function startN8n(packageRoot: string, folder: string): Promise<N8n> {
	const line = loadLine(2, folder, 'silent');
	const installed = await installPackage(line, packageRoot, folder);
	const own = createNodeTypes(line, installed);

	const typesWith = (foreign: NodeUnderMeasure | undefined): INodeTypes => {
		const getByName = (type: string) =>
			type === FOREIGN && foreign !== undefined ? foreign.node : own.getByName(type);
		return {
			...own,
			getByName,
			getByNameAndVersion: (type, version) =>
				line.workflow.NodeHelpers.getVersionedNodeType(getByName(type), version),
		};
	};

	return {
		ownDescription: installed.node.description,
		prepare: (job, access, foreign) => {
			const nodeTypes = typesWith(foreign);
			const workflow = workflowOf(
				foreign === undefined ? `${installed.name}.${installed.node.description.name}` : FOREIGN,
				foreign?.version ?? 1,
				foreign?.parameters(access) ?? job.parameters,
			);
			const items: INodeExecutionData[] = job.items.map((json) => ({ json }));
			return async () => {
				const options = { credentials: access, items: { Items: items } };
				const { data } = await executeWorkflow(line, installed, workflow, options, nodeTypes);
				const { error, runData } = data.resultData;
				if (error) throw new Error(error.message);
				return (runData.Node?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
			};
		},
		preparePoll: async ({ parameters }, event, access) => {
			const activation = {
				id: randomUUID(),
				mode: 'trigger',
				activation: 'activate',
				parameters,
				credentials: access,
				credentialId: '1',
				staticData: {},
			} as const;
			const poll = async () => {
				const { items, error } = await pollTrigger(line, installed, activation);
				if (error) throw new Error(error.message);
				return (items ?? []).map(({ json }) => json);
			};
			await poll();
			if (event !== undefined) await send(event, access);
			return poll;
		},
	};
}

function workflowOf(type: string, typeVersion: number, parameters: INodeParameters) {
	const node = (name: string) => ({
		id: name,
		name,
		position: [0, 0] satisfies [number, number],
		parameters: {},
	});
	const credentials = { messagingGatewayApi: { id: '1', name: 'Gateway' } };
	const nodes: INode[] = [
		{ ...node('Items'), type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
		{ ...node('Node'), type, typeVersion, parameters, credentials },
	];
	return {
		name: 'Bench',
		nodes,
		connections: { Items: { main: [[{ node: 'Node', type: 'main' as const, index: 0 }]] } },
		settings: { executionOrder: 'v1' as const },
	};
}
