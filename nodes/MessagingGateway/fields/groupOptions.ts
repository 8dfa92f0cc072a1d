import type { INodeProperties } from 'n8n-workflow';
import { readDefaultCountryCode } from '../input/countryCode';
import type { NumberOptions } from '../input/participants';
import type { Parameters } from '../run/parameters';
import { LONGEST_TIME, MS, Options, type Field } from './options';

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

export const combineItems: Field<boolean> = {
	displayName: 'Combine Items',
	name: 'combineItems',
	type: 'boolean',
	default: false,
	description:
		'Whether to change participants of several items in one request where the result is the same. Fewer requests mean less risk of a ban.',
};

export const dryRun: Field<boolean> = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		"Whether to check the items and output what would be sent, without sending anything. The gateway isn't asked whether it would work.",
};

export const failOnRejected: Field<boolean> = {
	displayName: 'Fail if Rejected',
	name: 'failOnRejected',
	type: 'boolean',
	default: true,
	description:
		"Whether an item fails if one of its participants couldn't be changed, after everything has been sent",
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

export const exactNumbers: Field<boolean> = {
	displayName: 'Keep Numbers Exact',
	name: 'exactNumbers',
	type: 'boolean',
	default: true,
	description:
		'Whether to keep gateways from rewriting phone numbers, as they do with some numbers from Argentina, Brazil and Mexico',
};

export const defaultCountryCode: Field<string> = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 55',
	description:
		"Country code for phone numbers that are written without one. The output field 'sentAs' shows the number that was sent.",
};

export const includeInputFields: Field<boolean> = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description:
		"Whether to output the fields of the input item, too. Fields named like one of the node's own are left out.",
};

export const retryRefusedAfter: Field<number> = {
	displayName: 'Retry Refused After (Days)',
	name: 'retryRefusedAfter',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 36_500 },
	default: 7,
	description:
		"Days before people who couldn't be added or removed are tried again. 0: every run. Sure only with 'Row Memory'.",
};

export const rowMemory: Field<string> = {
	displayName: 'Row Memory',
	name: 'memory',
	type: 'string',
	default: '={{ $json.memory }}',
	description:
		'The `memory` column of this row. Write the output `memory` back to it. Empty the cell to make the node forget.',
};

/** Reads the text of Row Memory; `undefined` where it isn't in use, as for a list of people in a new node. @param people their number */
export function readMemoryText(options: Options, people: number): string | undefined {
	const text = textOfMemory(options.valueIfAdded(rowMemory));
	return options.hasDefaultMemory && text === '' && people > 1 ? undefined : text;
}

/** Reads the text of Row Memory alone, for an error item: n8n may not be able to work out another option. */
export function memoryTextOf(parameters: Parameters): string | undefined {
	const { name } = rowMemory;
	if (parameters.version >= 1.1) return textOfMemory(parameters.get(name, '') ?? '');
	const value = parameters.get(`options.${name}`, NOT_ADDED);
	return value === NOT_ADDED ? undefined : textOfMemory(value ?? '');
}

/** Stands for an option that isn't added: n8n refuses to read one without a fallback. */
const NOT_ADDED = '\0';

function textOfMemory(value: unknown): string | undefined {
	return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

export function readNumberOptions(options: Options): NumberOptions {
	return {
		exact: options.boolean(exactNumbers),
		defaultCountryCode: readDefaultCountryCode(options.valueIfAdded(defaultCountryCode)),
	};
}
