import type { INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../../common/json';
import { count } from '../../common/text';
import { batchInterval, dryRun, includeInputFields } from '../../fields/groupOptions';
import { readGroup } from '../../fields/locators';
import { optionFields, Options } from '../../fields/options';
import type { RequestOptions } from '../../gateway/retry';
import { groupKey, type GroupRef } from '../../groups/change';
import { estimateOf, requestsBefore } from '../../groups/summary';
import { errorItem, inInputOrder, instancesThatDiffer, readItems, type SharingItem } from '../../run/items';
import type { Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { failItem, hintOf, outputItem, problemOf, reportNone } from '../../run/report';
import { Writer, type RunOptions } from '../../run/writer';

/** Options of operations that change something of a group, once for each item. */
export const writeOptionFields = optionFields({
	fields: [dryRun],
	options: [batchInterval, includeInputFields, ...Options.ofRequests],
});

const SHARED_OPTIONS = [...Options.ofRequests, batchInterval, dryRun];

export interface WriteRequest {
	/** The label of the setting, if an item can have several. */
	label?: string;
	/** The output fields that it sets. */
	set: JsonRecord;
	/** Sends it. @returns further output fields */
	send: (options: RequestOptions) => Promise<object | void>;
}

interface WriteOperation {
	/** Makes the requests of an item. @throws Problem */
	read: (parameters: Parameters, group: GroupRef) => WriteRequest[];
	unknown?: readonly [sentence: string, check: string];
	/** Words of the hint, e.g. `2 groups updated`. */
	noun: string;
	done: string;
	/** A sentence for the hint after a change. */
	hint?: string;
	messages: { done: string; planned: string };
}

interface Write extends GroupRef, SharingItem {
	requests: WriteRequest[];
	options: RunOptions & { dryRun: boolean };
	includeInputFields: boolean;
}

/** The fields that an item has set, the number of its requests that succeeded, and the failure of the next one. */
interface Written {
	set: JsonRecord;
	sent: number;
	failure?: unknown;
}

/** Serves all items of an operation that writes, in order, none twice in a row. @throws unless the node continues on fail */
export async function runWrites(run: Run, operation: WriteOperation): Promise<INodeExecutionData[]> {
	const { read, failed } = await readItems<Write>(
		run,
		(parameters, item) => readWrite(operation, parameters, item),
		SHARED_OPTIONS,
		instancesThatDiffer,
	);
	const [first] = read;
	if (first === undefined) return reportNone(run, failed);
	const { batchInterval: interval, dryRun: isDryRun } = first.options;
	const firstOf = firstOfRepeated(read);
	const due = [...new Set(firstOf.values())];
	const writer = new Writer(run.client, first.options, isDryRun ? [] : due);
	const total = due.reduce((sum, { requests }) => sum + requests.length, 0);
	const outcome = isDryRun
		? { outcome: 'planned', applied: null, message: operation.messages.planned }
		: { outcome: 'done', applied: true, message: operation.messages.done };
	const written = new Map<Write, Written>();
	const changed = new Set<string>();
	const outputs: INodeExecutionData[] = [];
	let sentBefore = 0;
	for (const item of read) {
		await run.giveWay();
		const { instance, groupJid } = item;
		const same = firstOf.get(item) ?? item;
		const result = written.get(same) ?? (await write(writer, item));
		const { set, sent, failure } = result;
		written.set(same, result);
		if (same === item) sentBefore += sent;
		const problem = failure === undefined ? undefined : problemOf([failure], operation.unknown);
		if (problem !== undefined) {
			problem.sentences.push(...settingsPart(item.requests, sent));
			const before = requestsBefore(sentBefore, total);
			failed.push(failItem(run, item, problem, { sent: { item: sent > 0, run: sentBefore > 0 }, before }));
		} else {
			changed.add(groupKey(item));
			outputs.push(outputItem(run, item, { ...outcome, instance, groupJid, ...set }));
		}
	}
	run.hints.add(hintOf(amountText(operation, changed.size, isDryRun), failed));
	if (isDryRun) run.hints.add(estimateOf(total, interval));
	else if (operation.hint !== undefined && changed.size > 0) run.hints.add(operation.hint);
	return inInputOrder([...failed.map(errorItem), ...outputs]);
}

function amountText({ noun, done }: WriteOperation, groups: number, isDryRun: boolean): string {
	return groups > 0 ? `${count(groups, noun)} ${isDryRun ? 'would be ' : ''}${done}` : '';
}

function readWrite(operation: WriteOperation, parameters: Parameters, item: number): Write {
	const options = new Options(parameters);
	const group = readGroup(parameters);
	return {
		item,
		...group,
		requests: operation.read(parameters, group),
		options: {
			...options.requestOptions,
			batchInterval: options.wholeNumber(batchInterval),
			dryRun: options.boolean(dryRun),
		},
		includeInputFields: options.boolean(includeInputFields),
		shared: options.valuesOf(SHARED_OPTIONS),
	};
}

/** Maps each item to the first of a series with equal requests to one group. */
function firstOfRepeated(all: readonly Write[]): Map<Write, Write> {
	const last = new Map<string, Write>();
	return new Map(
		all.map((item) => {
			const before = last.get(groupKey(item));
			const isSame = JSON.stringify(before?.requests) === JSON.stringify(item.requests);
			const same = before !== undefined && isSame ? before : item;
			last.set(groupKey(item), same);
			return [item, same];
		}),
	);
}

/** Sends the requests of an item, until one fails. A dry run sends none. */
async function write(writer: Writer, item: Write): Promise<Written> {
	const set: JsonRecord = {};
	for (const [sent, request] of item.requests.entries())
		try {
			const more = item.options.dryRun ? {} : await writer.send(item, request.send);
			Object.assign(set, request.set, more);
		} catch (failure) {
			return { set, sent, failure };
		}
	return { set, sent: item.requests.length };
}

/** Says which settings were set before the one that failed, or which one failed and which weren't sent. */
function settingsPart(requests: readonly WriteRequest[], sent: number): string[] {
	const before = requests
		.slice(0, sent)
		.map(({ label, set }) => `'${label}' was set to ${Object.values(set).join()} before this`);
	const [failed, ...unsent] = requests.slice(sent).map(({ label }) => `'${label}'`);
	if (unsent.length === 0) return before;
	return [...before, `This is about ${failed}; ${unsent.join(', ')} wasn't sent`];
}
