import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';
import { isRecord } from '../common/json';
import { fieldNamedBy, plainValueOf } from './itemField';

/** The node's parameters as one item, or one poll, has them. */
export interface Parameters {
	/** The value of a parameter; the fallback if it isn't set. @throws n8n's own error for an expression */
	get(name: string, fallback?: NodeParameterValueType): unknown;
	/** The value of a resource locator, whichever mode it is in; not checked. */
	getLocator(name: string): unknown;
}

/** What is known of how one parameter is read. */
interface ParameterSource {
	/** Whether it holds no expression, and is the same for all items. */
	isFixed: boolean;
	/** The field that its expression names, where it does nothing else, and as long as n8n gives the same. */
	field: string[] | undefined;
	/** Whether n8n was seen to give the same. */
	isSure: boolean;
}

/**
 * The parameters of all items. n8n takes longer to work out a parameter than this node for all else that it does with
 * an item. So one that holds no expression is read once; and where an expression only names a field of the item, n8n
 * works it out for one item that has text or a number there, and if that is the field's value, so it is in the others.
 */
export class ItemParameters {
	private readonly saved: INodeParameters;

	private readonly items: INodeExecutionData[];

	private readonly sources = new Map<string, ParameterSource>();

	private readonly values = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		this.saved = context.getNode().parameters;
		this.items = context.getInputData();
	}

	of(item: number): Parameters {
		return {
			get: (name, fallback) =>
				this.read(name, item, this.saved[name], () => this.context.getNodeParameter(name, item, fallback)),
			getLocator: (name) => {
				const saved = this.saved[name];
				return this.read(name, item, isRecord(saved) && 'value' in saved ? saved.value : saved, () =>
					this.context.getNodeParameter(name, item, '', { extractValue: true }),
				);
			},
		};
	}

	/** @param expression what was saved as the value, which may be a part of what was saved */
	private read(name: string, item: number, expression: unknown, value: () => unknown): unknown {
		const source = this.sources.get(name) ?? this.sourceOf(name, expression);
		if (source.isFixed) {
			if (!this.values.has(name)) this.values.set(name, value());
			return this.values.get(name);
		}
		const plain = source.field && plainValueOf(this.items[item]?.json, source.field);
		if (plain === undefined) return value();
		if (source.isSure) return plain;
		const ofN8n = value();
		source.isSure = ofN8n === plain;
		if (!source.isSure) source.field = undefined;
		return ofN8n;
	}

	private sourceOf(name: string, expression: unknown): ParameterSource {
		const isFixed = !holdsExpression(this.saved[name]);
		const source = { isFixed, field: fieldNamedBy(expression), isSure: false };
		this.sources.set(name, source);
		return source;
	}
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
