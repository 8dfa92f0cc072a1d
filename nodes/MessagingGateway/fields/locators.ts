import type { INodeProperties } from 'n8n-workflow';
import { readGroupJid, readInstanceName } from '../input/identifiers';
import type { Parameters } from '../run/parameters';

/** The picker for an instance, the same in every operation that works within one. */
export const instanceLocator: INodeProperties = {
	displayName: 'Instance',
	name: 'instance',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The connection to a messaging account, by its name in the gateway',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchInstances', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. main',
			hint: 'Case-sensitive',
		},
	],
};

export const groupLocator: INodeProperties = {
	displayName: 'Group',
	name: 'group',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The group to work with',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: {
				searchListMethod: 'searchGroups',
				searchable: true,
				slowLoadNotice: {
					message: 'The gateway asks the network for every group, which can take a while',
					timeout: 5000,
				},
			},
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 120363021345678901@g.us',
			hint: 'The groupJid that Get many groups gives, not an invite link',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*\\d+(-\\d+)?(@g\\.us)?\\s*$',
						errorMessage:
							'Enter a group ID such as 120363021345678901@g.us, not an invite link or a phone number',
					},
				},
			],
		},
	],
};

export const botLocator: INodeProperties = {
	displayName: 'Bot',
	name: 'bot',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The bot to get the configuration of',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchBots', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. clxyz0000000000000000001',
		},
	],
};

/** The instance chosen in the node. @throws Problem */
export function readInstance(parameters: Parameters): string {
	return readInstanceName(parameters.getLocator('instance'));
}

/** The group chosen in the node, and its instance. @throws Problem */
export function readGroup(parameters: Parameters): { instance: string; groupJid: string } {
	return { instance: readInstance(parameters), groupJid: readGroupJid(parameters.getLocator('group')) };
}
