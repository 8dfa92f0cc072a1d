import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { installPackage } from '../test/engine/installed-package';
import { loadLine } from '../test/engine/line';
import { createNodeTypes } from '../test/engine/node-types';
import { pollTrigger } from '../test/engine/poll';
import { executeWorkflow, type ExportedWorkflow } from '../test/engine/run';
import type { Access, Contender, ForeignNode } from './contenders';
import type { Job } from './jobs';

/** Does a job once, and gives the items that come out. */
export type Work = () => Promise<IDataObject[]>;

const FOREIGN = 'bench.node';

/**
 * Loads n8n's engine (the 2.x line) and the built package into this process.
 *
 * @param folder where n8n may write, and the package is installed
 * @returns what prepares a job for a contender's node, or for the package's own. The trigger's first poll is part of that
 */
export async function loadN8n(packageRoot: string, folder: string) {
	const line = loadLine(2, folder, 'silent');
	const installed = await installPackage(line, packageRoot, folder);
	const types = createNodeTypes(line, installed);
	const { getVersionedNodeType } = line.workflow.NodeHelpers;

	const workflowWork = (job: Job, credentials: Access, foreign?: ForeignNode): Work => {
		const getByName = (type: string) => (foreign && type === FOREIGN ? foreign.node : types.getByName(type));
		const getByNameAndVersion = (type: string, version?: number) =>
			getVersionedNodeType(getByName(type), version);
		const workflow = foreign
			? workflowOf(FOREIGN, foreign.version, foreign.parameters)
			: workflowOf(`${installed.name}.${installed.node.description.name}`, 1, job.parameters);
		const options = { credentials, items: { Items: job.items.map((json) => ({ json })) } };
		const nodeTypes = { ...types, getByName, getByNameAndVersion };
		return async () => {
			const { data } = await executeWorkflow(line, installed, workflow, options, nodeTypes);
			const { error, runData } = data.resultData;
			if (error) throw new Error(error.message);
			return (runData.Node?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
		};
	};

	const pollWork = async ({ parameters }: Job, credentials: Access, foreign?: ForeignNode): Promise<Work> => {
		const when = { mode: 'trigger', activation: 'activate' } as const;
		const settings = { id: randomUUID(), parameters, credentials, credentialId: '1', staticData: {} };
		const trigger = foreign ? getVersionedNodeType(foreign.node) : installed.trigger;
		const poll = async () => {
			const { items, error } = await pollTrigger(line, { ...installed, trigger }, { ...when, ...settings });
			if (error) throw new Error(error.message);
			return (items ?? []).map(({ json }) => json);
		};
		await poll();
		return poll;
	};

	return async (job: Job, access: Access, node: Contender['node']): Promise<Work> => {
		const own = job.isPoll ? installed.trigger : installed.node;
		const foreign = node?.(job, access, own.description);
		return job.isPoll ? await pollWork(job, access, foreign) : workflowWork(job, access, foreign);
	};
}

function workflowOf(type: string, typeVersion: number, parameters: INodeParameters): ExportedWorkflow {
	const named = (name: string) => ({ id: name, name, position: [0, 0] satisfies [number, number] });
	const credentials = { messagingGatewayApi: { id: '1', name: 'Gateway' } };
	return {
		name: 'Bench',
		nodes: [
			{ ...named('Items'), type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
			{ ...named('Node'), type, typeVersion, parameters, credentials },
		],
		connections: { Items: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
