import { distinct } from '../identity';
import type { KnownMember, Member, Role } from '../member';
import { mayBeSame, oneOfEachKind, People, type Person } from '../people';

/** What can happen to a member of a group. */
export const CHANGES = ['joined', 'left', 'promoted', 'demoted'] as const;
export type ChangeKind = (typeof CHANGES)[number];

/** What a poll remembers of a group. */
export interface GroupSnapshot {
	members: readonly KnownMember[];
	/** Whether most members seemed gone in the last poll: that counts only if the next poll says so, too. */
	seemedEmptied: boolean;
}

/** A person who joined, left, or has another role. */
export interface MemberChange {
	change: ChangeKind;
	member: KnownMember;
	/** With promoted and demoted only. */
	previousRole?: Role;
}

/** A gateway that loses so many at once has more likely lost its list. */
const FEWEST_TO_DOUBT = 10;

/**
 * Compares the members of a group with those of the poll before. Members are people and not the texts of their IDs, so a
 * group that moves to hidden IDs reports nobody.
 *
 * @param before `undefined` if nothing is remembered: then there are no changes
 * @param now the members as they are read, not empty
 * @returns the changes, and what to remember for the next poll
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
	const isEmptied = countable >= FEWEST_TO_DOUBT && left.length * 2 > countable;
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

/** Finds a person among others by their IDs, or by the text of their own ID where no ID tells who they are. */
function finderIn(members: readonly KnownMember[]): (member: KnownMember) => readonly KnownMember[] {
	const people = new People(members);
	const byText = new Map(members.map((member) => [member.id, [member]]));
	return ({ id, ids }) => (ids.length > 0 ? people.find(ids) : (byText.get(id) ?? []));
}

/**
 * Leaves out people who may be one of the others although they have no ID in common: people known only by number, where
 * others are known only by a hidden ID, or the other way around.
 */
function apartFrom<P extends Person>(people: readonly P[], others: readonly Person[]): P[] {
	const kinds = oneOfEachKind(others);
	return people.filter((person) => !kinds.some((other) => mayBeSame(person, other)));
}

/** Adds what was known of a member before: a number, hidden ID, name or role stays known while the member is there. */
function withKnownFields({ id, ids, ...member }: Member, was: readonly KnownMember[]): KnownMember {
	const before = (field: 'number' | 'lid' | 'name') => was.map((known) => known[field]).find(Boolean);
	// An older ID of a kind that is shown now may be another form of it, and says no more.
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

/** Compares two known roles. The group's creator is an admin like the others here. */
function roleChange(member: KnownMember, was: readonly KnownMember[]): MemberChange[] {
	const previousRole = highestRole(was);
	const isAdmin = member.role !== 'member';
	if (previousRole === undefined || isAdmin === (previousRole !== 'member')) return [];
	return [{ change: isAdmin ? 'promoted' : 'demoted', member, previousRole }];
}

/** Gives the highest role that is known of a person who may have been listed several times. */
function highestRole(was: readonly KnownMember[]): Role | undefined {
	const roles = was.flatMap(({ role }) => role ?? []);
	return roles.find((role) => role !== 'member') ?? roles[0];
}
