import { isRecord, listOf, recordOf, textOf } from '../../common/json';

/** The network's answer to a message. `unknown`: none so far; `noRoute`: the gateway can't tell. */
export type MessageStatus = 'refused' | 'notRefused' | 'unknown' | 'noRoute';

/** A message that was sent. */
export interface SentText {
	/** The text begins with this. */
	message: string;
	/** In ms since 1970. */
	sentAt: number;
}

/** The most by which a gateway's clock may be behind, in ms. */
const CLOCKS_DIFFER = 3_600_000;

/**
 * Reads the reply to "find messages" to one person: `{messages: {records: [{message: {conversation}, messageTimestamp,
 * MessageUpdate: [{status}]}]}}`, newest first (2.3.6, 2.3.7). The status `ERROR` is the network's refusal, whatever the
 * code was.
 *
 * @returns the status of the newest message; `none` if that isn't the message that was sent, or there is none; `undefined`
 * if the reply is something else
 */
export function readMessageStatus(
	reply: unknown,
	{ message, sentAt }: SentText,
): Exclude<MessageStatus, 'noRoute'> | 'none' | undefined {
	const { records } = recordOf(recordOf(reply).messages);
	if (!Array.isArray(records)) return undefined;
	const { message: content, messageTimestamp, MessageUpdate: updates } = recordOf(records[0]);
	const isOurs = textOf(recordOf(content).conversation)?.startsWith(message) === true;
	if (!isOurs || !(Number(messageTimestamp) * 1000 >= sentAt - CLOCKS_DIFFER)) return 'none';
	const statuses = listOf(updates)
		.filter(isRecord)
		.map(({ status }) => status);
	if (statuses.length === 0) return 'unknown';
	return statuses.includes('ERROR') ? 'refused' : 'notRefused';
}
