import type { INodeProperties } from 'n8n-workflow';
import { isInstanceMissing } from '../../gateway/failures/callFailure';
import { readInstanceName, readStatus } from '../../input/identifiers';
import { readInstances, simplifyInstance, statusOf } from '../../gateway/replies/instances';
import { isRecord } from '../../common/json';
import { runLookups, type Lookup } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import {
	limitField,
	lookupOptionsField,
	Options,
	readFlag,
	readLimit,
	returnAllField,
	simplifyField,
} from '../../fields/options';

const description: INodeProperties[] = [
	returnAllField,
	limitField,
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
					{
						name: 'Connecting',
						value: 'connecting',
						description: 'Waiting for the connection to its account',
					},
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
	limit: number;
	simplify: boolean;
}

async function execute(run: Run) {
	return await runLookups(run, {
		read: (parameters): ListLookup => {
			const options = new Options(parameters);
			const filters = parameters.get('filters', {});
			const { instanceName, status } = isRecord(filters) ? filters : {};
			const name = isSet(instanceName) ? readInstanceName(instanceName) : undefined;
			return {
				values: name === undefined ? {} : { query: { instanceName: name } },
				retryOptions: options.retryOptions,
				includeSecrets: options.includeSecrets,
				name,
				status: isSet(status) ? readStatus(status) : undefined,
				limit: readLimit(parameters),
				simplify: readFlag(parameters, simplifyField),
			};
		},
		ask: async ({ values, retryOptions, name }) =>
			await run.gateway.read('listInstances', values, retryOptions, {
				read: readInstances,
				// A name that doesn't exist is an empty list on one generation, and a refusal on the others.
				readFailure: (observed) => (name !== undefined && isInstanceMissing(observed) ? [] : undefined),
			}),
		present: (instances, { name, status, limit, simplify }) =>
			instances
				.filter((instance) => name === undefined || instance.name === name)
				.filter((instance) => status === undefined || statusOf(instance) === status)
				.slice(0, limit)
				.map((instance) => ({ json: simplify ? simplifyInstance(instance) : instance.element })),
	});
}

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

export const getAll: Operation = { description, execute };
