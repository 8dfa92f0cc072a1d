import type { Identity } from '../identity';
import type { Member } from '../member';
import { hasHiddenId, hasNumber, type People, type Person } from '../people';
import type { ListedPerson } from './matchList';
import type { PlanRules } from './rules';

/** Why a person is kept who would have to go otherwise. */
export type KeptReason = 'self' | 'protected' | 'admin' | 'ambiguous' | 'unidentified' | 'badRow';

/** Says why a member is kept; `undefined` where they may be removed. */
export type WhyKept = (member: Member) => KeptReason | undefined;

/**
 * Who is kept, whatever the list says: by a rule, or because it isn't certain that they are who should go.
 *
 * @returns why members are kept whom a row names, and whom no row names; and whether somebody in the list whom no member
 * shows may be a member
 */
export function keptMembers(
	listed: readonly ListedPerson[],
	members: People<Member>,
	{ own, protected: protectedIds, removeAdmins, badRow }: PlanRules,
): { listed: WhyKept; unlisted: WhyKept; perhapsListed: (member: Member) => boolean } {
	const self = new Set(members.find(own));
	const protectedMembers = new Set(members.find(protectedIds));
	// Of whom it isn't certain that they are who is listed: several fit, or another form of a number as it is spelled does.
	const ambiguous = new Set(
		listed.flatMap(({ members: fitting, otherForms, shouldBeMember }) => [
			...(fitting.length > 1 ? fitting : []),
			...(shouldBeMember || fitting.length === 0 ? otherForms : []),
		]),
	);
	const isUnseen = (id: Identity) => members.find([id]).length === 0;
	const mayBeProtected = isPerhapsOneOf(protectedIds.filter(isUnseen));
	const mayBeOwn = isPerhapsOneOf(own.filter(isUnseen));
	const unseen = listed.filter((person) => person.members.length === 0);
	const perhapsListed = isPerhapsOneOf(unseen.flatMap(({ ids }) => ids));
	// If no role is known, the group is stopped before anybody is removed.
	const showsRoles = members.all.some(({ role }) => role !== undefined);

	// The first that applies counts. Rules come first: they are certain.
	const always: Reasons = [
		['self', (member) => self.has(member)],
		['protected', (member) => protectedMembers.has(member)],
		['admin', ({ role }) => role === 'superAdmin' || (role === 'admin' && !removeAdmins)],
		['ambiguous', (member) => ambiguous.has(member)],
		['unidentified', ({ role }) => role === undefined && showsRoles],
		['unidentified', mayBeProtected],
		// The account is an admin, or it couldn't change anything.
		['unidentified', (member) => member.role !== 'member' && mayBeOwn(member)],
	];
	const ifUnlisted: Reasons = [
		...always,
		['unidentified', (member) => !hasNumber(member) || perhapsListed(member)],
		['badRow', () => badRow],
	];
	return { listed: firstOf(always), unlisted: firstOf(ifUnlisted), perhapsListed };
}

type Reasons = ReadonlyArray<[KeptReason, (member: Member) => boolean]>;

function firstOf(reasons: Reasons): WhyKept {
	return (member) => reasons.find(([, applies]) => applies(member))?.[0];
}

/** Whether a member may have one of some IDs that no member shows: the gateway shows no ID of that kind of theirs. */
function isPerhapsOneOf(unseenIds: readonly Identity[]): (person: Person) => boolean {
	const numbers = unseenIds.some(({ kind }) => kind === 'phone');
	const hiddenIds = unseenIds.some(({ kind }) => kind === 'hidden');
	return (person) => (numbers && !hasNumber(person)) || (hiddenIds && !hasHiddenId(person));
}
