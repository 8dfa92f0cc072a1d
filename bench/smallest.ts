import type * as n8n from 'n8n-workflow';
import type { Call, Job } from './jobs';

/** Where the gateway is. */
export interface Access {
	baseUrl: string;
	apiKey: string;
}

/** Who is compared: this project's node, and the smallest one. */
export type Contender = 'thisNode' | 'smallest';

const methodOf = ({ body }: Call) => (body ? ('PUT' as const) : ('GET' as const));

/** Makes a node that reads the parameters with expressions for every item, sends the fewest calls and gives empty items. */
export function smallestNode(
	{ parameters, fewest, expected }: Job,
	own: n8n.INodeTypeDescription,
): n8n.INodeType {
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
