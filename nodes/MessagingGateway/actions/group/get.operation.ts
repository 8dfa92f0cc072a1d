import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { readBooleanField, readOptionsField, simplifyField } from '../../fields/options';
import { simplifyGroup } from '../../gateway/replies/groups';
import type { Operation } from '../../run/operation';
import { runReads } from '../reads';

export const getGroup: Operation = {
	name: 'Get',
	action: 'Get group',
	description: 'Get the name, description, size and settings of a group',
	onlyReads: true,
	fields: [instanceLocator, groupLocator, simplifyField, readOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters) => ({
				asked: readGroup(parameters),
				simplify: readBooleanField(parameters, simplifyField),
			}),
			ask: async (group, options) => await run.client.group(group, options),
			present: (group, { asked: { instance }, simplify }) => [
				{ json: simplify ? simplifyGroup(group, instance) : group.element },
			],
		}),
};
