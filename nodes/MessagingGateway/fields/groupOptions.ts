import type { INodeProperties } from 'n8n-workflow';
import { readDefaultCountryCode } from '../input/countryCode';
import type { NumberOptions } from '../input/phoneNumber';
import { LONGEST_TIME, MS, Options, type Field, type Switch } from './options';

/** The field for people, the same in every operation that changes something about them. */
export const participantsField: INodeProperties = {
	displayName: 'Participants',
	name: 'participants',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	placeholder: 'e.g. +55 11 99999-0001, +55 21 98888-0002',
	description: 'Phone numbers with country code, separated by commas or line breaks, or a list',
};

export const dryRun: Switch = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	absent: true,
	description: 'Whether to check the items and show what would be sent, without sending anything',
};

export const batchInterval: Field<number> = {
	displayName: `Interval Between Requests ${MS}`,
	name: 'batchInterval',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: LONGEST_TIME },
	default: 1000,
	description: 'Time to wait after each response before the next request, in milliseconds',
};

export const batchSize: Field<number> = {
	displayName: 'Participants per Request',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Maximum number of participants in one request',
};

export const defaultCountryCode: Field<string> = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 55',
	description: "Country code for numbers without one. The output field 'sentAs' shows what was sent.",
};

export const includeInputFields: Switch = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	absent: true,
	description: "Whether to output the row's fields, too, but none named like the node's own",
};

export function readNumberOptions(options: Options): NumberOptions {
	return { defaultCountryCode: readDefaultCountryCode(options.valueIfAdded(defaultCountryCode)) };
}
