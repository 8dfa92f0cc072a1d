import { DAY, HOUR, MINUTE } from '../../common/time';
import type { Applied, Outcome } from '../outcomes';
import { dateIn, REFUSALS, withFacts, without, type Facts } from './fact';
import { INVITES, INVITES_KNOWN_FOR, type RecallRules } from './recall';

export interface MemoryRules extends RecallRules {
	/** The time now, in ms since 1970; `now` is the beginning of the execution. */
	readonly at: number;
	readonly whoLeft: 'keepOut' | 'addAgain';
	/** Days for which a member who shouldn't be one stays. */
	readonly removeAfter: number;
	/** Whether so many would newly have left that they didn't. */
	readonly isNobodyLeft?: boolean | undefined;
}

/** Situation of one person. An unwanted member under another form of the number is `found`, too. */
export interface Situation {
	/** In the list of members; `unsure` where that doesn't show enough. */
	readonly presence: 'found' | 'absent' | 'unsure';
	readonly shouldBeMember: boolean;
	/** The text for the gateway: a number that isn't on the network is no other one's. */
	readonly number: string;
	/** The time when a run met the person last, in ms since 1970; 0: never. */
	readonly metAt: number;
}

/** Decision about one person; `until` is in ms since 1970. */
export type Step =
	| { readonly outcome: 'unchanged' | 'left' }
	/** `triedAt` is the order of additions and removals: 0 for people who were never tried and never out. */
	| { readonly outcome: 'planned'; readonly alone: boolean; readonly triedAt: number }
	/** The person was seen or tried lately, so the group may be as requested. */
	| { readonly outcome: 'unconfirmed'; readonly until?: number }
	| {
			readonly outcome: 'postponed';
			readonly reason: 'refusedLately' | 'removeAfter';
			readonly until: number;
	  };

/** Time for which somebody waits who was refused, in ms. Longer waits kept more people out. */
const REFUSED_FOR = 7 * DAY;

/** A nightly run may come so much earlier than the last one, in ms. */
const EARLY = 2 * HOUR;

/** Decides about one person. @param before what all stores know @returns the true facts, and the step */
export function decide(
	before: Facts,
	situation: Situation,
	rules: MemoryRules,
): { facts: Facts; step: Step } {
	const facts = factsShown(before, situation, rules);
	for (const row of STEPS) {
		const step = row(facts, situation, rules);
		if (step !== undefined) return { facts, step };
	}
	// Who has newly left was a member before.
	const tried = facts.left ? before : facts;
	const triedAt = dateIn(tried, situation.shouldBeMember ? [...TRIES, 'left', 'member'] : TRIES);
	return { facts, step: { outcome: 'planned', alone: goesAlone(facts, situation.presence), triedAt } };
}

/** Time for which a list of members may be late, in ms: who was just added would be said to have left. */
const LATE = 10 * MINUTE;

/** Makes true what the list of members shows. It decides who is called `left`: not added any more. */
function factsShown(
	before: Facts,
	{ presence, shouldBeMember, metAt }: Situation,
	{ now, at, whoLeft, isNobodyLeft = false }: MemoryRules,
): Facts {
	const facts = withoutOtherTries(before, shouldBeMember);
	const { member, left } = facts;
	const thisRun = { at: now };
	if (presence === 'found') return shouldBeMember ? { member: thisRun } : without(facts, ['left']);
	if (!shouldBeMember)
		// One wrong night in a column must not bring everybody back who left, so `left` stays beside.
		return left ? { ...facts, toLeave: facts.toLeave ?? thisRun } : facts;
	// Who was noted in an earlier round of a loop.
	if (isNobodyLeft && left?.at === now) return without(facts, ['left']);
	if (member === undefined) return facts;
	if (presence === 'unsure') return whoLeft === 'addAgain' ? facts : { ...facts, member: thisRun };
	if (metAt > at - LATE) return facts;
	return isNobodyLeft ? without(facts, ['member']) : withFacts(facts, { left: thisRun });
}

/** Drops the tries for another wish. Beside `toLeave`, they are removals. */
function withoutOtherTries(facts: Facts, shouldBeMember: boolean): Facts {
	const isAnother = shouldBeMember === (facts.toLeave !== undefined);
	return isAnother ? without(facts, ['toLeave', 'refused', 'asked']) : facts;
}

// | wanted | member | what follows                                                                                    |
// | ------ | ------ | ----------------------------------------------------------------------------------------------- |
// | yes    | found  | nothing                                                                                         |
// | yes    | absent | seen a moment ago: `unconfirmed`; left: stays out, or is added again; refused: waits; else added |
// | yes    | unsure | a member or left before: `unconfirmed`; refused: waits; else added                              |
// | no     | found  | has days of grace, or was refused: waits; else removed                                          |
// | no     | absent | nothing, unsure as well                                                                         |

/** Reasons not to send anything, in order. The first that fits counts. */
const STEPS: ReadonlyArray<(facts: Facts, situation: Situation, rules: MemoryRules) => Step | undefined> = [
	(_, { presence, shouldBeMember }) => {
		const isAsWanted = shouldBeMember === (presence === 'found');
		return isAsWanted ? { outcome: 'unchanged' } : undefined;
	},
	({ member }, { presence, shouldBeMember }, { whoLeft }) => {
		// Where the list tells, a run saw or added them a moment ago.
		const mayBeThere = presence === 'absent' || whoLeft === 'keepOut';
		return shouldBeMember && member && mayBeThere ? { outcome: 'unconfirmed' } : undefined;
	},
	({ left }, { presence }, { whoLeft }) => {
		const staysOut = left !== undefined && whoLeft === 'keepOut';
		return staysOut ? { outcome: presence === 'absent' ? 'left' : 'unconfirmed' } : undefined;
	},
	(facts, { presence, shouldBeMember }, { now }) => {
		const until = dateIn(facts, ['member', 'left']) + REFUSED_FOR;
		const mayBeMember = shouldBeMember && presence === 'unsure' && until - EARLY > now;
		return mayBeMember ? { outcome: 'unconfirmed', until } : undefined;
	},
	({ toLeave }, { shouldBeMember }, { removeAfter, now }) => {
		const until = (toLeave?.at ?? now) + removeAfter * DAY;
		const isOver = shouldBeMember || removeAfter === 0 || until - EARLY <= now;
		return isOver ? undefined : { outcome: 'postponed', reason: 'removeAfter', until };
	},
	(facts, { number }, { now }) => waitAfter(facts, number, now),
	(facts, _, { now }) =>
		dateIn(facts, ['refused', 'asked']) >= now ? { outcome: 'unconfirmed' } : undefined,
];

/** Whether another node has taken out a person since this one's list has seen them. */
export function isTakenOutByOther({ out }: Facts, { node }: { node: string }): boolean {
	return out?.by !== undefined && out.by !== node;
}

const TRIES = ['refused', 'asked', 'out'] as const;

/** Has somebody who was refused wait. A corrected number isn't the one that was refused. */
function waitAfter({ refused }: Facts, number: string, now: number) {
	if (refused === undefined || (refused.number ?? number) !== number) return undefined;
	const until = refused.at + REFUSED_FOR;
	return until - EARLY <= now
		? undefined
		: ({ outcome: 'postponed', reason: 'refusedLately', until } as const);
}

/** Whether a change gets a request of its own. Where numbers are hidden, replies to several name nobody. */
function goesAlone({ asked, refused }: Facts, presence: Situation['presence']): boolean {
	return asked !== undefined || (refused !== undefined && presence === 'unsure');
}

/** Result of a run for one person. */
export interface Answer {
	/** `none`: nothing was to be sent. */
	readonly action: 'add' | 'remove' | 'none';
	readonly outcome: Outcome;
	readonly applied: Applied;
	readonly reason?: string | undefined;
	readonly code?: string | undefined;
}

/** Time for which a person is tried again, alone, whose requests get no answer of the gateway's. */
const ON_THE_WAY_FOR = 3 * DAY;

/** The times of a run and of a change that it has tried, in ms since 1970. */
export interface Times {
	/** Beginning of the execution's first run, to the minute. */
	readonly now: number;
	/** Time of the change: later than `now`, or a run of the same minute that saw the person counts. */
	readonly at: number;
}

/**
 * Gives the facts after a run.
 *
 * @param answer `unknown`: the change may have been made; `onTheWay`: as well, and the request never got an answer of the gateway's;
 * `notSent`: certainly nothing was sent
 */
export function factsAfter(
	facts: Facts,
	situation: Situation,
	answer: Answer | 'unknown' | 'onTheWay' | 'notSent',
	times: Times,
): Facts {
	const { now, at } = times;
	if (answer === 'notSent') return facts;
	if (answer === 'unknown') return factsAfterTry(facts, situation, undefined, times);
	if (answer === 'onTheWay') return factsMetOnTheWay(facts, situation, times);
	const { action, outcome, applied, reason } = answer;
	if (reason === 'removeAfter') return withFacts(facts, { toLeave: { at: now } });
	if (outcome === 'done' || outcome === 'unchanged') {
		if (situation.shouldBeMember) return withFacts(facts, { member: { at: now } });
		return action === 'none' ? factsOnceOut(facts, now) : withFacts(facts, { out: { at } });
	}
	if (metAccountsRefusal(answer))
		return factsWithTry(facts, situation.shouldBeMember, { asked: { at } }, now);
	if (action === 'none') return mayBeOut(outcome, situation) ? factsIfUnseen(facts, now) : facts;
	const refusal = outcome === 'unconfirmed' ? undefined : REFUSALS.find((known) => known === outcome);
	return refusal !== undefined || applied === null ? factsAfterTry(facts, situation, refusal, times) : facts;
}

/** Whether a code was the account's. Who meets it goes last: first, they would keep everybody else out. */
function metAccountsRefusal({ outcome, code }: Answer): boolean {
	return outcome === 'postponed' && code !== undefined;
}

/** Notes a change that something between may have answered: for some days, that is nobody's refusal. */
function factsMetOnTheWay(facts: Facts, situation: Situation, times: Times): Facts {
	const { asked = { at: times.at } } = facts;
	const isTriedForLong = times.at - asked.at >= ON_THE_WAY_FOR;
	if (isTriedForLong) return factsAfterTry(facts, situation, undefined, times);
	return factsWithTry(facts, situation.shouldBeMember, { asked }, times.now);
}

/** Notes that an unwanted person isn't a member. Who left before counts as such for a day more. */
function factsOnceOut(facts: Facts, at: number): Facts {
	if (facts.out || isInGrace(facts, at)) return facts;
	return withFacts(facts, { out: { at } });
}

/** Drops what doesn't hold for an unwanted person whom the group doesn't show. */
function factsIfUnseen(facts: Facts, at: number): Facts {
	const unseen = without(facts, ['member', 'refused', 'asked']);
	return unseen.left && !isInGrace(unseen, at) ? without(unseen, ['left', 'toLeave']) : unseen;
}

function isInGrace({ left, toLeave }: Facts, at: number): boolean {
	return left !== undefined && toLeave !== undefined && toLeave.at + DAY - EARLY > at;
}

function mayBeOut(outcome: Outcome, { shouldBeMember, presence }: Situation): boolean {
	return outcome === 'unconfirmed' && !shouldBeMember && presence !== 'found';
}

/** Notes a change that was refused, or isn't known. The second unknown one in a row counts as refused. */
function factsAfterTry(
	facts: Facts,
	{ presence, shouldBeMember, number }: Situation,
	outcome: (typeof REFUSALS)[number] | undefined,
	{ now, at }: Times,
): Facts {
	const tried =
		outcome === undefined && !goesAlone(facts, presence)
			? { asked: { at } }
			: { refused: refusedAs(outcome ?? 'unconfirmed', number, at) };
	return factsWithTry(facts, shouldBeMember, tried, now);
}

/** Adds a change that was tried: who was to be added is no member, and who was to be removed should leave. */
function factsWithTry(facts: Facts, shouldBeMember: boolean, tried: Facts, now: number): Facts {
	return withFacts(
		shouldBeMember ? without(facts, ['member']) : withFacts(facts, { toLeave: { at: now } }),
		tried,
	);
}

function refusedAs(
	outcome: (typeof REFUSALS)[number],
	number: string,
	at: number,
): NonNullable<Facts['refused']> {
	return { at, outcome, ...(outcome === 'notFound' && { number }) };
}

/** Step for an invite. */
export type InviteStep =
	| { readonly do: 'send'; readonly triedAt: number }
	| { readonly do: 'alreadyInvited' | 'maybeInvited' }
	| { readonly do: 'member' | 'left'; readonly at: number }
	| { readonly do: 'wait'; readonly until: number };

/** Decides about an invite by what all stores know. */
export function decideInvite(
	facts: Facts,
	{ now, number, onlyOnce }: { readonly now: number; readonly number: string; readonly onlyOnce: boolean },
): InviteStep {
	if (onlyOnce && facts.invited) return { do: 'alreadyInvited' };
	if (onlyOnce && facts.maybeInvited) return { do: 'maybeInvited' };
	const known = onlyOnce ? membershipIn(facts, now) : undefined;
	if (known !== undefined) return known;
	const tries = refusesInvites(facts) ? [...INVITES, 'refused' as const] : INVITES;
	const wait = refusesInvites(facts) ? waitAfter(facts, number, now) : undefined;
	return wait ? { do: 'wait', until: wait.until } : { do: 'send', triedAt: dateIn(facts, tries) };
}

/** Tells that somebody was in the group lately, unless an addition was refused since. */
function membershipIn({ member, left = member, refused }: Facts, now: number): InviteStep | undefined {
	const isLately = left !== undefined && left.at > now - INVITES_KNOWN_FOR;
	const isRefusedSince = left !== undefined && refused !== undefined && refused.at > left.at;
	return isLately && !isRefusedSince ? { do: member ? 'member' : 'left', at: left.at } : undefined;
}

/** Whether a refusal is one that inviting doesn't help against. */
function refusesInvites({ refused, toLeave }: Facts): boolean {
	return !toLeave && (refused?.outcome === 'notFound' || refused?.outcome === 'rejected');
}

/** Gives the facts after an invite. @param outcome `noLink`: the message went out without a working link */
export function factsAfterInvite(
	facts: Facts,
	outcome: Outcome | 'noLink',
	number: string,
	at: number,
): Facts {
	if (outcome === 'sent') return withFacts(facts, { invited: { at } });
	if (outcome === 'unconfirmed' || outcome === 'noLink') return withFacts(facts, { maybeInvited: { at } });
	if (outcome !== 'notFound' && outcome !== 'rejected') return facts;
	return withFacts(facts, { refused: refusedAs(outcome, number, at) });
}
