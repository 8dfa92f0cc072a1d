import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import { GatewayFailure } from '../domain/failures';
import { messageOf, Problem } from '../domain/problem';
import { strikeOut } from '../domain/secrets';

/** What a failed item or run ends in. */
export type NodeFailure = NodeApiError | NodeOperationError;

/**
 * Turns whatever was thrown into one of n8n's two error classes, with nothing of the request in it: n8n stores
 * and shows every field of an error, and a request holds the key.
 *
 * @param secrets texts to strike out of message and description
 * @param itemIndex the item concerned; left out where it is the whole node
 * @param words message and description, where they are more than the error's own
 */
export function toNodeError(
	node: INode,
	error: unknown,
	secrets: readonly string[],
	itemIndex?: number,
	words: { message?: string; description?: string } = {},
): NodeFailure {
	const advice = words.description ?? (error instanceof Problem ? error.description : '');
	const sentences = [words.message ?? messageOf(error), ...(isTool(node) && advice ? [advice] : [])];
	const message = strikeOut(sentences.join('. '), secrets);
	const description = strikeOut(advice, secrets);
	const options = { message, description, ...(itemIndex !== undefined && { itemIndex }) };
	const status = error instanceof GatewayFailure ? error.seen.status : undefined;
	const nodeError =
		error instanceof GatewayFailure
			? new NodeApiError(node, {}, { ...options, ...(status !== undefined && { httpCode: String(status) }) })
			: new NodeOperationError(node, message, options);
	// n8n replaces a message that mentions a code such as ECONNRESET by a text of its own.
	nodeError.message = message;
	return nodeError;
}

/** Whether it is the tool that n8n makes of the node. An AI agent tells its model the message and nothing else. */
function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** Whether it is one of n8n's two error classes already. */
export function isNodeError(error: unknown): error is NodeFailure {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/**
 * The item that stands for a failed one. n8n sends it to the error output only with `error` set, and with json
 * that holds nothing else.
 */
export function errorItem(error: NodeFailure, item: number): INodeExecutionData {
	return { json: { error: error.message }, error, pairedItem: { item } };
}

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
