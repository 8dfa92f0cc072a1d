import type { IExecuteFunctions, IPollFunctions, NodeParameterValueType } from 'n8n-workflow';
import { isRecord } from '../common/json';
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
		const value = isRecord(saved) && 'value' in saved ? saved.value : saved;
		const reader = holdsExpression(saved) ? itemFieldReader(fieldNamedBy(value), this.context) : readerOnce();
		this.readers.set(name, reader);
		return reader;
	}
}

function readerOnce(): Reader {
	let known: { value: unknown } | undefined;
	return (_, ofN8n) => (known ??= { value: ofN8n() }).value;
}

/** @param field that the expression names, where it does nothing else */
function itemFieldReader(field: string[] | undefined, context: IExecuteFunctions): Reader {
	const items = context.getInputData();
	/** Whether n8n gives the field's value, as far as it was asked. */
	let isSame: boolean | undefined;
	return (item, ofN8n) => {
		const plain = isSame === false ? undefined : field && plainValueOf(items[item]?.json, field);
		if (plain === undefined) return ofN8n();
		if (isSame === true) return plain;
		const value = ofN8n();
		isSame = value === plain;
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
