import type { INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../common/json';
import { count } from '../common/text';
import type { RequestOptions } from '../gateway/retry';
import { groupKey, type GroupRef } from '../groups/change';
import { NOTHING_BEFORE, requestsBefore } from '../groups/progress';
import { estimateOf } from '../groups/summary';
import {
	errorItem,
	inInputOrder,
	instancesThatDiffer,
	readItems,
	type FailedItem,
	type SharingItem,
} from './items';
import type { Run } from './operation';
import type { Parameters } from './parameters';
import { failItem, hintOf, isUncertain, outputItem, problemOf, reportNone, type Unknown } from './report';
import { Writer, type RunOptions } from './writer';

/** What one item asks for, checked. Operations add what they send. */
export interface Write extends GroupRef, Pick<SharingItem, 'shared'> {
	options: RunOptions;
	dryRun: boolean;
	includeInputFields: boolean;
}

/** One request of an item. */
export interface WriteRequest {
	/** The label of what it sets; left out where an item has no other request. */
	label?: string;
	/** Sends it, and gives the fields that it adds to the item's output. @throws GatewayFailure */
	send: (options: RequestOptions) => Promise<JsonRecord>;
}

/** An operation that changes something of a group, once for each item. */
interface WriteOperation<W extends Write> {
	/** Reads an item. @throws Problem */
	read: (parameters: Parameters) => W;
	/** The labels of `shared`. */
	labels: readonly string[];
	/** The requests of an item, in order. */
	requests: (write: W) => WriteRequest[];
	/** What to say where a request may have been carried out although it failed, if it is more than that. */
	unknown?: Unknown;
	/** The fields that a dry run shows. */
	plan: (write: W) => JsonRecord;
	/** What a person reads after a run: `2 groups updated`. */
	noun: string;
	/** The participle. */
	done: string;
	/** The message of an item that is done, and of a dry run. */
	messages: { done: string; planned: string };
	/** What people have to know afterwards. */
	hint?: string;
}

/** What became of a write: the fields that were set, and why there are no more. */
interface Written {
	set: JsonRecord;
	failure?: unknown;
	/** The requests before the one that failed, and those after it. */
	sent?: WriteRequest[];
	unsent?: WriteRequest[];
}

/**
 * Serves all items of an operation that writes: checks every item, then sends their requests in order. What was just done
 * to a group, or may have been, isn't done again: a second new link would only end the first one.
 *
 * @throws the failure of the first item that has one, with what was applied before, unless the node continues on fail
 */
export async function runWrites<W extends Write>(
	run: Run,
	operation: WriteOperation<W>,
): Promise<INodeExecutionData[]> {
	const { read, failed } = await readItems<W & { item: number }>(
		run,
		(parameters, item) => ({ ...operation.read(parameters), item }),
		operation.labels,
		instancesThatDiffer,
	);
	const [first] = read;
	if (first === undefined) return reportNone(run, failed);
	const { options, dryRun } = first;
	const firstOf = firstOfRepeated(read, operation.plan);
	const due = [...new Set(firstOf.values())];
	const writer = new Writer(run.client, options, dryRun ? [] : due);
	const total = due.reduce((sum, one) => sum + operation.requests(one).length, 0);
	const written = new Map<W, Written>();
	const outputs: INodeExecutionData[] = [];
	const errors: FailedItem[] = [];
	let done = 0;
	for (const one of read) {
		const same = firstOf.get(one) ?? one;
		const result =
			written.get(same) ?? (dryRun ? { set: operation.plan(one) } : await write(writer, one, operation));
		const { set, failure } = result;
		if (failure === undefined || isUncertain(failure)) written.set(same, result);
		if (failure === undefined) {
			outputs.push(outputItem(run, one, outputOf(one, set, operation)));
			if (same === one) done += operation.requests(one).length;
			continue;
		}
		const problem = problemOf([failure], { ...(operation.unknown && { unknown: operation.unknown }) });
		const part = partOf(result);
		const before = (wasNothing: boolean) => [
			...part,
			...progressOfRun(done + (result.sent?.length ?? 0), total, wasNothing),
		];
		if (problem !== undefined) errors.push(failItem(run, one, problem, before, part));
	}
	const succeeded = due.filter((one) => written.has(one) && written.get(one)?.failure === undefined);
	const groups = new Set(succeeded.map(groupKey)).size;
	const verb = dryRun ? `would be ${operation.done}` : operation.done;
	run.hints.add(hintOf(groups > 0 ? `${count(groups, operation.noun)} ${verb}` : '', [...failed, ...errors]));
	if (groups > 0 && !dryRun && operation.hint !== undefined) run.hints.add(operation.hint);
	if (dryRun) run.hints.add(estimateOf(total, options.batchInterval));
	return inInputOrder([...[...failed, ...errors].map(errorItem), ...outputs]);
}

/** Sends the requests of an item, until one fails. */
async function write<W extends Write>(
	writer: Writer,
	one: W,
	operation: WriteOperation<W>,
): Promise<Written> {
	const set: JsonRecord = {};
	const requests = operation.requests(one);
	for (const [i, request] of requests.entries())
		try {
			Object.assign(set, await writer.send(one, request.send));
		} catch (failure) {
			return { set, failure, sent: requests.slice(0, i), unsent: requests.slice(i) };
		}
	return { set };
}

function outputOf<W extends Write>(
	{ dryRun, instance, groupJid }: W,
	set: JsonRecord,
	{ messages }: WriteOperation<W>,
) {
	const done = dryRun
		? { outcome: 'planned', applied: null, message: messages.planned }
		: { outcome: 'done', applied: true, message: messages.done };
	return { ...done, instance, groupJid, ...set };
}

/** Says which settings were set before the one that failed, or which one failed and which weren't sent. */
function partOf({ set, sent = [], unsent: [failed, ...unsent] = [] }: Written): string[] {
	const values = Object.values(set);
	const before = sent.flatMap(({ label }, i) =>
		label === undefined ? [] : [`'${label}' was set to ${String(values[i])} before this`],
	);
	if (failed?.label === undefined || unsent.length === 0) return before;
	const others = unsent.map(({ label }) => `'${label}'`).join(', ');
	return [...before, `This is about '${failed.label}'; ${others} wasn't sent`];
}

/** For each write the first of those that ask the same of a group one after the other. */
function firstOfRepeated<W extends Write>(all: readonly W[], planOf: (write: W) => JsonRecord): Map<W, W> {
	const last = new Map<string, W>();
	const firstOf = new Map<W, W>();
	const isSame = (one: W, other: W) => JSON.stringify(planOf(one)) === JSON.stringify(planOf(other));
	for (const one of all) {
		const before = last.get(groupKey(one));
		const same = before !== undefined && isSame(one, before) ? before : one;
		last.set(groupKey(one), same);
		firstOf.set(one, same);
	}
	return firstOf;
}

/** Says what became of a run that ended early. @param wasNothing whether it's certain that nothing else was changed */
function progressOfRun(done: number, total: number, wasNothing: boolean): string[] {
	if (done > 0) return [requestsBefore(done, total)];
	return wasNothing ? [NOTHING_BEFORE] : [];
}
