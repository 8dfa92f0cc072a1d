import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { Problem } from '../common/problem';
import { count } from '../common/text';
import { chosenInstance, fillPicker } from './picker';

/** Fills the Group picker: `Customers (48 members)`. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		entries: async (client, options) => {
			const groups = await client.groups(chosenInstance(this), options);
			return groups.map(({ id, subject = id, size }) => ({
				name: size === undefined ? subject : `${subject} (${count(size, 'member')})`,
				value: id,
			}));
		},
		without: new Problem("This gateway can't list groups", "Choose 'By ID' and enter the ID of the group"),
	});
}
