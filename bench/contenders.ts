import { createRequire } from 'node:module';
import type * as n8n from 'n8n-workflow';
import { addition, type Call, type Job } from './jobs';

/** Where the gateway is. */
export interface Access {
	baseUrl: string;
	apiKey: string;
}

/** Who is compared: a node on n8n's engine (this project's own, unless it has another) or a plain function. */
export interface Contender {
	label: string;
	node?(job: Job, access: Access, own: n8n.INodeTypeDescription): ForeignNode;
	plain?(job: Job, access: Access): Promise<undefined>;
}

type AnyNode = n8n.INodeType | n8n.IVersionedNodeType;
type ForeignNode = Pick<n8n.INode, 'parameters' | 'typeVersion'> & { node: AnyNode };

export type ContenderName = 'thisNode' | 'smallest' | 'httpRequest' | 'limit';

/** All who are compared; `docs/benchmarks.md` says what they do. */
export const contenders: Record<ContenderName, Contender> = {
	thisNode: { label: 'this node' },
	smallest: { label: 'the smallest node', node: smallest },
	httpRequest: { label: 'HTTP Request', node: httpRequest },
	limit: { label: 'the limit', plain: fetchInSequence },
};

const methodOf = ({ body }: Call) => (body ? ('PUT' as const) : ('GET' as const));

async function fetchInSequence({ fewest }: Job, { baseUrl, apiKey }: Access): Promise<undefined> {
	for (const call of fewest) {
		const headers = { apikey: apiKey, 'content-type': 'application/json' };
		const body = call.body && { body: JSON.stringify(call.body) };
		const response = await fetch(baseUrl + call.path, { method: methodOf(call), headers, ...body });
		const reply = await response.json();
		if (!response.ok) throw new Error(JSON.stringify(reply));
	}
}

/** Reads the parameters with expressions for every item, sends the fewest calls and gives empty items. */
function smallest(
	{ parameters, fewest, expected }: Job,
	_: Access,
	own: n8n.INodeTypeDescription,
): ForeignNode {
	const names = Object.keys(parameters).filter((name) => JSON.stringify(parameters[name]).includes('"='));
	async function send(context: n8n.IExecuteFunctions | n8n.IPollFunctions): Promise<void> {
		const type = 'messagingGatewayApi';
		const { baseUrl } = await context.getCredentials<Access>(type);
		for (const call of fewest) {
			const request = { method: methodOf(call), url: baseUrl + call.path, json: true, ...call };
			await context.helpers.httpRequestWithAuthentication.call(context, type, request);
		}
	}
	const node: n8n.INodeType = {
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
	return { node, typeVersion: 1, parameters };
}

/** n8n's own node as people set it: one request per item. */
function httpRequest(_: Job, { baseUrl, apiKey }: Access): ForeignNode {
	const file = 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js';
	const { HttpRequest } = createRequire(__filename)(file);
	const node: n8n.IVersionedNodeType = new HttpRequest();
	const keys = { parameters: [{ name: 'apikey', value: apiKey }] };
	const headers = { sendHeaders: true, headerParameters: keys };
	const jsonBody = "={{ { action: 'add', participants: [$json.phone] } }}";
	const body = { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody };
	const url = baseUrl + addition([]).path;
	const parameters = { method: 'PUT', url, ...headers, ...body, options: {} };
	return { node, typeVersion: node.currentVersion, parameters };
}
