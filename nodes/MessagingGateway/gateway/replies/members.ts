import { isErrorBody } from '../failures/callFailure';
import { canonicalIdentityOf, digitsOf, identityOf, isPhone } from '../../groups/identity';
import type { Person } from '../../groups/people';
import { isRecord, textOf, type JsonRecord } from '../../common/json';

export type Role = 'member' | 'admin' | 'superAdmin';

/** A member of a group. */
export interface Member extends Person {
	/** Their own ID as the gateway lists it. */
	readonly id: string;
	/** Digits of the phone number, where the gateway shows it. */
	readonly number?: string;
	/** Hidden ID, `…@lid`, where it is known. */
	readonly lid?: string;
	readonly role: Role;
	/** Given for contacts that the gateway has stored. */
	readonly name?: string;
	/** What the reply has of them, as it came: one row, or several that name the same member. */
	readonly rows: readonly JsonRecord[];
}

/** Above that of a member, from the highest. */
const HIGHER_ROLES: readonly Role[] = ['superAdmin', 'admin'];

/** The fields of a row that hold an ID. */
type IdField = 'id' | 'phoneNumber' | 'jid' | 'lid';

/** In these orders the fields are asked for the member's own ID, for the number, and for the hidden ID. */
const OWN_ID_FIRST: readonly IdField[] = ['id', 'jid', 'lid', 'phoneNumber'];
const NUMBER_FIRST: readonly IdField[] = ['phoneNumber', 'id', 'jid', 'lid'];
const HIDDEN_ID_FIRST: readonly IdField[] = ['lid', 'id', 'jid', 'phoneNumber'];

/**
 * Reads the reply to "group participants": `{participants: [{id, admin, phoneNumber?, jid?, lid?, name?}]}` (1.8.2,
 * 2.2.3, 2.3.6; only 2.3.6 shows numbers in groups with hidden IDs).
 *
 * @returns the members in the order of the reply, each once; nothing where the reply is something else, also where one
 * of its rows has no ID at all
 */
export function readMembers(reply: unknown): Member[] | undefined {
	if (!isRecord(reply) || isErrorBody(reply) || !Array.isArray(reply.participants)) return undefined;
	const rows = reply.participants.map(readRow);
	return rows.every((row) => row !== undefined) ? mergeRows(rows) : undefined;
}

/** A member under the published names (a type, since only that fits n8n's items without a copy). */
export type SimplifiedMember = {
	/** Digits of the phone number; `null` where the gateway doesn't show it. */
	participant: string | null;
	/** Their own ID as listed. */
	jid: string;
	lid?: string;
	role: Role;
	name?: string;
};

/** The fields of a member that Get Participants and the trigger give. */
export function simplifyMember({
	id,
	number,
	lid,
	role,
	name,
}: Omit<Member, 'rows' | 'ids'>): SimplifiedMember {
	return {
		participant: number ?? null,
		jid: id,
		...(lid !== undefined && { lid }),
		role,
		...(name !== undefined && { name }),
	};
}

function readRow(row: unknown): Member | undefined {
	if (!isRecord(row)) return undefined;
	const id = OWN_ID_FIRST.map((field) => textOf(row[field])).find(Boolean);
	if (id === undefined) return undefined;
	const identities = {
		id: identityIn(row, 'id'),
		phoneNumber: identityIn(row, 'phoneNumber'),
		jid: identityIn(row, 'jid'),
		lid: identityIn(row, 'lid'),
	};
	const number = NUMBER_FIRST.map((field) => identities[field]).find(isNumber);
	const hiddenId = HIDDEN_ID_FIRST.map((field) => identities[field]).find(isHiddenId);
	const name = textOf(row.name);
	return {
		id,
		ids: [...new Set(Object.values(identities).filter((one) => one !== undefined))],
		...(number !== undefined && { number: digitsOf(number) }),
		...(hiddenId !== undefined && { lid: `${digitsOf(hiddenId)}@lid` }),
		role: roleOf(row.admin),
		...(name && { name }),
		rows: [row],
	};
}

/** Digits alone are a phone number, but not where a hidden ID is given. */
function identityIn(row: JsonRecord, field: IdField): string | undefined {
	const text = textOf(row[field]);
	return identityOf(field === 'lid' && text && !text.includes('@') ? `${text}@lid` : text);
}

function isNumber(id: string | undefined): id is string {
	return id !== undefined && isPhone(id);
}

function isHiddenId(id: string | undefined): id is string {
	return id !== undefined && !isPhone(id);
}

/** A rank that isn't known is one all the same: who may be an admin counts as one. */
function roleOf(admin: unknown): Role {
	if (admin === undefined || admin === null || admin === false || admin === '') return 'member';
	return /^superadmin$/i.test(textOf(admin) ?? '') ? 'superAdmin' : 'admin';
}

/**
 * Puts rows together that name the same member: those with the same own ID, and those that have an ID in common and
 * contradict each other in none. Others stay apart, since it isn't certain who they are.
 */
function mergeRows(rows: readonly Member[]): Member[] {
	const merged: MergedRows[] = [];
	const byOwnId = new Map<string, MergedRows>();
	const byAnyId = new Map<string, MergedRows>();
	for (const row of rows) {
		const ownId = identityOf(row.id) ?? row.id;
		const same =
			byOwnId.get(ownId) ?? row.ids.map((id) => byAnyId.get(id)).find((one) => one?.agreesWith(row));
		const member = same ?? new MergedRows();
		if (same === undefined) merged.push(member);
		member.add(row);
		byOwnId.set(ownId, member);
		for (const id of row.ids) if (!byAnyId.has(id)) byAnyId.set(id, member);
	}
	return merged.map((member) => member.merge());
}

/** The rows of one member. */
class MergedRows {
	private readonly rows: Member[] = [];

	/** Made when it is needed: nearly every member has one row, whose IDs nobody asks for again. */
	private known: KnownIds | undefined;

	add(row: Member): void {
		this.rows.push(row);
		this.known?.add(row);
	}

	/** Whether no number and no hidden ID of the row is another one than those known so far. */
	agreesWith(row: Member): boolean {
		const { forms, kinds } = this.knownIds();
		return row.ids.every((id) => forms.has(canonicalIdentityOf(id)) || !kinds.has(isPhone(id)));
	}

	/** One member with all IDs and the highest role; of all else what the first row says that has it. */
	merge(): Member {
		const [first, ...others] = this.rows;
		if (first !== undefined && others.length === 0) return first;
		return {
			...this.rows.reduceRight((later, row) => ({ ...later, ...row })),
			ids: [...this.knownIds().ids],
			role: HIGHER_ROLES.find((role) => this.rows.some((row) => row.role === role)) ?? 'member',
			rows: this.rows.flatMap(({ rows }) => rows),
		};
	}

	private knownIds(): KnownIds {
		return (this.known ??= new KnownIds(this.rows));
	}
}

/** The IDs of several rows. */
class KnownIds {
	readonly ids = new Set<string>();

	readonly forms = new Set<string>();

	/** Whether there are numbers (true) and hidden IDs (false). */
	readonly kinds = new Set<boolean>();

	constructor(rows: readonly Member[]) {
		for (const row of rows) this.add(row);
	}

	add(row: Member): void {
		for (const id of row.ids) {
			this.ids.add(id);
			this.forms.add(canonicalIdentityOf(id));
			this.kinds.add(isPhone(id));
		}
	}
}
