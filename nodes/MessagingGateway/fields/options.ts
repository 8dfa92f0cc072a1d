import type { INodeProperties, NodeParameterValueType } from 'n8n-workflow';
import { recordOf } from '../common/json';
import { MissingValue, Problem } from '../common/problem';
import { isBlank, quote } from '../common/text';
import { booleanIn, readChoice } from '../input/values';
import type { Parameters } from '../run/parameters';

/** A field with a typed default, which is also the value of an option that isn't added. */
export type Field<T extends NodeParameterValueType = NodeParameterValueType> = Omit<
	INodeProperties,
	'default'
> & { default: T };

/** An option that is on or off. It starts at the value that people add it for, and is `absent` until then. */
export type Switch = Field<boolean> & { absent: boolean };

/** The largest time that Node's timers take, in ms. */
export const LONGEST_TIME = 2 ** 31 - 1;

/** The unit in a label, as a constant since n8n's linter would write it as "(Ms)". */
export const MS = '(ms)';

export const maxRetries: Field<number> = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 2,
	description: "How many times to repeat a request if the gateway doesn't answer",
};

export const timeout: Field<number> = {
	displayName: `Timeout ${MS}`,
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: LONGEST_TIME },
	default: 120_000,
	description: 'Time to wait for a response. Gateways can take 60,000 to see that the network is silent.',
};

/** Options of the requests of operations that change something. */
export const requestFields = {
	timeout,
	maxRetries: {
		...maxRetries,
		description: `${maxRetries.description}. A change is repeated only if it certainly wasn't carried out.`,
	},
};

export const includeSecrets: Switch = {
	displayName: 'Include Secrets',
	name: 'includeSecrets',
	type: 'boolean',
	default: false,
	absent: false,
	description:
		'Whether to output keys and passwords. Whoever sees the execution can then take over the account.',
};

export const optionsOf = (...options: Field[]): INodeProperties =>
	collectionOf({ displayName: 'Options', name: 'options', placeholder: 'Add option' }, options);

export const limitsOf = (...limits: Field[]): INodeProperties =>
	collectionOf({ displayName: 'Limits', name: 'limits', placeholder: 'Add option' }, limits);

export function collectionOf(
	names: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder'>,
	fields: readonly INodeProperties[],
) {
	const options = fields.map(forN8n).sort((a, b) => a.displayName.localeCompare(b.displayName));
	return { ...names, type: 'collection', default: {}, options } satisfies INodeProperties;
}

/** Takes off a field what n8n doesn't know. */
export const forN8n = ({ absent: _, ...field }: INodeProperties & { absent?: boolean }): INodeProperties =>
	field;

// Wording of these is n8n's own, and so are the defaults of the first two.
export const returnAllField: Field<boolean> = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitField: Field<number> = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const simplify: Switch = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	absent: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const readOptionsField = optionsOf(maxRetries, timeout);
export const listOptionsField = optionsOf(maxRetries, simplify, timeout);

/** The options of reads whose output may hold secrets. */
export const lookupOptionsField = optionsOf(includeSecrets, maxRetries, timeout);
export const instanceOptionsField = optionsOf(includeSecrets, maxRetries, simplify, timeout);

export function notice(name: string, text: string): INodeProperties {
	return { displayName: text, name, type: 'notice', default: '' };
}

export const filtersField = (...filters: INodeProperties[]) =>
	collectionOf({ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' }, filters);

/** Reads filters. @throws MissingValue for an empty one: an expression without a value must not mean all */
export function readFilters(
	parameters: Parameters,
	{ options }: ReturnType<typeof filtersField>,
): Record<string, unknown> {
	const added = recordOf(parameters.get('filters', {}));
	const empty = Object.keys(added).find((name) => isBlank(added[name]));
	if (empty === undefined) return added;
	const label = options.find(({ name }) => name === empty)?.displayName ?? empty;
	throw new MissingValue(`The filter '${label}' is empty`, 'Enter a value, or remove the filter to get all');
}

/** The values of options by their names. */
export type ValuesOf<F> = { [Name in keyof F]: F[Name] extends Switch ? boolean : number };

/** The options of one item. An option that isn't added has its usual value. */
export class Options {
	/** The values of added options as n8n gives them. */
	readonly added: Readonly<Record<string, unknown>>;

	constructor(parameters: Parameters, [options, limits, dryRun] = placesIn(parameters)) {
		this.added = { ...recordOf(limits), ...recordOf(options), dryRun };
	}

	/** Reads the numbers and switches of options, by their names. @throws Problem */
	values<F extends Record<string, Field<number> | Switch>>(fields: F): ValuesOf<F> {
		const read = Object.entries(fields).map(([name, field]) => [
			name,
			'absent' in field ? this.boolean(field) : this.wholeNumber(field),
		]);
		return Object.fromEntries(read) as ValuesOf<F>;
	}

	/** Whether the option is on. @throws Problem */
	boolean(field: Switch): boolean {
		const value = this.valueOr(field, field.absent);
		return booleanIn(value) ?? refuse(field, 'true or false', value, field.absent);
	}

	wholeNumber(field: Field<number>): number {
		return wholeNumberOf(this.valueOr(field), field);
	}

	text(field: Field<string>): string {
		const value = this.valueOr(field);
		return (typeof value === 'string' && value.trim()) || refuse(field, 'text', value);
	}

	choice<T extends string>(field: Field<string>, known: readonly T[]): T {
		return readChoice(this.valueOr(field), known, field.displayName);
	}

	/** Returns the value as it is, empty text for none; `undefined` if the option isn't added. */
	valueIfAdded({ name }: Field): unknown {
		return Object.hasOwn(this.added, name) ? (this.added[name] ?? '') : undefined;
	}

	private valueOr({ name, default: usual }: Field, valueIfAbsent: unknown = usual): unknown {
		return Object.hasOwn(this.added, name) ? this.added[name] : valueIfAbsent;
	}
}

/** Reads the three places of options. */
function placesIn(parameters: Parameters): unknown[] {
	return [parameters.get('options', {}), parameters.get('limits', {}), parameters.get('dryRun', true)];
}

/** Makes a reader of options and other values. An item with the same as the item before gets its result. */
export function optionsReader<V extends unknown[], T>(
	read: (options: Options, ...others: V) => T,
): (parameters: Parameters, ...others: V) => T {
	let last: { given: unknown[]; result: T } | undefined;
	return (parameters, ...others) => {
		// Read once: n8n works out expressions in them each time.
		const places = placesIn(parameters);
		const given = [...places, ...others];
		if (!last?.given.every((value, i) => value === given[i]))
			last = { given, result: read(new Options(parameters, places), ...others) };
		return last.result;
	};
}

export function readBooleanField(parameters: Parameters, field: Field<boolean>): boolean {
	const value = parameters.get(field.name, field.default);
	return booleanIn(value) ?? refuse(field, 'true or false', value);
}

/** Reads how much of a list is wanted, and in which form. */
export function readListOptions(
	parameters: Parameters,
	options: Options,
): { limit: number; isSimple: boolean } {
	const isAll = readBooleanField(parameters, returnAllField);
	const limit = isAll ? Infinity : wholeNumberOf(parameters.get('limit', limitField.default), limitField);
	return { limit, isSimple: options.boolean(simplify) };
}

function wholeNumberOf(value: unknown, field: Field<number>): number {
	const { minValue = 0, maxValue = Infinity } = field.typeOptions ?? {};
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isInteger(number);
	if (isWhole && number >= minValue && number <= maxValue) return number;
	const range = maxValue === Infinity ? `${minValue} or more` : `from ${minValue} to ${maxValue}`;
	return refuse(field, `a whole number, ${range}`, value);
}

/** Refuses the value of a field. @param usual the value without the option @throws Problem */
function refuse(
	{ displayName, ...field }: Field,
	expected: string,
	value: unknown,
	usual = field.default,
): never {
	throw new Problem(
		`'${displayName}' must be ${expected}, but it's ${quote(value ?? '')}`,
		`Change the value or its expression. Default: ${quote(usual)}`,
	);
}
