import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { properties } from './actions/resources';
import { route } from './actions/router';
import { messagingGatewayApiTest } from './credentialTest';
import { searchBots, searchGroups, searchInstances } from './listSearch/search';

/**
 * Where output has secrets: those of an instance with Include Secrets on, and what links an account. n8n 2.x is told never to show these in an
 * execution, and 1.x takes no notice. Paths are exact, so this names what known gateways have, in each form.
 */
const sensitiveOutputFields = [
	// People who have it can link an account.
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

/**
 * Programmatic and not declarative: a declarative node fires the requests of all items at once and reports a
 * failure only after everything was sent, which ordered changes to people's groups can't afford.
 */
export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Keep WhatsApp groups in sync, see who is in them, and look after instances and bots on Evolution API',
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
