import type { INodeProperties } from 'n8n-workflow';
import { isBlank } from '../common/text';
import { readDefaultCountryCode } from '../input/countryCode';
import { valuesIn, type NumberOptions } from '../input/participants';
import type { Parameters } from '../run/parameters';
import { LONGEST_TIME, MS, Options, type Field, type Switch } from './options';

/** The field for people, the same in every operation that changes something about them. */
export const participantsField: INodeProperties = {
	displayName: 'Participants',
	name: 'participants',
	type: 'string',
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

export const rowMemory: Field<string> = {
	displayName: 'Row Memory',
	name: 'memory',
	type: 'string',
	default: '={{ $json.memory }}',
	description: "The column 'memory' of this row, if your workflow writes the output 'memory' to it",
};

/** Reads the memory that a row has, also where n8n can't work out another option. */
export function memoryTextOf(parameters: Parameters): string {
	const added = parameters.get(`options.${rowMemory.name}`, NOT_ADDED);
	const value = added === NOT_ADDED ? parameters.json[rowMemory.name] : added;
	return typeof value === 'string' ? value : isBlank(value) ? '' : JSON.stringify(value);
}

/** Reads the memory that an item keeps if it fails; an item with several participants has none. */
export function keptMemoryOf(parameters: Parameters): string | undefined {
	const text = memoryTextOf(parameters);
	try {
		return valuesIn(parameters.get(participantsField.name, '')).length > 1 ? undefined : text;
	} catch {
		// An expression that n8n can't work out is why the item failed.
		return text;
	}
}

/** Stands for an option that isn't added: n8n refuses to read one without a fallback. */
const NOT_ADDED = '\0';

export function readNumberOptions(options: Options): NumberOptions {
	return { defaultCountryCode: readDefaultCountryCode(options.valueIfAdded(defaultCountryCode)) };
}
