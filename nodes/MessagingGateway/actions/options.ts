import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isRecord } from '../domain/json';
import { Problem } from '../domain/problem';
import { quote } from '../domain/text';
import type { Patience } from '../transport/gateway';

/** The largest time that Node's timers take, in ms. */
const LONGEST_TIME = 2 ** 31 - 1;

/** Options that every operation has. */
const patienceOptions: INodeProperties[] = [
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 2,
		description:
			'How many times to send a request again after a temporary problem. A group change is repeated only where it certainly was not carried out.',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: LONGEST_TIME },
		default: 120_000,
		description:
			'Time to wait for a reply, in milliseconds. A gateway can take 60 seconds to find out that the network is silent.',
	},
];

const includeSecretsOption: INodeProperties = {
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
		options: [...own, ...patienceOptions].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** The Options collection of the operations that look something up. */
export const lookupOptionsField = optionsField(includeSecretsOption);

/** Wording and default as n8n has them. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Whether a boolean parameter is on; an expression may give it as text. */
export function isOn(value: unknown): boolean {
	return value === true || value === 'true';
}

/** The options of one item; what is not set has its default. */
export class Options {
	private readonly set: Record<string, unknown>;

	constructor(context: IExecuteFunctions, item: number) {
		const options: unknown = context.getNodeParameter('options', item, {});
		this.set = isRecord(options) ? options : {};
	}

	/** @throws Problem where a value is not a whole number in the range */
	get patience(): Patience {
		return {
			timeout: this.wholeNumber('timeout', 'Timeout', { default: 120_000, min: 1 }),
			maxRetries: this.wholeNumber('maxRetries', 'Max Retries', { default: 2, min: 0 }),
		};
	}

	get includeSecrets(): boolean {
		return this.flag('includeSecrets', false);
	}

	/** Whether the option is on; an expression may give it as text. */
	flag(name: string, byDefault: boolean): boolean {
		return isOn(this.set[name] ?? byDefault);
	}

	/** @throws Problem where the value is not a whole number in the range */
	wholeNumber(name: string, displayName: string, range: { default: number; min: number }): number {
		const value = this.set[name] ?? range.default;
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		if (
			typeof number === 'number' &&
			Number.isInteger(number) &&
			number >= range.min &&
			number <= LONGEST_TIME
		)
			return number;
		throw new Problem(
			`The option '${displayName}' is ${quote(value)}, which is not a whole number from ${range.min} to ${LONGEST_TIME}`,
			'Change it, or remove it from the options',
		);
	}
}
