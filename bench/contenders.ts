import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as n8n from 'n8n-workflow';
import { addition, type Call, type Job } from './jobs';

/** Where the gateway is. */
export interface Access {
	baseUrl: string;
	apiKey: string;
}

/** Who is compared: this project's node, the smallest one, n8n's own for any API, and a loop of the same requests without n8n. */
export const contenders = ['thisNode', 'smallest', 'httpRequest', 'limit'] as const;
export type Contender = (typeof contenders)[number];

const methodOf = ({ body }: Call) => (body ? ('PUT' as const) : ('GET' as const));

/** Makes a node that reads the parameters with expressions for every item, sends the fewest calls and gives empty items. */
function smallestNode({ parameters, fewest, expected }: Job, own: n8n.INodeTypeDescription): n8n.INodeType {
	const names = Object.keys(parameters).filter((name) => JSON.stringify(parameters[name]).includes('"='));
	async function send(context: n8n.IExecuteFunctions | n8n.IPollFunctions): Promise<void> {
		const type = 'messagingGatewayApi';
		const { baseUrl } = await context.getCredentials<Access>(type);
		for (const call of fewest) {
			const request = { method: methodOf(call), url: baseUrl + call.path, json: true, ...call };
			await context.helpers.httpRequestWithAuthentication.call(context, type, request);
		}
	}
	return {
		description: { ...own, name: 'smallest', version: 1 },
		async execute(this: n8n.IExecuteFunctions) {
			const { length } = this.getInputData();
			for (let item = 0; item < length; item++)
				for (const name of names) this.getNodeParameter(name, item, undefined, { extractValue: true });
			await send(this);
			return [expected.map((_, i) => ({ json: {}, pairedItem: { item: Math.min(i, length - 1) } }))];
		},
		async poll(this: n8n.IPollFunctions) {
			await send(this);
			return null;
		},
	};
}

/** Makes n8n's own node for any API as people set it: one request for each row, or one for a list. It is that of the real n8n of the e2e tests. */
function httpRequestNode({ fewest: [first] }: Job, { baseUrl, apiKey }: Access) {
	const { HttpRequest } = createRequire(join(__dirname, '../e2e/n8n-2/package.json'))(
		'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
	);
	const node: n8n.IVersionedNodeType = new HttpRequest();
	const keys = { parameters: [{ name: 'apikey', value: apiKey }] };
	const isChange = first?.body !== undefined;
	const jsonBody = "={{ { action: 'add', participants: [$json.phone] } }}";
	const body = isChange && { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody };
	const url = baseUrl + (isChange ? addition([]).path : (first?.path ?? ''));
	const request = { method: isChange ? 'PUT' : 'GET', url, sendHeaders: true, headerParameters: keys };
	const parameters: n8n.INodeParameters = { ...request, ...body, options: {} };
	return { node, parameters, typeVersion: node.currentVersion, executeOnce: !isChange };
}

/** Gives the node of a contender, none for this project's own, and how it is set. */
export function foreignNode(who: Contender, job: Job, access: Access, own: n8n.INodeTypeDescription) {
	if (who === 'httpRequest') return httpRequestNode(job, access);
	const node = who === 'smallest' ? smallestNode(job, own) : undefined;
	return { node, parameters: job.parameters, typeVersion: 1 };
}

/** Sends the fewest requests one after the other. */
export async function fetchAll({ fewest }: Job, { baseUrl, apiKey }: Access): Promise<undefined> {
	for (const call of fewest) {
		const headers = { apikey: apiKey, 'content-type': 'application/json' };
		const body = call.body && { body: JSON.stringify(call.body) };
		const response = await fetch(baseUrl + call.path, { method: methodOf(call), headers, ...body });
		const reply = await response.json();
		if (!response.ok) throw new Error(JSON.stringify(reply));
	}
}
