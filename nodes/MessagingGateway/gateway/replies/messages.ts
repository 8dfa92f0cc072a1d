import { isRecord, listOf, recordOf, textOf } from '../../common/json';
import { HOUR } from '../../common/time';
import { identityOf, type Identity } from '../../groups/identity';

/** The network's answer. `unknown`: none so far; `noRoute`, `noAnswer`: the gateway can't tell; `none`: it has no such message. */
export type MessageStatus = 'refused' | 'notRefused' | 'unknown' | 'noRoute' | 'noAnswer' | 'none';

/** The most by which a gateway's clock may be behind, in ms. */
const CLOCKS_DIFFER = HOUR;

/** Reads the reply to "find messages" to one person, newest first; `ERROR` is a refusal. @param sent its text's beginning, and time in ms since 1970 */
export function readMessageStatus(
	reply: unknown,
	{ message, sentAt }: { message: string; sentAt: number },
): MessageStatus | undefined {
	const { records } = recordOf(recordOf(reply).messages);
	if (!Array.isArray(records)) return undefined;
	const { message: content, messageTimestamp, MessageUpdate: updates } = recordOf(records[0]);
	const isOurs = textOf(recordOf(content).conversation)?.startsWith(message) === true;
	if (!isOurs || !(Number(messageTimestamp) * 1000 >= sentAt - CLOCKS_DIFFER)) return 'none';
	const known = listOf(updates).filter(isRecord);
	if (known.length === 0) return 'unknown';
	return known.some(({ status }) => status === 'ERROR') ? 'refused' : 'notRefused';
}

/** Reads the reply to a number's look-up: `[{exists, jid, number}]`. @returns `null` if the network hasn't it; `undefined` for anything else */
export function readNumberLookup(reply: unknown, asked: string): Identity | null | undefined {
	const rows = listOf(reply);
	const [row] = rows;
	if (rows.length !== 1 || !isRecord(row) || (textOf(row.number) ?? asked) !== asked) return undefined;
	if (row.exists === false) return null;
	return row.exists === true ? identityOf(textOf(row.jid)) : undefined;
}
