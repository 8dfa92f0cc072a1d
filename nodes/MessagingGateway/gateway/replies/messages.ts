import { isRecord, listOf, recordOf, textOf } from '../../common/json';
import { DAY, HOUR } from '../../common/time';
import type { Participant } from '../../groups/change';
import { identityOf, type Identity } from '../../groups/identity';

/** The network's answer. `unknown`: none so far; `noRoute`, `noAnswer`: nobody tells; `none`: no message. */
export type MessageStatus = 'refused' | 'notRefused' | 'unknown' | 'noRoute' | 'noAnswer' | 'none';

/** The most by which a gateway's clock may be behind, in ms. */
const CLOCKS_DIFFER = HOUR;

/** Whether a message is the account's to a person. Not every gateway looks at what it's asked for. */
function isTo({ kind, canonical }: Identity, key: unknown): boolean {
	const { fromMe, remoteJid = '' } = recordOf(key);
	const to = identityOf(textOf(remoteJid));
	const isToOther = to?.kind === kind ? to.canonical !== canonical : /@g\.us$/.test(String(remoteJid));
	return fromMe !== false && !isToOther;
}

/** Reads the messages to one person, newest first: text, time in ms since 1970, and what became of each. */
function messagesIn(reply: unknown, person: Identity) {
	const { records } = recordOf(recordOf(reply).messages);
	if (!Array.isArray(records)) return undefined;
	const sent = records.filter((record) => isTo(person, recordOf(record).key));
	return sent.map((record) => {
		const { message, messageTimestamp, MessageUpdate } = recordOf(record);
		const { conversation, extendedTextMessage } = recordOf(message);
		const text = textOf(conversation) ?? textOf(recordOf(extendedTextMessage).text) ?? '';
		const updates = listOf(MessageUpdate).filter(isRecord);
		const known = updates.some(({ status }) => status === 'ERROR') ? 'refused' : 'notRefused';
		const status: MessageStatus = updates.length === 0 ? 'unknown' : known;
		return { text, at: Number(messageTimestamp) * 1000, status };
	});
}

/** Tells what became of a message. @param sent its text's beginning, and time in ms since 1970 */
export function readMessageStatus(
	reply: unknown,
	{ participant, message, sentAt }: { participant: Participant; message: string; sentAt: number },
): MessageStatus | undefined {
	const messages = messagesIn(reply, participant.identity);
	const [newest] = messages ?? [];
	const isOurs = newest?.text.startsWith(message) && newest.at >= sentAt - CLOCKS_DIFFER;
	return isOurs ? newest?.status : messages && 'none';
}

/** Tells when the newest message with a group's link was sent, in ms since 1970. A refused one is none. */
export function readLinkSent(
	reply: unknown,
	{ participant, inviteCode, since }: { participant: Participant; inviteCode: string; since: number },
): number | 'none' | undefined {
	const messages = messagesIn(reply, participant.identity);
	const [sent] = (messages ?? []).filter(
		({ text, at, status }) =>
			text.includes(`/${inviteCode}`) && at >= since && at < Date.now() + DAY && status !== 'refused',
	);
	return sent?.at ?? (messages && 'none');
}

/** Reads a number's look-up: `[{exists, jid, number}]`; `null` if nobody has it, `undefined` for the rest. */
export function readNumberLookup(reply: unknown, asked: string): Identity | null | undefined {
	const rows = listOf(reply);
	const [row] = rows;
	if (rows.length !== 1 || !isRecord(row) || (textOf(row.number) ?? asked) !== asked) return undefined;
	if (row.exists === false) return null;
	return row.exists === true ? identityOf(textOf(row.jid)) : undefined;
}

/** Reads the ID of a message that was sent (CodeChat: `keyId`). */
export function readSentId(reply: unknown): string | undefined {
	const { key, keyId } = recordOf(reply);
	return textOf(recordOf(key).id) || textOf(keyId) || undefined;
}
