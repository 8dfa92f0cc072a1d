import type { INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../../common/json';
import { count } from '../../common/text';
import { batchInterval, dryRun, includeInputFields } from '../../fields/groupOptions';
import { readGroup } from '../../fields/locators';
import { optionFields, Options } from '../../fields/options';
import type { RequestOptions } from '../../gateway/retry';
import { groupKey, type GroupRef } from '../../groups/change';
import { estimateOf, requestsBefore } from '../../groups/summary';
import {
	errorItem,
	inInputOrder,
	instancesThatDiffer,
	readItems,
	type FailedItem,
	type SharingItem,
} from '../../run/items';
import type { Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { failItem, hintOf, isUncertain, outputItem, problemOf, reportNone } from '../../run/report';
import { Writer, type RunOptions } from '../../run/writer';

/** Options of operations that change something of a group, once for each item. */
export const writeOptionFields = optionFields({
	fields: [
		{
			...dryRun,
			description:
				"Whether to check the items and output what would be done, without sending anything. Key and group aren't checked.",
		},
	],
	options: [batchInterval, includeInputFields, ...Options.ofRequests],
});

/** Options that have to be the same for the whole run. */
const SHARED_OPTIONS = [...Options.ofRequests, batchInterval, dryRun];

/** An operation that changes something of a group. `S` has the output fields that it sets. */
interface WriteOperation<S extends JsonRecord> {
	/** Reads the fields to set. @throws Problem */
	read: (parameters: Parameters) => S;
	/** Makes the requests of an item, each with a label if there are several. They give the fields that are set now. */
	requests: (
		group: GroupRef,
		wanted: S,
	) => Array<{ label?: string; send: (options: RequestOptions) => Promise<JsonRecord> }>;
	/** Other words than usual if a change may have been carried out: what isn't known, and how to check it. */
	unknown?: readonly [sentence: string, check: string];
	/** Words of the hint, e.g. `2 groups updated`. */
	noun: string;
	done: string;
	/** A sentence for the hint after a change. */
	hint?: string;
	messages: { done: string; planned: string };
}

/** One item, checked. */
interface Write<S> extends GroupRef, SharingItem {
	wanted: S;
	options: RunOptions;
	isDryRun: boolean;
	includeInputFields: boolean;
}

/** The fields that an item has set, the number of its requests that succeeded, and the failure of the next one. */
interface Written {
	set: JsonRecord;
	sent: number;
	failure?: unknown;
	/** Says which settings were set, and which weren't. */
	part?: string[];
}

/**
 * Serves all items of an operation that writes, in order. A change is not repeated right after itself: a second new link
 * would only end the first one.
 *
 * @throws the failure of the first item that has one, with what was applied before, unless the node continues on fail
 */
export async function runWrites<S extends JsonRecord>(
	run: Run,
	operation: WriteOperation<S>,
): Promise<INodeExecutionData[]> {
	const { read, failed } = await readItems<Write<S>>(
		run,
		(parameters, item) => readWrite(operation, parameters, item),
		SHARED_OPTIONS,
		instancesThatDiffer,
	);
	const [first] = read;
	if (first === undefined) return reportNone(run, failed);
	const { options, isDryRun } = first;
	const firstOf = firstOfRepeated(read);
	const due = [...new Set(firstOf.values())];
	const writer = new Writer(run.client, options, isDryRun ? [] : due);
	const total = due.reduce((sum, item) => sum + operation.requests(item, item.wanted).length, 0);
	const written = new Map<Write<S>, Written>();
	const outputs: INodeExecutionData[] = [];
	let done = 0;
	for (const item of read) {
		const same = firstOf.get(item) ?? item;
		const result = written.get(same) ?? (await write(writer, item, operation));
		const { set, sent, failure, part = [] } = result;
		if (failure === undefined || isUncertain(failure)) written.set(same, result);
		if (same === item) done += sent;
		const problem = failure === undefined ? undefined : problemOf([failure], [], operation.unknown);
		const before = (wasNothing: boolean) => [...part, ...requestsBefore(done, total, wasNothing)];
		if (problem === undefined) outputs.push(outputItem(run, item, outputOf(item, set, operation)));
		else failed.push(failItem(run, item, problem, { before, part }));
	}
	const succeeded = due.filter((item) => written.has(item) && written.get(item)?.failure === undefined);
	addHints(run, operation, new Set(succeeded.map(groupKey)).size, { isDryRun, failed });
	if (isDryRun) run.hints.add(estimateOf(total, options.batchInterval));
	return inInputOrder([...failed.map(errorItem), ...outputs]);
}

function addHints<S extends JsonRecord>(
	{ hints }: Run,
	{ noun, done, hint }: WriteOperation<S>,
	groups: number,
	{ isDryRun, failed }: { isDryRun: boolean; failed: readonly FailedItem[] },
): void {
	const verb = isDryRun ? `would be ${done}` : done;
	hints.add(hintOf(groups > 0 ? `${count(groups, noun)} ${verb}` : '', failed));
	if (groups > 0 && !isDryRun && hint !== undefined) hints.add(hint);
}

function readWrite<S extends JsonRecord>(
	operation: WriteOperation<S>,
	parameters: Parameters,
	item: number,
): Write<S> {
	const wanted = operation.read(parameters);
	const options = new Options(parameters);
	return {
		item,
		...readGroup(parameters),
		wanted,
		options: { ...options.requestOptions, batchInterval: options.wholeNumber(batchInterval) },
		isDryRun: options.boolean(dryRun),
		includeInputFields: options.boolean(includeInputFields),
		shared: options.valuesOf(SHARED_OPTIONS),
	};
}

/** Sends the requests of an item, until one fails. A dry run sends none. */
async function write<S extends JsonRecord>(
	writer: Writer,
	item: Write<S>,
	operation: WriteOperation<S>,
): Promise<Written> {
	if (item.isDryRun) return { set: item.wanted, sent: 0 };
	const set: JsonRecord = {};
	const requests = operation.requests(item, item.wanted);
	const labels = requests.flatMap(({ label }) => label ?? []);
	for (const [sent, request] of requests.entries())
		try {
			Object.assign(set, await writer.send(item, request.send));
		} catch (failure) {
			return { set, sent, failure, part: settingsPart(set, labels, sent) };
		}
	return { set, sent: requests.length };
}

/** Says which settings were set before the one that failed, or which one failed and which weren't sent. */
function settingsPart(set: JsonRecord, labels: readonly string[], sent: number): string[] {
	const values = Object.values(set);
	const before = labels
		.slice(0, sent)
		.map((label, i) => `'${label}' was set to ${String(values[i])} before this`);
	const [failed, ...unsent] = labels.slice(sent);
	if (unsent.length === 0) return before;
	const others = unsent.map((label) => `'${label}'`).join(', ');
	return [...before, `This is about '${failed}'; ${others} wasn't sent`];
}

function outputOf<S extends JsonRecord>(
	{ isDryRun, instance, groupJid }: Write<S>,
	set: JsonRecord,
	{ messages }: WriteOperation<S>,
) {
	const done = isDryRun
		? { outcome: 'planned', applied: null, message: messages.planned }
		: { outcome: 'done', applied: true, message: messages.done };
	return { ...done, instance, groupJid, ...set };
}

/** Maps each item to the first of those that ask the same of a group one after the other. */
function firstOfRepeated<S>(all: ReadonlyArray<Write<S>>): Map<Write<S>, Write<S>> {
	const last = new Map<string, Write<S>>();
	const firstOf = new Map<Write<S>, Write<S>>();
	for (const item of all) {
		const before = last.get(groupKey(item));
		const isSame = before !== undefined && JSON.stringify(before.wanted) === JSON.stringify(item.wanted);
		const same = isSame ? before : item;
		last.set(groupKey(item), same);
		firstOf.set(item, same);
	}
	return firstOf;
}
