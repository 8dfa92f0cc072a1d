import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { readInstances, statusOf } from '../gateway/replies/instances';
import { Problem } from '../common/problem';
import { fillPicker } from './picker';

/** Fills the Instance picker: `main (open)`. */
export async function searchInstances(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		route: 'listInstances',
		values: () => ({}),
		read: (reply) =>
			readInstances(reply)?.map((instance) => {
				const status = statusOf(instance);
				return {
					name: status === undefined ? instance.name : `${instance.name} (${status})`,
					value: instance.name,
				};
			}),
		without: new Problem(
			'There is no gateway that can list its instances at this address',
			"Check 'Base URL' in the credential and the version of the gateway, or choose 'By Name'",
		),
	});
}
