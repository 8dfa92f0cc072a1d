import type { Applied } from '../outcomes';
import { canonicalIdentityOf, isPhone } from '../identity';
import { hasNumber, People } from '../people';
import type { Member } from '../../gateway/replies/members';
import { whoIsKept, type KeptReason, type WhyKept } from './keptMembers';
import { findListed, type ListedPerson } from './matchList';
import type { Recalled } from './memory';
import type { PlanRules, Row } from './rules';

/** Whom a decision is about. */
interface About<R extends Row> {
	/** The rows that name them, in input order; none for a member who isn't in the list. */
	readonly rows: readonly R[];
	readonly shouldBeMember: boolean;
	/** Their identities, of the rows and of the members. */
	readonly ids: readonly string[];
	/** The members who they are or may be, in the order of the group. */
	readonly members: readonly Member[];
}

/** Somebody whom the list names. */
interface AboutListed<R extends Row> extends About<R> {
	readonly rows: readonly [R, ...R[]];
}

/** Somebody who is to be added. */
export interface Addition<R extends Row> extends AboutListed<R> {
	readonly action: 'add';
	readonly outcome: 'planned';
	readonly sentAs: string;
	/** When they were refused last, ms since 1970; nothing where that isn't remembered. */
	readonly refusedAt?: number | undefined;
}

/** Somebody who is to be removed, by their own ID as the gateway lists it. */
export interface Removal<R extends Row> extends About<R> {
	readonly action: 'remove';
	readonly outcome: 'planned';
	readonly sentAs: string;
	readonly member: Member;
}

/** Somebody who should be a member and isn't added in this run. */
export interface Postponed<R extends Row> extends AboutListed<R> {
	readonly action: 'add';
	readonly outcome: 'postponed';
	readonly sentAs: string;
	readonly reason: 'maxAdditions' | 'refusedLately';
	/** What was said, where they were refused lately. */
	readonly refusal?: Recalled;
}

/** Somebody who would have to go, and is kept. */
export interface Kept<R extends Row> extends About<R> {
	readonly action: 'none';
	readonly outcome: 'kept';
	readonly reason: KeptReason;
}

/** Somebody with whom all is as asked, or of whom that isn't known. */
export interface AsIs<R extends Row> extends About<R> {
	readonly action: 'none';
	readonly outcome: 'unchanged' | 'unconfirmed';
}

/** What is decided about one person. */
export type Decision<R extends Row = Row> = Addition<R> | Removal<R> | Postponed<R> | Kept<R> | AsIs<R>;

/** A member whom one row wants in the group and another one doesn't, under different IDs. */
export interface Contradiction<R extends Row = Row> {
	readonly wanted: R;
	readonly unwanted: R;
}

/** What is to become of one group. */
export interface Plan<R extends Row = Row> {
	/** People of the list in the order of their first rows, then members not in it as the gateway lists them. */
	readonly decisions: ReadonlyArray<Decision<R>>;
	readonly members: People<Member>;
	/** The instance's own account among the members; none where it isn't known or not found. */
	readonly self: readonly Member[];
	readonly contradictions: ReadonlyArray<Contradiction<R>>;
	/** How many members aren't in the list and stay. */
	readonly unlistedKept: number;
}

/**
 * Decides about every person of a list, and with `unlisted: remove` about every member who isn't in it. Whoever may be
 * somebody who has to stay is kept. Nothing may be sent before `check` has looked at the plan.
 *
 * @param rows those of one group that are valid, in input order
 * @param memberList the members as the gateway lists them
 */
export function plan<R extends Row>(
	rows: readonly R[],
	memberList: readonly Member[],
	rules: PlanRules,
): Plan<R> {
	const members = new People(memberList);
	const listed = findListed(rows, members, rules.exactNumbers);
	const whyKept = whoIsKept(listed, members, rules);
	const showsAll = memberList.every(hasNumber);
	const inList = new Set(listed.flatMap((person) => person.members));
	const notInList = memberList.filter((member) => !inList.has(member));
	const unlisted = rules.unlisted === 'remove' ? notInList : [];
	const decisions = [
		...listed.map((person) =>
			person.shouldBeMember
				? aboutWanted(person, rules)
				: aboutUnwanted(person, showsAll, whyKept.listed, rules),
		),
		...unlisted.map((member) => removeOrKeep<R>(aboutMember(member), [member], whyKept.unlisted)),
	];
	const unlistedGo = decisions.filter(({ rows: named, action }) => named.length === 0 && action === 'remove');
	return {
		decisions,
		members,
		self: members.find(rules.own),
		contradictions: contradictionsAmong(listed),
		unlistedKept: notInList.length - unlistedGo.length,
	};
}

function aboutListed<R extends Row>({ rows, shouldBeMember, ids, members }: ListedPerson<R>): AboutListed<R> {
	const all = new Set([...ids, ...members.flatMap((member) => member.ids)]);
	return { rows, shouldBeMember, ids: [...all], members };
}

function aboutMember<R extends Row>(member: Member): About<R> {
	return { rows: [], shouldBeMember: false, ids: member.ids, members: [member] };
}

/** Somebody who isn't found is added even where a member without a number may be them: the gateway knows them. */
function aboutWanted<R extends Row>(person: ListedPerson<R>, { recall }: PlanRules): Decision<R> {
	const about = aboutListed(person);
	if (about.members.length > 0) return { ...about, action: 'none', outcome: 'unchanged' };
	const { sentAs } = person;
	const refusal = recall(about.ids);
	if (refusal?.isRecent)
		return { ...about, action: 'add', outcome: 'postponed', sentAs, reason: 'refusedLately', refusal };
	return { ...about, action: 'add', outcome: 'planned', sentAs, refusedAt: refusal?.at };
}

/** @param showsAll whether every member has a number, so that somebody whose number isn't there isn't either */
function aboutUnwanted<R extends Row>(
	person: ListedPerson<R>,
	showsAll: boolean,
	whyKept: WhyKept,
	{ own }: PlanRules,
): Decision<R> {
	const about = aboutListed(person);
	const fitting = person.members.length > 0 ? person.members : person.otherForms;
	if (fitting.length > 0) return removeOrKeep(about, fitting, whyKept);
	const ownForms = new Set(own.map(canonicalIdentityOf));
	// The account is in the group whose members it can read, whether they show its number or not.
	if (about.ids.some((id) => ownForms.has(canonicalIdentityOf(id))))
		return { ...about, action: 'none', outcome: 'kept', reason: 'self' };
	const isGone = showsAll && about.ids.every(isPhone);
	return { ...about, action: 'none', outcome: isGone ? 'unchanged' : 'unconfirmed' };
}

/** @param fitting the members who they may be: one, or several, of whom nobody is removed */
function removeOrKeep<R extends Row>(
	about: About<R>,
	fitting: readonly Member[],
	whyKept: WhyKept,
): Decision<R> {
	const [member, ...others] = fitting;
	const reasons = new Set(fitting.map(whyKept));
	const [reason] = reasons;
	if (member !== undefined && others.length === 0 && reason === undefined)
		return { ...about, action: 'remove', outcome: 'planned', sentAs: member.id, member };
	return { ...about, action: 'none', outcome: 'kept', reason: (reasons.size === 1 && reason) || 'ambiguous' };
}

function contradictionsAmong<R extends Row>(listed: ReadonlyArray<ListedPerson<R>>): Array<Contradiction<R>> {
	const pairs = (shouldBeMember: boolean) =>
		listed
			.filter((person) => person.shouldBeMember === shouldBeMember)
			.flatMap(({ rows: [row], members }) => members.map((member) => [member, row] as const));
	const wantedBy = new Map(pairs(true));
	return pairs(false).flatMap(([member, unwanted]) => {
		const wanted = wantedBy.get(member);
		return wanted === undefined ? [] : [{ wanted, unwanted }];
	});
}

/** Whether the group is as asked after a decision for which nothing is sent; `null` also where it isn't sent yet. */
export function appliedBy(decision: Decision): Applied {
	if (decision.outcome === 'kept') return CERTAIN.has(decision.reason) ? true : null;
	return APPLIED[decision.outcome];
}

const APPLIED = { planned: null, unchanged: true, unconfirmed: null, postponed: false } as const;

/** Reasons that are a rule's; the others are doubts. */
const CERTAIN: ReadonlySet<KeptReason> = new Set(['self', 'protected', 'admin']);
