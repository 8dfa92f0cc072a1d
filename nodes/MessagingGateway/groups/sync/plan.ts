import { mapInSteps, type Steps } from '../../common/steps';
import { distinct, type Identity } from '../identity';
import type { Member } from '../member';
import { isEmpty, type Facts } from '../memory/facts';
import { WORDING, type Applied } from '../outcomes';
import { hasNumber, kindsShown, People } from '../people';
import { decideMissing, factsSeen, lastAsked, staysUntil, type MemoryRules, type Presence } from './decide';
import { keptMembers, type KeptReason, type WhyKept } from './keptMembers';
import { findListed, type ListedPerson } from './matchList';
import type { PlanRules, Row } from './rules';

/** Whom a decision is about: a person of the list, or a member who isn't in it and whom no row names. */
interface Subject extends Pick<ListedPerson, 'shouldBeMember' | 'members'> {
	readonly rows: readonly Row[];
	/** Their identities, of the rows and of the members. */
	readonly ids: readonly Identity[];
	/** What was remembered of them, and what is once it's known who is in the group. */
	readonly before: Facts;
	readonly facts: Facts;
}

/** A person to whom something is to be done in this run. */
interface Sent extends Subject {
	readonly outcome: 'planned';
	readonly sentAs: string;
	/** Why a real run would not do it. */
	readonly reason?: 'maxRemovalPercent';
}

/** A person to add. */
export interface Addition extends Sent {
	readonly rows: readonly [Row, ...Row[]];
	readonly action: 'add';
	/** When they were asked for last, ms since 1970; 0 if that isn't remembered. */
	readonly askedAt: number;
}

/** A person to remove, by their own ID as the gateway lists it. */
export interface Removal extends Sent {
	readonly action: 'remove';
	readonly member: Member;
}

/** A person who isn't added or removed in this run, though they should be. */
export interface Postponement extends Subject {
	readonly action: 'add' | 'remove';
	readonly outcome: 'postponed';
	readonly sentAs: string;
	readonly reason: 'maxAdditions' | 'refusedLately' | 'maxRemovals' | 'removeAfter';
	/** When their time comes, ms since 1970; `undefined` for the next run. */
	readonly until?: number | undefined;
}

/** A person who would have to go, and is kept. */
export interface Retention extends Subject {
	readonly action: 'none';
	readonly outcome: 'kept';
	readonly reason: KeptReason | 'maxRemovalPercent';
}

/** A person with whom all is as asked, or of whom that isn't known, or who left and stays out. */
export interface NoChange extends Subject {
	readonly action: 'none';
	/** `rejected`: wasn't a member, and is one by what the group showed when it was read again. */
	readonly outcome: 'unchanged' | 'unconfirmed' | 'left' | 'rejected';
	/** When a person who may be a member is asked for again, ms since 1970; `undefined` for never. */
	readonly until?: number | undefined;
}

/** A decision for which something is sent. */
export type SentDecision = Addition | Removal;

/** What is decided about one person. */
export type Decision = SentDecision | Postponement | Retention | NoChange;

/** What is to become of one group. */
export interface Plan {
	/** People of the list in the order of their first rows, then members not in it as the gateway lists them. */
	readonly decisions: readonly Decision[];
	readonly members: People<Member>;
	/** The instance's own account among the members; none where it isn't known or not found. */
	readonly self: readonly Member[];
	/** Of each member whom one row wants in the group and another one doesn't, under different IDs. */
	readonly contradictions: ReadonlyArray<readonly [wanted: Row, unwanted: Row]>;
	/** Of which kinds every member shows an ID, so that people who aren't found by theirs aren't there. */
	readonly shows: ReturnType<typeof kindsShown>;
	/** How many members besides the own account certainly aren't in the list and stay. */
	readonly unlistedKept: number;
	/** How many members may be in the list by a number that the gateway doesn't show of them. */
	readonly withoutNumber: number;
	/** And how many others by a hidden ID that it doesn't show. */
	readonly withoutHiddenId: number;
}

/**
 * Decides about every person of a list, and with `unlisted: remove` about every member who isn't in it. Who may have
 * to stay is kept. Nothing may be sent before `check` has looked at the plan.
 *
 * @param rows those of one group that are valid, in input order
 * @param memberList the members as the gateway lists them
 */
export function* plan(rows: readonly Row[], memberList: readonly Member[], rules: PlanRules): Steps<Plan> {
	const members = new People(memberList);
	const listed = yield* findListed(rows, members, rules.exactNumbers);
	yield;
	const whyKept = keptMembers(listed, members, rules);
	yield;
	const shows = kindsShown(memberList);
	const inList = new Set(listed.flatMap((person) => person.members));
	const notInList = memberList.filter((member) => !inList.has(member));
	const ofList = yield* mapInSteps(listed, (person) => aboutListed(person, shows, whyKept.listed, rules));
	const unlisted = rules.unlisted === 'remove' ? notInList : [];
	const ofOthers = yield* mapInSteps(unlisted, (member) => {
		const { ids } = member;
		const subject = { rows: [], shouldBeMember: false, ids, members: [member], before: {}, facts: {} };
		return removeOrKeep(subject, [member], whyKept.unlisted);
	});
	yield;
	const contradictions = contradictionsAmong(listed);
	yield;
	const self = members.find(rules.own);
	const notCounted = new Set([
		...self,
		...listed.flatMap(({ otherForms }) => otherForms),
		...ofOthers.flatMap(({ action, members: removed }) => (action === 'remove' ? removed : [])),
	]);
	const kept = notInList.filter((member) => !notCounted.has(member));
	const perhapsListed = kept.filter(whyKept.perhapsListed);
	const withoutNumber = perhapsListed.filter((member) => !hasNumber(member)).length;
	return {
		decisions: [...ofList, ...ofOthers],
		members,
		self,
		contradictions,
		shows,
		// A bad item may name any of them.
		unlistedKept: rules.badRow ? 0 : kept.length - perhapsListed.length,
		withoutNumber,
		withoutHiddenId: perhapsListed.length - withoutNumber,
	};
}

function aboutListed(
	person: ListedPerson,
	shows: Plan['shows'],
	whyKept: WhyKept,
	rules: PlanRules,
): Decision {
	const presence = presenceOf(person, shows);
	const subject = listedSubject(person, presence, rules);
	return person.shouldBeMember
		? aboutWanted(subject, presence, rules)
		: aboutUnwanted(subject, person.otherForms, presence, whyKept, rules);
}

function listedSubject(
	{ rows, shouldBeMember, ids, members }: ListedPerson,
	presence: Presence,
	{ recall, now }: PlanRules,
): Subject & Pick<Addition, 'rows'> {
	const all = distinct([...ids, ...members.flatMap((member) => member.ids)]);
	const memories = rows.flatMap(({ memory }) => memory ?? []);
	const told = memories.find(({ facts }) => !isEmpty(facts))?.facts ?? {};
	const before = memories.length === 0 ? recall(all) : told;
	const facts = factsSeen(before, presence, { shouldBeMember, now });
	return { rows, shouldBeMember, ids: all, members, before, facts };
}

/** Whom a decision is about, without the decision. */
export function subjectOf({ rows, shouldBeMember, ids, members, before, facts }: Subject): Subject {
	return { rows, shouldBeMember, ids, members, before, facts };
}

/** Certain is it only of IDs of a kind that every member shows, and where no other form of a number is a member. */
function presenceOf({ members, otherForms, ids }: ListedPerson, shows: Plan['shows']): Presence {
	if (members.length > 0) return 'found';
	return otherForms.length === 0 && ids.every(({ kind }) => shows[kind]) ? 'absent' : 'unsure';
}

/** What counts for one person: of several rows the most careful. */
function memoryRulesOf(rows: readonly Row[], { now, retryRefusedAfter }: PlanRules): MemoryRules {
	return {
		now,
		retryRefusedAfter,
		whoLeft: rows.some(({ memory }) => memory?.whoLeft === 'keepOut') ? 'keepOut' : 'addAgain',
		removeAfter: rows.reduce((most, { memory }) => Math.max(most, memory?.removeAfter ?? 0), 0),
	};
}

/** People who aren't found are added even where a member without a number may be them: the gateway knows them. */
function aboutWanted(
	subject: Subject & Pick<Addition, 'rows'>,
	presence: Presence,
	rules: PlanRules,
): Decision {
	if (presence === 'found') return { ...subject, action: 'none', outcome: 'unchanged' };
	const { rows, facts } = subject;
	const { sentAs } = rows[0].participant;
	const { do: what, until } = decideMissing(facts, presence, memoryRulesOf(rows, rules));
	switch (what) {
		case 'add':
			return { ...subject, action: 'add', outcome: 'planned', sentAs, askedAt: lastAsked(facts) };
		case 'refusedLately':
			return { ...subject, action: 'add', outcome: 'postponed', sentAs, reason: what, until };
		default:
			return { ...subject, action: 'none', outcome: what === 'left' ? what : 'unconfirmed', until };
	}
}

function aboutUnwanted(
	subject: Subject,
	otherForms: readonly Member[],
	presence: Presence,
	whyKept: WhyKept,
	rules: PlanRules,
): Decision {
	const fitting = subject.members.length > 0 ? subject.members : otherForms;
	if (fitting.length > 0) {
		const decision = removeOrKeep(subject, fitting, whyKept);
		const until = staysUntil(subject.facts, memoryRulesOf(subject.rows, rules));
		if (decision.action !== 'remove' || until === undefined) return decision;
		return { ...decision, outcome: 'postponed', reason: 'removeAfter', until };
	}
	const ownForms = new Set(rules.own.map(({ canonical }) => canonical));
	// The account is in the group whose members it can read, whether they show its number or not.
	if (subject.ids.some(({ canonical }) => ownForms.has(canonical)))
		return { ...subject, action: 'none', outcome: 'kept', reason: 'self' };
	// A hidden ID that no member shows may belong to any of them.
	const isGone = presence === 'absent' && subject.ids.every(({ kind }) => kind === 'phone');
	return { ...subject, action: 'none', outcome: isGone ? 'unchanged' : 'unconfirmed' };
}

/** @param fitting the members who they may be: one, or several, of whom nobody is removed */
function removeOrKeep(subject: Subject, fitting: readonly Member[], whyKept: WhyKept): Removal | Retention {
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

/** The order of a run. Removals make room. Those who go alone go last, since it isn't known what came of them. */
export const PHASES = ['remove', 'add', 'addAlone'] as const;
export type Phase = (typeof PHASES)[number];

/** With whom a change goes: people go alone in a request if it isn't known what came of the last one. */
export function phaseOf({ action, facts: { asked } }: SentDecision | Postponement): Phase {
	return action === 'add' && asked !== undefined ? 'addAlone' : action;
}

/** The decisions of a plan for which something is sent, in its order. */
export function sentIn({ decisions }: Plan): SentDecision[] {
	return decisions.filter((one) => one.outcome === 'planned');
}

/** Whom it adds. */
export function additionsIn(plan: Plan): Addition[] {
	return sentIn(plan).filter((one) => one.action === 'add');
}

/** Whom it removes. */
export function removalsIn(plan: Plan): Removal[] {
	return sentIn(plan).filter((one) => one.action === 'remove');
}

function contradictionsAmong(listed: readonly ListedPerson[]): Plan['contradictions'] {
	const pairs = (shouldBeMember: boolean) =>
		listed
			.filter((person) => person.shouldBeMember === shouldBeMember)
			.flatMap(({ rows: [row], members }) => members.map((member) => [member, row] as const));
	const wantedBy = new Map(pairs(true));
	return pairs(false).flatMap(([member, unwanted]) => {
		const wanted = wantedBy.get(member);
		return wanted === undefined ? [] : [[wanted, unwanted]];
	});
}

/** Whether the group is as asked after a decision for which nothing is sent; `null` also where it isn't sent yet. */
export function appliedBy(decision: Decision): Applied {
	const isRule = decision.outcome === 'kept' && CERTAIN.has(decision.reason);
	return isRule || WORDING[decision.outcome].applied;
}

/** Reasons that are a rule's; the others are doubts. */
const CERTAIN: ReadonlySet<Retention['reason']> = new Set(['self', 'protected', 'admin']);
