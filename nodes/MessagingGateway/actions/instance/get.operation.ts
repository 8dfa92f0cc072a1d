import type { INodeProperties } from 'n8n-workflow';
import { Problem } from '../../common/problem';
import { readInstances, simplifyInstance } from '../../gateway/replies/instances';
import { quote } from '../../common/text';
import { instanceLocator, readInstance } from '../../fields/locators';
import { runLookups, type Lookup } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import { lookupOptionsField, Options, readFlag, simplifyField } from '../../fields/options';

const description: INodeProperties[] = [instanceLocator, simplifyField, lookupOptionsField];

interface InstanceLookup extends Lookup {
	name: string;
	simplify: boolean;
}

async function execute(run: Run) {
	return await runLookups(run, {
		read: (parameters): InstanceLookup => {
			const { retryOptions, includeSecrets } = new Options(parameters);
			const name = readInstance(parameters);
			const simplify = readFlag(parameters, simplifyField);
			return { values: { query: { instanceName: name } }, retryOptions, includeSecrets, name, simplify };
		},
		ask: async ({ values, retryOptions }) =>
			await run.gateway.read('listInstances', values, retryOptions, { read: readInstances }),
		present: (instances, { name, simplify }) => {
			// Some gateways ignore the filter, or take `constructor` for no filter.
			const instance = instances.find((one) => one.name === name);
			if (instance === undefined)
				throw new Problem(
					`The instance ${quote(name)} couldn't be found`,
					"Choose it with 'From List', or check its name. It's case-sensitive",
				);
			return [{ json: simplify ? simplifyInstance(instance) : instance.element }];
		},
	});
}

export const get: Operation = { description, execute };
