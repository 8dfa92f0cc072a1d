import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import type { Operation } from '../run/operation';
import { getBot } from './bot/get.operation';
import { createGroup } from './group/create.operation';
import { getGroup } from './group/get.operation';
import { getAllGroups } from './group/getAll.operation';
import { getInviteLink } from './group/getInviteLink.operation';
import { getParticipants } from './group/getParticipants.operation';
import { leaveGroup } from './group/leave.operation';
import { resetInviteLink } from './group/resetInviteLink.operation';
import { sendInvite } from './group/sendInvite/sendInvite.operation';
import { sendMessage } from './group/sendMessage.operation';
import { syncParticipants } from './group/sync/syncParticipants.operation';
import { updateGroup } from './group/update.operation';
import { updateParticipants } from './group/updateParticipants.operation';
import { getInstance } from './instance/get.operation';
import { getAllInstances } from './instance/getAll.operation';
import { getQrCode } from './instance/getQrCode.operation';

/** Every resource and operation, by the values that saved workflows have. */
export const RESOURCES: Record<
	string,
	{ name: string; defaultOperation: string; operations: Record<string, Operation> }
> = {
	group: {
		name: 'Group',
		defaultOperation: 'updateParticipants',
		operations: {
			create: createGroup,
			get: getGroup,
			getAll: getAllGroups,
			getInviteLink,
			getParticipants,
			leave: leaveGroup,
			resetInviteLink,
			sendInvite,
			sendMessage,
			syncParticipants,
			update: updateGroup,
			updateParticipants,
		},
	},
	instance: {
		name: 'Instance',
		defaultOperation: 'getAll',
		operations: { get: getInstance, getAll: getAllInstances, getQrCode },
	},
	bot: { name: 'Bot', defaultOperation: 'get', operations: { get: getBot } },
};

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'group',
	// Not by name: whoever manages groups would find a bot first.
	options: Object.entries(RESOURCES).map(([value, { name }]) => ({ name, value })),
};

const operationFields = Object.entries(RESOURCES).map(
	([resource, { operations, defaultOperation }]): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		default: defaultOperation,
		options: Object.entries(operations)
			.map(([value, { name, action, description }]) => ({ name, value, action, description }))
			.sort((one, other) => one.name.localeCompare(other.name)),
	}),
);

/** Labels of operations by their values, for the line below a node. */
const OPERATION_NAMES = Object.fromEntries(
	Object.values(RESOURCES).flatMap(({ operations }) =>
		Object.entries(operations).map(([value, { name }]) => [value, name]),
	),
);

export const subtitle = `={{ (${JSON.stringify(OPERATION_NAMES)})[$parameter["operation"]] }}`;

export const properties: INodeProperties[] = [
	resourceField,
	...operationFields,
	...Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { fields }]) =>
			updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
		),
	),
];
