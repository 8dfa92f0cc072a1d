import { mapInSteps, type Steps } from '../../common/steps';
import { distinct } from '../identity';
import type { KnownMember, Member, Role } from '../member';
import { mayBeSame, oneOfEachKind, People, type Person } from '../people';

/** What can happen to a member of a group. */
export const CHANGES = ['joined', 'left', 'promoted', 'demoted'] as const;
export type ChangeKind = (typeof CHANGES)[number];

/** What a poll remembers of a group. */
export interface GroupSnapshot {
	members: readonly KnownMember[];
	/** Whether most of them seemed gone in the last poll: that counts only if the next one says so, too. */
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
 * Compares the members of a group with those of the poll before: people, not the texts of their IDs, so that a group
 * that moves to hidden IDs, or a gateway that is updated, reports nobody.
 *
 * @param now the members as they are read, not empty
 * @returns the changes, and what to remember for the next poll
 */
export function* compareMembers(
	before: GroupSnapshot,
	now: readonly Member[],
): Steps<{ changes: MemberChange[]; snapshot: GroupSnapshot }> {
	const findKnown = finderIn(before.members);
	const present = yield* mapInSteps(now, (member) => {
		const was = findKnown(member);
		return { was, known: withKnownIds(member, was) };
	});
	const findPresent = finderIn(now);
	yield;
	const gone = before.members.filter((member) => findPresent(member).length === 0);
	yield;
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

/** Finds a person among others by their IDs; by the text of their own where it's none that tells who they are. */
function finderIn<M extends KnownMember>(members: readonly M[]): (member: KnownMember) => readonly M[] {
	const people = new People(members);
	const byText = new Map(members.map((member) => [member.id, [member]]));
	return ({ id, ids }) => (ids.length > 0 ? people.find(ids) : (byText.get(id) ?? []));
}

/**
 * Leaves out who may be one of the others although they have no ID in common: who is known only by number, of others who
 * are known only by a hidden ID, or the other way around.
 */
function apartFrom<P extends Person>(people: readonly P[], others: readonly Person[]): P[] {
	const kinds = oneOfEachKind(others);
	return people.filter((one) => !kinds.some((other) => mayBeSame(one, other)));
}

/** A member with everything that was known of them before: a number or hidden ID stays known while they are there. */
function withKnownIds(member: Member, was: readonly KnownMember[]): KnownMember {
	const { id, ids, role, number, lid, name } = member;
	const before = (field: 'number' | 'lid' | 'name') => was.map((one) => one[field]).find(Boolean);
	// An older ID of a kind that is shown now may be another form of it, and says no more.
	const older = was.flatMap((one) => one.ids.filter((old) => !ids.some(({ kind }) => kind === old.kind)));
	return {
		id,
		ids: distinct([...ids, ...older]),
		role: role ?? roleBefore(was),
		number: number ?? before('number'),
		lid: lid ?? before('lid'),
		name: name ?? before('name'),
	};
}

/** Tells a change of role. Who created the group is an admin like the others here, and an unknown role is no change. */
function roleChange(member: KnownMember, was: readonly KnownMember[]): MemberChange[] {
	const previousRole = roleBefore(was);
	if (previousRole === undefined || isAdmin(member) === isAdmin({ role: previousRole })) return [];
	return [{ change: isAdmin(member) ? 'promoted' : 'demoted', member, previousRole }];
}

function roleBefore(was: readonly KnownMember[]): Role | undefined {
	return (was.find(isAdmin) ?? was.find(({ role }) => role !== undefined))?.role;
}

function isAdmin({ role }: Pick<KnownMember, 'role'>): boolean {
	return role !== undefined && role !== 'member';
}
