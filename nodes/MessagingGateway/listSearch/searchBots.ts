import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { Problem } from '../common/problem';
import { chosenInstance, fillPicker } from './picker';

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
		without: new Problem("This gateway can't list bots", "Choose 'By ID' and enter the ID of the bot"),
	});
}
