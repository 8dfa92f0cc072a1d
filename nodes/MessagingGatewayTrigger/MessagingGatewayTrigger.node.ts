import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { messagingGatewayApiTest } from '../MessagingGateway/credentialTest';
import { searchGroups, searchInstances } from '../MessagingGateway/listSearch/search';
import { triggerProperties } from './fields';
import { poll } from './poll';

/** The trigger node. It polls: an instance has one webhook, which holds its key and names nobody who left. */
export class MessagingGatewayTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Trigger',
		name: 'messagingGatewayTrigger',
		icon: {
			light: 'file:../MessagingGateway/messagingGateway.svg',
			dark: 'file:../MessagingGateway/messagingGateway.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["event"] === "participantsChanged" ? "group participants changed" : "instance status changed" }}',
		description:
			'Keep WhatsApp groups equal to a list, change their members, and see who joins or leaves, on Evolution API',
		defaults: { name: 'Messaging Gateway Trigger' },
		polling: true,
		hints: [
			{
				message:
					'"Fetch Test Event" gives a sample of what is there now. Publish the workflow to start it on real changes.',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
			},
		],
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'messagingGatewayApiTest' }],
		properties: triggerProperties,
	};

	methods = { credentialTest: { messagingGatewayApiTest }, listSearch: { searchGroups, searchInstances } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
