import { instanceLocator, readInstance } from '../../fields/locators';
import {
	limitField,
	readListOptions,
	readOptionsField,
	returnAllField,
	simplifyField,
} from '../../fields/options';
import { simplifyGroup } from '../../gateway/replies/groups';
import type { Operation } from '../../run/operation';
import { limited, runReads } from '../reads';

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
		simplifyField,
		readOptionsField,
	],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters) => ({
				asked: { instance: readInstance(parameters) },
				...readListOptions(parameters),
			}),
			ask: async ({ instance }, options) => await run.client.groups(instance, options),
			present: (groups, { asked: { instance }, limit, simplify }) =>
				limited(run, groups, { limit, noun: 'group' }, (group) => [
					simplify ? simplifyGroup(group, instance) : group.element,
				]),
		}),
};
