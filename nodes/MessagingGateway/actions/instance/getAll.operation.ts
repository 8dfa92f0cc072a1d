import type { INodeProperties } from 'n8n-workflow';
import { readInstanceName, readStatus } from '../../input/identifiers';
import { simplifyInstance } from '../../gateway/replies/instances';
import { isRecord } from '../../common/json';
import { runReads, type Question } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import {
	limitField,
	lookupOptionsField,
	Options,
	readBooleanField,
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

interface InstancesQuestion extends Question<{ name: string | undefined }> {
	status: string | undefined;
	limit: number;
	simplify: boolean;
}

async function execute(run: Run) {
	return await runReads(run, {
		read: (parameters): InstancesQuestion => {
			const { requestOptions, includeSecrets } = new Options(parameters);
			const filters = parameters.get('filters', {});
			const { instanceName, status } = isRecord(filters) ? filters : {};
			return {
				asked: { name: isSet(instanceName) ? readInstanceName(instanceName) : undefined },
				requestOptions,
				includeSecrets,
				status: isSet(status) ? readStatus(status) : undefined,
				limit: readLimit(parameters),
				simplify: readBooleanField(parameters, simplifyField),
			};
		},
		ask: async ({ asked, requestOptions }) =>
			await run.client.instances(requestOptions, { ...asked, allowMissing: asked.name !== undefined }),
		present: (instances, { asked: { name }, status, limit, simplify }) =>
			instances
				.filter((instance) => name === undefined || instance.name === name)
				.filter((instance) => status === undefined || instance.status === status)
				.slice(0, limit)
				.map((instance) => ({ json: simplify ? simplifyInstance(instance) : instance.element })),
	});
}

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

export const getAll: Operation = { description, execute };
