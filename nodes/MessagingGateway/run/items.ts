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

/** What items came to, in input order. */
export interface ReadItems<T> {
	/** What `readItem` gave for those that can be read. */
	read: T[];
	bad: Array<RefusedItem<T>>;
}

/**
 * Reads every item, before anything is sent; what is wrong with some of them is for {@link refuseItems}.
 *
 * @param readItem reads one item; what it notes in `partly` before it throws is kept of a bad item
 */
export async function readItems<T>(
	{ context, parameters, breather }: Pick<Run, 'context' | 'parameters' | 'breather'>,
	readItem: (parameters: Parameters, item: number, partly: Partial<T>) => T,
): Promise<ReadItems<T>> {
	const read: T[] = [];
	const bad: Array<RefusedItem<T>> = [];
	for (let item = 0; item < context.getInputData().length; item++) {
		await breather.pause();
		const partly: Partial<T> = {};
		try {
			read.push(readItem(parameters.of(item), item, partly));
		} catch (problem) {
			bad.push({ item, problem, partly });
		}
	}
	return { read, bad };
}

/**
 * Reads every item, and refuses those that can't be read.
 *
 * @throws as {@link refuseItems}
 */
export async function readValidItems<T>(
	run: Pick<Run, 'context' | 'parameters' | 'secrets' | 'breather'>,
	readItem: (parameters: Parameters, item: number) => T,
): Promise<{ read: T[]; failed: FailedItem[] }> {
	const { read, bad } = await readItems(run, readItem);
	return { read, failed: await refuseItems(run, bad) };
}

/** An item, what is wrong with it, and what of it could be read. */
export interface RefusedItem<T> {
	item: number;
	problem: unknown;
	partly: Partial<T>;
}

/**
 * Refuses items before anything is sent.
 *
 * @param bad in input order
 * @throws the first one's problem, in a message that names all of them, unless the node continues on fail
 */
export async function refuseItems(
	{ context, secrets, breather }: Pick<Run, 'context' | 'secrets' | 'breather'>,
	bad: ReadonlyArray<RefusedItem<unknown>>,
): Promise<FailedItem[]> {
	const [first] = bad;
	if (first !== undefined && !context.continueOnFail()) {
		const all = bad.map(({ item }) => item);
		throw toNodeError(context.getNode(), named(explained(first, context), all), secrets, first.item);
	}
	return await breather.map(bad, (one) => ({
		item: one.item,
		error: toNodeError(context.getNode(), named(explained(one, context), [one.item]), secrets, one.item),
	}));
}

/** What an item doesn't give, it may have under another name. */
function explained({ item, problem }: RefusedItem<unknown>, context: Run['context']): unknown {
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
