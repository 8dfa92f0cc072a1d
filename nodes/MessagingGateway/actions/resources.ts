import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { get as getBot } from './bot/get.operation';
import { updateParticipants } from './group/updateParticipants.operation';
import { get as getInstance } from './instance/get.operation';
import { getAll as getAllInstances } from './instance/getAll.operation';
import type { Operation } from './operation';

/** How an operation appears in the editor, and the file that has its fields and its function. */
interface OperationEntry {
	name: string;
	/** Sentence case, shown where nodes are searched. */
	action: string;
	description: string;
	operation: Operation;
}

interface ResourceEntry {
	name: string;
	defaultOperation: string;
	operations: Record<string, OperationEntry>;
}

/** Every resource and operation: a new one is an entry here and a file of its own. */
export const RESOURCES: Record<string, ResourceEntry> = {
	bot: {
		name: 'Bot',
		defaultOperation: 'get',
		operations: {
			get: {
				name: 'Get',
				action: 'Get bot',
				description: 'Get the configuration of a bot',
				operation: getBot,
			},
		},
	},
	group: {
		name: 'Group',
		defaultOperation: 'updateParticipants',
		operations: {
			updateParticipants: {
				name: 'Update Participants',
				action: 'Update group participants',
				description: 'Add, remove, promote or demote members of a group',
				operation: updateParticipants,
			},
		},
	},
	instance: {
		name: 'Instance',
		defaultOperation: 'getAll',
		operations: {
			get: {
				name: 'Get',
				action: 'Get instance',
				description: 'Get one instance with its status',
				operation: getInstance,
			},
			getAll: {
				name: 'Get Many',
				action: 'Get many instances',
				description: 'Get the instances of the gateway with their status',
				operation: getAllInstances,
			},
		},
	},
};

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'group',
	options: Object.entries(RESOURCES).map(([value, { name }]) => ({ name, value })),
};

function operationField([resource, { operations, defaultOperation }]: [
	string,
	ResourceEntry,
]): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		default: defaultOperation,
		options: Object.entries(operations).map(([value, { name, action, description }]) => ({
			name,
			value,
			action,
			description,
		})),
	};
}

function operationFields([resource, { operations }]: [string, ResourceEntry]): INodeProperties[] {
	return Object.entries(operations).flatMap(([name, { operation }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [name] } }, operation.description),
	);
}

/** All fields of the node. */
export const properties: INodeProperties[] = [
	resourceField,
	...Object.entries(RESOURCES).map(operationField),
	...Object.entries(RESOURCES).flatMap(operationFields),
];
