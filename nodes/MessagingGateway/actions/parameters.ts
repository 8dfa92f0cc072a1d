import type {
	IExecuteFunctions,
	INodeParameters,
	IPollFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';
import { isRecord } from '../domain/records/json';

/** The node's parameters as one item, or one poll, has them. */
export interface Parameters {
	/** The value of a parameter; the fallback if it isn't set. @throws n8n's own error for an expression */
	get(name: string, fallback?: NodeParameterValueType): unknown;
	/** The value of a resource locator, whichever mode it is in; not checked. */
	getLocator(name: string): unknown;
}

/**
 * The parameters of all items. n8n takes longer to work out a parameter than this node for all else that it does with
 * an item, so one that holds no expression, and is the same for all items, is read once.
 */
export class ItemParameters {
	private readonly saved: INodeParameters;

	private readonly isFixed = new Map<string, boolean>();

	private readonly values = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		this.saved = context.getNode().parameters;
	}

	of(item: number): Parameters {
		return {
			get: (name, fallback) => this.read(name, () => this.context.getNodeParameter(name, item, fallback)),
			getLocator: (name) =>
				this.read(name, () => this.context.getNodeParameter(name, item, '', { extractValue: true })),
		};
	}

	private read(name: string, value: () => unknown): unknown {
		const known = this.isFixed.get(name);
		const isFixed = known ?? !holdsExpression(this.saved[name]);
		if (known === undefined) this.isFixed.set(name, isFixed);
		if (!isFixed) return value();
		if (!this.values.has(name)) this.values.set(name, value());
		return this.values.get(name);
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
