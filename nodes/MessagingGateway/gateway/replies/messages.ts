import { isRecord, listOf, recordOf, textOf } from '../../common/json';

/** The network's answer. `unknown`: none so far; `noRoute`: the gateway can't tell; `none`: it has no such message. */
export type MessageStatus = 'refused' | 'notRefused' | 'unknown' | 'noRoute' | 'none';

/** The most by which a gateway's clock may be behind, in ms. */
const CLOCKS_DIFFER = 3_600_000;

/**
 * Reads the reply to "find messages" to one person: `{messages: {records: [{message: {conversation}, messageTimestamp,
 * MessageUpdate: [{status}]}]}}`, newest first (2.3.6, 2.3.7). The status `ERROR` is the network's refusal, whatever the
 * code was.
 *
 * @param sent the beginning of its text, and its time in ms since 1970
 * @returns `none` also if the newest message isn't that one; `undefined` if the reply is something else
 */
export function readMessageStatus(
	reply: unknown,
	{ message, sentAt }: { message: string; sentAt: number },
): MessageStatus | undefined {
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
