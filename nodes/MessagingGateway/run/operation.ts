import { sleep, type IExecuteFunctions, type INodeExecutionData, type INodeProperties } from 'n8n-workflow';
import type { GatewayClient } from '../gateway/client';
import type { Execution, ExecutionRef } from '../gateway/execution';
import type { GroupRef } from '../groups/change';
import type { KnownPeople } from '../groups/memory/knownPeople';
import type { ItemParameters } from './parameters';

export interface Run {
	context: IExecuteFunctions;
	parameters: ItemParameters;
	client: GatewayClient;
	/** Its turns, waits and stops. */
	session: GatewayClient['session'];
	/** Gives what the process knows of an instance. */
	account: GatewayClient['session']['account'];
	/** Notes of the process about people. */
	people: KnownPeople;
	/** The things that all nodes of the execution have done. */
	execution: Execution;
	/** The workflow and the node. */
	node: string;
	/** Texts that must not be shown: the credential's key. */
	secrets: readonly string[];
	hints: Set<string>;
	/** Lets other workflows go on; awaited between items, groups and steps. */
	giveWay: () => Promise<void>;
	/** Whether earlier runs of the execution have sent something. */
	hasSentBefore: boolean;
	/** Beginning of the execution's first run, ms since 1970. */
	startedAt: number;
	onlyReads?: true | undefined;
	isMessage?: true | undefined;
}

/** An operation: the export of a file `*.operation.ts`. */
export interface Operation {
	name: string;
	/** Sentence case, shown where nodes are searched. */
	action: string;
	description: string;
	/** Whether it changes nothing in any case, so that a failure needn't say that nothing was changed. */
	onlyReads?: true;
	/** Whether it sends messages and changes nothing. */
	isMessage?: true;
	fields: INodeProperties[];
	/**
	 * Serves all input items, in order, and gives the output items of each, paired with it. If the node
	 * continues on fail, an item that fails is an error item. Otherwise the first failure ends the run.
	 */
	execute: (run: Run) => Promise<INodeExecutionData[]>;
}

/** Begins the changes of a run. Unless it's a dry run, a stop of a group's account stops the run, too. */
export function startChanges(
	{ session, context, hints }: Pick<Run, 'session' | 'context' | 'hints'>,
	{ batchInterval, dryRun }: { batchInterval: number; dryRun: boolean },
	groups: readonly GroupRef[],
): void {
	session.startChanges(dryRun ? [] : groups, batchInterval);
	if (dryRun && context.getMode() !== 'manual') hints.add('Dry Run is on: nothing was changed');
}

/** Maximum time to hold n8n's thread, in ms: all other workflows wait meanwhile. */
const LONGEST_HOLD = 25;

/** Makes a function to await between steps, which lets other workflows go on once n8n was held too long. */
export function makeGiveWay(): () => Promise<void> {
	let started = performance.now();
	return async () => {
		if (performance.now() - started < LONGEST_HOLD) return;
		await sleep(0);
		started = performance.now();
	};
}

/** Maps a list, and lets other workflows go on meanwhile: one item may have 150,000 participants. */
export async function mapInSteps<T, U>(
	{ giveWay }: Pick<Run, 'giveWay'>,
	all: readonly T[],
	map: (one: T) => U,
): Promise<U[]> {
	const mapped: U[] = [];
	for (const one of all) {
		await giveWay();
		mapped.push(map(one));
	}
	return mapped;
}

/** Gives a node's ID, which stays when it's renamed. */
export function nodeIdOf(context: IExecuteFunctions): string {
	const { id, name } = context.getNode();
	return id || name;
}

/** Reads from n8n which execution of the node a run belongs to. */
export function executionRef(context: IExecuteFunctions): ExecutionRef {
	const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
	const { retryOnFail } = context.getNode();
	return {
		id: context.getExecutionId() || undefined,
		node: `${context.getWorkflow().id} ${nodeIdOf(context)}`,
		runIndex: Number(runIndex),
		retryOnFail,
		isRetry: context.getMode() === 'retry',
	};
}
