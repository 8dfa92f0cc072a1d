import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { Problem } from '../common/problem';
import { count } from '../common/text';
import { STATUS_LABELS } from '../input/identifiers';
import { chosenInstance, fillPicker } from './picker';

/** Fills the Instance picker: `main`, and beside it `Open`. n8n keeps the name of what is chosen with the workflow. */
export async function searchInstances(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		entries: async (client, options) => {
			const instances = await client.instances(options);
			return instances.map(({ name, status }) => ({
				name,
				value: name,
				...(status !== undefined && { description: STATUS_LABELS.get(status) ?? status }),
			}));
		},
		without: new Problem(
			'There is no gateway that can list its instances at this address',
			"Check 'Base URL' in the credential and the version of the gateway, or choose 'By Name'",
		),
	});
}

/** Fills the Group picker: `Customers`, and beside it `48 members`. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		entries: async (client, options) => {
			const groups = await client.groups(chosenInstance(this), options);
			return groups.map(({ id, subject = id, size }) => ({
				name: subject,
				value: id,
				...(size !== undefined && { description: count(size, 'member') }),
			}));
		},
		without: new Problem("This gateway can't list groups", "Choose 'By ID' and enter the ID of the group"),
	});
}

/** Fills the Bot picker: the bots' descriptions, or their IDs where they have none. */
export async function searchBots(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		entries: async (client, options) => {
			const bots = await client.bots(chosenInstance(this), options);
			return bots.map(({ id, description = id }) => ({ name: description, value: id }));
		},
		without: new Problem(
			"This gateway can't list bots",
			"Evolution API has bots from version 2 on. If it is one, choose 'By ID' and enter the ID of the bot",
		),
	});
}
