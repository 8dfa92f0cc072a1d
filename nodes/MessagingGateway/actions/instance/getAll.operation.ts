import {
	filtersField,
	limitField,
	lookupOptionsField,
	readFilters,
	readListOptions,
	returnAllField,
	simplifyField,
} from '../../fields/options';
import { requireStatus, simplifyInstance } from '../../gateway/replies/instances';
import { readChoice, STATUS_OPTIONS } from '../../input/choices';
import { readInstanceName } from '../../input/identifiers';
import type { Operation } from '../../run/operation';
import { limited, runReads } from '../reads';

/** The gateway's words, and the label of `close` in the editor. */
const STATUSES = ['open', 'close', 'connecting', 'closed'];

const instanceFilters = filtersField(
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
		options: STATUS_OPTIONS,
	},
);

export const getAllInstances: Operation = {
	name: 'Get Many',
	action: 'Get many instances',
	description: 'Get the instances of the gateway with their status',
	onlyReads: true,
	fields: [returnAllField, limitField, simplifyField, instanceFilters, lookupOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters) => {
				const { instanceName, status } = readFilters(parameters, instanceFilters);
				const instance = instanceName === undefined ? undefined : readInstanceName(instanceName);
				const wanted = status === undefined ? undefined : readChoice(status, STATUSES, 'Status');
				return {
					asked: { instance },
					status: wanted?.replace('closed', 'close'),
					...readListOptions(parameters),
				};
			},
			ask: async ({ instance: name }, options) =>
				await run.client.instances(options, { name, allowMissing: name !== undefined }),
			present: (all, { asked: { instance: name }, status, limit, simplify }) => {
				if (status !== undefined) requireStatus(all);
				const instances = all
					.filter((instance) => name === undefined || instance.name === name)
					.filter((instance) => status === undefined || instance.status === status);
				return limited(run, instances, { limit, noun: 'instance' }, (instance) => [
					simplify ? simplifyInstance(instance) : instance.element,
				]);
			},
		}),
};
