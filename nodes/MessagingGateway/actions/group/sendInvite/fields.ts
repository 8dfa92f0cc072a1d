import {
	batchInterval,
	defaultCountryCode,
	dryRun,
	exactNumbers,
	includeInputFields,
	rowMemory,
} from '../../../fields/groupOptions';
import { optionFields, timeout, type Field } from '../../../fields/options';

/** Options that only Send Invite has, or has with another default, by their names. */
export const inviteFields = {
	batchInterval: { ...batchInterval, default: 30_000 },
	maxPerRun: {
		displayName: 'Maximum Invites per Run',
		name: 'maxPerRun',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description:
			'Maximum number of messages to send in one run; in a loop, in all rounds together. The others are postponed.',
	},
	onlyOnce: {
		displayName: 'Only Once',
		name: 'onlyOnce',
		type: 'boolean',
		default: false,
		description:
			"Whether to leave out people who were invited to the group before. Sure only with 'Row Memory': n8n remembers production runs only.",
	},
	retryRefusedAfter: {
		displayName: 'Retry Refused After (Days)',
		name: 'retryRefusedAfter',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 7,
		description: "Days before people who couldn't be invited are tried again. 0: every run.",
	},
} satisfies Record<string, Field>;

/** No retries: a message is never repeated. */
export const inviteOptionFields = optionFields({
	fields: [rowMemory, dryRun],
	limits: [inviteFields.maxPerRun, inviteFields.onlyOnce, inviteFields.retryRefusedAfter],
	options: [inviteFields.batchInterval, defaultCountryCode, exactNumbers, includeInputFields, timeout],
});
