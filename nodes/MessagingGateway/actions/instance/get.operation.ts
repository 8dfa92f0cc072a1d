import { Problem } from '../../common/problem';
import { quote } from '../../common/text';
import { instanceLocator, readInstance } from '../../fields/locators';
import { lookupOptionsField, Options, readBooleanField, simplifyField } from '../../fields/options';
import { simplifyInstance } from '../../gateway/replies/instances';
import type { Operation } from '../../run/operation';
import { runReads } from '../../run/reads';

export const getInstance: Operation = {
	name: 'Get',
	action: 'Get instance',
	description: 'Get one instance with its status',
	onlyReads: true,
	fields: [instanceLocator, simplifyField, lookupOptionsField],
	async execute(run) {
		return await runReads(run, {
			read: (parameters) => {
				const { requestOptions, includeSecrets } = new Options(parameters);
				const instance = readInstance(parameters);
				const simplify = readBooleanField(parameters, simplifyField);
				return { asked: { instance }, requestOptions, includeSecrets, simplify };
			},
			ask: async ({ asked, requestOptions }) =>
				await run.client.instances(requestOptions, { name: asked.instance }),
			present: (instances, { asked, simplify }) => {
				// Some gateways ignore the filter, or take `constructor` for no filter.
				const instance = instances.find(({ name }) => name === asked.instance);
				if (instance === undefined)
					throw new Problem(
						`The instance ${quote(asked.instance)} couldn't be found`,
						"Choose it with 'From List', or check its name. It's case-sensitive",
					);
				return [{ json: simplify ? simplifyInstance(instance) : instance.element }];
			},
		});
	},
};
