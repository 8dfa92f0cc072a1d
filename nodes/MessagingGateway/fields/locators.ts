import type { INodeProperties, INodePropertyMode, INodePropertyModeTypeOptions } from 'n8n-workflow';
import { Problem } from '../common/problem';
import { isBlank } from '../common/text';
import { unmadeId, type GroupRef } from '../groups/change';
import { readGroupJid, readInstanceName } from '../input/identifiers';
import { booleanIn } from '../input/values';
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

export const readInstance = (parameters: Parameters): string =>
	readInstanceName(parameters.getLocator('instance'));

export function readGroup(parameters: Parameters): GroupRef {
	const given = parameters.getLocator('group');
	const groupJid = isBlank(given) ? unmadeGroup(parameters) : undefined;
	return { instance: readInstance(parameters), groupJid: groupJid ?? readGroupJid(given) };
}

/** Makes the reason why nothing can be read or changed behind a dry run of Create. */
export const createdFirst = (): Problem =>
	new Problem('The group would be created first (Dry Run)', "Turn off 'Dry Run' in Create to go on");

/** Finds the group that a dry run of Create has planned. @throws Problem unless this is a dry run, too */
function unmadeGroup(parameters: Parameters): string | undefined {
	const { groupJid, outcome, subject } = parameters.json;
	if (groupJid !== null || outcome !== 'planned') return undefined;
	if (booleanIn(parameters.get('dryRun', true)) === true) return unmadeId(subject);
	throw createdFirst();
}
