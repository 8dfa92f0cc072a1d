import type { INodeProperties } from 'n8n-workflow';
import { groupLocator, instanceLocator } from '../MessagingGateway/fields/locators';
import { maxRetries, notice, optionsOf, timeout, type Field } from '../MessagingGateway/fields/options';
import { STATUS_OPTIONS } from '../MessagingGateway/input/values';

const forParticipants = { show: { event: ['participantsChanged'] } };
const forStatuses = { show: { event: ['instanceStatusChanged'] } };

export const pollTimeout: Field<number> = { ...timeout, default: 40_000 };
export const pollRetries: Field<number> = {
	...maxRetries,
	default: 0,
	description: "How many times to ask again if the gateway doesn't answer, while n8n's time for a poll lasts",
};
export const shortestInterval: Field<number> = {
	displayName: 'Shortest Interval (Minutes)',
	name: 'shortestInterval',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 15,
	description:
		'Skips polls that start sooner after the last one. Default: 15 for participants, 5 for statuses.',
};

export const triggerProperties: INodeProperties[] = [
	notice(
		'pollNotice',
		'Polls within 15 minutes of the last one are skipped (5 for statuses). Poll every 15 to 60 minutes. Each poll makes the gateway read from the messaging network, and too many reads get accounts banned.',
	),
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		default: 'participantsChanged',
		options: [
			{
				name: 'Group Participants Changed',
				value: 'participantsChanged',
				description: 'When people join or leave a group, or become or stop being admins',
			},
			{
				name: 'Instance Status Changed',
				value: 'instanceStatusChanged',
				description: 'When an instance loses its connection, gets it back, or is deleted',
			},
		],
	},
	{
		displayName: 'Instances',
		name: 'watch',
		type: 'options',
		displayOptions: forStatuses,
		default: 'all',
		description: 'Which instances to watch',
		options: [
			{ name: 'All', value: 'all', description: 'All instances, by the status that the gateway stored last' },
			{ name: 'One', value: 'one', description: 'One instance, by the live state of its connection' },
		],
	},
	{ ...instanceLocator, displayOptions: forParticipants },
	{ ...instanceLocator, displayOptions: { show: { event: ['instanceStatusChanged'], watch: ['one'] } } },
	{ ...groupLocator, displayOptions: forParticipants },
	{
		displayName: 'Changes',
		name: 'changes',
		type: 'multiOptions',
		displayOptions: forParticipants,
		default: ['joined', 'left'],
		description: 'Which changes start the workflow',
		options: [
			{ name: 'Demoted', value: 'demoted', description: 'Someone is no longer an admin' },
			{ name: 'Joined', value: 'joined', description: 'Someone is in the group now' },
			{ name: 'Left', value: 'left', description: 'Someone is no longer in the group' },
			{ name: 'Promoted', value: 'promoted', description: 'Someone is an admin now' },
		],
	},
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		displayOptions: forStatuses,
		default: ['close', 'connecting', 'open'],
		description:
			'Which new statuses start the workflow. An instance that lost its connection often stays Connecting.',
		options: [
			...STATUS_OPTIONS,
			{ name: 'Deleted', value: 'deleted', description: 'No longer on the gateway' },
		].sort((a, b) => a.name.localeCompare(b.name)),
	},
	optionsOf(pollRetries, pollTimeout, shortestInterval),
];
