import type { Entry } from '../change';
import { distinct, type Identity } from '../identity';
import { combine, dateIn, type Facts } from '../memory/fact';
import { decide, lastRunAmong, type MemoryRules, type Presence, type Step } from '../memory/meaning';
import { WORDING, type Applied } from '../outcomes';
import type { Member } from '../people';
import { kindsShown, People } from '../people';
import { keptMembers, type KeptReason, type WhyKept } from './keptMembers';
import { findListed, type ListedPerson } from './matchList';
import type { PlanRules, Row } from './rules';

/** One person, and what becomes of them: a record that each step of a run fills in. */
export interface Decision {
	/** In input order; empty for a member whom no row names. */
	readonly rows: readonly Row[];
	readonly shouldBeMember: boolean;
	/** The members that the person fits: none, one, or several that can't be told apart. */
	readonly members: readonly Member[];
	/** All identities, of the rows and of the members. */
	readonly ids: readonly Identity[];
	readonly presence: Presence;
	/** What was remembered, and what is so once the members are known. */
	readonly before: Facts;
	readonly facts: Facts;
	action: 'add' | 'remove' | 'none';
	/** `planned`: to be sent; in a dry run, what would be. */
	outcome: 'planned' | 'unchanged' | 'unconfirmed' | 'left' | 'kept' | 'postponed' | 'rejected';
	reason?: DecisionReason | undefined;
	/** The ID to send; `undefined` where nothing is or was to be sent. */
	sentAs?: string | undefined;
	/** When the time of a postponed change comes, ms since 1970. */
	until?: number | undefined;
	/** Whether the change goes alone in a request, and when the last one was tried (ms since 1970; 0: never). */
	alone?: boolean;
	triedAt?: number;
	/** What became of the change, and whether the group was read again for it. */
	entry?: Entry;
	isReread?: boolean;
	/** What is remembered after the run. */
	after?: Facts;
}

/** Why a person is kept or postponed. */
export type DecisionReason =
	| KeptReason
	| 'maxRemovalPercent'
	| 'maxAdditions'
	| 'maxRemovals'
	| 'removeAfter'
	| 'refusedLately'
	| 'groupFull'
	| 'notApproved';

/** What is to become of one group. */
export interface Plan {
	/** People of the list in the order of their first rows, then members not in it as the gateway lists them. */
	readonly decisions: readonly Decision[];
	readonly members: People<Member>;
	/** The instance's own account among the members; none where it isn't known or not found. */
	readonly self: readonly Member[];
	/** Of each member whom one row wants in the group and another one doesn't, under different IDs. */
	readonly contradictions: ReadonlyArray<readonly [wanted: Row, unwanted: Row]>;
	/** Tells which kinds of ID every member has. A person not found by such an ID isn't a member. */
	readonly shows: ReturnType<typeof kindsShown>;
	/** Number of members besides the own account that certainly aren't in the list and stay. */
	readonly unlistedKept: number;
	/** Number of members who may be in the list under an ID that the gateway doesn't show. */
	readonly unmatched: number;
}

/**
 * Decides about every person of a list, and with `unlisted: remove` about every member who isn't in it. Whoever may have
 * to stay is kept. Nothing may be sent before `check` has looked at the plan.
 *
 * @param rows the valid rows of one group, in input order
 * @param memberList the members as the gateway lists them
 */
export function plan(rows: readonly Row[], memberList: readonly Member[], rules: PlanRules): Plan {
	const members = new People(memberList);
	const listed = findListed(rows, members, rules.exactNumbers);
	const whyKept = keptMembers(listed, members, rules);
	const shows = kindsShown(memberList);
	const memoryRules = memoryRulesOf(rows, rules);
	const ofList = listed.map((person) =>
		aboutListed(person, { shows, whyKept: whyKept.listed, rules, memoryRules }),
	);
	const inList = new Set(listed.flatMap((person) => person.members));
	const notInList = memberList.filter((member) => !inList.has(member));
	const unlisted = rules.unlisted === 'remove' ? notInList : [];
	const ofOthers = unlisted.map((member) => {
		const person = { rows: [], shouldBeMember: false, ids: member.ids, members: [member] };
		return removeOrKeep(remembered(person, 'found', rules, memoryRules), [member], whyKept.unlisted);
	});
	const decisions = approvedOf([...ofList, ...ofOthers], rules.approved);
	const self = members.find(rules.own);
	const notCounted = new Set([
		// With `remove`, it is an item of its own.
		...(rules.unlisted === 'keep' ? self : []),
		...listed.flatMap(({ otherForms }) => otherForms),
		...ofOthers.flatMap(({ action, members: removed }) => (action === 'remove' ? removed : [])),
	]);
	const kept = notInList.filter((member) => !notCounted.has(member));
	const unmatched = kept.filter(whyKept.perhapsListed).length;
	return {
		decisions,
		members,
		self,
		contradictions: contradictionsAmong(listed),
		shows,
		// A bad item may name any of them.
		unlistedKept: rules.badRow ? 0 : kept.length - unmatched,
		unmatched,
	};
}

/** What a decision about a person of the list depends on, the same for the whole group. */
interface Basis {
	shows: Plan['shows'];
	whyKept: WhyKept;
	rules: PlanRules;
	memoryRules: MemoryRules;
}

function memoryRulesOf(rows: readonly Row[], rules: PlanRules): MemoryRules {
	const { now, retryRefusedAfter, whoLeft, removeAfter, unlisted } = rules;
	const dates = rows.map(({ memory }) => memory?.facts.member?.at);
	return { now, retryRefusedAfter, whoLeft, removeAfter, lastRun: lastRunAmong(dates, unlisted, now) };
}

/** A person with what is remembered of them, and what memory says to do next. */
interface Remembered extends Pick<
	Decision,
	'rows' | 'shouldBeMember' | 'members' | 'ids' | 'presence' | 'before' | 'facts'
> {
	step: Step;
}

function remembered(
	person: Pick<Decision, 'rows' | 'shouldBeMember' | 'members' | 'ids'>,
	presence: Presence,
	{ recall }: PlanRules,
	rules: MemoryRules,
): Remembered {
	const { rows, shouldBeMember, ids } = person;
	const memories = rows.flatMap(({ memory }) => memory?.facts ?? []);
	const ofRows = combine(memories);
	const isOfRows = dateIn(ofRows) > 0;
	const before = isOfRows ? ofRows : recall(ids, rows.length > 0);
	// Only rows tell who left.
	const ofPerson: MemoryRules = isOfRows ? rules : { ...rules, whoLeft: 'addAgain' };
	const { facts, step } = decide(before, { presence, shouldBeMember }, ofPerson);
	return { ...person, presence, before, facts, step };
}

function aboutListed(person: ListedPerson, { shows, whyKept, rules, memoryRules }: Basis): Decision {
	const { rows, shouldBeMember, members, otherForms } = person;
	const ids = distinct([...person.ids, ...members.flatMap((member) => member.ids)]);
	const presence = presenceOf(person, shows);
	const subject = remembered({ rows, shouldBeMember, ids, members }, presence, rules, memoryRules);
	if (shouldBeMember) return aboutWanted(subject, rows[0].participant.sentAs);
	const fitting = members.length > 0 ? members : otherForms;
	return fitting.length > 0 ? removeOrKeep(subject, fitting, whyKept) : aboutMissing(subject, rules);
}

/** Says whether the person is a member: certainly only by IDs of a kind that every member shows, in all their forms. */
function presenceOf({ members, otherForms, ids }: ListedPerson, shows: Plan['shows']): Presence {
	if (members.length > 0) return 'found';
	return otherForms.length === 0 && ids.every(({ kind }) => shows[kind]) ? 'absent' : 'unsure';
}

/** Decides about a person who should be a member. A member without a number may be them: the gateway knows that. */
function aboutWanted({ step, ...subject }: Remembered, sentAs: string): Decision {
	switch (step.do) {
		case 'send':
			return {
				...subject,
				action: 'add',
				outcome: 'planned',
				sentAs,
				alone: step.alone,
				triedAt: step.triedAt,
			};
		case 'wait':
			return {
				...subject,
				action: 'add',
				outcome: 'postponed',
				sentAs,
				reason: step.reason,
				until: step.until,
			};
		case 'left':
			return { ...subject, action: 'none', outcome: 'left' };
		case 'unconfirmed':
			return { ...subject, action: 'none', outcome: 'unconfirmed', until: step.until };
		case 'nothing':
			return { ...subject, action: 'none', outcome: 'unchanged' };
	}
}

/** Decides about a person who should not be a member and isn't found. */
function aboutMissing({ step: _, ...subject }: Remembered, { own }: PlanRules): Decision {
	const ownForms = new Set(own.map(({ canonical }) => canonical));
	// The account is in the group whose members it can read, whether they show its number or not.
	if (subject.ids.some(({ canonical }) => ownForms.has(canonical)))
		return { ...subject, action: 'none', outcome: 'kept', reason: 'self' };
	// A hidden ID that no member shows may belong to any of them, unless the node has removed it before.
	const isKnown = subject.facts.out !== undefined || subject.ids.every(({ kind }) => kind === 'phone');
	const isGone = subject.presence === 'absent' && isKnown;
	return { ...subject, action: 'none', outcome: isGone ? 'unchanged' : 'unconfirmed' };
}

/** Decides about a person who has to go. @param fitting the members who they may be; of several nobody is removed */
function removeOrKeep(
	{ step, ...subject }: Remembered,
	fitting: readonly Member[],
	whyKept: WhyKept,
): Decision {
	const [member, ...others] = fitting;
	const reasons = new Set(fitting.map(whyKept));
	const [reason] = reasons;
	if (member === undefined || others.length > 0 || reason !== undefined)
		return {
			...subject,
			action: 'none',
			outcome: 'kept',
			reason: (reasons.size === 1 && reason) || 'ambiguous',
		};
	const sentAs = ownIdOf(member);
	if (step.do === 'wait')
		return {
			...subject,
			action: 'remove',
			outcome: 'postponed',
			sentAs,
			reason: step.reason,
			until: step.until,
		};
	const { alone = false, triedAt = 0 } = step.do === 'send' ? step : {};
	return { ...subject, action: 'remove', outcome: 'planned', sentAs, alone, triedAt };
}

/** Returns a member's ID as the gateway lists it, in a form that gateways send unchanged. */
function ownIdOf({ id }: Member): string {
	return id.replace(/@c\.us$/, '@s.whatsapp.net');
}

/** Takes what nobody has approved out of decisions. */
function approvedOf(decisions: Decision[], approved: PlanRules['approved']): Decision[] {
	if (approved === undefined) return decisions;
	return decisions.map((decision): Decision => {
		const { action, outcome, sentAs = '' } = decision;
		if (outcome !== 'planned' || approved.has(sentAs)) return decision;
		if (action === 'add') return { ...decision, outcome: 'postponed', reason: 'notApproved' };
		return { ...decision, action: 'none', outcome: 'kept', reason: 'notApproved', sentAs: undefined };
	});
}

/** The decisions of a plan for which something is sent, in its order. */
export function sentIn({ decisions }: Pick<Plan, 'decisions'>): Decision[] {
	return decisions.filter(({ outcome }) => outcome === 'planned');
}

/** The people whom a plan removes. */
export function removalsIn(plan: Pick<Plan, 'decisions'>): Decision[] {
	return sentIn(plan).filter(({ action }) => action === 'remove');
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

/** Says whether the group is as asked after a decision for which nothing is sent; `null` also before it is sent. */
export function appliedBy({ outcome, reason }: Decision): Applied {
	const isRule = outcome === 'kept' && reason !== undefined && CERTAIN.has(reason);
	return isRule || WORDING[outcome].applied;
}

/** Reasons that are a rule's; the others are doubts. */
const CERTAIN: ReadonlySet<DecisionReason> = new Set(['self', 'protected', 'admin']);
