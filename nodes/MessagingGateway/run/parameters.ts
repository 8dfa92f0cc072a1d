import type { IExecuteFunctions, IPollFunctions, NodeParameterValueType } from 'n8n-workflow';
import { isRecord, recordOf, type JsonRecord } from '../common/json';
import { fieldNamedBy, plainValueOf } from './itemField';

/** The node's parameters as one item, or one poll, has them. */
export interface Parameters {
	/** The value of a parameter; the fallback if it isn't set. @throws n8n's own error for an expression */
	get(name: string, fallback?: NodeParameterValueType): unknown;
	/** The value of a resource locator, whichever mode it is in; not checked. */
	getLocator(name: string): unknown;
}

/** Reads one parameter for an item. @param ofN8n works it out as n8n does, which takes long */
type Reader = (item: number, ofN8n: () => unknown) => unknown;

/**
 * The parameters of all items. n8n takes longer to work out a parameter than this node for all else that it does with
 * an item. So one that holds no expression is read once; and where an expression only names a field of the item, n8n
 * works it out for one item that has text or a number there, and if that is the field's value, so it is in the others.
 * The same goes for a collection, such as the options, all of whose expressions do no more.
 */
export class ItemParameters {
	private readonly readers = new Map<string, Reader>();

	constructor(private readonly context: IExecuteFunctions) {}

	of(item: number): Parameters {
		const { context } = this;
		return {
			get: (name, fallback) =>
				this.readerOf(name)(item, () => context.getNodeParameter(name, item, fallback)),
			getLocator: (name) =>
				this.readerOf(name)(item, () => context.getNodeParameter(name, item, '', { extractValue: true })),
		};
	}

	private readerOf(name: string): Reader {
		const known = this.readers.get(name);
		if (known !== undefined) return known;
		const saved = this.context.getNode().parameters[name];
		const reader = holdsExpression(saved) ? readerFor(saved, this.context) : readerOnce();
		this.readers.set(name, reader);
		return reader;
	}
}

function readerOnce(): Reader {
	let known: { value: unknown } | undefined;
	return (_, ofN8n) => (known ??= { value: ofN8n() }).value;
}

/** Of a parameter, a locator or a collection that holds an expression. */
function readerFor(saved: unknown, context: IExecuteFunctions): Reader {
	const items = context.getInputData();
	const plainOf = (item: number, field: string[] | undefined) =>
		field && plainValueOf(items[item]?.json, field);
	if (!isRecord(saved) || 'value' in saved) {
		const field = fieldNamedBy(isRecord(saved) ? saved.value : saved);
		return itemFieldReader(
			(item) => plainOf(item, field),
			(value, plain) => value === plain,
			(plain) => plain,
		);
	}
	const fields = Object.entries(saved).flatMap(([name, one]) =>
		holdsExpression(one) ? [[name, fieldNamedBy(one)] as const] : [],
	);
	return itemFieldReader<JsonRecord>(
		(item) => {
			const plain = fields.map(([name, field]) => [name, plainOf(item, field)] as const);
			return plain.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(plain);
		},
		(value, plain) => fields.every(([name]) => recordOf(value)[name] === plain[name]),
		(plain, confirmed) => ({ ...recordOf(confirmed), ...plain }),
	);
}

/**
 * Reads what an item's fields say, once n8n gave the same for one item.
 *
 * @param plainOf what they say; `undefined` where n8n has to work it out
 * @param isSame whether n8n gave that
 * @param valueOf the value that it makes, with what n8n gave for that item
 */
function itemFieldReader<T>(
	plainOf: (item: number) => T | undefined,
	isSame: (ofN8n: unknown, plain: T) => boolean,
	valueOf: (plain: T, confirmed: unknown) => unknown,
): Reader {
	let confirmed: { value: unknown } | undefined;
	let mayBeSame = true;
	return (item, ofN8n) => {
		const plain = mayBeSame ? plainOf(item) : undefined;
		if (plain === undefined) return ofN8n();
		if (confirmed !== undefined) return valueOf(plain, confirmed.value);
		const value = ofN8n();
		mayBeSame = isSame(value, plain);
		if (mayBeSame) confirmed = { value };
		return value;
	};
}

/** The parameters of one poll, which has no items. */
export function pollParameters(context: IPollFunctions): Parameters {
	return {
		get: (name, fallback) => context.getNodeParameter(name, fallback),
		getLocator: (name) => context.getNodeParameter(name, '', { extractValue: true }),
	};
}

/** Whether a saved parameter has an expression in it, at whatever depth. n8n marks one with a `=` at its beginning. */
function holdsExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	if (Array.isArray(saved)) return saved.some(holdsExpression);
	return isRecord(saved) && Object.values(saved).some(holdsExpression);
}
