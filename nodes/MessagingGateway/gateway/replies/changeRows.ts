import { isRecord, recordOf, textOf, type JsonRecord } from '../../common/json';
import { isoTimeOf } from '../../common/time';
import { identityOf } from '../../groups/identity';
import { isErrorBody } from './errorBody';

export interface ReplyRow {
	/** The participant as the gateway names them, e.g. `5511999990001@s.whatsapp.net` or `…@lid`. */
	jid?: string | undefined;
	/** Another ID of the same person: the number of a hidden ID, or the hidden ID of a number. */
	otherId?: string | undefined;
	/** The network's code, e.g. `200`. */
	code?: string | undefined;
	inviteCode?: string | undefined;
	/** ISO 8601, UTC. */
	inviteExpiresAt?: string | undefined;
}

/** Whether a success has the body of an error, and no list of participants: nobody's result is known. */
export const isErrorReply = (reply: unknown): reply is JsonRecord =>
	isRecord(reply) && isErrorBody(reply) && rowsIn(reply) === undefined;

/**
 * Reads the reply to a group change: `{updateParticipants: [{status, jid, content: {attrs, content}}]}`,
 * `{participants: [{jid, lid, error?}]}` (WhatsMiau), or a bare list of the first.
 *
 * @returns the rows in order, none if it also says that it's an error; `undefined` if it has no list
 */
export function readRows(reply: unknown): ReplyRow[] | undefined {
	const list = rowsIn(reply);
	if (list === undefined) return undefined;
	if (isRecord(reply) && isErrorBody(reply)) return [];
	const areMembers = isRecord(reply) && list === reply.participants;
	// Where a row has a status, no error is no success.
	const read = (row: JsonRecord) =>
		areMembers && row.status === undefined ? readWhatsMiauRow(row) : readRow(row);
	return list.map((row) => (isRecord(row) ? read(row) : {}));
}

function rowsIn(reply: unknown): unknown[] | undefined {
	const lists = isRecord(reply) ? [reply.updateParticipants, reply.participants] : [reply];
	return lists.find(Array.isArray);
}

/** Reads a row with the fields of a member. Without an error, or with error 0, the change was made. */
function readWhatsMiauRow({ jid, lid, error }: JsonRecord): ReplyRow {
	const ids = { jid: idOf(jid) ?? idOf(lid), otherId: idOf(jid) && idOf(lid) };
	return { code: error === undefined || error === 0 ? '200' : codeAmong([error]), ...ids };
}

function readRow(row: JsonRecord): ReplyRow {
	const content = recordOf(row.content);
	const attrs = recordOf(content.attrs);
	const invite = Array.isArray(content.content) ? readAddRequest(content.content) : {};
	const otherJid = idOf(attrs.jid);
	const jid = idOf(row.jid) ?? otherJid;
	// Beside a hidden ID, the other one may be the number.
	const isNumberOpen = jid !== otherJid && identityOf(jid)?.kind === 'hidden';
	return {
		jid,
		otherId: idOf(attrs.phone_number) ?? (isNumberOpen ? otherJid : undefined),
		code: codeAmong([row.status, row.error, content.error, attrs.error]),
		...invite,
	};
}

const NOT_GIVEN = new Set<unknown>([undefined, null, false, '']);

/** Placeholder for an unreadable ID: such a row isn't one without an ID. */
const NO_ID = '?';

function idOf(value: unknown): string | undefined {
	if (NOT_GIVEN.has(value)) return undefined;
	return typeof value === 'number' ? String(value) : (textOf(value) ?? NO_ID);
}

/** Gives a row's code: of a success and an error, the error; `undefined` for several, or unreadable ones. */
function codeAmong(values: unknown[]): string | undefined {
	const given = values.filter((value) => !NOT_GIVEN.has(value));
	const codes = new Set(given.map(codeOf));
	if (codes.size > 1) codes.delete('200');
	const [code] = codes;
	return codes.size === 1 ? code : undefined;
}

/** Reads the `add_request` of a 403. Its `expiration` is in Unix seconds. */
function readAddRequest(children: unknown[]): Pick<ReplyRow, 'inviteCode' | 'inviteExpiresAt'> {
	const invite = children.filter(isRecord).find((child) => child.tag === 'add_request');
	const { code, expiration } = recordOf(invite?.attrs);
	const isTime = typeof expiration === 'number' || /^\d+$/.test(textOf(expiration) ?? '');
	return {
		inviteCode: textOf(code) || undefined,
		inviteExpiresAt: isTime ? isoTimeOf(Number(expiration) * 1000) : undefined,
	};
}

function codeOf(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : (textOf(value) ?? '');
	// Real codes have three digits. Whatever else stands there is no text to show to anyone.
	return /^[\w-]{1,20}$/.exec(text.trim())?.[0];
}
