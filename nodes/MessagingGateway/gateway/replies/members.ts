import { isRecord, textOf, type JsonRecord } from '../../common/json';
import type { Steps } from '../../common/steps';
import { distinct, identityOf, type Identity } from '../../groups/identity';
import type { Member, Role } from '../../groups/member';
import { isErrorBody } from '../failures/callFailure';

/** Above that of a member, from the highest. */
const HIGHER_ROLES: readonly Role[] = ['superAdmin', 'admin'];

/** The fields of a row that hold an ID. */
type IdField = 'id' | 'phoneNumber' | 'jid' | 'lid';

/** A row, and the member's own ID in it. */
export interface MemberRow {
	id: string;
	row: JsonRecord;
}

/** In these orders the fields are asked for the member's own ID, for the number, and for the hidden ID. */
const OWN_ID_FIRST: readonly IdField[] = ['id', 'jid', 'lid', 'phoneNumber'];
const NUMBER_FIRST: readonly IdField[] = ['phoneNumber', 'id', 'jid', 'lid'];
const HIDDEN_ID_FIRST: readonly IdField[] = ['lid', 'id', 'jid', 'phoneNumber'];

/**
 * Reads the reply to "group participants": `{participants: [{id, admin, phoneNumber?, jid?, lid?, name?}]}` (1.8.2,
 * 2.2.3, 2.3.6; only 2.3.6 shows numbers in groups with hidden IDs).
 *
 * @returns its rows in their order; `undefined` for anything else, also where a row has no ID at all
 */
export function readMemberRows(reply: unknown): MemberRow[] | undefined {
	if (!isRecord(reply) || isErrorBody(reply) || !Array.isArray(reply.participants)) return undefined;
	const rows = reply.participants.map(memberRowIn);
	return rows.every((row) => row !== undefined) ? rows : undefined;
}

function memberRowIn(row: unknown): MemberRow | undefined {
	if (!isRecord(row)) return undefined;
	const field = OWN_ID_FIRST.find((one) => textOf(row[one]));
	const id = field && idIn(row, field);
	return id === undefined ? undefined : { id, row };
}

function memberIn({ id, row }: MemberRow): Member {
	const identities = {
		id: identityOf(idIn(row, 'id')),
		phoneNumber: identityOf(idIn(row, 'phoneNumber')),
		jid: identityOf(idIn(row, 'jid')),
		lid: identityOf(idIn(row, 'lid')),
	};
	const firstOf = (kind: Identity['kind'], fields: readonly IdField[]) => {
		const field = fields.find((one) => identities[one]?.kind === kind);
		return field && identities[field];
	};
	const number = firstOf('phone', NUMBER_FIRST);
	const hiddenId = firstOf('hidden', HIDDEN_ID_FIRST);
	const name = textOf(row.name);
	return {
		id,
		ids: distinct(Object.values(identities)),
		...(number !== undefined && { number: number.digits }),
		...(hiddenId !== undefined && { lid: `${hiddenId.digits}@lid` }),
		role: roleOf(row.admin),
		...(name && { name }),
		rows: [row],
	};
}

/** Digits alone are a phone number, also to a gateway, but not where a hidden ID is given. */
function idIn(row: JsonRecord, field: IdField): string | undefined {
	const text = textOf(row[field]);
	return field === 'lid' && text && !text.includes('@') ? `${text}@lid` : text;
}

/** A rank that isn't known is one all the same: who may be an admin counts as one. */
function roleOf(admin: unknown): Role {
	if (admin === undefined || admin === null || admin === false || admin === '') return 'member';
	return textOf(admin)?.toLowerCase() === 'superadmin' ? 'superAdmin' : 'admin';
}

/**
 * Puts rows together that name the same member: those with the same own ID, and those that have an ID in common and
 * contradict each other in none. Others stay apart, since it isn't certain who they are. It halts before each row.
 *
 * @returns the members in the order of their first rows, each once
 */
export function* membersOf(rows: readonly MemberRow[]): Steps<Member[]> {
	const merged: MergedRows[] = [];
	const byOwnId = new Map<string, MergedRows>();
	const byAnyId = new Map<string, MergedRows>();
	for (const one of rows) {
		yield;
		const row = memberIn(one);
		const ownId = identityOf(row.id)?.key ?? row.id;
		const same =
			byOwnId.get(ownId) ??
			row.ids.map(({ key }) => byAnyId.get(key)).find((known) => known?.agreesWith(row));
		const member = same ?? new MergedRows();
		if (same === undefined) merged.push(member);
		member.add(row);
		byOwnId.set(ownId, member);
		for (const { key } of row.ids) if (!byAnyId.has(key)) byAnyId.set(key, member);
	}
	return merged.map((member) => member.merge());
}

/** The rows of one member. */
class MergedRows {
	private readonly rows: Member[] = [];

	private ids: readonly Identity[] = [];

	add(row: Member): void {
		this.rows.push(row);
		this.ids = this.rows.length === 1 ? row.ids : distinct([...this.ids, ...row.ids]);
	}

	/** Whether no number and no hidden ID of the row is another one than those known so far. */
	agreesWith({ ids }: Member): boolean {
		return ids.every(({ kind, canonical }) => {
			const known = this.ids.filter((one) => one.kind === kind);
			return known.length === 0 || known.some((one) => one.canonical === canonical);
		});
	}

	/** One member with all IDs and the highest role; of all else what the first row says that has it. */
	merge(): Member {
		const [first, ...others] = this.rows;
		// Nearly every member has one row.
		if (first !== undefined && others.length === 0) return first;
		return {
			...this.rows.reduceRight((later, row) => ({ ...later, ...row })),
			ids: this.ids,
			role: HIGHER_ROLES.find((role) => this.rows.some((row) => row.role === role)) ?? 'member',
			rows: this.rows.flatMap(({ rows }) => rows),
		};
	}
}
