import type { Identity } from '../identity';
import type { Member, People, Person } from '../people';
import { hasHiddenId, hasNumber } from '../people';
import type { ListedPerson } from './matchList';
import type { PlanRules } from './rules';

/** Reason to keep a person who would have to go otherwise. */
export type KeptReason = 'self' | 'protected' | 'admin' | 'ambiguous' | 'unidentified' | 'badRow';

/** Gives the reason to keep a member; `undefined` where they may be removed. */
export type WhyKept = (member: Member) => KeptReason | undefined;

/** Says why members stay whom a row names, and others; and whether one may be in the list under an ID that no member shows. */
export function keptMembers(
	listed: readonly ListedPerson[],
	members: People<Member>,
	{ own, protected: protectedIds, removeAdmins, badRow }: PlanRules,
): { listed: WhyKept; unlisted: WhyKept; perhapsListed: (member: Member) => boolean } {
	const self = new Set(members.find(own));
	const protectedMembers = new Set(members.find(protectedIds));
	// Several members fit, or a member has another form of a number that counts as it is spelled.
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

	// The first that applies counts. Rules come first: they are certain.
	const hasRoles = members.all.some(({ role }) => role !== undefined);
	const rulesAndDoubts: Parameters<typeof firstOf>[0] = [
		['self', (member) => self.has(member)],
		['protected', (member) => protectedMembers.has(member)],
		['admin', ({ role }) => role === 'superAdmin' || (role === 'admin' && !removeAdmins)],
		// Without any role, the whole group is stopped.
		['unidentified', ({ role }) => role === undefined && hasRoles],
		['ambiguous', (member) => ambiguous.has(member)],
		['unidentified', mayBeProtected],
		// The account is an admin, or it couldn't change anything.
		['unidentified', (member) => member.role !== 'member' && mayBeOwn(member)],
	];
	const isUnmatched = (member: Member) => !hasNumber(member) || perhapsListed(member);
	return {
		listed: firstOf([...rulesAndDoubts, ['badRow', () => badRow]]),
		unlisted: firstOf([...rulesAndDoubts, ['unidentified', isUnmatched], ['badRow', () => badRow]]),
		perhapsListed,
	};
}

function firstOf(reasons: ReadonlyArray<[KeptReason, (member: Member) => boolean]>): WhyKept {
	return (member) => reasons.find(([, applies]) => applies(member))?.[0];
}

/** Makes a test whether a member may have an unseen ID: the gateway shows no ID of that kind for the member. */
function isPerhapsOneOf(unseenIds: readonly Identity[]): (person: Person) => boolean {
	const numbers = unseenIds.some(({ kind }) => kind === 'phone');
	const hiddenIds = unseenIds.some(({ kind }) => kind === 'hidden');
	return (person) => (numbers && !hasNumber(person)) || (hiddenIds && !hasHiddenId(person));
}
