import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { messageOf, Problem } from '../common/problem';
import { joinParts } from '../common/text';
import { BlockedCall } from '../gateway/failures/blockedCall';
import { GatewayFailure } from '../gateway/failures/gatewayFailure';
import type { ChangeResult, Entry, GroupRef } from '../groups/change';
import { partOf, progressOf, rejectionIn, splitEntries, type Progress } from '../groups/progress';
import { failureSummary, type ItemFailure } from '../groups/summary';
import { errorItem, type FailedItem } from './items';
import { toNodeError, withSubject } from './nodeErrors';
import type { Run } from './operation';

/** An item that asked for something. */
export interface ReportedItem<C> extends GroupRef {
	item: number;
	/** What it asked for, in its order: what the journal tells of. */
	asked: readonly C[];
	/** Whether it fails if one of its participants was rejected; not if left out. */
	failOnRejected?: boolean;
	includeInputFields: boolean;
}

/** Why an item fails; for the summary in the words of its sentences, unless it has others. */
export interface ItemProblem extends Partial<ItemFailure> {
	/** What it goes back to. */
	cause: unknown;
	/** What to say, without full stops. */
	sentences: string[];
	/** What to do, if it is more than the cause's own advice. */
	description?: string;
}

/**
 * Makes the items of a run: an error item for each item that failed, and otherwise one for each participant.
 *
 * @param entryOf what became of something that an item asked for
 * @param failed items that could not be read or were stopped
 * @returns the output items in any order, all items that failed, and every known result, failed items included
 * @throws the first failed item's error, with what was applied before, unless the node continues on fail
 */
export async function reportItems<C>(
	run: Run,
	items: ReadonlyArray<ReportedItem<C>>,
	entryOf: (asked: C) => Entry | undefined,
	{ failed, progress }: { failed: FailedItem[]; progress: Progress },
): Promise<{ outputs: INodeExecutionData[]; failed: FailedItem[]; results: ChangeResult[] }> {
	const allSent = progress.tried.every((entries) => entries.some((one) => 'result' in one));
	const rejectsCount = allSent || run.context.continueOnFail();
	const before = (wasNothing: boolean) => progressOf(progress, wasNothing);
	const errors: FailedItem[] = [];
	const known: ChangeResult[] = [];
	const outputs: INodeExecutionData[] = [];
	for (const one of items) {
		await run.giveWay();
		const { results, failures } = splitEntries(one.asked.map(entryOf));
		const rejection = one.failOnRejected && rejectsCount ? rejectionProblem(results) : undefined;
		const problem = problemOf(failures, { results }) ?? rejection;
		// Participants of a failed item count there, unless they are as asked.
		for (const result of results) if (problem === undefined || result.applied === true) known.push(result);
		if (problem === undefined) for (const result of results) outputs.push(outputItem(run, one, result));
		else errors.push(failItem(run, one, problem, before, partOf(one.asked.length, results)));
	}
	const allFailed = [...failed, ...errors];
	return { outputs: [...allFailed.map(errorItem), ...outputs], failed: allFailed, results: known };
}

/** Fields of the node's own: one of the node before, beside a new outcome, would mislead. */
const OUTPUT_FIELDS: ReadonlySet<string> = new Set<keyof ChangeResult | 'groupName'>([
	'participant',
	'action',
	'outcome',
	'message',
	'applied',
	'code',
	'reason',
	'inviteCode',
	'inviteExpiresAt',
	'sentAs',
	'jid',
	'instance',
	'groupJid',
	'groupName',
]);

/** A result as an output item, with the input item's fields if they are wanted; its own win, its memory comes last. */
export function outputItem(
	{ context }: Run,
	{ item, includeInputFields }: Pick<ReportedItem<unknown>, 'item' | 'includeInputFields'>,
	result: IDataObject,
): INodeExecutionData {
	if (!includeInputFields) return { json: result, pairedItem: { item } };
	const input = context.getInputData()[item]?.json;
	const own = Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => !OUTPUT_FIELDS.has(name)));
	const { memory, ...fields } = { ...result, ...own, ...result };
	return { json: memory === undefined ? fields : { ...fields, memory }, pairedItem: { item } };
}

/** Reports a run in which no item can be read, in input order. */
export function reportNone({ hints }: Run, failed: readonly FailedItem[]): INodeExecutionData[] {
	hints.add(hintOf('', failed));
	return failed.map(errorItem);
}

/**
 * What a person reads at a glance after a run: `3 added, 1 needs an invite; 2 failed: …`.
 *
 * @param summary what came of those that didn't fail; empty if there are none
 */
export function hintOf(summary: string, failed: readonly ItemFailure[]): string {
	return joinParts([summary, ...failureSummary(failed)]);
}

/**
 * Makes an item fail.
 *
 * @param item with the instance and the group that it asks for
 * @param before what was applied before, which is said where the run ends; worked out only then. It's told whether it may
 * say that nothing was
 * @param part what became of the item all the same, which is said where the run goes on
 * @throws the error, unless the node continues on fail
 */
export function failItem(
	{ context, secrets, hasSentBefore }: Run,
	{ item, ...group }: GroupRef & { item: number },
	problem: ItemProblem,
	before: (wasNothing: boolean) => readonly string[] = () => [],
	part: readonly string[] = [],
): FailedItem {
	const { cause, sentences, description } = problem;
	const continueOnFail = context.continueOnFail();
	const more = continueOnFail ? part : before(!isUncertain(cause) && !hasSentBefore);
	const message = withSubject([...sentences, ...more].join('. '), group, context.getNode());
	const error = toNodeError(context.getNode(), cause, secrets, item, { message, description });
	if (!continueOnFail) throw error;
	return { item, error, ...failureOf(problem) };
}

/** A problem as the summary counts it. */
export function failureOf({ sentences, reason, amount, state }: ItemProblem): ItemFailure {
	return { reason: reason ?? sentences.join('. '), amount: amount ?? 1, state: state ?? 'failed' };
}

/** That it isn't known whether a change was carried out, and how to find out. */
export type Unknown = readonly [sentence: string, check: string];

/**
 * Why an item fails whose requests failed; `undefined` if none did.
 *
 * @param failures why it has no more results
 * @param results those that it has all the same
 * @param unknown what to say if a change may have been carried out although its request failed, and how to find out
 */
export function problemOf(
	failures: readonly unknown[],
	{
		results = [],
		unknown: [unknown, check] = NOT_KNOWN,
	}: { results?: ChangeResult[]; unknown?: Unknown } = {},
): ItemProblem | undefined {
	// What isn't known matters most, then a refusal.
	const isRefusal = (failure: unknown) => !(failure instanceof BlockedCall);
	const cause = failures.find(isUncertain) ?? failures.find(isRefusal) ?? failures[0];
	if (cause === undefined) return undefined;
	if (isUncertain(cause)) {
		const before = cause.isChecked ? '$1' : `. ${check} before you run this again`;
		const description = cause.description.replace(/(, then run this again)?$/, before);
		const sentences = [cause.message, unknown];
		return { cause, sentences, reason: cause.message, state: 'unknown', description };
	}
	if (!(cause instanceof BlockedCall && cause.isUnsent)) return { cause, sentences: [messageOf(cause)] };
	const reason = cause.reason.message;
	return results.some(wasSent)
		? { cause, sentences: [`Nothing more was sent for this item: ${reason}`], reason }
		: { cause, sentences: [cause.message], reason, state: 'unsent' };
}

const NOT_KNOWN: Unknown = ["It's not known whether this change was carried out", 'Look at the group'];

/** Why an item fails since one of its participants was rejected; `undefined` if none was. */
function rejectionProblem(results: readonly ChangeResult[]): ItemProblem | undefined {
	const rejection = rejectionIn(results);
	if (rejection === undefined) return undefined;
	const { sentence, reason } = rejection;
	const description = "Turn off 'Fail if Rejected' in the options to get the result of each participant";
	return { cause: new Problem(sentence, description), sentences: [sentence], reason };
}

/** Outcomes for which nothing is sent. */
const UNSENT = new Set<string>(['postponed', 'planned', 'alreadyInvited']);

/** Whether something was sent for it. */
export function wasSent({ action, outcome }: ChangeResult): boolean {
	return action !== 'none' && !UNSENT.has(outcome);
}

/** Whether a change may have been carried out although its request failed. */
export function isUncertain(failure: unknown): failure is GatewayFailure {
	return failure instanceof GatewayFailure && !failure.policy.certainlyNotApplied;
}
