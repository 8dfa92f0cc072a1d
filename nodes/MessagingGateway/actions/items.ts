import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Problem } from '../domain/failures/problem';
import { toNodeError, type NodeFailure } from './nodeErrors';

/** An item that failed. */
export interface FailedItem {
	item: number;
	error: NodeFailure;
}

/** What items came to: those that failed, and for the others what `read` gave, both in input order. */
export interface ReadItems<T> {
	read: T[];
	failed: FailedItem[];
}

/**
 * Reads every item before anything is sent.
 *
 * @throws the first item's failure, unless the node continues on fail
 */
export function readItems<T>(
	context: IExecuteFunctions,
	secrets: readonly string[],
	readItem: (item: number) => T,
): ReadItems<T> {
	const read: T[] = [];
	const failed: FailedItem[] = [];
	for (let item = 0; item < context.getInputData().length; item++) {
		try {
			read.push(readItem(item));
		} catch (problem) {
			const error = toNodeError(context.getNode(), named(problem, item), secrets, item);
			if (!context.continueOnFail()) throw error;
			failed.push({ item, error });
		}
	}
	return { read, failed };
}

/** The same problem with the item in its message: with the error output wired, the message is all that is left. */
function named(problem: unknown, item: number): unknown {
	return problem instanceof Problem
		? new Problem(`${problem.message} [item ${item}]`, problem.description)
		: problem;
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
