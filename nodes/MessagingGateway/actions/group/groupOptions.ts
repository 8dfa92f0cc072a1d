import { LONGEST_TIME, optionsField, type FlagField, type NumberField } from '../options';

export const combineItems: FlagField = {
	displayName: 'Combine Items',
	name: 'combineItems',
	type: 'boolean',
	default: true,
	description:
		'Whether to change the participants of several items in one request where the result is the same. Fewer requests mean less risk of a ban.',
};

export const dryRun: FlagField = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to check the items and output what would be sent, without sending anything. The key, the group and the numbers are not tried.',
};

export const failOnRejected: FlagField = {
	displayName: 'Fail When a Participant Is Rejected',
	name: 'failOnRejected',
	type: 'boolean',
	default: false,
	description:
		'Whether an item fails when one of its participants could not be changed, after everything has been sent',
};

export const batchInterval: NumberField = {
	displayName: 'Interval Between Requests',
	name: 'batchInterval',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: LONGEST_TIME },
	default: 1000,
	description: 'Time to wait after each reply before the next request, in milliseconds',
};

export const batchSize: NumberField = {
	displayName: 'Participants per Request',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Maximum number of participants in one request',
};

export const exactNumbers: FlagField = {
	displayName: 'Send Numbers Exactly as Given',
	name: 'exactNumbers',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep gateways from rewriting phone numbers, as they do with some of Argentina, Brazil and Mexico',
};

/** The Options collection of Update Participants. */
export const groupOptionsField = optionsField(
	combineItems,
	dryRun,
	failOnRejected,
	batchInterval,
	batchSize,
	exactNumbers,
);
