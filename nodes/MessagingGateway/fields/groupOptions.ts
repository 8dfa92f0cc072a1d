import { readDefaultCountryCode } from '../input/countryCode';
import type { NumberOptions } from '../input/participants';
import {
	LONGEST_TIME,
	MS,
	optionsField,
	type FlagOption,
	type NumberOption,
	type Options,
	type TextOption,
} from './options';

export const combineItems: FlagOption = {
	field: {
		displayName: 'Combine Items',
		name: 'combineItems',
		type: 'boolean',
		default: false,
		description:
			'Whether to change the participants of several items in one request if the result is the same. Fewer requests mean less risk of a ban, so leave this option out unless you need one request per item.',
	},
	notAdded: true,
};

export const dryRun: FlagOption = {
	field: {
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			"Whether to check the items and output what would be sent, without sending anything. Whether the key, the group and the numbers are right isn't tried.",
	},
	notAdded: false,
};

export const failOnRejected: FlagOption = {
	field: {
		displayName: 'Fail if Rejected',
		name: 'failOnRejected',
		type: 'boolean',
		default: true,
		description:
			"Whether an item fails if one of its participants couldn't be changed, after everything has been sent",
	},
	notAdded: false,
};

export const batchInterval: NumberOption = {
	field: {
		displayName: `Interval Between Requests ${MS}`,
		name: 'batchInterval',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: LONGEST_TIME },
		default: 1000,
		description: 'Time to wait after each response before the next request, in milliseconds',
	},
	notAdded: 1000,
};

export const batchSize: NumberOption = {
	field: {
		displayName: 'Participants per Request',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Maximum number of participants in one request',
	},
	notAdded: 50,
};

export const exactNumbers: FlagOption = {
	field: {
		displayName: 'Keep Numbers Exact',
		name: 'exactNumbers',
		type: 'boolean',
		default: true,
		description:
			'Whether to keep gateways from rewriting phone numbers, as they do with some of Argentina, Brazil and Mexico',
	},
	notAdded: false,
};

export const defaultCountryCode: TextOption = {
	field: {
		displayName: 'Default Country Code',
		name: 'defaultCountryCode',
		type: 'string',
		default: '',
		placeholder: 'e.g. 55',
		description:
			"Country code for phone numbers that are written without one. The output field 'sentAs' shows what became of each.",
	},
	notAdded: '',
};

export const includeInputFields: FlagOption = {
	field: {
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: true,
		description:
			'Whether to output the fields of the input item, too. If the result has a field of the same name, that one stays. Error items have none of them.',
	},
	notAdded: false,
};

/** How an item wants its numbers to be read. @throws Problem */
export function readNumberOptions(options: Options): NumberOptions {
	return {
		exact: options.flag(exactNumbers),
		defaultCountryCode: readDefaultCountryCode(options.valueOf(defaultCountryCode)),
	};
}

/** The Options collection of Update Participants. */
export const groupOptionsField = optionsField(
	batchInterval,
	batchSize,
	combineItems,
	defaultCountryCode,
	dryRun,
	exactNumbers,
	failOnRejected,
	includeInputFields,
);
