import type { IDisplayOptions, INode, INodeProperties } from 'n8n-workflow';

/*
 * As much of n8n-workflow as the node uses, for unit tests: the real one takes longer to load than most of them to run.
 * A test of what n8n makes of it imports `realN8n` first; engine tests have the real one anyway.
 */

export const NodeConnectionTypes = { Main: 'main' } as const;

export async function sleep(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}

export function updateDisplayOptions(
	{ show, hide }: IDisplayOptions,
	properties: INodeProperties[],
): INodeProperties[] {
	return properties.map(({ displayOptions: own, ...property }) => ({
		...property,
		displayOptions: {
			show: { ...own?.show, ...show },
			...((own?.hide ?? hide) && { hide: { ...own?.hide, ...hide } }),
		},
	}));
}

interface Options {
	message?: string;
	description?: string;
	itemIndex?: number;
	httpCode?: string;
}

class NodeError extends Error {
	readonly context: object;

	readonly description: string | undefined;

	constructor(
		readonly node: INode,
		{ message, description, itemIndex }: Options,
	) {
		super(message);
		this.name = new.target.name;
		this.description = description;
		this.context = itemIndex === undefined ? {} : { itemIndex };
	}
}

export class NodeOperationError extends NodeError {
	constructor(node: INode, message: string, options: Options = {}) {
		super(node, { message, ...options });
	}
}

export class NodeApiError extends NodeError {
	readonly httpCode: string | null;

	constructor(node: INode, _: object, options: Options) {
		super(node, options);
		this.httpCode = options.httpCode ?? null;
	}
}
