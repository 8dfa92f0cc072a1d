import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../domain/records/json';
import { hideSecrets } from '../domain/text/secrets';
import type { RetryOptions } from '../transport/gateway';
import type { CallValues, RouteName } from '../transport/routes';
import { errorItem, inInputOrder, readItems } from './items';
import { toNodeError } from './nodeErrors';
import type { Run } from './operation';

/** Most requests under way at once. */
const AT_ONCE = 5;

/** What one item asks the gateway, checked. */
export interface Lookup {
	values: CallValues;
	retryOptions: RetryOptions;
	includeSecrets: boolean;
}

/** How an operation looks something up. */
interface LookupOperation<T extends Lookup> {
	route: RouteName;
	/** Reads an item. @throws Problem */
	read: (item: number) => T;
	/** Makes an item's output of the reply. @throws Problem */
	present: (reply: unknown, lookup: T) => JsonRecord[];
	/** What to output instead of failing, where a failure is an answer too. */
	presentFailure?: (failure: unknown, lookup: T) => JsonRecord[] | undefined;
}

type Answer = { reply: unknown } | { failure: unknown };

/**
 * Serves all items of an operation that looks something up: reads and checks every item, asks the gateway once
 * for each different thing and at most five at a time, and gives the output in input order.
 *
 * @throws the failure of the first item that has one, unless the node continues on fail
 */
export async function runLookups<T extends Lookup>(
	run: Run,
	operation: LookupOperation<T>,
): Promise<INodeExecutionData[]> {
	const { context, gateway, secrets } = run;
	const items = readItems(context, secrets, (item) => ({ item, lookup: operation.read(item) }));
	const different = new Map(items.read.map(({ lookup }) => [keyOf(lookup), lookup] as const));
	const answers = new Map<string, Answer>();
	let failed = false;
	await eachAtMost(AT_ONCE, different, async ([key, lookup]) => {
		if (failed && !context.continueOnFail()) return;
		try {
			answers.set(key, { reply: await gateway.call(operation.route, lookup.values, lookup.retryOptions) });
		} catch (failure) {
			answers.set(key, { failure });
			failed ||= operation.presentFailure?.(failure, lookup) === undefined;
		}
	});

	const outputs = items.read.flatMap(({ item, lookup }) => {
		const answer = answers.get(keyOf(lookup));
		// Only after an item whose failure ends the run.
		if (answer === undefined) return [];
		try {
			return outputOf(answer, lookup, operation, item);
		} catch (problem) {
			const error = toNodeError(context.getNode(), problem, secrets, item);
			if (!context.continueOnFail()) throw error;
			return [errorItem({ item, error })];
		}
	});
	return inInputOrder([...items.failed.map(errorItem), ...outputs]);
}

function outputOf<T extends Lookup>(
	answer: Answer,
	lookup: T,
	{ present, presentFailure }: LookupOperation<T>,
	item: number,
): INodeExecutionData[] {
	const records =
		'reply' in answer ? present(answer.reply, lookup) : presentFailure?.(answer.failure, lookup);
	if (records === undefined && 'failure' in answer) throw answer.failure;
	// A copy in any case, since several items may share a reply.
	const copies = lookup.includeSecrets ? structuredClone(records) : hideSecrets(records);
	return ((copies ?? []) as IDataObject[]).map((json) => ({ json, pairedItem: { item } }));
}

function keyOf({ values }: Lookup): string {
	return JSON.stringify(values);
}

/** Does something for each, so many at a time, starting in order. */
async function eachAtMost<T>(most: number, all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
	const rest = all[Symbol.iterator]();
	const worker = async () => {
		for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
	};
	await Promise.all(Array.from({ length: most }, worker));
}
