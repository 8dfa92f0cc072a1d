import type { Change, JournalEntry, Participant } from '../change';
import { distinct, identityFor, type Identity } from '../identity';
import { toMinute, without, type Facts } from '../memory/fact';
import type { Met } from '../memory/knownPeople';
import { decide, type MemoryRules, type Situation, type Step } from '../memory/meaning';
import { knownSince, recall, type Sources } from '../memory/recall';
import { WORDING, type Applied } from '../outcomes';
import { kindsShown, People, type Member } from '../people';
import { keptMembers, type KeptReason, type WhyKept } from './keptMembers';
import { findListed, type ListedPerson } from './matchList';
import type { PlanRules, Row } from './rules';

/** One person, the change that the list wishes, and what becomes of it: each step of a run fills it in. */
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
	/** Whether the change goes alone, and when the one before was tried (ms since 1970; 0: never). */
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
	/** Members whom a list is about: neither the own account nor, unless they may be removed, admins. */
	readonly ordinary: readonly Member[];
	/** Whether the node remembers anybody of the group. */
	readonly isRemembered: boolean;
	/** People of the list, by key, who were members in the run before and aren't any more. */
	readonly left: ReadonlyMap<string, readonly Identity[]>;
	/** So many of the list that they didn't leave, and those of whom earlier runs of the execution `noted` it. */
	readonly lost:
		| {
				readonly amount: number;
				readonly of: number;
				readonly noted: ReadonlyArray<Pick<Met, 'ids' | 'facts'>>;
		  }
		| undefined;
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

/** Decides about everybody in a list, and with `unlisted: remove` about all others. In doubt they stay. */
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
	const allRules = withMemoryRules(recalled, rules);
	const decideList = (ruled: typeof allRules) =>
		recalled.map((person) => decideListed(person, visibleIds, whyKept.listed, ruled));
	const first = decideList(allRules);
	const left = new Map(first.filter(hasNewlyLeft).map((decision) => [personKey(decision), decision.ids]));
	const lost = tooManyLeft(first, left, rules);
	const ofList = lost ? decideList({ ...allRules, isNobodyLeft: true }) : first;
	const ofOthers = unlisted.map((member) => {
		const nobody = { item: rows[0]?.item ?? 0, rows: [], shouldBeMember: false };
		const person = withSources({ ...nobody, ids: member.ids, members: [member] }, rules);
		return removeOrKeep(...planPerson(person, 'found', allRules), whyKept.unlisted);
	});
	const decisions = [...ofList, ...ofOthers];
	for (const decision of decisions) nameOther(decision, whyKept.mayBe);
	const self = members.find(rules.own);
	const isOrdinary = ({ role }: Member) => rules.removeAdmins || (role !== 'admin' && role !== 'superAdmin');
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
		ordinary: memberList.filter((member) => !self.includes(member) && isOrdinary(member)),
		...{ isRemembered: rules.memory.knowsAnybody, left, lost, visibleIds },
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

/** Number of people who may have left at once, however short the list, and percentage of a long one. */
const FEW = 3;
const MOST_PERCENT = 50;

/** Adds the rules of memory. Many who are listed again were in a missing part: who left would be added. */
function withMemoryRules(people: readonly Recalled[], rules: PlanRules): PlanRules & MemoryRules {
	const { lastRun, isUnkept } = rules.memory;
	const now = toMinute(rules.now);
	const since = knownSince({ now, lastRun });
	const known = people.filter(({ shouldBeMember, sources }) => shouldBeMember && sources.node.metAt > 0);
	const missed = known.filter(({ sources }) => sources.node.metAt < since);
	const cameInParts = missed.length > Math.max(FEW, known.length / 3);
	return { ...rules, now, lastRun, isUnkept, cameInParts };
}

/** Whether somebody was a member in the run before, and isn't any more. */
function hasNewlyLeft({ outcome, before }: Decision): boolean {
	return outcome === 'left' && before.left === undefined;
}

/** Tells if too many of a list are gone to have left: after an admin's mistake, all would stay out. */
function tooManyLeft(
	decisions: readonly Decision[],
	newlyLeft: Plan['left'],
	rules: PlanRules,
): Plan['lost'] {
	const { before, memory, now, maxRemovalPercent } = rules;
	const wanted = new Set([...before.wanted, ...wantedIn(decisions)]);
	const left = new Map([...before.left, ...newlyLeft]);
	const percent = Math.min(MOST_PERCENT, maxRemovalPercent);
	if (left.size <= Math.max(FEW, Math.floor((percent * wanted.size) / 100))) return undefined;
	const noted = [...left.values()].flatMap((ids) => {
		const { facts } = memory.find(ids).node;
		return facts.left?.at === toMinute(now) ? { ids, facts: without(facts, ['left']) } : [];
	});
	return { amount: left.size, of: wanted.size, noted };
}

/** Lists the keys of those who should be members. */
export function wantedIn(decisions: readonly Decision[]): string[] {
	return decisions.filter(({ shouldBeMember }) => shouldBeMember).map(personKey);
}

/** Makes the record of a person. @returns the record, and the step that memory gives */
function planPerson(
	{ item, rows, shouldBeMember, members, ids, sources }: Recalled,
	presence: Situation['presence'],
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

/** Names the person for a change: a member who has to go by their own ID as listed. */
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
	if (shouldBeMember) return Object.assign(decision, step);
	if (members.length > 0) return removeOrKeep(decision, step, whyKept);
	return Object.assign(decision, decideMissing(decision, rules));
}

/** Whether two lists of IDs have one in common, in any form of a number. */
function shareId(ids: readonly Identity[], others: readonly Identity[]): boolean {
	return ids.some(({ canonical }) => others.some((other) => other.canonical === canonical));
}

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
	if (why === undefined && otherwise.length === 0) return Object.assign(decision, step);
	const isCertain = why !== undefined && otherwise.every((other) => other?.reason === why.reason);
	return Object.assign(decision, { outcome: 'kept', ...(isCertain ? why : AMBIGUOUS) } as const);
}

const AMBIGUOUS = { reason: 'ambiguous' } as const;

/** Returns the change that is or was to be sent for a person. */
export function actionOf({ outcome, action }: Pick<Decision, 'outcome' | 'action'>) {
	return outcome === 'planned' || outcome === 'postponed' ? action : 'none';
}

/** Picks the decisions for which something is sent. @param only one action; all by default */
export function plannedIn({ decisions }: Pick<Plan, 'decisions'>, only?: Decision['action']): Decision[] {
	return decisions.filter(({ outcome, action }) => outcome === 'planned' && action === (only ?? action));
}

/** Tells whether the group is as requested after a decision that sends nothing; `null` if unknown. */
export function appliedBy({ outcome, reason, mayBe }: Decision): Applied {
	const isRule = outcome === 'kept' && reason !== undefined && CERTAIN.has(reason);
	// Who isn't added may be a member by nearly the same number.
	if (outcome === 'postponed' && mayBe !== undefined) return null;
	return isRule || WORDING[outcome].applied;
}

/** Reasons that are rules; the others are doubts. */
const CERTAIN: ReadonlySet<DecisionReason> = new Set(['self', 'protected', 'admin']);

/** Gives the same text for all changes of one person, also before a group shows a hidden ID, too. */
export function personKey({ ids }: Pick<Decision, 'ids'>): string {
	return ids.map(({ canonical, kind }) => `${kind === 'phone' ? 0 : 1} ${canonical}`).sort()[0] ?? '';
}

/** Sorts changes: people never tried first, then people tried longest ago, and equals in input order. */
export function byTurn(decision: Decision, other: Decision): number {
	return (
		(decision.triedAt ?? 0) - (other.triedAt ?? 0) ||
		(decision.rows[0]?.item ?? Infinity) - (other.rows[0]?.item ?? Infinity) ||
		0
	);
}
