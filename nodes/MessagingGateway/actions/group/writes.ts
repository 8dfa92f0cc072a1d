import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { JsonRecord } from '../../common/json';
import { NothingSent } from '../../common/problem';
import { count } from '../../common/text';
import { batchInterval, dryRun, includeInputFields } from '../../fields/groupOptions';
import { readGroup, readInstance } from '../../fields/locators';
import {
	forN8n,
	limitsOf,
	Options,
	optionsOf,
	requestFields,
	type Field,
	type ValuesOf,
} from '../../fields/options';
import { BlockedCall, GatewayFailure } from '../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../gateway/sender';
import {
	groupKey,
	type Asked,
	type GroupRef,
	type GroupResult,
	type JournalEntry,
} from '../../groups/change';
import { WORDING, type Outcome } from '../../groups/outcomes';
import { estimateOf } from '../../groups/summary';
import { instancesThatDiffer, readItems, type BadItem, type SharingItem } from '../../run/items';
import { startChanges, type Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { finishRun, isUncertain, reportItems, reportNone, type ReportedItem } from '../../run/report';

const WRITE_FIELDS = { ...requestFields, batchInterval, dryRun };

/** Makes the fields of operations that write once for each item: the dry run, and options. */
export function writeOptionFields(
	places: { limits?: Field[]; options?: Field[]; interval?: Field<number> } = {},
): INodeProperties[] {
	const { limits = [], options = [], interval = batchInterval } = places;
	const all = [...options, interval, includeInputFields, ...Object.values(requestFields)];
	return [forN8n(dryRun), ...(limits.length > 0 ? [limitsOf(...limits)] : []), optionsOf(...all)];
}

/** A request of an item, and what became of it. */
export interface WriteRequest extends Asked<GroupResult> {
	/** The label of the field that it sets, if an item can have several. */
	label?: string;
	/** The output fields that it sets. */
	set: JsonRecord;
	/** Whatever else it sends: items that send the same share their requests. */
	sends?: unknown;
	/** The words and advice for an unknown result, if they aren't the usual ones. */
	unknown?: readonly [sentence: string, check: string];
	/** Sends it. @returns further output fields */
	send: (options: RequestOptions) => Promise<object | void>;
}

export interface Write extends ReportedItem<WriteRequest>, SharingItem {
	options: ValuesOf<typeof WRITE_FIELDS> & { maxPerRun?: number };
}

interface WriteOperation {
	/** Makes the requests of an item. @throws Problem */
	read: (parameters: Parameters, group: GroupRef, options: Options, item: number) => WriteRequest[];
	/** Whether it makes a group, so that an item has none. */
	makesGroup?: boolean;
	/** Finds items that can't be served, once all are read; by default those of one group with different instances. */
	findMisfits?: (read: readonly Write[]) => Promise<BadItem[]>;
	/** Options of the run that other operations haven't, or have with another default. */
	fields?: { batchInterval?: Field<number>; maxPerRun?: Field<number> };
	/** Decides before the first request of an item, also in a dry run, which requests needn't be sent. @throws why nothing is sent */
	prepare?: (write: Write) => Promise<void>;
	/** Finds out after the last request of an item what became of each. */
	settle?: (write: Write) => Promise<void>;
	/** Requests that are sent once in an execution, with what became of them. */
	once?: Map<string, JournalEntry<GroupResult>>;
	/** Words of the hint, e.g. `2 groups updated`. */
	noun: string;
	done: string;
	hint?: string;
	messages: { done: string; planned: string };
	/** Its outcome, if that isn't `done`. */
	outcome?: Outcome;
	/** Its own output fields. */
	outputs: readonly string[];
}

/** Serves all items of an operation that writes, in order, none twice in a row. @throws unless the node continues on fail */
export async function runWrites(run: Run, operation: WriteOperation): Promise<INodeExecutionData[]> {
	const fields = { ...WRITE_FIELDS, ...operation.fields };
	const { read, failed } = await readItems<Write>(
		run,
		(parameters, item) => readWriteItem(operation, fields, parameters, item),
		fields,
		operation.findMisfits ?? ((all) => instancesThatDiffer(run, all)),
	);
	const items = shareRepeated(read);
	const [first] = items;
	if (first === undefined) return reportNone(run, failed);
	const { options } = first;
	startChanges(run, options, items);
	const writer = new Writer(run, operation, options);
	for (const item of items) {
		await run.giveWay();
		if (!(await writer.write(item)) && !run.context.continueOnFail()) break;
	}
	const requests = [...new Set(items.flatMap(({ asked }) => asked))].filter(
		({ entry }) => entry?.result?.outcome !== 'unchanged',
	);
	const entries = [...new Set(requests.flatMap(({ entry }) => entry ?? []))];
	const report = await reportItems(run, items, ({ entry }) => entry, {
		failed,
		progress: { tried: entries.map((entry) => [entry]), requests: requests.length },
		unknownOf: (asked) => asked.find(({ entry }) => entry?.failure !== undefined)?.unknown,
		describePart,
		present: (results) => [together(results)],
		fields: new Set([...WRITE_OUTPUTS, ...operation.outputs]),
	});
	// A group that isn't there yet has no ID.
	for (const { json } of report.outputs) if (json.groupJid === '') json.groupJid = null;
	const { dryRun: isDryRun } = options;
	const amounts = countOutcomes(items, operation);
	const isNew = amounts.done > 0;
	const done = `${count(amounts.done, operation.noun)} ${isDryRun ? 'would be ' : ''}${operation.done}`;
	const others = (['unchanged', 'postponed'] as const).filter((outcome) => amounts[outcome] > 0);
	const summary = [...(isNew ? [done] : []), ...others.map((outcome) => `${amounts[outcome]} ${outcome}`)];
	const planned = entries.filter(({ result }) => result?.outcome === 'planned');
	const estimate = isDryRun ? estimateOf(planned.length, options.batchInterval) : undefined;
	const hint = estimate ?? (isNew ? operation.hint : undefined);
	return finishRun(run, report, summary.join(', '), hint === undefined ? [] : [hint]);
}

/** The output fields of all of these operations. */
const WRITE_OUTPUTS = [
	'error',
	'outcome',
	'message',
	'applied',
	'reason',
	'instance',
	'groupJid',
	'groupName',
];

function readWriteItem(
	operation: WriteOperation,
	fields: typeof WRITE_FIELDS,
	parameters: Parameters,
	item: number,
): Write {
	const options = new Options(parameters);
	const group = operation.makesGroup
		? { instance: readInstance(parameters), groupJid: '' }
		: readGroup(parameters);
	return {
		item,
		...group,
		options: options.values(fields),
		includeInputFields: options.boolean(includeInputFields),
		// Last: a bad item takes no part in requests that others share.
		asked: operation.read(parameters, group, options, item),
	};
}

/** Has an item that repeats the one before of its group share that one's requests. */
function shareRepeated(all: readonly Write[]): Write[] {
	const last = new Map<string, Write['asked']>();
	const texts = new Map<unknown, string>();
	return all.map((item) => {
		const before = last.get(groupKey(item));
		if (!texts.has(item.asked)) texts.set(item.asked, JSON.stringify(item.asked));
		const asked = before && texts.get(before) === texts.get(item.asked) ? before : item.asked;
		last.set(groupKey(item), asked);
		return { ...item, asked };
	});
}

/** Sends the requests of items, one at a time. */
class Writer {
	/** Requests that are sent once. Those of a dry run are forgotten. */
	private readonly once: WriteOperation['once'];

	constructor(
		private readonly run: Run,
		private readonly operation: WriteOperation,
		private readonly options: Write['options'],
	) {
		this.once = options.dryRun ? operation.once && new Map(operation.once) : operation.once;
	}

	/** Sends the requests of an item that weren't sent before, until one fails. @returns whether all succeeded */
	async write(item: Write): Promise<boolean> {
		const { prepare, settle } = this.operation;
		const { asked } = item;
		if (!asked.some(({ entry }) => entry !== undefined)) {
			try {
				await prepare?.(item);
				for (const request of asked) {
					request.entry ??= await this.send(item, request);
					if (!request.entry.result) break;
				}
				if (!this.options.dryRun) await settle?.(item);
			} catch (failure) {
				for (const request of asked.slice(0, 1)) request.entry = { failure };
			}
		}
		return asked.every(({ entry }) => entry?.result !== undefined);
	}

	private async send(item: Write, request: WriteRequest): Promise<JournalEntry<GroupResult>> {
		const { operation, options, once } = this;
		const { instance, groupJid } = item;
		const { set, sends } = request;
		const key = JSON.stringify([instance, groupJid, set, sends]);
		// Asked again in its turn: another run of the execution may have sent something meanwhile.
		const unsent = () => {
			const { maxPerRun = Infinity } = options;
			if ((once?.size ?? 0) < maxPerRun || once?.has(key)) return once?.get(key);
			return entryOf(item, request, 'postponed', WORDING.postponed.message, { reason: 'maxPerRun' });
		};
		const sendNow = async (requestOptions: RequestOptions) =>
			unsent() ??
			entryOf(
				item,
				request,
				operation.outcome ?? 'done',
				operation.messages.done,
				(await request.send(requestOptions)) ?? {},
			);
		const known = unsent();
		if (known !== undefined) return known;
		const entry = options.dryRun
			? entryOf(item, request, 'planned', operation.messages.planned)
			: await this.run.client.session
					.inTurn(item, options, sendNow)
					.catch((failure: unknown) => ({ failure }));
		if (mayBeDone(entry)) once?.set(key, entry);
		return entry;
	}
}

/** Makes the entry of a request that didn't fail. */
export function entryOf(
	{ instance, groupJid }: GroupRef,
	{ set }: WriteRequest,
	outcome: Outcome,
	message: string,
	more: object = {},
): { result: GroupResult } {
	const { applied } = WORDING[outcome];
	return { result: { outcome, applied, message, instance, groupJid, ...set, ...more } };
}

/** Whether a request was carried out, or may have been. */
function mayBeDone({ result, failure }: JournalEntry<GroupResult>): boolean {
	if (result) return result.outcome !== 'postponed';
	return !(failure instanceof BlockedCall) && (isUncertain(failure) || !(failure instanceof GatewayFailure));
}

/** Says which fields were set before the one that failed, or which one failed and which weren't sent. */
function describePart(requests: readonly WriteRequest[]): string[] {
	const before = requests
		.filter(({ entry }) => entry?.result?.outcome === 'done')
		.map(({ label, entry }) =>
			label === undefined
				? `The group ${entry?.result?.groupJid} was created before this`
				: `'${label}' was set before this`,
		);
	const failed = requests.find(({ entry }) => entry?.failure !== undefined);
	const unsent = requests.filter(({ entry }) => entry === undefined).map(({ label }) => `'${label}'`);
	if (unsent.length === 0 || failed?.entry?.failure instanceof NothingSent) return before;
	const about = failed?.label === undefined ? '' : `This is about '${failed.label}'; `;
	return [...before, `${about}${unsent.join(', ')} wasn't sent`];
}

/** Puts the results of an item's requests together. What was done counts before what was so already. */
function together(results: readonly GroupResult[]): GroupResult {
	const isUnchanged = ({ outcome }: GroupResult) => Number(outcome === 'unchanged');
	return [...results]
		.sort((result, other) => isUnchanged(other) - isUnchanged(result))
		.reduce((all, result) => ({ ...all, ...result }));
}

/** Counts groups, or requests that are sent once, by what became of them. */
function countOutcomes(items: readonly Write[], { once }: WriteOperation) {
	const isOf = { done: new Set<unknown>(), unchanged: new Set<unknown>(), postponed: new Set<unknown>() };
	for (const item of items) {
		const results = item.asked.flatMap(({ entry }) => entry?.result ?? []);
		if (results.length < item.asked.length) continue;
		const { outcome } = together(results);
		const kind = outcome === 'unchanged' || outcome === 'postponed' ? outcome : 'done';
		isOf[kind].add(once ? results[0] : groupKey(item));
	}
	for (const group of isOf.done) isOf.unchanged.delete(group);
	return { done: isOf.done.size, unchanged: isOf.unchanged.size, postponed: isOf.postponed.size };
}

/** Reads what has to be known before anything is sent. @param unread e.g. `the group couldn't be read` @throws why nothing is sent */
export async function readBefore<T>(reading: Promise<T>, unread: string): Promise<T> {
	return await reading.catch((problem: unknown) => {
		const reason = problem instanceof BlockedCall ? problem.reason : problem;
		if (!(reason instanceof GatewayFailure)) throw problem;
		throw new NothingSent(`${unread}. ${reason.message}`, reason.description);
	});
}
