import type { Identity } from '../identity';
import type { Member, People, Person } from '../people';
import { hasHiddenId, hasNumber } from '../people';
import type { ListedPerson } from './matchList';
import type { PlanRules } from './rules';

/** Reason to keep a person who would have to go otherwise. */
export type KeptReason = 'self' | 'protected' | 'admin' | 'ambiguous' | 'unidentified' | 'badRow';

interface Keeping {
	readonly reason: KeptReason;
	/** More of the reason, which a hint says with the number of people. */
	readonly because?: string;
}

/** Says why a member is kept; `undefined` where they may be removed. */
export type WhyKept = (member: Member) => Keeping | undefined;

/** Says why members stay whom a row names, and others; and who may be in the list under an unseen ID. */
export function keptMembers(
	listed: readonly ListedPerson[],
	members: People<Member>,
	{ own, protected: protectedIds, withheld, bare, removeAdmins, badRow }: PlanRules,
) {
	const self = new Set(members.find(own));
	const protectedMembers = new Set(members.find(protectedIds));
	const isUnseen = (id: Identity) => members.find([id]).length === 0;
	const unseenProtected = protectedIds.filter(isUnseen);
	const unseenWithheld = withheld.filter(isUnseen);
	const unseenOwn = own.filter(isUnseen);
	const staying = new Map([
		...bare.flatMap((digits) => abroad(members, digits)),
		...near(members, unseenOwn, ", the instance's own account"),
		...near(members, unseenWithheld, ''),
		...near(members, unseenProtected, " of 'Protected Participants'"),
		...lookalikesAmong(listed, true),
	]);
	const mayBe = new Map([...lookalikesAmong(listed, false), ...staying]);
	const severalFit = new Set(listed.flatMap(({ members: fitting }) => (fitting.length > 1 ? fitting : [])));
	const wanted = new Set(listed.flatMap((person) => (person.shouldBeMember ? person.members : [])));
	const perhapsListed = isPerhapsOneOf(listed.flatMap(unseenIdsOf));
	// The first that applies counts. Rules come first: they are certain.
	const reasons: ReadonlyArray<[Keeping | KeptReason, applies: (member: Member) => boolean, 'unlisted'?]> = [
		['self', (member) => self.has(member)],
		['protected', (member) => protectedMembers.has(member)],
		['admin', ({ role }) => role === 'superAdmin' || (role === 'admin' && !removeAdmins)],
		// Who created the group may be any of them.
		[NO_ROLE, ({ role }) => role === undefined],
		[WANTED, (member) => wanted.has(member)],
		['ambiguous', (member) => severalFit.has(member) || staying.has(member)],
		['unidentified', isPerhapsOneOf([...unseenProtected, ...unseenWithheld])],
		// The account is an admin, or it couldn't change anything. It would remove itself.
		[NO_OWN, ({ role }) => role === 'admin' && self.size === 0],
		// A row may name the member by the other number: then both say that they should leave.
		['ambiguous', (member) => mayBe.has(member), 'unlisted'],
		['unidentified', (member) => !hasNumber(member) || perhapsListed(member), 'unlisted'],
		['badRow', () => badRow],
	];
	const whyKept =
		(of: 'listed' | 'unlisted'): WhyKept =>
		(member) => {
			const [why] = reasons.find(([, applies, only = of]) => only === of && applies(member)) ?? [];
			return typeof why === 'string' ? { reason: why } : why;
		};
	return { listed: whyKept('listed'), unlisted: whyKept('unlisted'), perhapsListed, mayBe };
}

const NO_ROLE: Keeping = { reason: 'unidentified', because: "the gateway doesn't show who is an admin" };
const NO_OWN: Keeping = {
	reason: 'unidentified',
	because: "it isn't known which member is the instance's own account",
};
const WANTED: Keeping = {
	reason: 'ambiguous',
	because: 'the list wants them under one ID and not under another',
};

/** Lists the IDs of a person who isn't found. A number that isn't one may be a hidden ID. */
function unseenIdsOf({ ids, members, lookalikes }: ListedPerson): Identity[] {
	if (members.length > 0) return [];
	return lookalikes.length === 0 ? ids : ids.filter(({ kind }) => kind !== 'other');
}

/** Lists the members who may be somebody in the list, each with that person. */
function lookalikesAmong(listed: readonly ListedPerson[], stays: boolean) {
	return listed
		.filter(({ shouldBeMember }) => shouldBeMember === stays)
		.flatMap(({ rows: [{ item, participant }], lookalikes }) =>
			lookalikes.map((member): [Member, [given: string, item?: number]] => [
				member,
				[participant.given, item],
			]),
		);
}

/** Lists the members with nearly the same number as one of these. @param suffix says whose number that is */
function near(members: People<Member>, ids: readonly Identity[], suffix: string) {
	return ids.flatMap((id) =>
		members.findNearby([id]).map((member): [Member, [given: string]] => [member, [`+${id.digits}${suffix}`]]),
	);
}

/** Lists the members with this number behind a country code. */
function abroad(members: People<Member>, digits: string) {
	return members.findAbroad(digits, []).map((member): [Member, [given: string]] => [member, [digits]]);
}

/** Makes a test whether a member may have an unseen ID: the gateway shows none of that kind for them. */
function isPerhapsOneOf(unseenIds: readonly Identity[]): (person: Person) => boolean {
	const numbers = unseenIds.some(({ kind }) => kind !== 'hidden');
	const hiddenIds = unseenIds.some(({ kind }) => kind !== 'phone');
	return (person) => (numbers && !hasNumber(person)) || (hiddenIds && !hasHiddenId(person));
}
