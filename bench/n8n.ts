import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { installPackage } from '../test/engine/installed-package';
import { loadLine } from '../test/engine/line';
import { createNodeTypes } from '../test/engine/node-types';
import { pollTrigger } from '../test/engine/poll';
import { executeWorkflow } from '../test/engine/run';
import type { Job } from './jobs';
import { fetchAll, foreignNode, type Access, type Contender } from './contenders';

/** Does a job once, and gives the items that come out. */
export type Work = () => Promise<IDataObject[] | undefined>;

/**
 * Loads n8n's engine (the 2.x line) and the built package into this process, and into a folder where n8n may write.
 *
 * @returns what prepares a job for a contender. The trigger's first poll is part of that
 */
export async function loadN8n(packageRoot: string, folder: string, contender: Contender) {
	const line = loadLine(2, folder, 'silent');
	const installed = await installPackage(line, packageRoot, folder);
	const types = createNodeTypes(line, installed);
	const { getVersionedNodeType } = line.workflow.NodeHelpers;

	return async (job: Job, credentials: Access): Promise<Work> => {
		const isPoll = 'event' in job.parameters;
		const own = isPoll ? installed.trigger : installed.node;
		if (contender === 'limit') return async () => await fetchAll(job, credentials);
		const {
			node: foreign,
			parameters,
			...others
		} = foreignNode(contender, job, credentials, own.description);
		if (isPoll) {
			const trigger = foreign ? getVersionedNodeType(foreign) : own;
			const when = { mode: 'trigger', activation: 'activate', id: randomUUID() } as const;
			const settings = { ...when, staticData: {}, parameters, credentials, credentialId: '1' };
			const poll = async () => {
				const { items, error } = await pollTrigger(line, { ...installed, trigger }, settings);
				if (error) throw new Error(error.message);
				return (items ?? []).map(({ json }) => json);
			};
			await poll();
			return poll;
		}
		const type = `${installed.name}.${own.description.name}`;
		const getByName = (name: string) => (name === type && foreign) || types.getByName(name);
		const getByNameAndVersion = (name: string, v?: number) => getVersionedNodeType(getByName(name), v);
		const credential = { messagingGatewayApi: { id: '1', name: 'Gateway' } };
		const named = (name: string) => ({ id: name, name, position: [0, 0] satisfies [number, number] });
		const workflow = {
			name: 'Bench',
			nodes: [
				{ ...named('Items'), type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
				{ ...named('Node'), type, ...others, parameters, credentials: credential },
			],
			connections: { Items: { main: [[{ node: 'Node', type: 'main' as const, index: 0 }]] } },
			settings: { executionOrder: 'v1' as const },
		};
		const options = { credentials, items: { Items: job.items.map((json) => ({ json })) } };
		const nodeTypes = { ...types, getByName, getByNameAndVersion };
		return async () => {
			const { data } = await executeWorkflow(line, installed, workflow, options, nodeTypes);
			const { error, runData } = data.resultData;
			if (error) throw new Error(error.message);
			return (runData.Node?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
		};
	};
}
