import type { INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../common/json';
import { count } from '../common/text';
import type { RequestOptions } from '../gateway/retry';
import { groupKey, type GroupRef } from '../groups/change';
import { NOTHING_BEFORE, requestsBefore } from '../groups/progress';
import { estimateOf } from '../groups/summary';
import { errorItem, inInputOrder, readItems, type FailedItem } from './items';
import type { Run } from './operation';
import type { Parameters } from './parameters';
import { failItem, hintOf, isUncertain, outputItem, problemOf, reportNone, type Unknown } from './report';
import { Writer, type RunOptions } from './writer';

/** What one item asks for, checked. Operations add what they send. */
export interface Write extends GroupRef {
	/** Those of the first item that can be read count for the run. */
	options: RunOptions;
	dryRun: boolean;
	includeInputFields: boolean;
}

/** How an operation changes something of a group, once for each item. */
interface WriteOperation<W extends Write> {
	/** Reads an item. @throws Problem */
	read: (parameters: Parameters) => W;
	/** The requests of an item, in order; each gives the fields that it adds to the item's output. @throws GatewayFailure */
	requests: (write: W) => Array<(options: RequestOptions) => Promise<JsonRecord>>;
	/** What to say where a request may have been carried out although it failed, if it is more than that. */
	unknown?: Unknown;
	/** The fields that a dry run shows. */
	plan: (write: W) => JsonRecord;
	/** What a person reads after a run: `2 groups updated`. */
	noun: string;
	/** The participle. */
	done: string;
}

/** What came of what an item asked for: the fields that were set, and why there are no more. */
interface Written {
	set: JsonRecord;
	failure?: unknown;
}

/**
 * Serves all items of an operation that writes: checks every item, then sends their requests in order, one at a time and
 * with pauses, and gives one output item for each. What was just done to a group, or may have been, isn't done again: a
 * second new link would only end the first one. After a request that failed, the others of its item aren't sent.
 *
 * @throws the failure of the first item that has one, with what was applied before, unless the node continues on fail
 */
export async function runWrites<W extends Write>(
	run: Run,
	operation: WriteOperation<W>,
): Promise<INodeExecutionData[]> {
	const { read, failed } = await readItems(run, (parameters, item) => ({
		...operation.read(parameters),
		item,
	}));
	const [first] = read;
	if (first === undefined) return reportNone(run, failed);
	const { options } = first;
	const firstOf = firstOfRepeated(read, operation.plan);
	const due = [...new Set(firstOf.values())];
	const dry = due.filter(({ dryRun }) => dryRun);
	const live = due.filter(({ dryRun }) => !dryRun);
	const writer = new Writer(run, options, live);
	const countOf = (some: W[]) => some.reduce((sum, one) => sum + operation.requests(one).length, 0);
	const total = countOf(live);
	let done = 0;
	const write = async (one: W): Promise<Written> => {
		const set: JsonRecord = {};
		if (one.dryRun) return { set: { ...operation.plan(one), outcome: 'planned' } };
		try {
			for (const request of operation.requests(one)) {
				Object.assign(set, await writer.send(one, request));
				done++;
			}
			return { set };
		} catch (failure) {
			return { set, failure };
		}
	};
	/** What was done, or may have been, by the first item that asked for it. */
	const written = new Map<W, Written>();
	const outputs: INodeExecutionData[] = [];
	const errors: FailedItem[] = [];
	for (const one of read) {
		const { instance, groupJid } = one;
		const same = firstOf.get(one) ?? one;
		const result = written.get(same) ?? (await write(one));
		const { set, failure } = result;
		if (failure === undefined || isUncertain(failure)) written.set(same, result);
		if (failure === undefined) {
			outputs.push(outputItem(run, one, { instance, groupJid, ...set }));
			continue;
		}
		const part = Object.entries(set).map(
			([field, value]) => `'${field}' was set to ${String(value)} before this`,
		);
		const progress = (wasNothing: boolean) => [...part, ...progressOfRun(done, total, wasNothing)];
		const { unknown } = operation;
		const problem = problemOf([failure], { ...(unknown && { unknown }) });
		if (problem !== undefined) errors.push(failItem(run, one, problem, progress, part));
	}
	const say = (some: W[], verb: string) => {
		const groups = new Set(some.map(groupKey)).size;
		return groups > 0 ? [`${count(groups, operation.noun)} ${verb}`] : [];
	};
	const succeeded = live.filter((one) => written.has(one) && written.get(one)?.failure === undefined);
	const tally = [...say(succeeded, operation.done), ...say(dry, `would be ${operation.done}`)];
	run.hints.add(hintOf(tally.join(', '), [...failed, ...errors]));
	if (dry.length > 0) run.hints.add(estimateOf(countOf(dry), options.batchInterval));
	return inInputOrder([...[...failed, ...errors].map(errorItem), ...outputs]);
}

/** For each write the first of those that ask the same of a group one after the other. */
function firstOfRepeated<W extends Write>(all: readonly W[], planOf: (write: W) => JsonRecord): Map<W, W> {
	const last = new Map<string, W>();
	const firstOf = new Map<W, W>();
	const isSame = (one: W, other: W) => JSON.stringify(planOf(one)) === JSON.stringify(planOf(other));
	for (const one of all) {
		const group = `${one.dryRun} ${groupKey(one)}`;
		const before = last.get(group);
		const same = before !== undefined && isSame(one, before) ? before : one;
		last.set(group, same);
		firstOf.set(one, same);
	}
	return firstOf;
}

/** What had become of a run when it ended early. @param wasNothing whether it's certain that nothing was changed else */
function progressOfRun(done: number, total: number, wasNothing: boolean): string[] {
	if (done > 0) return [requestsBefore(done, total)];
	return wasNothing ? [NOTHING_BEFORE] : [];
}
