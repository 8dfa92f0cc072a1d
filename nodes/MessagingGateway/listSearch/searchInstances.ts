import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { Problem } from '../common/problem';
import { fillPicker } from './picker';

/** Fills the Instance picker: `main (open)`. */
export async function searchInstances(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		entries: async (client, options) => {
			const instances = await client.instances(options);
			return instances.map(({ name, status }) => ({
				name: status === undefined ? name : `${name} (${status})`,
				value: name,
			}));
		},
		without: new Problem(
			'There is no gateway that can list its instances at this address',
			"Check 'Base URL' in the credential and the version of the gateway, or choose 'By Name'",
		),
	});
}
