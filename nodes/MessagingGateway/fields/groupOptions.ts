import type { INodeProperties } from 'n8n-workflow';
import { readDefaultCountryCode } from '../input/countryCode';
import type { NumberOptions } from '../input/participants';
import {
	LONGEST_TIME,
	MS,
	optionsField,
	type BooleanOption,
	type NumberOption,
	type Options,
	type TextOption,
} from './options';

/** The field for people, the same in every operation that changes something about them. */
export const participantsField: INodeProperties = {
	displayName: 'Participants',
	name: 'participants',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +55 11 99999-0001, +55 21 98888-0002',
	description:
		'Phone numbers with country code, separated by commas, semicolons or line breaks, or a list from an expression',
};

export const combineItems: BooleanOption = {
	field: {
		displayName: 'Combine Items',
		name: 'combineItems',
		type: 'boolean',
		default: false,
		description:
			'Whether to change the participants of several items in one request if the result is the same. Fewer requests mean less risk of a ban, so leave this option out unless you need one request per item.',
	},
	valueIfAbsent: true,
};

export const dryRun: BooleanOption = {
	field: {
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			"Whether to check the items and output what would be sent, without sending anything. Whether the key, the group and the numbers are right isn't tried.",
	},
	valueIfAbsent: false,
};

export const failOnRejected: BooleanOption = {
	field: {
		displayName: 'Fail if Rejected',
		name: 'failOnRejected',
		type: 'boolean',
		default: true,
		description:
			"Whether an item fails if one of its participants couldn't be changed, after everything has been sent",
	},
	valueIfAbsent: false,
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
	valueIfAbsent: 1000,
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
	valueIfAbsent: 50,
};

export const exactNumbers: BooleanOption = {
	field: {
		displayName: 'Keep Numbers Exact',
		name: 'exactNumbers',
		type: 'boolean',
		default: true,
		description:
			'Whether to keep gateways from rewriting phone numbers, as they do with some of Argentina, Brazil and Mexico',
	},
	valueIfAbsent: false,
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
	valueIfAbsent: '',
};

export const includeInputFields: BooleanOption = {
	field: {
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: true,
		description:
			'Whether to output the fields of the input item, too. If the result has a field of the same name, that one stays. Error items have none of them.',
	},
	valueIfAbsent: false,
};

/** How an item wants its numbers to be read. @throws Problem */
export function readNumberOptions(options: Options): NumberOptions {
	return {
		exact: options.boolean(exactNumbers),
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
