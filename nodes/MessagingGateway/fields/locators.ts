import type { INodeProperties, INodePropertyMode, INodePropertyModeTypeOptions } from 'n8n-workflow';
import type { GroupRef } from '../groups/change';
import { readGroupJid, readInstanceName } from '../input/identifiers';
import type { Parameters } from '../run/parameters';

export const instanceLocator = locator(
	{
		displayName: 'Instance',
		name: 'instance',
		description: 'The connection to a messaging account, by its name in the gateway',
	},
	{ searchListMethod: 'searchInstances' },
	{ displayName: 'By Name', name: 'name', placeholder: 'e.g. main', hint: 'Case-sensitive' },
);

export const groupLocator = locator(
	{ displayName: 'Group', name: 'group', description: 'The group to work with' },
	{
		searchListMethod: 'searchGroups',
		slowLoadNotice: {
			message: 'The gateway asks the network for every group, which can take a while',
			timeout: 5000,
		},
	},
	{
		displayName: 'By ID',
		name: 'id',
		placeholder: 'e.g. 120363021345678901@g.us',
		hint: 'The groupJid from Get Many, not an invite link',
	},
);

export const botLocator = locator(
	{ displayName: 'Bot', name: 'bot', description: 'The bot to get the configuration of' },
	{ searchListMethod: 'searchBots' },
	{ displayName: 'By ID', name: 'id', placeholder: 'e.g. clxyz0000000000000000001' },
);

/** Makes a field to choose from a list or to enter as text. */
function locator(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	list: INodePropertyModeTypeOptions,
	byText: Omit<INodePropertyMode, 'type'>,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchable: true, ...list } },
			{ ...byText, type: 'string' },
		],
	};
}

export function readInstance(parameters: Parameters): string {
	return readInstanceName(parameters.getLocator('instance'));
}

export function readGroup(parameters: Parameters): GroupRef {
	return { instance: readInstance(parameters), groupJid: readGroupJid(parameters.getLocator('group')) };
}
