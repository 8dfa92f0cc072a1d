import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { Execution } from '../../../nodes/MessagingGateway/gateway/execution';
import type { Run } from '../../../nodes/MessagingGateway/run/operation';
import { errorItem } from '../../../nodes/MessagingGateway/run/items';
import { ItemParameters } from '../../../nodes/MessagingGateway/run/parameters';

export const NODE: INode = {
	id: '1',
	name: 'Gateway',
	type: 'n8n-nodes-messaging-gateway.messagingGateway',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** What a parameter comes to for an item; what it throws where its expression can't be worked out. */
export type Values = Record<string, (item: number) => unknown>;

interface Asked {
	name: string;
	item: number;
	extractValue: boolean;
}

interface Input {
	items?: number;
	/** What all items have. */
	json?: object;
	/** What each has, if it isn't the same. */
	jsons?: object[];
	continueOnFail?: boolean;
	/** What the client's session has. */
	client?: object;
}

/**
 * As much of n8n's context as the reading of items needs.
 *
 * @param saved the parameters as the workflow has them, expressions with a `=`
 * @param values what those come to, where that isn't what is saved
 */
export function contextWith(
	saved: INode['parameters'],
	values: Values = {},
	{
		items = 1,
		json = {},
		jsons = Array.from({ length: items }, () => json),
		continueOnFail = false,
		client = {},
	}: Input = {},
) {
	const asked: Asked[] = [];
	const node = { ...NODE, parameters: saved };
	const given = {
		getNode: () => node,
		getInputData: () => jsons.map((one) => ({ json: one })),
		continueOnFail: () => continueOnFail,
		getNodeParameter: (
			name: string,
			item: number,
			fallback: unknown,
			options?: { extractValue: boolean },
		) => {
			asked.push({ name, item, extractValue: options?.extractValue === true });
			return values[name]?.(item) ?? saved[name] ?? fallback;
		},
	};
	const session = {
		baseUrl: 'https://gateway.example.com',
		account: () => ({ stop: {} }),
		gateway: { stop: {} },
		...client,
	};
	// n8n's own context and the client have many more functions, none of which is needed here.
	const run = {
		context: given,
		parameters: new ItemParameters(given as unknown as IExecuteFunctions),
		client: {
			groupBefore: async () => await Promise.resolve(null),
			session,
			ownAccounts: async () => new Map(),
		},
		session,
		account: session.account,
		execution: new Execution(),
		node: 'night',
		hasSentBefore: false,
		secrets: ['KEY-0000'],
		hints: new Set<string>(),
		giveWay: async () => {},
		errorItem,
		startedAt: 0,
	} as unknown as Run;
	return { run, parameters: run.parameters, asked };
}
