import { createRequire } from 'node:module';
import { join } from 'node:path';
import type {
	IExecuteFunctions,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	IVersionedNodeType,
} from 'n8n-workflow';
import type { Access } from '../gateway-host';
import type { CallPerItem, Job } from '../jobs/job';

/** What a node under measure is: its type, the version and the parameters in the workflow. */
export interface NodeUnderMeasure {
	node: INodeType | IVersionedNodeType;
	version: number;
	parameters(access: Access): INodeParameters;
}

const CREDENTIAL = 'messagingGatewayApi';

/** The package of n8n's own nodes, which the private package.json of this folder installs. */
const requirePrivate = createRequire(join(__dirname, '../package.json'));

/** n8n's HTTP Request node, set as people set it: one request per item. */
export function httpRequest(
	job: Job,
	batching?: { batchSize: number; batchInterval: number },
): NodeUnderMeasure {
	const perItem = perItemOf(job);
	const { HttpRequest } = requirePrivate('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js');
	const node: IVersionedNodeType = new HttpRequest();
	const version = node.currentVersion;
	return {
		node,
		version,
		parameters: ({ baseUrl, apiKey }: Access) => ({
			method: perItem.method,
			url: `=${baseUrl}${perItem.path}`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'apikey', value: apiKey }] },
			...(perItem.body && {
				sendBody: true,
				contentType: 'json',
				specifyBody: 'json',
				jsonBody: perItem.body,
			}),
			options: batching ? { batching: { batch: batching } } : {},
		}),
	};
}

function perItemOf({ perItem }: Job): CallPerItem {
	if (perItem === undefined) throw new Error('No request per item does this job');
	return perItem;
}

/** The smallest node that does the job as other nodes for gateways do: item by item, a request for each. */
export function oneByOne(job: Job): NodeUnderMeasure {
	const perItem = perItemOf(job);
	const text = { type: 'string' as const, default: '' };
	const node: INodeType = {
		description: {
			...bare('oneByOne'),
			credentials: [{ name: CREDENTIAL, required: true }],
			properties: [
				{ ...text, displayName: 'URL', name: 'url' },
				{ ...text, displayName: 'Body', name: 'body' },
			],
		},
		async execute(this: IExecuteFunctions) {
			const output = [];
			for (let item = 0; item < this.getInputData().length; item++) {
				const body = this.getNodeParameter('body', item);
				const json = await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
					method: perItem.method,
					url: String(this.getNodeParameter('url', item)),
					...(typeof body === 'object' && body !== null && { body }),
					json: true,
				});
				output.push({ json, pairedItem: { item } });
			}
			return [output];
		},
	};
	return {
		node,
		version: 1,
		parameters: ({ baseUrl }) => ({ url: `=${baseUrl}${perItem.path}`, body: perItem.body ?? '' }),
	};
}

/**
 * The least that a node has to do on n8n's engine: some parameters of this project's node are read for every item, the
 * fewest requests are sent through n8n's helper, and as many items come out. Nothing is checked, planned or made of a
 * reply.
 *
 * @param names the parameters that are read
 */
export function bareMinimum(
	job: Job,
	description: INodeTypeDescription,
	names: readonly string[],
): NodeUnderMeasure {
	const node: INodeType = {
		description: { ...description, name: 'bareMinimum' },
		async execute(this: IExecuteFunctions) {
			const items = this.getInputData();
			items.forEach((_, item) => {
				for (const name of names) this.getNodeParameter(name, item, undefined, { extractValue: true });
			});
			const { baseUrl } = await this.getCredentials<Access>(CREDENTIAL);
			for (const { method, path, body } of job.fewest())
				await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
					method,
					url: baseUrl + path,
					...(body && { body }),
					json: true,
				});
			const last = items.length - 1;
			return [job.outputs.map((_, i) => ({ json: {}, pairedItem: { item: Math.min(i, last) } }))];
		},
	};
	return { node, version: 1, parameters: () => job.parameters };
}

/** What of a job's parameters a node usually reads for each item. */
export function parametersOf({ parameters }: Job): string[] {
	return Object.keys(parameters).filter((name) => !['resource', 'operation'].includes(name));
}

/** Those that can differ from item to item. */
export function expressionsIn(job: Job): string[] {
	return parametersOf(job).filter((name) => JSON.stringify(job.parameters[name]).includes('"='));
}

/** A node that passes its items on. */
export function nothing(): NodeUnderMeasure {
	const node: INodeType = {
		description: bare('nothing'),
		async execute(this: IExecuteFunctions) {
			return [this.getInputData()];
		},
	};
	return { node, version: 1, parameters: () => ({}) };
}

function bare(name: string): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: 'For comparison only',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};
}
