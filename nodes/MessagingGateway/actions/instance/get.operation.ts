import type { INodeProperties } from 'n8n-workflow';
import { readInstanceName } from '../../domain/input/identifiers';
import { readInstances, simplifyInstance } from '../../domain/records/instances';
import { Problem } from '../../domain/failures/problem';
import { quote } from '../../domain/text/text';
import { instanceLocator, readLocator } from '../locators';
import { runLookups, type Lookup } from '../lookups';
import type { Operation, Run } from '../operation';
import { lookupOptionsField, Options, readFlag, simplifyField } from '../options';

const description: INodeProperties[] = [instanceLocator, simplifyField, lookupOptionsField];

interface InstanceLookup extends Lookup {
	name: string;
	simplify: boolean;
}

async function execute(run: Run) {
	const { context, gateway } = run;
	return await runLookups<InstanceLookup>(run, {
		route: 'listInstances',
		read: (item) => {
			const { retryOptions, includeSecrets } = new Options(context, item);
			const name = readInstanceName(readLocator(context, 'instance', item));
			const simplify = readFlag(context, simplifyField, item);
			return { values: { query: { instanceName: name } }, retryOptions, includeSecrets, name, simplify };
		},
		present: (reply, { name, simplify }) => {
			const instances = readInstances(reply);
			if (instances === undefined) throw gateway.unexpectedShape(reply);
			// Some gateways ignore the filter, or take `constructor` for no filter.
			const instance = instances.find((one) => one.name === name);
			if (instance === undefined)
				throw new Problem(
					`The instance ${quote(name)} was not found`,
					"Choose it with 'From List', or check its name: upper and lower case count",
				);
			return [simplify ? simplifyInstance(instance) : instance.element];
		},
	});
}

export const get: Operation = { description, execute };
