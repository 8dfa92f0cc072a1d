import type { INodeExecutionData } from 'n8n-workflow';
import { MissingValue, Problem } from '../common/problem';
import { oneLine } from '../common/text';
import { toNodeError, type NodeFailure } from './nodeErrors';
import type { Run } from './operation';
import type { Parameters } from './parameters';

/** An item that failed. */
export interface FailedItem {
	item: number;
	error: NodeFailure;
}

/** An item that can't be read, and what is wrong with it. */
export interface BadItem {
	item: number;
	problem: unknown;
}

/** What a run needs to read its items. */
export type ItemRun = Pick<Run, 'context' | 'parameters' | 'secrets' | 'eventLoop'>;

/**
 * Reads every item, before anything is sent.
 *
 * @param readItem reads one item. @throws Problem for a bad one
 * @returns what it gave for the others, in input order, and the bad ones as failed
 * @throws as {@link failBadItems}
 */
export async function readItems<T>(
	run: ItemRun,
	readItem: (parameters: Parameters, item: number) => T,
): Promise<{ read: T[]; failed: FailedItem[] }> {
	const read: T[] = [];
	const bad: BadItem[] = [];
	for (let item = 0; item < run.context.getInputData().length; item++) {
		await run.eventLoop.yieldIfDue();
		try {
			read.push(readItem(run.parameters.of(item), item));
		} catch (problem) {
			bad.push({ item, problem });
		}
	}
	return { read, failed: await failBadItems(run, bad) };
}

/**
 * Makes bad items fail before anything is sent.
 *
 * @param bad in input order
 * @throws the first one's problem, in a message that names all of them, unless the node continues on fail
 */
export async function failBadItems(
	{ context, secrets, eventLoop }: ItemRun,
	bad: readonly BadItem[],
): Promise<FailedItem[]> {
	const [first] = bad;
	const errorFor = (one: BadItem, items: number[]) =>
		toNodeError(context.getNode(), named(explained(one, context), items), secrets, one.item);
	if (first !== undefined && !context.continueOnFail()) {
		const error = errorFor(
			first,
			bad.map(({ item }) => item),
		);
		throw error;
	}
	return await eventLoop.map(bad, (one) => ({ item: one.item, error: errorFor(one, [one.item]) }));
}

/** What an item doesn't give, it may have under another name. */
function explained({ item, problem }: BadItem, context: Run['context']): unknown {
	if (!(problem instanceof MissingValue)) return problem;
	const fields = Object.keys(context.getInputData()[item]?.json ?? {});
	const which = fields.length === 0 ? 'no fields' : `the fields ${oneLine(fields.join(', '))}`;
	const advice = `If it's an expression, check the name in it: this item has ${which}`;
	return new Problem(problem.message, `${problem.description}. ${advice}`);
}

/**
 * The same problem with the items in its message: with the error output wired, the message is all that is left.
 *
 * @param items all bad items, the one with this problem first
 */
function named(problem: unknown, items: number[]): unknown {
	if (!(problem instanceof Problem)) return problem;
	const { message, description } = problem;
	const [first] = items;
	if (items.length === 1) return new Problem(`${message} [item ${first}]`, description);
	return new Problem(
		`${items.length} items are not valid: ${items.join(', ')}. Item ${first}: ${message}`,
		description,
	);
}

/**
 * The item that stands for a failed one. n8n sends it to the error output only with `error` set, and with json
 * that holds nothing else.
 */
export function errorItem({ item, error }: FailedItem): INodeExecutionData {
	return { json: { error: error.message }, error, pairedItem: { item } };
}

/** Puts output items in the order of the (first) input item that each is paired with; those of one item stay as they are. */
export function inInputOrder(outputs: INodeExecutionData[]): INodeExecutionData[] {
	return outputs.sort((a, b) => firstItemOf(a) - firstItemOf(b));
}

function firstItemOf({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : (first ?? 0);
}
