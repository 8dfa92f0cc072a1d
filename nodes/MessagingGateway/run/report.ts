import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { textOf } from '../common/json';
import { messageOf, NothingSent, say, type Said } from '../common/problem';
import { joinParts } from '../common/text';
import { BlockedCall, GatewayFailure, isUncertain } from '../gateway/failures/gatewayFailure';
import {
	isUnmade,
	type ChangeResult,
	type GroupRef,
	type JournalEntry,
	type GroupResult,
} from '../groups/change';
import { failureSummary, partOf, progressOf, splitEntries, type ItemFailure } from '../groups/summary';
import { errorItem, inInputOrder, type FailedItem } from './items';
import { toNodeError, withSubject } from './nodeErrors';
import type { Run } from './operation';

/** An item with its changes, in the order of its participants. */
export interface ReportedItem<C> extends GroupRef {
	item: number;
	asked: readonly C[];
	includeInputFields: boolean;
}

/** The failure of an item in words. The hint has the same words, unless there is a `reason`. */
export interface ItemProblem extends Partial<ItemFailure> {
	cause: unknown;
	/** As {@link Said} has them. */
	sentences: string[];
	unsent?: Said['unsent'];
	/** The advice, if it is more than the cause's own. */
	description?: string;
}

/** The run of a report, and words and items other than those of changes. */
interface Reporting<C, R> {
	/** Items that couldn't be read or were stopped. */
	failed: readonly FailedItem[];
	/** The entries of all requests of the run. */
	tried: ReadonlyArray<JournalEntry<GroupResult>>;
	/** The words and advice for an unknown result of an item. */
	unknownOf?: (asked: readonly C[]) => Parameters<typeof problemOf>[1];
	/** Says what was sent of an item that failed, and what wasn't. */
	describePart?: (asked: readonly C[]) => string[];
	/** Makes what is shown of an item's results; by default, they are. It isn't kept. */
	present?: (results: readonly R[], asked: readonly C[]) => readonly R[] | Promise<readonly R[]>;
	/** The fields of an operation whose results aren't those of people. */
	fields?: ReadonlySet<string>;
}

/**
 * Makes an error item for each item that failed, and otherwise an item for each participant.
 *
 * @param entryOf finds the entry of what is asked
 * @returns the output items in any order, all failed items, and the results of the others
 * @throws the first failed item's error, with what was applied before, unless the node continues on fail
 */
export async function reportItems<C, R extends GroupResult = ChangeResult>(
	run: Run,
	items: ReadonlyArray<ReportedItem<C>>,
	entryOf: (asked: C) => JournalEntry<R> | undefined,
	{ failed, tried, unknownOf, describePart, present = (results) => results, fields }: Reporting<C, R>,
): Promise<{ outputs: INodeExecutionData[]; failed: FailedItem[]; results: R[] }> {
	const sentInRun = hasSentIn(tried);
	const before = progressOf(tried);
	const allFailed = [...failed];
	const known: R[] = [];
	const outputs: INodeExecutionData[] = [];
	for (const item of items) {
		await run.giveWay();
		const { results, failures } = splitEntries(item.asked.map(entryOf));
		const problem = problemOf(failures, unknownOf?.(item.asked));
		const sent = { item: results.some(wasSent), run: sentInRun };
		const ofPeople = run.context.continueOnFail() ? partOf(item.asked.length, results) : [];
		const part = describePart?.(item.asked) ?? ofPeople;
		if (problem !== undefined) {
			allFailed.push(failItem(run, item, problem, { sent, before, part }));
			continue;
		}
		// One by one: as arguments, 150,000 results of an item overflow the stack.
		for (const result of results) known.push(result);
		for (const result of await present(results, item.asked)) {
			await run.giveWay();
			outputs.push(outputItem(run, item, result, fields));
		}
	}
	return { outputs: [...allFailed.map(errorItem), ...outputs], failed: allFailed, results: known };
}

/** The fields of a result, in the order of a table. */
const RESULT_FIELDS = [
	'participant',
	'name',
	'action',
	'outcome',
	'message',
	'applied',
	'code',
	'reason',
	'until',
	'isNew',
	'inviteCode',
	'inviteExpiresAt',
	'sentAs',
	'jid',
	'instance',
	'groupJid',
] as const satisfies ReadonlyArray<keyof ChangeResult>;

/** The output fields of people but for the row's name: beside a new outcome, earlier values would mislead. */
const OUTPUT_FIELDS: ReadonlySet<string> = new Set([
	...['error', 'groupName'],
	...RESULT_FIELDS.filter((name) => name !== 'name'),
]);

/** Maximum length in characters of a row's text in all results of its item together. */
const LONGEST_COPIES = 10_000_000;

/** Makes an output item, with the input item's other fields if they are wanted. */
export function outputItem(
	{ context }: Run,
	{
		item,
		includeInputFields,
		asked,
	}: { item: number; includeInputFields: boolean; asked?: readonly unknown[] },
	result: GroupResult,
	fieldsOfOperation = OUTPUT_FIELDS,
): INodeExecutionData {
	const isPerson = result.participant !== undefined;
	const json: IDataObject = isPerson ? inTableOrder(result) : { ...result };
	if (isUnmade(result)) json.groupJid = null;
	const copies = (isPerson && asked?.length) || 1;
	const others = includeInputFields ? Object.entries(context.getInputData()[item]?.json ?? {}) : [];
	for (const [name, value] of others)
		if (!fieldsOfOperation.has(name) && !Object.hasOwn(json, name) && isRepeatable(value, copies))
			json[name] = value;
	return { json, pairedItem: { item } };
}

/** Whether results can all have a value of their row: a list of 4,000 people in each is 257 MB to store. */
function isRepeatable(value: unknown, copies: number): boolean {
	if (copies <= 1 || value === null) return true;
	return typeof value === 'string' ? value.length * copies <= LONGEST_COPIES : typeof value !== 'object';
}

function inTableOrder(result: GroupResult): IDataObject {
	const ordered: IDataObject = {};
	for (const name of RESULT_FIELDS) if (result[name] !== undefined) ordered[name] = result[name];
	return ordered;
}

/** Reports a run in which no item can be read. */
export function reportNone(run: Run, failed: FailedItem[]): INodeExecutionData[] {
	return finishRun(run, { outputs: failed.map(errorItem), failed }, '');
}

/**
 * Ends a run with its hints, first `3 added, 1 needs an invite; 2 failed: …`.
 *
 * @param summary of the items that didn't fail
 * @returns the output items in input order
 */
export function finishRun(
	{ hints }: Run,
	{ outputs, failed }: { outputs: INodeExecutionData[]; failed: readonly ItemFailure[] },
	summary: string,
	others: readonly string[] = [],
): INodeExecutionData[] {
	const result = joinParts([summary, ...failureSummary(failed)]);
	for (const hint of [result, ...stopsIn(outputs), ...others].filter(Boolean)) hints.add(hint);
	return inInputOrder(outputs);
}

/** Lists the stops of accounts: whoever is postponed without a reason of their own has it in the message. */
function stopsIn(outputs: readonly INodeExecutionData[]): string[] {
	const stopped = outputs.filter(({ json }) => json.outcome === 'postponed' && json.reason === undefined);
	return stopped.flatMap(({ json }) => textOf(json.message) ?? []);
}

/** Sentences about what came before a failure: `part` in its item, and `before` in the run if that ends. */
interface Before {
	/** Whether anything was sent: for the item, and in the run. */
	sent?: { item: boolean; run: boolean };
	before?: readonly string[];
	part?: readonly string[];
}

/** Makes an item fail. @throws the error if the run ends */
export function failItem(
	run: Run,
	{ item, ...group }: GroupRef & { item: number },
	problem: ItemProblem,
	happened: Before = {},
): FailedItem {
	const { context, secrets } = run;
	const { cause, sentences, description, reason = sentences.join('. '), state = 'failed' } = problem;
	const message = withSubject(messageFor(run, problem, happened), group, context.getNode());
	const error = toNodeError(context.getNode(), cause, secrets, item, { message, description });
	if (!context.continueOnFail()) throw error;
	return { item, error, reason, state: happened.sent?.item && state === 'unsent' ? 'failed' : state };
}

/** Says why an item fails. If the run ends with it, that nothing was changed comes first, if it's certain. */
function messageFor(
	{ context, hasSentBefore, isMessage }: Run,
	{ cause, sentences, unsent }: ItemProblem,
	{ sent, before, part = [] }: Before,
): string {
	const what = [...sentences, ...part];
	const isOver = !context.continueOnFail();
	const isUnchanged = before?.length === 0 && !hasSentBefore;
	const isUnsent = !isUncertain(cause) && (isOver ? isUnchanged : isMessage);
	return say({
		what: isOver ? [...what, ...(before ?? [])] : what,
		unsent: unsent ?? (isUnsent ? 'group' : undefined),
		isMore: isOver ? sent?.run || hasSentBefore : (sent?.item ?? hasSentBefore),
		isMessage,
	});
}

const NOT_KNOWN = ["It's not known whether this change was carried out", 'Look at the group'] as const;

/** Says why an item fails. An unknown result matters most, then a refusal. @param unknown its words */
export function problemOf(
	failures: readonly unknown[],
	[unknown, look]: readonly [string, string] = NOT_KNOWN,
): (ItemProblem & { reason: string }) | undefined {
	const isRefusal = (failure: unknown) => !(failure instanceof BlockedCall);
	const cause = failures.find(isUncertain) ?? failures.find(isRefusal) ?? failures[0];
	if (cause === undefined) return undefined;
	const reason = messageOf(cause);
	if (isUncertain(cause)) {
		const description = adviseLook(cause, look);
		return { cause, sentences: [reason, unknown], reason, state: 'unknown', description };
	}
	if (cause instanceof NothingSent) return { cause, sentences: [reason], unsent: 'run', reason };
	if (!(cause instanceof BlockedCall) || cause.unsent === undefined)
		return { cause, sentences: [reason], reason };
	const { unsent, reason: stop } = cause;
	return { cause, sentences: [reason], unsent, reason: stop.message, state: 'unsent' };
}

/** Says what to do where a result isn't known: to look first, unless that was done. */
function adviseLook({ description, firstAdvice, isChecked }: GatewayFailure, look: string): string {
	return isChecked ? description : `${firstAdvice}. ${look} before you run this again`;
}

export function hasSentIn(tried: ReadonlyArray<JournalEntry<GroupResult>>): boolean {
	return tried.some(({ result }) => result !== undefined && wasSent(result));
}

export function wasSent({ action, outcome }: Pick<GroupResult, 'action' | 'outcome'>): boolean {
	// A group's setting that is so already, and an invite of a member, isn't sent, while a person's change is.
	if (outcome === 'unchanged' && (action === undefined || action === 'invite')) return false;
	return action !== 'none' && !['postponed', 'planned', 'alreadyInvited', 'left'].includes(outcome);
}
