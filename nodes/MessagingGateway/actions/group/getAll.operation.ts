import { instanceLocator, readInstance } from '../../fields/locators';
import { limitField, listOptionsField, readListOptions, returnAllField } from '../../fields/options';
import { simplifyGroup } from '../../gateway/replies/groups';
import type { Operation } from '../../run/operation';
import { isTool, limited, runReads } from '../reads';

export const getAllGroups: Operation = {
	name: 'Get Many',
	action: 'Get many groups',
	description: 'Get the groups of an instance with their size',
	onlyReads: true,
	fields: [
		instanceLocator,
		returnAllField,
		{
			...limitField,
			description: "Max number of results to return. A lower limit doesn't make this faster.",
		},
		listOptionsField,
	],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters, options) => ({
				asked: { instance: readInstance(parameters) },
				...readListOptions(parameters, options),
			}),
			ask: async ({ instance }, options) => await run.client.groups(instance, options),
			present: (groups, { asked: { instance }, limit, isSimple }) =>
				limited(run, groups, { limit, noun: 'group' }, (group) => [
					isSimple ? simplifyGroup(group, instance, isTool(run)) : group.element,
				]),
		}),
};
