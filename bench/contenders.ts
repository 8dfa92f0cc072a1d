import { createRequire } from 'node:module';
import type {
	IExecuteFunctions,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	IVersionedNodeType,
} from 'n8n-workflow';
import { upTo } from '../test/engine/group/people';
import { methodOf, type Call, type Job } from './jobs';

const requireHere = createRequire(__filename);
/** The file of n8n's HTTP Request node, which the package.json of this folder installs. */
export const HTTP_REQUEST = requireHere.resolve('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js');

/** Where the gateway is. */
export interface Access {
	baseUrl: string;
	apiKey: string;
}

/** A node that isn't this project's own, as a workflow has it. */
export interface ForeignNode {
	node: INodeType | IVersionedNodeType;
	version: number;
	parameters: INodeParameters;
}

/** Who is compared: a node on n8n's engine (this project's own, unless it has another) or a plain function. */
export interface Contender {
	label: string;
	node?(job: Job, access: Access, own: INodeTypeDescription): ForeignNode;
	plain?(job: Job, access: Access): Promise<undefined>;
}

export type ContenderName = 'thisNode' | 'smallest' | 'readsAll' | 'limit' | 'httpRequest' | 'oneByOne';

/** All who are compared; `docs/benchmarks.md` says what they do. */
export const contenders: Record<ContenderName, Contender> = {
	thisNode: { label: 'this node' },
	smallest: { label: 'the smallest node', node: (job, _, own) => bareNode(job, own, expressionsIn(job)) },
	readsAll: { label: 'reading all parameters', node: (job, _, own) => bareNode(job, own, parametersOf(job)) },
	limit: { label: 'the limit', plain: fetchInSequence },
	httpRequest: { label: 'HTTP Request', node: httpRequest },
	oneByOne: {
		label: 'one request per item',
		node: (job, _, own) => bareNode(job, own, parametersOf(job), callsOf(job)),
	},
};

async function fetchInSequence(job: Job, { baseUrl, apiKey }: Access): Promise<undefined> {
	for (const call of job.fewest()) {
		const response = await fetch(baseUrl + call.path, {
			method: methodOf(call),
			headers: { apikey: apiKey, 'content-type': 'application/json' },
			...(call.body && { body: JSON.stringify(call.body) }),
		});
		const reply = await response.json();
		if (!response.ok) throw new Error(JSON.stringify(reply));
	}
}

function parametersOf({ parameters }: Job): string[] {
	return Object.keys(parameters).filter((name) => !['resource', 'operation'].includes(name));
}

function expressionsIn(job: Job): string[] {
	return parametersOf(job).filter((name) => JSON.stringify(job.parameters[name]).includes('"='));
}

function callsOf({ items, callFor }: Job): Call[] {
	return callFor ? items.map((_, item) => callFor(item)) : [];
}

/** Reads these parameters for every item, sends these calls (the fewest by default) and gives empty items; as a trigger, none. */
function bareNode(job: Job, own: INodeTypeDescription, names: string[], calls = job.fewest()): ForeignNode {
	const node: INodeType = {
		description: { ...own, name: 'bare' },
		async execute(this: IExecuteFunctions) {
			const items = this.getInputData();
			items.forEach((_, item) => {
				for (const name of names) this.getNodeParameter(name, item, undefined, { extractValue: true });
			});
			await sendThroughHelper(this, calls);
			const last = items.length - 1;
			return [upTo(job.amount).map((i) => ({ json: {}, pairedItem: { item: Math.min(i, last) } }))];
		},
		async poll(this: IPollFunctions) {
			await sendThroughHelper(this, calls);
			return null;
		},
	};
	return { node, version: 1, parameters: job.parameters };
}

async function sendThroughHelper(context: IExecuteFunctions | IPollFunctions, calls: Call[]): Promise<void> {
	const { baseUrl } = await context.getCredentials<Access>('messagingGatewayApi');
	for (const call of calls)
		await context.helpers.httpRequestWithAuthentication.call(context, 'messagingGatewayApi', {
			method: methodOf(call),
			url: baseUrl + call.path,
			...(call.body && { body: call.body }),
			json: true,
		});
}

function httpRequest(job: Job, { baseUrl, apiKey }: Access): ForeignNode {
	const [call = { path: '' }] = callsOf(job);
	const { HttpRequest } = requireHere(HTTP_REQUEST);
	const node: IVersionedNodeType = new HttpRequest();
	const parameters = {
		method: methodOf(call),
		url: `=${baseUrl}${call.path}`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'apikey', value: apiKey }] },
		sendBody: true,
		contentType: 'json',
		specifyBody: 'json',
		jsonBody: '={{ { action: $json.action, participants: [$json.phone] } }}',
		options: {},
	};
	return { node, version: node.currentVersion, parameters };
}
