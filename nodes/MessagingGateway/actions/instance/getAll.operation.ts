import {
	filtersField,
	instanceOptionsField,
	limitField,
	readFilters,
	readListOptions,
	returnAllField,
} from '../../fields/options';
import { requireStatus, simplifyInstance } from '../../gateway/replies/instances';
import { readInstanceName } from '../../input/identifiers';
import { readChoice, STATUS_OPTIONS } from '../../input/values';
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
	fields: [returnAllField, limitField, instanceFilters, instanceOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters, options) => {
				const { instanceName, status } = readFilters(parameters, instanceFilters);
				const instance = instanceName === undefined ? undefined : readInstanceName(instanceName);
				const wanted = status === undefined ? undefined : readChoice(status, STATUSES, 'Status');
				return {
					asked: { instance },
					status: wanted?.replace('closed', 'close'),
					...readListOptions(parameters, options),
				};
			},
			ask: async ({ instance: name }, options) =>
				await run.client.instances(options, { name, allowMissing: name !== undefined }),
			present: (all, { asked: { instance: name }, status, limit, isSimple }) => {
				if (status !== undefined) requireStatus(all);
				const instances = all
					.filter((instance) => name === undefined || instance.name === name)
					.filter((instance) => status === undefined || instance.status === status);
				return limited(run, instances, { limit, noun: 'instance' }, (instance) => [
					isSimple ? simplifyInstance(instance) : instance.element,
				]);
			},
		}),
};
