import type { INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../../common/json';
import { count } from '../../common/text';
import { batchInterval, dryRun, includeInputFields } from '../../fields/groupOptions';
import { readGroup } from '../../fields/locators';
import { forN8n, Options, optionsOf, requestFields, type ValuesOf } from '../../fields/options';
import type { RequestOptions } from '../../gateway/retry';
import { groupKey, type Asked, type GroupRef, type GroupResult } from '../../groups/change';
import { estimateOf } from '../../groups/summary';
import { inInputOrder, instancesThatDiffer, readItems, type SharingItem } from '../../run/items';
import { startChanges, type Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { hintOf, reportItems, reportNone, type ReportedItem } from '../../run/report';

/** Options of operations that change something of a group, once for each item. */
export const writeOptionFields = [
	forN8n(dryRun),
	optionsOf(batchInterval, includeInputFields, ...Object.values(requestFields)),
];

const WRITE_FIELDS = { ...requestFields, batchInterval, dryRun };

/** A request of an item, and what became of it. */
export interface WriteRequest extends Asked<GroupResult> {
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
	hint?: string;
	messages: { done: string; planned: string };
}

interface Write extends ReportedItem<WriteRequest>, SharingItem {
	options: ValuesOf<typeof WRITE_FIELDS>;
}

/** Serves all items of an operation that writes, in order, none twice in a row. @throws unless the node continues on fail */
export async function runWrites(run: Run, operation: WriteOperation): Promise<INodeExecutionData[]> {
	const { read, failed } = await readItems<Write>(
		run,
		(parameters, item) => readWriteItem(operation, parameters, item),
		WRITE_FIELDS,
		instancesThatDiffer,
	);
	const items = shareRepeated(read);
	const [first] = items;
	if (first === undefined) return reportNone(run, failed);
	const { batchInterval: interval, dryRun: isDryRun } = first.options;
	const requests = new Set(items.flatMap(({ asked }) => asked));
	startChanges(run, first.options, items);
	for (const item of items) {
		await run.giveWay();
		if (!(await sendItem(run, item, operation.messages)) && !run.context.continueOnFail()) break;
	}
	const tried = [...requests].flatMap(({ entry }) => (entry === undefined ? [] : [[entry]]));
	const report = await reportItems(run, items, ({ entry }) => entry, {
		failed,
		progress: { tried, requests: requests.size },
		unknown: operation.unknown,
		describePart: settingsPart,
		present: (results) => [results.reduce((all, result) => ({ ...all, ...result }))],
	});
	const changed = new Set(report.results.map(groupKey)).size;
	const done = `${count(changed, operation.noun)} ${isDryRun ? 'would be ' : ''}${operation.done}`;
	run.hints.add(hintOf(changed > 0 ? done : '', report.failed));
	if (isDryRun) run.hints.add(estimateOf(requests.size, interval));
	else if (operation.hint !== undefined && changed > 0) run.hints.add(operation.hint);
	return inInputOrder(report.outputs);
}

function readWriteItem(operation: WriteOperation, parameters: Parameters, item: number): Write {
	const options = new Options(parameters);
	const group = readGroup(parameters);
	return {
		item,
		...group,
		asked: operation.read(parameters, group),
		options: options.values(WRITE_FIELDS),
		includeInputFields: options.boolean(includeInputFields),
	};
}

/** Has an item that repeats the one before of its group share that one's requests. */
function shareRepeated(all: readonly Write[]): Write[] {
	const last = new Map<string, Write['asked']>();
	return all.map((item) => {
		const before = last.get(groupKey(item));
		const asked = JSON.stringify(before) === JSON.stringify(item.asked) ? (before ?? item.asked) : item.asked;
		last.set(groupKey(item), asked);
		return { ...item, asked };
	});
}

/** Sends the requests of an item that weren't sent before, until one fails. A dry run sends none. @returns whether all succeeded */
async function sendItem(run: Run, item: Write, messages: WriteOperation['messages']): Promise<boolean> {
	const { instance, groupJid, options, asked } = item;
	const outcome = options.dryRun
		? ({ outcome: 'planned', applied: null, message: messages.planned } as const)
		: ({ outcome: 'done', applied: true, message: messages.done } as const);
	for (const request of asked) {
		try {
			const more =
				options.dryRun || request.entry ? {} : await run.client.session.inTurn(item, options, request.send);
			request.entry ??= { result: { ...outcome, instance, groupJid, ...request.set, ...more } };
		} catch (failure) {
			request.entry = { failure };
		}
		if (!request.entry.result) return false;
	}
	return true;
}

/** Says which settings were set before the one that failed, or which one failed and which weren't sent. */
function settingsPart(requests: readonly WriteRequest[]): string[] {
	const isSet = ({ entry }: WriteRequest) => entry?.result !== undefined;
	const before = requests
		.filter(isSet)
		.map(({ label, set }) => `'${label}' was set to ${Object.values(set).join()} before this`);
	const [failed, ...unsent] = requests.filter((request) => !isSet(request)).map(({ label }) => `'${label}'`);
	if (unsent.length === 0) return before;
	return [...before, `This is about ${failed}; ${unsent.join(', ')} wasn't sent`];
}
