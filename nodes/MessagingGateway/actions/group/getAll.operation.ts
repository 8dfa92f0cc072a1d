import type { INodeProperties } from 'n8n-workflow';
import { readGroups, simplifyGroup } from '../../gateway/replies/groups';
import { instanceLocator, readInstance } from '../../fields/locators';
import { runLookups, type Lookup } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import {
	limitField,
	Options,
	readFlag,
	readLimit,
	readOptionsField,
	returnAllField,
	simplifyField,
} from '../../fields/options';

const description: INodeProperties[] = [
	instanceLocator,
	returnAllField,
	{
		...limitField,
		description:
			"Max number of results to return. The gateway gives all groups in any case, so a lower limit doesn't make this faster.",
	},
	simplifyField,
	readOptionsField,
];

interface GroupsLookup extends Lookup {
	instance: string;
	limit: number;
	simplify: boolean;
}

async function execute(run: Run) {
	return await runLookups(run, {
		read: (parameters): GroupsLookup => {
			const instance = readInstance(parameters);
			return {
				values: { path: { instance }, query: { getParticipants: 'false' } },
				retryOptions: new Options(parameters).retryOptions,
				instance,
				limit: readLimit(parameters),
				simplify: readFlag(parameters, simplifyField),
			};
		},
		ask: async ({ values, retryOptions }) =>
			await run.gateway.read('listGroups', values, retryOptions, {
				read: readGroups,
				isEmpty: (groups, isSilent) => isSilent && groups.length === 0,
			}),
		present: (groups, { instance, limit, simplify }) =>
			groups
				.slice(0, limit)
				.map((group) => ({ json: simplify ? simplifyGroup(group, instance) : group.element })),
	});
}

export const getAll: Operation = { description, execute };
