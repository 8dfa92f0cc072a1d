import { isRecord, textOf } from './json';

/** What the gateway says about one participant, read from its reply. */
export interface ReplyRow {
	/** The participant as the gateway names them, e.g. `5511999990001@s.whatsapp.net` or `…@lid`. */
	jid?: string | undefined;
	/** Their phone number as a JID, where `jid` is not one. */
	phoneNumber?: string | undefined;
	/** The network's code, e.g. `200`; absent where the row has none. */
	code?: string | undefined;
	inviteCode?: string | undefined;
	/** ISO 8601, UTC. */
	inviteExpiresAt?: string | undefined;
}

/**
 * Reads the reply to a group change: `{updateParticipants: [{status, jid, content: {attrs, content}}]}`, seen
 * on 1.8.2, 2.2.3 and 2.3.6. A bare list is read the same way.
 *
 * @returns the rows in the order of the reply; nothing where the reply has no list
 */
export function readRows(reply: unknown): ReplyRow[] | undefined {
	const list = isRecord(reply) ? reply.updateParticipants : reply;
	return Array.isArray(list) ? list.filter(isRecord).map(readRow) : undefined;
}

function readRow(row: Record<string, unknown>): ReplyRow {
	const content = isRecord(row.content) ? row.content : {};
	const attrs = isRecord(content.attrs) ? content.attrs : {};
	const codes = [codeOf(row.status), codeOf(attrs.error)].filter((code) => code !== undefined);
	const invite = Array.isArray(content.content) ? readInvite(content.content) : {};
	return {
		jid: textOf(row.jid) || textOf(attrs.jid) || undefined,
		phoneNumber: textOf(attrs.phone_number),
		// Where status and error differ, whatever is not a success counts.
		code: codes.find((code) => code !== '200') ?? codes[0],
		...invite,
	};
}

/** The `add_request` that a 403 carries; `expiration` is in Unix seconds. */
function readInvite(children: unknown[]): Pick<ReplyRow, 'inviteCode' | 'inviteExpiresAt'> {
	const invite = children.filter(isRecord).find((child) => child.tag === 'add_request');
	const attrs = isRecord(invite?.attrs) ? invite.attrs : {};
	const expires = new Date(secondsOf(attrs.expiration) * 1000);
	return {
		inviteCode: textOf(attrs.code) || undefined,
		inviteExpiresAt: Number.isNaN(expires.getTime()) ? undefined : expires.toISOString(),
	};
}

function secondsOf(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
}

function codeOf(value: unknown): string | undefined {
	return typeof value === 'number' ? String(value) : textOf(value)?.trim() || undefined;
}
