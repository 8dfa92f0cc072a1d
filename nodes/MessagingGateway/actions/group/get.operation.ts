import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { listOptionsField, simplify } from '../../fields/options';
import { simplifyGroup } from '../../gateway/replies/groups';
import type { Operation } from '../../run/operation';
import { isTool, runReads } from '../reads';

export const getGroup: Operation = {
	name: 'Get',
	action: 'Get group',
	description: 'Get the name, description, size and settings of a group',
	onlyReads: true,
	fields: [instanceLocator, groupLocator, listOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters, options) => ({ asked: readGroup(parameters), isSimple: options.boolean(simplify) }),
			ask: async (group, options) => await run.client.group(group, options),
			present: (group, { asked: { instance }, isSimple }) => [
				{ json: isSimple ? simplifyGroup(group, instance, isTool(run)) : group.element },
			],
		}),
};
