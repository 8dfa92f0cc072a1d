import {
	batchInterval as usualInterval,
	batchSize as usualSize,
	defaultCountryCode,
	dryRun as usualDryRun,
	includeInputFields,
} from '../../../fields/groupOptions';
import { limitsOf, optionsOf, requestFields, type Field, type Switch } from '../../../fields/options';

/** Options that only Sync has, or has with another default, by their names. */
export const syncFields = {
	/** Slower than Update Participants: a list can ask for many additions at once, day after day. */
	batchInterval: { ...usualInterval, default: 10_000 },
	batchSize: { ...usualSize, default: 10 },

	/** A plan of Sync needs the members, so its dry run is another one than that of Update Participants. */
	dryRun: {
		...usualDryRun,
		description: 'Whether to read the group and show what would be done, without changing anybody',
	},

	approvedChanges: {
		displayName: 'Approved Changes',
		name: 'approvedChanges',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.approved }}',
		description:
			"The changes to make, no others: approved items of a dry run, or their 'sentAs'. Empty: none.",
	},

	maxAdditions: {
		displayName: 'Maximum Additions per Run',
		name: 'maxAdditions',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 50,
		description: 'People to add in one run at most, for each instance. The others are postponed.',
	},

	maxRemovalPercent: {
		displayName: 'Maximum Removals (Percent)',
		name: 'maxRemovalPercent',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 20,
		description: 'Share of the members who may be removed. Up to 3 always may, unless this is 0.',
	},

	maxRemovals: {
		displayName: 'Maximum Removals per Run',
		name: 'maxRemovals',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 50,
		description: 'People to remove in one run at most, for each instance. The others are postponed.',
	},

	whoLeft: {
		displayName: 'People Who Left',
		name: 'whoLeft',
		type: 'options',
		default: 'keepOut',
		description: 'What to do about people of the list who left, or were removed by hand',
		options: [
			{ name: 'Add Again', value: 'addAgain', description: "They're added like new people" },
			{ name: 'Keep Out', value: 'keepOut', description: "They aren't added again" },
		],
	},

	removeAfter: {
		displayName: 'Remove After (Days)',
		name: 'removeAfter',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 365 },
		default: 0,
		description: 'Days that people stay who should leave. 1: they go if two runs, a night apart, find so.',
	},

	protected: {
		displayName: 'Protected Participants',
		name: 'protected',
		type: 'string',
		default: '',
		placeholder: 'e.g. +55 11 99999-0001, +55 21 98888-0002',
		description: 'Phone numbers or IDs of people who are never removed, separated by commas, or a list',
	},

	removeAdmins: {
		displayName: 'Remove Admins',
		name: 'removeAdmins',
		absent: false,
		type: 'boolean',
		default: true,
		description: 'Whether admins may be removed, too. Who created the group, and the own account, never are.',
	},

	shouldBeMember: {
		displayName: 'Should Be Member',
		name: 'shouldBeMember',
		type: 'boolean',
		default: true,
		description:
			"Whether these people should be in the group, e.g. by the row's field 'paid'. Off removes them. An empty value is refused.",
	},
} satisfies Record<string, Field | Switch>;

const {
	dryRun,
	batchSize,
	batchInterval,
	maxAdditions,
	maxRemovals,
	approvedChanges,
	shouldBeMember,
	...limits
} = syncFields;

/** Options with one value in the whole run, and in a group. Each row may have its own of the others. */
export const RUN_FIELDS = { ...requestFields, dryRun, batchSize, batchInterval, maxAdditions, maxRemovals };
export const GROUP_FIELDS = { ...limits, approvedChanges };

export const syncOptionFields = [
	limitsOf(maxAdditions, maxRemovals, ...Object.values(limits)),
	optionsOf(
		...Object.values(requestFields),
		batchSize,
		batchInterval,
		approvedChanges,
		shouldBeMember,
		...[defaultCountryCode, includeInputFields],
	),
];
