import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../common/json';
import { secretHider } from '../gateway/redact/secretFields';
import type { RetryOptions } from '../gateway/retry';
import type { CallValues } from '../gateway/routes';
import { errorItem, inInputOrder, readValidItems } from './items';
import { toNodeError } from './nodeErrors';
import type { Run } from './operation';
import type { Parameters } from './parameters';

/** Most requests under way at once. */
const AT_ONCE = 5;

/** What one item asks the gateway, checked. */
export interface Lookup {
	values: CallValues;
	retryOptions: RetryOptions;
	/** Whether to output secrets as they are; not if left out. */
	includeSecrets?: boolean;
}

/** One output item of a lookup. */
export interface FoundRecord {
	json: JsonRecord;
	binary?: IBinaryKeyData;
}

/** How an operation looks something up. */
interface LookupOperation<L extends Lookup, R> {
	/** Reads an item. @throws Problem */
	read: (parameters: Parameters, item: number) => L;
	/** Asks the gateway, once for all items that look up the same. @throws GatewayFailure, Problem */
	ask: (lookup: L) => Promise<R>;
	/** Makes an item's output of what was found. @throws Problem */
	present: (found: R, lookup: L) => FoundRecord[];
}

type LookupResult<R> = { found: R } | { failure: unknown };

/**
 * Serves all items of an operation that looks something up: reads and checks every item, asks the gateway once
 * for each different thing and at most five at a time, and gives the output in input order.
 *
 * @throws the failure of the first item that has one, unless the node continues on fail
 */
export async function runLookups<L extends Lookup, R>(
	run: Run,
	operation: LookupOperation<L, R>,
): Promise<INodeExecutionData[]> {
	const { context, secrets, breather } = run;
	const goesOn = context.continueOnFail();
	const items = await readValidItems(run, (parameters, item) => ({
		item,
		lookup: operation.read(parameters, item),
	}));
	const different = new Map(items.read.map(({ lookup }) => [keyOf(lookup), lookup] as const));
	const results = new Map<string, LookupResult<R>>();
	let hasFailed = false;
	await eachAtMost(AT_ONCE, different, async ([key, lookup]) => {
		if (hasFailed && !goesOn) return;
		results.set(key, await ask(operation, lookup));
		hasFailed ||= 'failure' in (results.get(key) ?? {});
	});

	const outputs: INodeExecutionData[][] = [];
	const hideSecrets = secretHider();
	for (const { item, lookup } of items.read) {
		await breather.pause();
		const result = results.get(keyOf(lookup));
		// Only after an item whose failure ends the run.
		if (result === undefined) continue;
		try {
			if ('failure' in result) throw result.failure;
			// A copy in any case, since several items may share what was found.
			const copyOf = lookup.includeSecrets ? structuredClone<unknown> : hideSecrets;
			const records = operation.present(result.found, lookup);
			outputs.push(await breather.map(records, (record) => outputOf(record, item, copyOf)));
		} catch (problem) {
			const error = toNodeError(context.getNode(), problem, secrets, item);
			if (!goesOn) throw error;
			outputs.push([errorItem({ item, error })]);
		}
	}
	return inInputOrder([...items.failed.map(errorItem), ...outputs.flat()]);
}

function outputOf(
	{ json, binary }: FoundRecord,
	item: number,
	copyOf: (json: unknown) => unknown,
): INodeExecutionData {
	return { json: copyOf(json) as IDataObject, pairedItem: { item }, ...(binary && { binary }) };
}

async function ask<L extends Lookup, R>(
	operation: LookupOperation<L, R>,
	lookup: L,
): Promise<LookupResult<R>> {
	try {
		return { found: await operation.ask(lookup) };
	} catch (failure) {
		return { failure };
	}
}

/** Whoever looks up the same with other options asks for itself: a short timeout is nobody else's. */
function keyOf({ values, retryOptions }: Lookup): string {
	return JSON.stringify([values, retryOptions]);
}

/** Does something for each, so many at a time, starting in order. */
async function eachAtMost<T>(most: number, all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
	const rest = all[Symbol.iterator]();
	const worker = async () => {
		for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
	};
	await Promise.all(Array.from({ length: most }, worker));
}
