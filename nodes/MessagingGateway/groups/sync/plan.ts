import { distinct, type Identity } from '../identity';
import type { Member } from '../member';
import type { Applied } from '../outcomes';
import { hasNumber, People } from '../people';
import { keptMembers, type KeptReason, type WhyKept } from './keptMembers';
import { findListed, type ListedPerson } from './matchList';
import type { PastRefusal } from './memory';
import type { PlanRules, Row } from './rules';

/** Whom a decision is about. */
interface Subject {
	/** The rows that name them, in input order; none for a member who isn't in the list. */
	readonly rows: readonly Row[];
	readonly shouldBeMember: boolean;
	/** Their identities, of the rows and of the members. */
	readonly ids: readonly Identity[];
	/** The members who they are or may be, in the order of the group. */
	readonly members: readonly Member[];
}

/** A person whom the list names. */
interface ListedSubject extends Subject {
	readonly rows: readonly [Row, ...Row[]];
}

/** A person to add. */
export interface Addition extends ListedSubject {
	readonly action: 'add';
	readonly outcome: 'planned';
	readonly sentAs: string;
	/** When they were refused last, ms since 1970; `undefined` where that isn't remembered. */
	readonly refusedAt?: number | undefined;
}

/** A person to remove, by their own ID as the gateway lists it. */
export interface Removal extends Subject {
	readonly action: 'remove';
	readonly outcome: 'planned';
	readonly sentAs: string;
	readonly member: Member;
}

/** A person who should be a member and isn't added in this run. */
export interface Postponement extends ListedSubject {
	readonly action: 'add';
	readonly outcome: 'postponed';
	readonly sentAs: string;
	readonly reason: 'maxAdditions' | 'refusedLately';
	/** What was said, where they were refused lately. */
	readonly refusal?: PastRefusal;
}

/** A person who would have to go, and is kept. */
export interface Retention extends Subject {
	readonly action: 'none';
	readonly outcome: 'kept';
	readonly reason: KeptReason;
}

/** A person with whom all is as asked, or of whom that isn't known. */
export interface NoChange extends Subject {
	readonly action: 'none';
	readonly outcome: 'unchanged' | 'unconfirmed';
}

/** A decision for which something is sent. */
export type SentDecision = Addition | Removal;

/** What is decided about one person. */
export type Decision = SentDecision | Postponement | Retention | NoChange;

/** A member whom one row wants in the group and another one doesn't, under different IDs. */
export interface Contradiction {
	readonly wanted: Row;
	readonly unwanted: Row;
}

/** What is to become of one group. */
export interface Plan {
	/** People of the list in the order of their first rows, then members not in it as the gateway lists them. */
	readonly decisions: readonly Decision[];
	readonly members: People<Member>;
	/** The instance's own account among the members; none where it isn't known or not found. */
	readonly self: readonly Member[];
	readonly contradictions: readonly Contradiction[];
	/** How many members aren't in the list and stay. */
	readonly unlistedKept: number;
}

/**
 * Decides about every person of a list, and with `unlisted: remove` about every member who isn't in it. Who may have
 * to stay is kept. Nothing may be sent before `check` has looked at the plan.
 *
 * @param rows those of one group that are valid, in input order
 * @param memberList the members as the gateway lists them
 */
export function plan(rows: readonly Row[], memberList: readonly Member[], rules: PlanRules): Plan {
	const members = new People(memberList);
	const listed = findListed(rows, members, rules.exactNumbers);
	const whyKept = keptMembers(listed, members, rules);
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
		...unlisted.map((member) => removeOrKeep(memberSubject(member), [member], whyKept.unlisted)),
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

function listedSubject({ rows, shouldBeMember, ids, members }: ListedPerson): ListedSubject {
	const all = distinct([...ids, ...members.flatMap((member) => member.ids)]);
	return { rows, shouldBeMember, ids: all, members };
}

function memberSubject(member: Member): Subject {
	return { rows: [], shouldBeMember: false, ids: member.ids, members: [member] };
}

/** Who isn't found is added even where a member without a number may be them: the gateway knows them. */
function aboutWanted(person: ListedPerson, { recall }: PlanRules): Decision {
	const subject = listedSubject(person);
	if (subject.members.length > 0) return { ...subject, action: 'none', outcome: 'unchanged' };
	const [
		{
			participant: { sentAs },
		},
	] = person.rows;
	const refusal = recall(subject.ids);
	if (refusal?.isRecent)
		return { ...subject, action: 'add', outcome: 'postponed', sentAs, reason: 'refusedLately', refusal };
	return { ...subject, action: 'add', outcome: 'planned', sentAs, refusedAt: refusal?.at };
}

/** @param showsAll whether every member has a number, so that who isn't found isn't there */
function aboutUnwanted(
	person: ListedPerson,
	showsAll: boolean,
	whyKept: WhyKept,
	{ own }: PlanRules,
): Decision {
	const subject = listedSubject(person);
	const fitting = person.members.length > 0 ? person.members : person.otherForms;
	if (fitting.length > 0) return removeOrKeep(subject, fitting, whyKept);
	const ownForms = new Set(own.map(({ canonical }) => canonical));
	// The account is in the group whose members it can read, whether they show its number or not.
	if (subject.ids.some(({ canonical }) => ownForms.has(canonical)))
		return { ...subject, action: 'none', outcome: 'kept', reason: 'self' };
	const isGone = showsAll && subject.ids.every(({ kind }) => kind === 'phone');
	return { ...subject, action: 'none', outcome: isGone ? 'unchanged' : 'unconfirmed' };
}

/** @param fitting the members who they may be: one, or several, of whom nobody is removed */
function removeOrKeep(subject: Subject, fitting: readonly Member[], whyKept: WhyKept): Decision {
	const [member, ...others] = fitting;
	const reasons = new Set(fitting.map(whyKept));
	const [reason] = reasons;
	if (member !== undefined && others.length === 0 && reason === undefined)
		return { ...subject, action: 'remove', outcome: 'planned', sentAs: ownIdOf(member), member };
	return {
		...subject,
		action: 'none',
		outcome: 'kept',
		reason: (reasons.size === 1 && reason) || 'ambiguous',
	};
}

/** The ID as the gateway lists it; the same account in a form that gateways leave as it is. */
function ownIdOf({ id }: Member): string {
	return id.replace(/@c\.us$/, '@s.whatsapp.net');
}

function contradictionsAmong(listed: readonly ListedPerson[]): Contradiction[] {
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
