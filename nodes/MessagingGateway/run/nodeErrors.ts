import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { isRecord, textOf, type JsonRecord } from '../common/json';
import { messageOf, Problem } from '../common/problem';
import { oneLine, withoutPeriod } from '../common/text';
import { GatewayFailure } from '../gateway/failures/gatewayFailure';
import { redactText } from '../gateway/redact/redactText';
import type { GroupRef } from '../groups/change';
import { chosenGroupName } from './parameters';

/** Maximum length of an instance's name in messages, in characters. */
const LONGEST_NAME = 60;

export type NodeFailure = NodeApiError | NodeOperationError;

/** Makes an error of n8n, without the request, since n8n shows every field. @param own message and advice */
export function toNodeError(
	node: INode,
	error: unknown,
	secrets: readonly string[],
	itemIndex?: number,
	own?: { message?: string; description?: string | undefined },
): NodeFailure {
	const isDone = error instanceof NodeApiError || error instanceof NodeOperationError;
	if (isDone && own === undefined) return error;
	const message = redactText(own?.message ?? messageOf(error), secrets);
	const description = redactText(own?.description ?? descriptionOf(error), secrets);
	const options = { message, description, ...(itemIndex !== undefined && { itemIndex }) };
	const httpCode = error instanceof GatewayFailure && error.call.status?.toString();
	const nodeError =
		error instanceof GatewayFailure
			? new NodeApiError(node, {}, { ...options, ...(httpCode && { httpCode }) })
			: new NodeOperationError(node, message, options);
	// n8n replaces a message that mentions a code such as ECONNRESET by a text of its own.
	nodeError.message = message;
	Object.assign(nodeError.context, contextOf(error), nodeError.context);
	return nodeError;
}

/** Gives the error's advice, or n8n's own about an expression. */
const descriptionOf = (error: unknown): string =>
	error instanceof Error && 'description' in error ? (textOf(error.description) ?? '') : '';

function contextOf(error: unknown): JsonRecord {
	const isOurs = error instanceof Problem || !(error instanceof Error) || !('context' in error);
	return isOurs || !isRecord(error.context) ? {} : error.context;
}

/** Names a failure's subject, as the end of a message: ` (instance main, group 120363043211234567@g.us)`. */
export function subjectIn({ instance, groupJid }: Partial<GroupRef>): string {
	const parts = [
		instance && `instance ${oneLine(instance, LONGEST_NAME)}`,
		groupJid && `group ${groupJid}`,
	].filter(Boolean);
	return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Ends a message with its subject, in one bracket with the gateway's words, and a chosen group's name. */
export function withSubject(message: string, group: Partial<GroupRef>, node: INode): string {
	const name = group.groupJid && chosenGroupName(node);
	const subject = subjectIn({ ...group, ...(name && { groupJid: name }) });
	const endsInBracket = subject !== '' && /\(the gateway says: [^()]*\)$/.test(message);
	return endsInBracket ? `${message.slice(0, -1)}; ${subject.slice(' ('.length)}` : message + subject;
}

export const messageWithAdvice = ({ message, description }: NodeFailure): string =>
	description ? `${withoutPeriod(message)}. ${description}` : message;
