import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { MessagingGateway } from '../../../../../nodes/MessagingGateway/MessagingGateway.node';
import { clock } from './clock';
import type { PlayedGateway } from './gateway';

/** A node of a workflow. */
export interface PlayedNode {
	id: string;
	name: string;
	parameters: object;
}

/** A run of a node, as n8n begins it. */
export interface PlayedRun {
	items: object[];
	execution: string;
	mode?: string;
	runIndex?: number;
}

/** What a run gave: its items, or the error that ended it. */
export interface Given {
	items: INodeExecutionData[];
	hints: string[];
	error: Error | undefined;
}

/** One workflow, in processes that come and go. What the node remembers in a process is by address, so each has its own. */
export class PlayedN8n {
	/** What n8n keeps of the workflow. */
	data: IDataObject = {};

	private process = 0;

	/** @param world names the address of the gateway @param keeps whether n8n keeps the workflow's data */
	constructor(
		private readonly gateway: PlayedGateway,
		private readonly world: string,
		private readonly workflow: string,
		private readonly keeps: boolean,
	) {}

	/** Goes on in a new process, or in one that was there before. */
	switchTo(process: number): void {
		this.process = process;
	}

	/** Runs a node on the workflow's data as it was loaded. @param data what n8n loaded when the execution began */
	async run(node: PlayedNode, run: PlayedRun, data: IDataObject = this.load()): Promise<Given> {
		const hints: string[] = [];
		const context = this.contextOf(node, run, data, hints);
		const ended = new MessagingGateway().execute.call(context);
		return await ended.then(
			([items = []]) => ({ items, hints, error: undefined }),
			(error: Error) => ({ items: [], hints, error }),
		);
	}

	/** Gives a copy of the workflow's data, as n8n does at the beginning of an execution. */
	load(): IDataObject {
		return structuredClone(this.data);
	}

	/** Keeps the workflow's data at the end of an execution, whatever another one has kept meanwhile. */
	save(data: IDataObject): void {
		if (this.keeps) this.data = structuredClone(data);
	}

	private contextOf(
		{ id, name, parameters }: PlayedNode,
		run: PlayedRun,
		data: IDataObject,
		hints: string[],
	) {
		const baseUrl = `http://${this.world}-${this.process}.test`;
		const { gateway } = this;
		const node = { id, name, parameters, type: 'gateway', typeVersion: 1, onError: 'continueRegularOutput' };
		const valueOf = (value: unknown, item: number): unknown => {
			const [, field] = /^=\{\{ \$json\.(\w+) \}\}$/.exec(String(value)) ?? [];
			if (field !== undefined) return (run.items[item] as Record<string, unknown>)[field];
			if (typeof value !== 'object' || value === null) return value;
			if ('__rl' in value) return (value as { value?: unknown }).value;
			return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, valueOf(one, item)]));
		};
		const context = {
			getNode: () => node,
			getInputData: () => run.items.map((json) => ({ json })),
			getNodeParameter: (path: string, item: number, fallback: unknown) => {
				const value = path
					.split('.')
					.reduce<unknown>((all, key) => (all as Record<string, unknown> | undefined)?.[key], parameters);
				return value === undefined ? fallback : valueOf(value, item);
			},
			continueOnFail: () => true,
			getMode: () => run.mode ?? 'trigger',
			getExecutionId: () => run.execution,
			getExecutionCancelSignal: () => undefined,
			getWorkflow: () => ({ id: this.workflow }),
			getWorkflowDataProxy: () => ({ $runIndex: run.runIndex ?? 0 }),
			getWorkflowStaticData: () => data,
			getParentNodes: () => [],
			addExecutionHints: (...all: Array<{ message: string }>) =>
				hints.push(...all.map(({ message }) => message)),
			getCredentials: async () => await Promise.resolve({ baseUrl, apiKey: 'KEY-0000' }),
			helpers: {
				httpRequestWithAuthentication: async (
					_: string,
					{ method, url, body }: { method: string; url: string; body?: Record<string, unknown> },
				) => {
					clock.now += 200;
					const [statusCode, reply] = await Promise.resolve(
						gateway.answer(method, url.replace(baseUrl, ''), body ?? {}),
					);
					const isText = typeof reply === 'string';
					const headers = { 'content-type': isText ? 'text/html' : 'application/json' };
					return { statusCode, headers, body: isText ? reply : JSON.stringify(reply) };
				},
			},
		};
		return context as unknown as IExecuteFunctions;
	}
}
