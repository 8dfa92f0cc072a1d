import { Problem } from '../../common/problem';
import { quote } from '../../common/text';
import { instanceLocator, readInstance } from '../../fields/locators';
import { lookupOptionsField, readBooleanField, simplifyField } from '../../fields/options';
import { simplifyInstance } from '../../gateway/replies/instances';
import type { Operation } from '../../run/operation';
import { runReads } from '../reads';

export const getInstance: Operation = {
	name: 'Get',
	action: 'Get instance',
	description: 'Get one instance with its status',
	onlyReads: true,
	fields: [instanceLocator, simplifyField, lookupOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters) => ({
				asked: { instance: readInstance(parameters) },
				simplify: readBooleanField(parameters, simplifyField),
			}),
			ask: async ({ instance }, options) => await run.client.instance(instance, options),
			present: (instance, { asked, simplify }) => {
				if (instance === undefined)
					throw new Problem(
						`The instance ${quote(asked.instance)} couldn't be found`,
						"Choose it with 'From List', or check its name. It's case-sensitive",
					);
				return [{ json: simplify ? simplifyInstance(instance) : instance.element }];
			},
		}),
};
