import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { textOf } from '../common/json';
import { Problem } from '../common/problem';
import { chosenInstance, fillPicker, readEntries } from './picker';

/** Fills the Bot picker: the bots' descriptions, or their IDs where they have none. */
export async function searchBots(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		route: 'listBots',
		values: () => ({ path: { instance: chosenInstance(this) } }),
		read: readBots,
		without: new Problem("This gateway can't list bots", "Choose 'By ID' and enter the ID of the bot"),
	});
}

/** A list, or `null` where there are none (2.2.3). */
function readBots(reply: unknown) {
	return readEntries(reply === null ? [] : reply, ({ id, description }) => {
		const value = textOf(id);
		return value === undefined ? undefined : { name: textOf(description) || value, value };
	});
}
