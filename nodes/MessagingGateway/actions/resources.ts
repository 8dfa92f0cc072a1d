import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { get as getBot } from './bot/get.operation';
import { getAll as getAllGroups } from './group/getAll.operation';
import { getInviteLink } from './group/getInviteLink.operation';
import { getParticipants } from './group/getParticipants.operation';
import { sendInvite } from './group/invite/sendInvite.operation';
import { syncParticipants } from './group/sync/syncParticipants.operation';
import { updateParticipants } from './group/updateParticipants.operation';
import { get as getInstance } from './instance/get.operation';
import { getAll as getAllInstances } from './instance/getAll.operation';
import { getQrCode } from './instance/getQrCode.operation';
import type { Operation } from '../run/operation';

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
	group: {
		name: 'Group',
		defaultOperation: 'updateParticipants',
		operations: {
			getAll: {
				name: 'Get Many',
				action: 'Get many groups',
				description: 'Get the groups of an instance with their size',
				operation: getAllGroups,
			},
			getInviteLink: {
				name: 'Get Invite Link',
				action: 'Get group invite link',
				description: 'Get the public link that lets people join a group',
				operation: getInviteLink,
			},
			getParticipants: {
				name: 'Get Participants',
				action: 'Get group participants',
				description: 'Get who is in a group, with role and phone number',
				operation: getParticipants,
			},
			sendInvite: {
				name: 'Send Invite',
				action: 'Send group invite',
				description:
					"Send the group's public link in a message to people who can't be added. Nobody is invited twice, as far as n8n remembers. Messages to people who don't know the account can get it restricted.",
				operation: sendInvite,
			},
			syncParticipants: {
				name: 'Sync Participants',
				action: 'Sync group participants',
				description:
					"Make a group equal to your list: adds who is missing and, if you choose so, removes who isn't in it. Never removed: the one who created the group, the instance's own account, protected people and, unless you say so, admins.",
				operation: syncParticipants,
			},
			updateParticipants: {
				name: 'Update Participants',
				action: 'Add, remove or promote group participants',
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
			getQrCode: {
				name: 'Get QR Code',
				action: 'Get instance QR code',
				description: 'Get the QR code that connects an instance to its account',
				operation: getQrCode,
			},
		},
	},
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
