import { Problem } from '../../common/problem';
import { quote } from '../../common/text';
import { instanceLocator, readInstance } from '../../fields/locators';
import { instanceOptionsField, simplify } from '../../fields/options';
import { simplifyInstance } from '../../gateway/replies/instances';
import type { Operation } from '../../run/operation';
import { runReads } from '../reads';

export const getInstance: Operation = {
	name: 'Get',
	action: 'Get instance',
	description: 'Get one instance with its status',
	onlyReads: true,
	fields: [instanceLocator, instanceOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters, options) => ({
				asked: { instance: readInstance(parameters) },
				isSimple: options.boolean(simplify),
			}),
			ask: async ({ instance }, options) => await run.client.instance(instance, options),
			present: (instance, { asked, isSimple }) => {
				if (instance === undefined)
					throw new Problem(
						`The instance ${quote(asked.instance)} couldn't be found`,
						"Choose it with 'From List', or check its name. It's case-sensitive",
					);
				return [{ json: isSimple ? simplifyInstance(instance) : instance.element }];
			},
		}),
};
