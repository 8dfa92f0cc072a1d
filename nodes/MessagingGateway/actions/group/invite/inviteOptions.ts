import {
	batchInterval,
	defaultCountryCode,
	dryRun,
	exactNumbers,
	includeInputFields,
	rowMemory,
} from '../../../fields/groupOptions';
import { optionsOf, timeout, type Field } from '../../../fields/options';

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
			"Whether to leave out people who were invited to the group before, as far as n8n remembers. It remembers production runs only, and neither in queue mode of n8n 2.x nor in a workflow that a polling trigger starts. The option 'Row Memory' is the sure way.",
	},
} satisfies Record<string, Field>;

/** No retries: a message is never repeated. */
export const inviteOptionsField = optionsOf(
	...Object.values(inviteFields),
	defaultCountryCode,
	dryRun,
	exactNumbers,
	includeInputFields,
	rowMemory,
	timeout,
);
