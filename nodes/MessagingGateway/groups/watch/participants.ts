import { isRecord, listOf, textOf } from '../../common/json';
import { distinct, identityOf, identityWithKey } from '../identity';
import {
	highestRole,
	mayBeSame,
	oneOfEachKind,
	People,
	ROLES,
	type KnownMember,
	type Member,
	type Person,
	type Role,
} from '../people';

export const CHANGES = ['joined', 'left', 'promoted', 'demoted'] as const;

/** The memory of a group from one poll to the next. */
export interface GroupSnapshot {
	members: readonly KnownMember[];
	/** Whether many members seemed gone in the last poll. That counts only if the next poll shows it, too. */
	seemedEmptied: boolean;
}

/** A person who joined, left, or has another role. */
export interface MemberChange {
	change: (typeof CHANGES)[number];
	member: KnownMember;
	/** Only for `promoted` and `demoted`. */
	previousRole?: Role;
}

/** Most members whose loss at once is believed, and in percent: gateways give short lists now and then. */
const MOST_GONE = 3;
const MOST_GONE_PERCENT = 20;

/**
 * Compares the members of a group with those of the poll before. Recognizes people under any of their IDs, so
 * a group that moves to hidden IDs has no changes.
 *
 * @param before `undefined` in a first poll, which has no changes
 * @param now at least one member
 * @returns the changes, and the snapshot for the next poll
 */
export function compareMembers(
	before: GroupSnapshot | undefined,
	now: readonly Member[],
): { changes: MemberChange[]; snapshot: GroupSnapshot } {
	if (before === undefined) return { changes: [], snapshot: { members: now, seemedEmptied: false } };
	const findKnown = finderIn(before.members);
	const present = now.map((member) => {
		const was = findKnown(member);
		return { was, known: withKnownFields(member, was) };
	});
	const found = new Set(present.flatMap(({ was }) => was));
	const gone = before.members.filter((member) => !found.has(member));
	const added = present.filter(({ was }) => was.length === 0).map(({ known }) => known);
	const left = apartFrom(gone, added);
	const joined = apartFrom(added, gone);

	const countable = before.members.length - (gone.length - left.length);
	const isEmptied = left.length > MOST_GONE && left.length * 100 > countable * MOST_GONE_PERCENT;
	if (isEmptied && !before.seemedEmptied)
		return { changes: [], snapshot: { members: before.members, seemedEmptied: true } };
	return {
		changes: [
			...left.map((member): MemberChange => ({ change: 'left', member })),
			...joined.map((member): MemberChange => ({ change: 'joined', member })),
			...present.flatMap(({ known, was }) => roleChange(known, was)),
		],
		snapshot: { members: present.map(({ known }) => known), seemedEmptied: false },
	};
}

/** Makes a function that finds a person by their IDs, or by the text of one that isn't a person's. */
function finderIn(members: readonly KnownMember[]): (member: KnownMember) => readonly KnownMember[] {
	const people = new People(members);
	const byText = new Map(members.map((member) => [member.id, [member]]));
	return ({ id, ids }) => (ids.length > 0 ? people.find(ids) : (byText.get(id) ?? []));
}

/** Leaves out people who may be one of the others, by another kind of ID or nearly the same number. */
function apartFrom<P extends Person>(people: readonly P[], others: readonly Person[]): P[] {
	const kinds = oneOfEachKind(others);
	const known = new People(others);
	return people.filter(
		(person) => !kinds.some((other) => mayBeSame(person, other)) && known.findNearby(person.ids).length === 0,
	);
}

/** Adds the number, hidden ID, name and role that earlier polls showed, as long as the member is there. */
function withKnownFields({ id, ids, ...member }: Member, was: readonly KnownMember[]): KnownMember {
	const before = (field: 'number' | 'lid' | 'name') => was.map((known) => known[field]).find(Boolean);
	// An older ID may be another form of a newer one of its kind.
	const older = was.flatMap((known) => known.ids.filter((old) => !ids.some(({ kind }) => kind === old.kind)));
	return {
		id,
		ids: distinct([...ids, ...older]),
		role: member.role ?? highestRole(was),
		number: member.number ?? before('number'),
		lid: member.lid ?? before('lid'),
		name: member.name ?? before('name'),
	};
}

/** Compares two known roles. The group's creator counts as an admin. */
function roleChange(member: KnownMember, was: readonly KnownMember[]): MemberChange[] {
	const previousRole = highestRole(was);
	const isAdmin = member.role !== 'member';
	if (previousRole === undefined || isAdmin === (previousRole !== 'member')) return [];
	return [{ change: isAdmin ? 'promoted' : 'demoted', member, previousRole }];
}

const NO_ROLE = -1;

/** Writes a snapshot as JSON: short, since n8n keeps it, and in an order of its own. */
export function writeSnapshot({ members, seemedEmptied }: GroupSnapshot): object {
	const sorted = [...members].sort((member, other) => (member.id < other.id ? -1 : 1));
	return { members: sorted.map(writeMember), ...(seemedEmptied && { seemedEmptied }) };
}

/** Writes `[id, role, number, lid, name, other identities]`. Unknown ones are 0, and left out at the end. */
function writeMember({ id, ids, role, number, lid, name }: KnownMember): unknown[] {
	const [own, ofNumber, ofLid] = [id, number, lid].map((text) => identityOf(text)?.key);
	const isOther = (key: string) => key !== own && key !== ofNumber && key !== ofLid;
	const others = ids.map(({ key }) => key).filter(isOther);
	const stored: unknown[] = [
		id,
		role === undefined ? NO_ROLE : ROLES.indexOf(role),
		(ofNumber !== own && number) || 0,
		(lid !== id && lid) || 0,
		name ?? 0,
		others.length > 0 ? others : 0,
	];
	while (stored.at(-1) === 0) stored.pop();
	return stored;
}

/** Reads a snapshot. @returns `undefined` for values in another form than {@link writeSnapshot}'s */
export function readSnapshot(stored: unknown): GroupSnapshot | undefined {
	if (!isRecord(stored) || !Array.isArray(stored.members)) return undefined;
	const members = stored.members.map(readStoredMember);
	if (!members.every((member) => member !== undefined)) return undefined;
	return { members, seemedEmptied: stored.seemedEmptied === true };
}

function readStoredMember(stored: unknown): KnownMember | undefined {
	const [id, roleIndex = 0, number, lid, name, others] = listOf(stored);
	const role = ROLES[Number(roleIndex)];
	if (typeof id !== 'string' || (role === undefined && roleIndex !== NO_ROLE)) return undefined;
	const own = identityOf(id);
	const shown = [number, lid].map((text) => identityOf(textOf(text)));
	const more = listOf(others).map((key) => identityWithKey(textOf(key) ?? ''));
	return {
		id,
		ids: distinct([own, ...shown, ...more]),
		role,
		number: [shown[0], own].find((known) => known?.kind === 'phone')?.digits,
		lid: textOf(lid) ?? (own?.kind === 'hidden' ? id : undefined),
		name: textOf(name),
	};
}
