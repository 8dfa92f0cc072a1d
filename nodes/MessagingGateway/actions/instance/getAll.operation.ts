import type { INodeProperties } from 'n8n-workflow';
import { GatewayFailure } from '../../domain/failures/explain';
import { isInstanceMissing } from '../../domain/failures/observed';
import { readInstanceName } from '../../domain/input/identifiers';
import { readInstances, simplifyInstance, statusOf } from '../../domain/records/instances';
import { isRecord } from '../../domain/records/json';
import { runLookups, type Lookup } from '../lookups';
import type { Operation, Run } from '../operation';
import {
	lookupOptionsField,
	Options,
	readFlag,
	readWholeNumber,
	simplifyField,
	type FlagField,
	type NumberField,
} from '../options';

const returnAll: FlagField = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limit: NumberField = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

const description: INodeProperties[] = [
	returnAll,
	limit,
	simplifyField,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Instance Name',
				name: 'instanceName',
				type: 'string',
				default: '',
				placeholder: 'e.g. main',
				description: 'Only the instance with exactly this name',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				default: 'open',
				description: 'Only instances with this status, as the gateway last stored it',
				options: [
					{ name: 'Closed', value: 'close', description: 'Not connected to its account' },
					{ name: 'Connecting', value: 'connecting', description: 'Waits for the connection to its account' },
					{ name: 'Open', value: 'open', description: 'Connected to its account' },
				],
			},
		],
	},
	lookupOptionsField,
];

interface ListLookup extends Lookup {
	name: string | undefined;
	status: string | undefined;
	most: number;
	simplify: boolean;
}

async function execute(run: Run) {
	const { context, gateway } = run;
	return await runLookups<ListLookup>(run, {
		route: 'listInstances',
		read: (item) => {
			const options = new Options(context, item);
			const filters: unknown = context.getNodeParameter('filters', item, {});
			const { instanceName, status } = isRecord(filters) ? filters : {};
			const name = isSet(instanceName) ? readInstanceName(instanceName) : undefined;
			return {
				values: name === undefined ? {} : { query: { instanceName: name } },
				retryOptions: options.retryOptions,
				includeSecrets: options.includeSecrets,
				name,
				status: isSet(status) ? String(status) : undefined,
				most: readFlag(context, returnAll, item) ? Infinity : readWholeNumber(context, limit, item),
				simplify: readFlag(context, simplifyField, item),
			};
		},
		present: (reply, { name, status, most, simplify }) => {
			const instances = readInstances(reply);
			if (instances === undefined) throw gateway.unexpectedShape(reply);
			return instances
				.filter((instance) => name === undefined || instance.name === name)
				.filter((instance) => status === undefined || statusOf(instance) === status)
				.slice(0, most)
				.map((instance) => (simplify ? simplifyInstance(instance) : instance.element));
		},
		presentFailure: (failure, { name }) =>
			name !== undefined && failure instanceof GatewayFailure && isInstanceMissing(failure.observed)
				? []
				: undefined,
	});
}

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

export const getAll: Operation = { description, execute };
