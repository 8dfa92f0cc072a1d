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
import { searchBots } from './listSearch/searchBots';
import { searchGroups } from './listSearch/searchGroups';
import { searchInstances } from './listSearch/searchInstances';

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
			'Keep group members in step, list instances and look up bots on a gateway such as Evolution API',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'messagingGatewayApiTest' }],
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
