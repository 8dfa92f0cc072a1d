import { isRecord, listOf, recordOf, textOf } from '../../common/json';
import { DAY, HOUR } from '../../common/time';
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

/** Reads from the reply to "find messages" to one person when the newest that has a group's link was sent, in ms since 1970; a refused one doesn't count. */
export function readLinkSent(
	reply: unknown,
	{ inviteCode, since }: { inviteCode: string; since: number },
): number | 'none' | undefined {
	const { records } = recordOf(recordOf(reply).messages);
	if (!Array.isArray(records)) return undefined;
	for (const record of records) {
		const { message, messageTimestamp, MessageUpdate: updates } = recordOf(record);
		const { conversation, extendedTextMessage } = recordOf(message);
		const text = textOf(conversation) ?? textOf(recordOf(extendedTextMessage).text) ?? '';
		const at = Number(messageTimestamp) * 1000;
		const isRefused = listOf(updates).some((update) => recordOf(update).status === 'ERROR');
		if (text.includes(`/${inviteCode}`) && at >= since && at < Date.now() + DAY && !isRefused) return at;
	}
	return 'none';
}

/** Reads the reply to a number's look-up: `[{exists, jid, number}]`. @returns `null` if the network hasn't it; `undefined` for anything else */
export function readNumberLookup(reply: unknown, asked: string): Identity | null | undefined {
	const rows = listOf(reply);
	const [row] = rows;
	if (rows.length !== 1 || !isRecord(row) || (textOf(row.number) ?? asked) !== asked) return undefined;
	if (row.exists === false) return null;
	return row.exists === true ? identityOf(textOf(row.jid)) : undefined;
}
