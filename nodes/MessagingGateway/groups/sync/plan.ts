import type { Change, JournalEntry, Participant } from '../change';
import { distinct, identityFor, type Identity } from '../identity';
import { toMinute, type Facts } from '../memory/fact';
import { decide, type MemoryRules, type Presence, type Situation, type Step } from '../memory/meaning';
import { recall, type Sources } from '../memory/recall';
import { WORDING, type Applied } from '../outcomes';
import { kindsShown, People, type Member } from '../people';
import { keptMembers, type KeptReason, type WhyKept } from './keptMembers';
import { findListed, type ListedPerson } from './matchList';
import type { PlanRules, Row } from './rules';

/** One person, the change that the list wishes, and what becomes of it: a record that each step of a run fills in. */
export interface Decision extends Situation, Change {
	readonly action: 'add' | 'remove';
	/** In input order; empty for a member whom no row names. */
	readonly rows: readonly Row[];
	/** The members that the person fits: none, one, or several that can't be told apart. */
	readonly members: readonly Member[];
	/** All identities, of the rows and of the members. */
	readonly ids: readonly Identity[];
	/** Facts remembered, and facts once the members are known. */
	readonly before: Facts;
	/** Whether this node's list wanted the person when it met them last. */
	readonly wasWanted: boolean;
	readonly facts: Facts;
	/** `planned`: the change is to be sent; in a dry run, it would be. */
	outcome: 'planned' | 'unchanged' | 'unconfirmed' | 'left' | 'kept' | 'postponed';
	reason?: DecisionReason | undefined;
	/** More of the reason to keep somebody, part of a sentence. */
	because?: string | undefined;
	/** Person who a kept member may be, with the item, or member who a person that isn't found may be. */
	mayBe?: readonly [given: string, item?: number] | undefined;
	/** The earliest time of a postponed change, ms since 1970. */
	until?: number | undefined;
	/** Whether the change goes alone in a request, and when the one before was tried (ms since 1970; 0: never). */
	alone?: boolean;
	triedAt?: number;
	/** The result of the change, when it was sent, and why its result wasn't known at first. */
	entry?: JournalEntry | undefined;
	sentAt?: number;
	doubt?: 'unknown' | 'onTheWay' | 'notSent';
	/** Facts after the run, and whether it changed or found something that no memory knew. */
	after?: Facts;
	isNew?: boolean;
}

export type DecisionReason =
	| KeptReason
	| 'maxRemovalPercent'
	| 'maxAdditions'
	| 'maxRemovals'
	| 'removeAfter'
	| 'refusedLately'
	| 'groupFull'
	| 'notApproved';

export interface Plan {
	/** People of the list in the order of their first rows, then members not in it as the gateway lists them. */
	readonly decisions: readonly Decision[];
	readonly members: readonly Member[];
	/** The instance's own account among the members; empty where it isn't known or not found. */
	readonly self: readonly Member[];
	/** Whether the node remembers anybody of the group. */
	readonly isRemembered: boolean;
	/** People who are no members any more, and so many that they can't have left; of how many who should be members. */
	readonly lost: { readonly amount: number; readonly of: number } | undefined;
	readonly visibleIds: ReturnType<typeof kindsShown>;
	/** Number of members besides the own account that certainly aren't in the list and stay. */
	readonly unlistedKept: number;
	/** Number of members who may be in the list under an ID that the gateway doesn't show. */
	readonly unmatched: number;
}

// in the list    | a member        | not certain            | no member
// ---------------|-----------------|------------------------|-------------------------
// should be one  | unchanged       | added, or unconfirmed  | added, or left; may wait
// should not     | removed or kept | unconfirmed            | unchanged
// not at all     | removed or kept | kept                   |

/**
 * Decides about everybody in a list, and with `unlisted: remove` about all other members. Whoever may have to stay is kept.
 *
 * @param rows valid ones, in input order
 */
export function plan(rows: readonly Row[], memberList: readonly Member[], rules: PlanRules): Plan {
	const members = new People(memberList);
	const listed = findListed(rows, members);
	const whyKept = keptMembers(listed, members, rules);
	const visibleIds = kindsShown(memberList);
	const withheld = members.find(rules.withheld);
	const inList = new Set([...withheld, ...listed.flatMap((person) => person.members)]);
	const notInList = memberList.filter((member) => !inList.has(member));
	const unlisted = rules.unlisted === 'remove' ? notInList : [];
	const recalled = listed.map((person) => withSources({ item: person.rows[0].item, ...person }, rules));
	const others = unlisted.map((member) => {
		const person = { item: rows[0]?.item ?? 0, rows: [], shouldBeMember: false };
		return withSources({ ...person, ids: member.ids, members: [member] }, rules);
	});
	const { lastRun, isUnkept } = rules.memory;
	const allRules: PlanRules & MemoryRules = { ...rules, now: toMinute(rules.now), lastRun, isUnkept };
	const decideList = (ruled: typeof allRules) =>
		recalled.map((person) => decideListed(person, visibleIds, whyKept.listed, ruled));
	const first = decideList(allRules);
	const lost = tooManyLeft(first, rules);
	const ofList = lost ? decideList({ ...allRules, isNobodyLeft: true }) : first;
	const ofOthers = others.map((person) => {
		const [decision, step] = planPerson(person, 'found', allRules);
		return removeOrKeep(decision, step, whyKept.unlisted);
	});
	const decisions = [...ofList, ...ofOthers];
	for (const decision of decisions) nameOther(decision, whyKept.mayBe);
	const self = members.find(rules.own);
	const notCounted = new Set([
		...self,
		...whyKept.mayBe.keys(),
		...ofOthers.flatMap((decision) => (actionOf(decision) === 'remove' ? decision.members : [])),
	]);
	const kept = notInList.filter((member) => !notCounted.has(member));
	const unmatched = kept.filter(whyKept.perhapsListed).length;
	return {
		decisions,
		members: memberList,
		self,
		...{ isRemembered: rules.memory.knowsAnybody, lost, visibleIds },
		// A bad item may name any of them.
		unlistedKept: rules.badRow ? 0 : kept.length - unmatched,
		unmatched,
	};
}

/** Notes who an ambiguous member may be. */
function nameOther(decision: Decision, mayBe: ReturnType<typeof keptMembers>['mayBe']): void {
	if (decision.reason === 'ambiguous')
		decision.mayBe ??= decision.members.map((member) => mayBe.get(member)).find(Boolean);
}

type Recalled = Pick<Decision, 'item' | 'rows' | 'shouldBeMember' | 'members' | 'ids'> & {
	readonly sources: Sources;
};

/** Adds the IDs of members to those of rows, and what all stores know. */
function withSources<P extends Omit<Recalled, 'sources'>>(person: P, { memory }: PlanRules): P & Recalled {
	const ids = distinct([...person.ids, ...person.members.flatMap((member) => member.ids)]);
	return { sources: memory.find(ids), ...person, ids };
}

/** Number of people who may newly have left in an execution, however small the list is. */
const MAY_LEAVE = 3;

/** Whether somebody was a member in the run before, and isn't any more. */
export function hasNewlyLeft({ outcome, before }: Decision): boolean {
	return outcome === 'left' && before.left === undefined;
}

/**
 * Tells if so many people of a list aren't members any more that they can't have left: a workflow that was off, an admin's
 * mistake, additions without effect. They would all be kept out for good.
 */
function tooManyLeft(decisions: readonly Decision[], { maxRemovalPercent, before }: PlanRules): Plan['lost'] {
	const wanted = new Set(before.wanted);
	const left = new Set(before.left);
	for (const decision of decisions) {
		if (decision.shouldBeMember) wanted.add(personKey(decision));
		if (hasNewlyLeft(decision)) left.add(personKey(decision));
	}
	const most = Math.max(MAY_LEAVE, Math.floor((maxRemovalPercent * wanted.size) / 100));
	return left.size > most ? { amount: left.size, of: wanted.size } : undefined;
}

/** Makes the record of a person. @returns the record, and the step that memory gives */
function planPerson(
	{ item, rows, shouldBeMember, members, ids, sources }: Recalled,
	presence: Presence,
	rules: PlanRules & MemoryRules,
): [Decision, Step] {
	const { instance, groupJid } = rules;
	const before = recall(sources, rules);
	const participant = participantOf(rows, members, shouldBeMember);
	const { node, notes } = sources;
	// Of the notes only who was seen or added: an invite a moment ago is no membership.
	const metAt = Math.max(node.metAt, notes.facts.member?.at ?? 0);
	const { member, left, refused, toLeave } = node.facts;
	const wasWanted = toLeave === undefined && (member ?? left ?? refused) !== undefined;
	const situation = { presence, shouldBeMember, number: participant.sentAs, metAt };
	const { facts, step } = decide(before, situation, rules);
	const action = shouldBeMember ? 'add' : 'remove';
	const person = { item, participant, rows, members, ids, before, facts, wasWanted, ...situation };
	return [{ instance, groupJid, action, outcome: 'unchanged', ...person }, step];
}

/** Names the person for a change: a member who has to go by their own ID as listed, of which the gateway's word is certain. */
function participantOf(
	[row]: readonly Row[],
	[member]: readonly Member[],
	shouldBeMember: boolean,
): Participant {
	if (row !== undefined && (shouldBeMember || member === undefined)) return row.participant;
	// In a form that gateways send unchanged.
	const id = (member?.id ?? '').replace(/@c\.us$/, '@s.whatsapp.net');
	return { given: id, sentAs: id, identity: identityFor(id) };
}

function decideListed(
	person: ListedPerson & Recalled,
	visibleIds: Plan['visibleIds'],
	whyKept: WhyKept,
	rules: PlanRules & MemoryRules,
): Decision {
	const { rows, shouldBeMember, members, lookalikes } = person;
	// An absence is certain only by IDs of a kind that every member shows, in all their forms.
	const isVisible = rows.every(({ participant: { identity } }) => visibleIds[identity.kind]);
	const isAbsent = lookalikes.length === 0 && isVisible;
	const presence = members.length > 0 ? 'found' : isAbsent ? 'absent' : 'unsure';
	const [decision, step] = planPerson(person, presence, rules);
	if (shareId(person.ids, rules.withheld))
		return Object.assign(decision, { outcome: 'kept', reason: 'badRow' } as const);
	const [lookalike] = lookalikes;
	if (lookalike) decision.mayBe = [lookalike.number ? `+${lookalike.number}` : lookalike.id];
	// The number abroad is a stranger's, whom this would add.
	if (shouldBeMember && person.isPerhapsLocal)
		return Object.assign(decision, { outcome: 'kept', reason: 'ambiguous' } as const);
	// If they may be a member without a number, the gateway knows.
	if (shouldBeMember) return takeStep(decision, step);
	if (members.length > 0) return removeOrKeep(decision, step, whyKept);
	return Object.assign(decision, decideMissing(decision, rules));
}

/** Whether two lists of IDs have one in common, in any form of a number. */
function shareId(ids: readonly Identity[], others: readonly Identity[]): boolean {
	return ids.some(({ canonical }) => others.some((other) => other.canonical === canonical));
}

/** Decides as memory says. */
function takeStep(decision: Decision, { do: next, ...details }: Step): Decision {
	const outcome = OUTCOME_OF_STEP[next];
	return Object.assign(decision, { outcome, ...details });
}

const OUTCOME_OF_STEP = {
	nothing: 'unchanged',
	send: 'planned',
	wait: 'postponed',
	left: 'left',
	unconfirmed: 'unconfirmed',
} as const satisfies Record<Step['do'], Decision['outcome']>;

/** Decides about a person who should not be a member and isn't found. */
function decideMissing(
	{ ids, presence, facts }: Decision,
	{ own }: PlanRules,
): Pick<Decision, 'outcome' | 'reason'> {
	// The account is in the group whose members it can read, whether they show its number or not.
	if (shareId(ids, own)) return { outcome: 'kept', reason: 'self' };
	// A hidden ID that no member shows may belong to any of them, unless the node has removed it before.
	const isKnown = facts.out !== undefined || ids.every(({ kind }) => kind === 'phone');
	return { outcome: presence === 'absent' && isKnown ? 'unchanged' : 'unconfirmed' };
}

/** Decides about a person who has to go. Of several members who they may be nobody is removed. */
function removeOrKeep(decision: Decision, step: Step, whyKept: WhyKept): Decision {
	const [why, ...otherwise] = decision.members.map(whyKept);
	if (why === undefined && otherwise.length === 0) return takeStep(decision, step);
	const isCertain = why !== undefined && otherwise.every((other) => other?.reason === why.reason);
	return Object.assign(decision, { outcome: 'kept', ...(isCertain ? why : AMBIGUOUS) } as const);
}

const AMBIGUOUS = { reason: 'ambiguous' } as const;

/** Returns the change that is or was to be sent for a person. */
export function actionOf({
	outcome,
	action,
}: Pick<Decision, 'outcome' | 'action'>): Decision['action'] | 'none' {
	return outcome === 'planned' || outcome === 'postponed' ? action : 'none';
}

/** Picks the decisions for which something is sent. @param only one action; all by default */
export function plannedIn({ decisions }: Pick<Plan, 'decisions'>, only?: Decision['action']): Decision[] {
	return decisions.filter(({ outcome, action }) => outcome === 'planned' && action === (only ?? action));
}

/** Tells whether the group is as requested after a decision that sends nothing; `null` if unknown, or if a change is planned. */
export function appliedBy({ outcome, reason, mayBe }: Decision): Applied {
	const isRule = outcome === 'kept' && reason !== undefined && CERTAIN.has(reason);
	// Who isn't added may be a member by nearly the same number.
	if (outcome === 'postponed' && mayBe !== undefined) return null;
	return isRule || WORDING[outcome].applied;
}

/** Reasons that are rules; the others are doubts. */
const CERTAIN: ReadonlySet<DecisionReason> = new Set(['self', 'protected', 'admin']);

/** Returns the same text for all changes of one person. */
export function personKey({ ids }: Pick<Decision, 'ids'>): string {
	const [first] = ids;
	if (first !== undefined && ids.length === 1) return first.canonical;
	return [...new Set(ids.map(({ canonical }) => canonical))].join();
}

/** Sorts changes: people never tried first, then people tried longest ago, and equals in input order. */
export function byTurn(decision: Decision, other: Decision): number {
	return (
		(decision.triedAt ?? 0) - (other.triedAt ?? 0) ||
		(decision.rows[0]?.item ?? Infinity) - (other.rows[0]?.item ?? Infinity) ||
		0
	);
}
