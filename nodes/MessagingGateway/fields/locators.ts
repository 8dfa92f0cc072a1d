import type { INode, INodeProperties, INodePropertyMode, INodePropertyModeTypeOptions } from 'n8n-workflow';
import { isRecord, textOf, type JsonRecord } from '../common/json';
import { readGroupJid, readInstanceName } from '../input/identifiers';
import type { Parameters } from '../run/parameters';

/** The picker for an instance, the same in every operation that works within one. */
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
);

export const botLocator = locator(
	{ displayName: 'Bot', name: 'bot', description: 'The bot to get the configuration of' },
	{ searchListMethod: 'searchBots' },
	{ displayName: 'By ID', name: 'id', placeholder: 'e.g. clxyz0000000000000000001' },
);

/** A field to choose something from a list, or to enter it as text. */
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

/** The instance chosen in the node. @throws Problem */
export function readInstance(parameters: Parameters): string {
	return readInstanceName(parameters.getLocator('instance'));
}

/** The group chosen in the node, and its instance. @throws Problem */
export function readGroup(parameters: Parameters): { instance: string; groupJid: string } {
	return { instance: readInstance(parameters), groupJid: readGroupJid(parameters.getLocator('group')) };
}

/** The name under which the group was chosen from the list; `undefined` if it was entered, or comes from an expression. */
export function chosenGroupName({ parameters }: INode): string | undefined {
	const group: unknown = parameters.group;
	if (!isRecord(group) || group.mode !== 'list' || String(group.value).startsWith('=')) return undefined;
	return textOf(group.cachedResultName) || undefined;
}

/** The fields of an output item, with the group's name after its ID. An item that is about no group stays as it is. */
export function withGroupName<T extends JsonRecord>(json: T, groupName: string | undefined): T | JsonRecord {
	if (groupName === undefined || !Object.hasOwn(json, 'groupJid')) return json;
	const others = Object.entries(json).filter(([field]) => field !== 'groupName');
	others.splice(1 + others.findIndex(([field]) => field === 'groupJid'), 0, ['groupName', groupName]);
	return Object.fromEntries(others);
}
