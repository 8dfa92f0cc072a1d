import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { JsonRecord } from '../../common/json';
import { groupBy } from '../../common/maps';
import { NothingSent } from '../../common/problem';
import { count } from '../../common/text';
import { batchInterval, dryRun, includeInputFields } from '../../fields/groupOptions';
import { readGroup } from '../../fields/locators';
import {
	forN8n,
	limitsOf,
	Options,
	optionsOf,
	requestFields,
	type Field,
	type ValuesOf,
} from '../../fields/options';
import { isUncertain } from '../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../gateway/sender';
import {
	groupKey,
	type Asked,
	type GroupRef,
	type GroupResult,
	type JournalEntry,
} from '../../groups/change';
import { DRY_RUN, WORDING, type Outcome } from '../../groups/outcomes';
import { estimateOf } from '../../groups/summary';
import { instancesThatDiffer, readItems, type FailedItem, type SharingItem } from '../../run/items';
import { startChanges, type Run } from '../../run/operation';
import type { Parameters } from '../../run/parameters';
import { finishRun, reportItems, reportNone, type ReportedItem } from '../../run/report';

export const WRITE_FIELDS = { ...requestFields, batchInterval, dryRun };

/** Makes the fields of operations that write once for each item: the dry run, and options. */
export function writeOptionFields(
	places: { limits?: Field[]; options?: Field[]; interval?: Field<number> } = {},
): INodeProperties[] {
	const { limits = [], options = [], interval = batchInterval } = places;
	const all = [...options, interval, includeInputFields, ...Object.values(requestFields)];
	return [forN8n(dryRun), ...(limits.length > 0 ? [limitsOf(...limits)] : []), optionsOf(...all)];
}

/** Makes the field for the text of messages. */
export function messageField(placeholder: string, description: string): INodeProperties {
	const text = { type: 'string', typeOptions: { rows: 3 }, default: '', required: true } as const;
	return { displayName: 'Message', name: 'message', ...text, placeholder, description };
}

/** Makes the field for the most messages of an execution. @param others says what becomes of the others */
export function maximumOf(messages: string, others: string): Field<number> {
	return {
		displayName: `Maximum ${messages} per Run`,
		name: 'maxPerRun',
		...{ type: 'number', typeOptions: { minValue: 0 }, default: 10 },
		description: `Messages to send in one run at most. ${others}`,
	};
}

/** A request of an item, and what became of it. */
export interface WriteRequest extends Asked<GroupResult> {
	/** The label of the field that it sets, if an item can have several. */
	label?: string;
	/** The output fields that it sets. */
	set: JsonRecord;
	/** Whatever else it sends: items that send the same share their requests. */
	sends?: unknown;
	/** A sentence behind the usual ones. */
	note?: string;
	/** The words and advice for an unknown result, if they aren't the usual ones. */
	unknown?: readonly [sentence: string, check: string];
	/** Sends it. @returns further output fields */
	send: (options: RequestOptions) => Promise<object | void>;
}

export interface Write extends ReportedItem<WriteRequest>, SharingItem {
	asked: WriteRequest[];
	options: ValuesOf<typeof WRITE_FIELDS> & { maxPerRun?: number };
}

/** Reads what all items of these operations have. @param fields those with another default, or of one */
export function readWriteOptions<F extends Record<string, Field<number>>>(options: Options, fields: F) {
	return {
		options: options.values({ ...WRITE_FIELDS, ...fields }),
		includeInputFields: options.boolean(includeInputFields),
	};
}

/** Reads the items of an operation on groups. @throws unless the node continues on fail */
export async function readWrites(
	run: Run,
	readRequests: (parameters: Parameters, group: GroupRef, item: number) => WriteRequest[],
	fields: Record<string, Field<number>> = {},
): Promise<{ read: Write[]; failed: FailedItem[] }> {
	return await readItems<Write>(
		run,
		(parameters, item) => {
			const group = readGroup(parameters);
			const options = readWriteOptions(new Options(parameters), fields);
			return { item, ...group, ...options, asked: readRequests(parameters, group, item) };
		},
		{ ...WRITE_FIELDS, ...fields },
		instancesThatDiffer,
	);
}

interface WriteOperation<W extends Write = Write> {
	/** Decides first, in dry runs too, which requests needn't be sent. @throws why nothing is sent */
	before?: (write: W) => Promise<void>;
	/** Finds out after the last request of an item what became of each. */
	after?: (write: W) => Promise<void>;
	/** The reason to send nothing at all. A dry run plans all the same. */
	limit?: NothingSent | undefined;
	/** Requests that are sent once in an execution, with what became of them. */
	once?: Map<string, JournalEntry<GroupResult>> | undefined;
	/** Words of the hint, e.g. `2 groups updated`. */
	noun: string;
	done: string | (() => string);
	hint?: string;
	messages: { done: string; planned: string };
	/** Its outcome, if that isn't `done`. */
	outcome?: Outcome;
	/** Its own output fields. */
	outputs: readonly string[];
}

/** Sends the requests of all items, in order, none twice in a row. @throws unless it continues on fail */
export async function sendWrites<W extends Write>(
	run: Run,
	{ read, failed }: { read: readonly W[]; failed: FailedItem[] },
	operation: WriteOperation<W>,
): Promise<INodeExecutionData[]> {
	const items = shareRepeated(read);
	const options = items[0]?.options;
	if (options === undefined) return reportNone(run, failed);
	startChanges(run, options, items);
	const { dryRun: isDryRun } = options;
	const wouldStop = isDryRun ? operation.limit : undefined;
	if (wouldStop) run.hints.add(`Nothing would be sent: ${wouldStop.message}`);
	// Those of a dry run are forgotten.
	const once = isDryRun ? operation.once && new Map(operation.once) : operation.once;
	await writeAll(run, { ...operation, once }, items);
	const all = items.flatMap(({ asked }) => asked.flatMap(({ entry }) => entry ?? []));
	const entries = [...new Set(all)].filter(({ result }) => result?.outcome !== 'unchanged');
	const report = await reportItems(run, items, ({ entry }) => entry, {
		failed,
		tried: entries,
		unknownOf: (asked) => asked.find(({ entry }) => entry?.failure !== undefined)?.unknown,
		describePart,
		present: (results) => [together(results)],
		fields: new Set([...OUTPUTS, ...operation.outputs, ...items.flatMap(fieldsSet)]),
	});
	const byOutcome = groupBy(entries, ({ result }) => result?.outcome);
	if (wouldStop) return finishRun(run, report, '');
	const estimate = estimateOf(byOutcome.get('planned')?.length ?? 0, options.batchInterval);
	const hint = isDryRun ? estimate : byOutcome.has('done') && operation.hint;
	return finishRun(run, report, summarizeWrites(items, operation, isDryRun), hint ? [hint] : []);
}

/** Sends the requests of items in order, up to the first that fails. */
async function writeAll<W extends Write>(run: Run, operation: WriteOperation<W>, items: readonly W[]) {
	const earlier = new Set<unknown>(operation.once?.values());
	for (const item of items) {
		await run.giveWay();
		await write(run, operation, item);
		// An earlier try has stopped at what isn't known: who stands behind it would never have a turn.
		const mayGoOn = item.asked.every(({ entry }) => entry?.result !== undefined || earlier.has(entry));
		if (!mayGoOn && !run.context.continueOnFail()) return;
	}
}

function fieldsSet({ asked }: Write): string[] {
	return asked.flatMap(({ set }) => Object.keys(set));
}

/** The output fields of all of these operations. */
const OUTPUTS = ['error', 'outcome', 'message', 'applied', 'reason', 'instance', 'groupJid', 'groupName'];

/** Has an item that repeats the one before of its group share that one's requests. */
function shareRepeated<W extends Write>(all: readonly W[]): W[] {
	const last = new Map<string, { asked: WriteRequest[]; text: string }>();
	return all.map((item) => {
		const text = JSON.stringify(item.asked);
		const before = last.get(groupKey(item));
		if (before?.text === text) return { ...item, asked: before.asked };
		last.set(groupKey(item), { asked: item.asked, text });
		return item;
	});
}

/** Sends the requests of an item that weren't sent before, until one fails. */
async function write<W extends Write>(run: Run, operation: WriteOperation<W>, item: W): Promise<void> {
	const { asked, options } = item;
	if (asked.some(({ entry }) => entry !== undefined)) return;
	try {
		if (operation.limit && !options.dryRun) throw operation.limit;
		await operation.before?.(item);
		for (const request of asked) {
			request.entry ??= await send(run, operation, item, request);
			if (!request.entry.result) break;
		}
		if (!options.dryRun) await operation.after?.(item);
	} catch (failure) {
		if (asked[0]) asked[0].entry = { failure };
	}
}

async function send(
	{ session }: Run,
	{ once, messages, outcome = 'done' }: Pick<WriteOperation, 'once' | 'messages' | 'outcome'>,
	item: Write,
	request: WriteRequest,
): Promise<JournalEntry<GroupResult>> {
	const key = keyOf(item, request);
	const say = (...parts: Array<string | undefined>) => parts.filter(Boolean).join(' ');
	const note = (entry: JournalEntry<GroupResult>) => {
		// What isn't known stays so: it's never sent again.
		if (entry.result || isUncertain(entry.failure)) once?.set(key, entry);
		return entry;
	};
	const sendNow = async (options: RequestOptions) => {
		// Another call of an agent may have sent it while this one waited for its turn.
		const known = once?.get(key);
		if (known !== undefined) return known;
		const sent = await request.send(options).catch((failure: unknown) => {
			note({ failure });
			throw failure;
		});
		return note(entryOf(item, request, outcome, say(messages.done, request.note), sent ?? {}));
	};
	const known = once?.get(key);
	if (known !== undefined || !item.options.dryRun)
		return (
			known ?? (await session.inTurn(item, item.options, sendNow).catch((failure: unknown) => ({ failure })))
		);
	return note(entryOf(item, request, 'planned', say(messages.planned, request.note, DRY_RUN)));
}

/** Makes a key for what a request sends, and where. */
export function keyOf({ instance, groupJid }: GroupRef, { set, sends }: WriteRequest): string {
	return JSON.stringify([instance, groupJid, set, sends]);
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

/** Says which fields were set before the one that failed, or which one failed and which weren't sent. */
function describePart(requests: readonly WriteRequest[]): string[] {
	const before = requests
		.filter(({ entry }) => entry?.result?.outcome === 'done')
		.map(({ label, entry }) =>
			label === undefined
				? `The group ${entry?.result?.groupJid} was created before this. Set its description with Update`
				: `'${label}' was set before this`,
		);
	const failed = requests.find(({ entry }) => entry?.failure !== undefined);
	const unsent = requests.filter(({ entry }) => entry === undefined).map(({ label }) => `'${label}'`);
	if (unsent.length === 0 || failed?.entry?.failure instanceof NothingSent) return before;
	const about = failed?.label === undefined ? '' : `This is about '${failed.label}'; `;
	return [...before, `${about}${unsent.join(', ')} ${unsent.length === 1 ? "wasn't" : "weren't"} sent`];
}

/** Puts the results of an item's requests together. What was done counts before what was so already. */
function together(results: readonly GroupResult[]): GroupResult {
	const isUnchanged = ({ outcome }: GroupResult) => Number(outcome === 'unchanged');
	return [...results]
		.sort((result, other) => isUnchanged(other) - isUnchanged(result))
		.reduce((all, result) => ({ ...all, ...result }));
}

/** Says what became of groups, or of requests that are sent once: `2 groups updated, 1 unchanged`. */
function summarizeWrites(
	items: readonly Write[],
	{ once, noun, done }: Pick<WriteOperation, 'once' | 'noun' | 'done'>,
	isDryRun: boolean,
): string {
	const kinds = new Map<string, 'done' | 'unchanged'>();
	for (const item of items) {
		const [first] = item.asked;
		const results = item.asked.flatMap(({ entry }) => entry?.result ?? []);
		if (first === undefined || results.length < item.asked.length) continue;
		const key = once ? keyOf(item, first) : groupKey(item);
		const isChanged = kinds.get(key) === 'done' || together(results).outcome !== 'unchanged';
		kinds.set(key, isChanged ? 'done' : 'unchanged');
	}
	const numberOf = (kind: string) => [...kinds.values()].filter((one) => one === kind).length;
	const changed = count(numberOf('done'), noun);
	const parts = [
		numberOf('done') > 0 &&
			`${changed} ${isDryRun ? 'would be ' : ''}${typeof done === 'string' ? done : done()}`,
		numberOf('unchanged') > 0 && `${numberOf('unchanged')} unchanged`,
	];
	return parts.filter(Boolean).join(', ');
}
