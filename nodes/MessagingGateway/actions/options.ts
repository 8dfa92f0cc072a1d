import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isRecord } from '../domain/records/json';
import { Problem } from '../domain/failures/problem';
import { quote } from '../domain/text/text';
import type { RetryOptions } from '../transport/gateway';

/** A field that is on or off. */
export interface FlagField extends INodeProperties {
	type: 'boolean';
	default: boolean;
}

/** A field for a whole number. */
export interface NumberField extends INodeProperties {
	type: 'number';
	typeOptions: { minValue: number; maxValue?: number };
	default: number;
}

/** The largest time that Node's timers take, in ms. */
export const LONGEST_TIME = 2 ** 31 - 1;

const maxRetries: NumberField = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 2,
	description:
		'How many times to send a request again after a temporary problem. A group change is repeated only where it certainly was not carried out.',
};

const timeout: NumberField = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: LONGEST_TIME },
	default: 120_000,
	description:
		'Time to wait for a reply, in milliseconds. A gateway can take 60 seconds to find out that the network is silent.',
};

const includeSecrets: FlagField = {
	displayName: 'Include Secrets',
	name: 'includeSecrets',
	type: 'boolean',
	default: false,
	description:
		'Whether to output keys, tokens and passwords as they are. Whoever can see the execution can then take over the account.',
};

/** The Options collection of an operation: what it adds, and what every operation has. */
export function optionsField(...own: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...own, maxRetries, timeout].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** The Options collection of the operations that look something up. */
export const lookupOptionsField = optionsField(includeSecrets);

/** Wording and default as n8n has them. */
export const simplifyField: FlagField = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The options of one item; what is not set has its default. */
export class Options {
	private readonly set: Record<string, unknown>;

	constructor(context: IExecuteFunctions, item: number) {
		const options: unknown = context.getNodeParameter('options', item, {});
		this.set = isRecord(options) ? options : {};
	}

	/** @throws Problem where a value is not a whole number in the range */
	get retryOptions(): RetryOptions {
		return { timeout: this.wholeNumber(timeout), maxRetries: this.wholeNumber(maxRetries) };
	}

	get includeSecrets(): boolean {
		return this.flag(includeSecrets);
	}

	/** Whether the option is on. @throws Problem where the value is neither true nor false */
	flag(field: FlagField): boolean {
		return flagOf(this.set[field.name], field);
	}

	/** @throws Problem where the value is not a whole number in the range */
	wholeNumber(field: NumberField): number {
		return wholeNumberOf(this.set[field.name], field);
	}
}

/** Whether a field of the operation is on. @throws Problem where the value is neither true nor false */
export function readFlag(context: IExecuteFunctions, field: FlagField, item: number): boolean {
	return flagOf(context.getNodeParameter(field.name, item, field.default), field);
}

/** The number in a field of the operation. @throws Problem where it is not a whole number in the range */
export function readWholeNumber(context: IExecuteFunctions, field: NumberField, item: number): number {
	return wholeNumberOf(context.getNodeParameter(field.name, item, field.default), field);
}

// Expressions may give text where the editor gives true or false, such as the TRUE of a sheet.
const FLAGS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

function flagOf(value: unknown, { displayName, default: byDefault }: FlagField): boolean {
	const text = String(value ?? '')
		.trim()
		.toLowerCase();
	const flag = text === '' ? byDefault : FLAGS.get(text);
	if (flag !== undefined) return flag;
	throw new Problem(
		`'${displayName}' is ${quote(value)}, which is neither true nor false`,
		howToMend(byDefault),
	);
}

function wholeNumberOf(
	value: unknown,
	{ displayName, typeOptions, default: byDefault }: NumberField,
): number {
	const { minValue, maxValue = Infinity } = typeOptions;
	const set = value ?? byDefault;
	const number = typeof set === 'string' && set.trim() !== '' ? Number(set) : set;
	const isWhole = typeof number === 'number' && Number.isInteger(number);
	if (isWhole && number >= minValue && number <= maxValue) return number;
	const range = `from ${minValue} ${maxValue === Infinity ? 'on' : `to ${maxValue}`}`;
	throw new Problem(
		`'${displayName}' is ${quote(value)}, which is not a whole number ${range}`,
		howToMend(byDefault),
	);
}

function howToMend(byDefault: boolean | number): string {
	return `Change it, also where it comes from an expression. Usually it is ${byDefault}`;
}
