import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { properties, subtitle } from './actions/resources';
import { route } from './actions/router';
import { messagingGatewayApiTest } from './credentialTest';
import { searchBots, searchGroups, searchInstances } from './listSearch/search';

/** Paths of secrets in the output of known gateways, which n8n 2.x never shows. n8n 1.x ignores this list. */
const sensitiveOutputFields = [
	// Links an account to another device.
	'pairingCode',
	// Simplified.
	'apikey',
	'integration.token',
	// As generation 1 gives it.
	'instance.apikey',
	'instance.integration.token',
	// As generation 2 gives it.
	'token',
	'Chatwoot.token',
	'Proxy.password',
	'Setting.wavoipToken',
];

/** The action node. It isn't declarative: such a node sends all requests at once; changes need an order. */
export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle,
		description:
			'Keep WhatsApp groups equal to a list, change their members, and see who joins or leaves, on Evolution API',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'messagingGatewayApiTest' }],
		sensitiveOutputFields,
		properties,
	};

	methods = {
		credentialTest: { messagingGatewayApiTest },
		listSearch: { searchBots, searchGroups, searchInstances },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await route(this)];
	}
}
