import { isRecord, textOf, type JsonRecord } from '../../common/json';
import { oneName } from '../../common/text';
import { distinct, identityOf } from '../../groups/identity';
import { highestRole, type Member, type Role } from '../../groups/people';
import { isErrorBody } from './errorBody';

/** A member whose rows are still put together. */
type OpenMember = Member & { rows: JsonRecord[] };

/** The orders in which fields are looked at for the member's own ID, and for a number and a hidden ID. */
const OWN_ID_FIRST = ['id', 'jid', 'lid', 'phoneNumber'];
const NAMED_KIND_FIRST = ['phoneNumber', 'lid', 'id', 'jid'];

/**
 * Reads the reply to "group participants": `{participants: [{id, admin, phoneNumber?, jid?, lid?, name?}]}`,
 * or WhatsMiau's `{jid, lid, isAdmin, isSuperAdmin, displayName}`.
 *
 * @returns the members, each once; `undefined` for anything else, also if a row has no ID at all
 */
export function readMembers(reply: unknown): Member[] | undefined {
	if (!isRecord(reply) || isErrorBody(reply) || !Array.isArray(reply.participants)) return undefined;
	const rows = reply.participants.map((row) => (isRecord(row) ? memberIn(row) : undefined));
	return rows.every((row) => row !== undefined) ? mergeRows(rows) : undefined;
}

function memberIn(row: JsonRecord): OpenMember | undefined {
	const ownField = OWN_ID_FIRST.find((name) => textOf(row[name]));
	const id = ownField && idIn(row, ownField);
	if (id === undefined) return undefined;
	const ids = distinct(NAMED_KIND_FIRST.map((name) => identityOf(idIn(row, name))));
	const number = ids.find(({ kind }) => kind === 'phone');
	const hiddenId = ids.find(({ kind }) => kind === 'hidden');
	const role = roleIn(row);
	const name = oneName(row.name) || oneName(row.displayName) || oneName(row.username);
	return {
		id,
		ids,
		...(number !== undefined && { number: number.digits }),
		...(hiddenId !== undefined && { lid: `${hiddenId.digits}@lid` }),
		...(role !== undefined && { role }),
		...(name && { name }),
		rows: [row],
	};
}

/** Reads an ID of a row. Digits alone are a phone number, but a hidden ID in the field for those. */
function idIn(row: JsonRecord, field: string): string | undefined {
	const text = textOf(row[field]);
	return field === 'lid' && text && !text.includes('@') ? `${text}@lid` : text;
}

/** Reads the rank. An unknown word counts as an admin's. @returns `undefined` if no field tells the rank */
function roleIn({ admin, isAdmin, isSuperAdmin }: JsonRecord): Role | undefined {
	const hasRank = (rank: unknown) => ![undefined, null, false, ''].some((none) => none === rank);
	if (hasRank(isSuperAdmin) || textOf(admin)?.toLowerCase() === 'superadmin') return 'superAdmin';
	if (hasRank(admin) || hasRank(isAdmin)) return 'admin';
	return [admin, isAdmin, isSuperAdmin].every((rank) => rank === undefined) ? undefined : 'member';
}

/**
 * Puts rows of the same member together: those with the same own ID, and those that share an ID and
 * contradict in none. Other rows stay apart, since nobody knows whether they are one member.
 */
function mergeRows(rows: readonly OpenMember[]): Member[] {
	const members: OpenMember[] = [];
	const byOwnId = new Map<string, OpenMember>();
	const byAnyId = new Map<string, OpenMember>();
	for (const read of rows) {
		const ownId = identityOf(read.id)?.key ?? read.id;
		const known =
			byOwnId.get(ownId) ??
			read.ids.map(({ key }) => byAnyId.get(key)).find((member) => member && agree(member, read));
		const member = known ?? read;
		if (known === undefined) members.push(read);
		else merge(known, read);
		byOwnId.set(ownId, member);
		for (const { key } of read.ids) if (!byAnyId.has(key)) byAnyId.set(key, member);
	}
	return members;
}

/** Whether no number and no hidden ID of a row contradicts those of a member. */
function agree(member: Member, { ids }: Member): boolean {
	return ids.every(({ kind, canonical }) => {
		const known = member.ids.filter((id) => id.kind === kind);
		return known.length === 0 || known.some((id) => id.canonical === canonical);
	});
}

/** Adds a row to its member, who gets all IDs and the highest role, and keeps other fields. */
function merge(member: OpenMember, row: Member): void {
	const role = highestRole([member, row]);
	const ids = distinct([...member.ids, ...row.ids]);
	member.rows.push(...row.rows);
	Object.assign(member, { ...row, ...member, ids, ...(role !== undefined && { role }) });
}
