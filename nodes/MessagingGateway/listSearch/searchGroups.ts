import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { textOf } from '../domain/records/json';
import { Problem } from '../domain/failures/problem';
import { count } from '../domain/text/text';
import { chosenInstance, fillPicker, readEntries } from './picker';

/** Fills the Group picker: `Customers (48 members)`. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await fillPicker(this, filter, {
		route: 'listGroups',
		values: () => ({ path: { instance: chosenInstance(this) }, query: { getParticipants: 'false' } }),
		read: readGroups,
		without: new Problem("This gateway can't list groups", "Choose 'By ID' and enter the ID of the group"),
	});
}

/** `[{id, subject, size}]`, seen on 1.8.2, 2.2.3 and 2.3.6. */
function readGroups(reply: unknown) {
	return readEntries(reply, ({ id, subject, size }) => {
		const value = textOf(id);
		if (value === undefined) return undefined;
		const name = textOf(subject) || value;
		return { name: typeof size === 'number' ? `${name} (${count(size, 'member')})` : name, value };
	});
}
