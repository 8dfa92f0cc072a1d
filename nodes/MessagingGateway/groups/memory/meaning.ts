import { DAY } from '../../common/time';
import type { Applied, Outcome } from '../outcomes';
import {
	combine,
	consistent,
	dateIn,
	toMinute,
	only,
	REFUSALS,
	withFacts,
	without,
	type FactName,
	type Facts,
} from './fact';

/** Presence of a person in the list of members; `unsure` where the list doesn't show enough. */
export type Presence = 'found' | 'absent' | 'unsure';

export interface MemoryRules {
	/** Beginning of the execution's first run, to the minute, ms since 1970. */
	readonly now: number;
	/** Date of the run before this execution, as {@link lastRunAmong} gives it. */
	readonly lastRun: number | undefined;
	/** In days; 0: nobody waits. */
	readonly retryRefusedAfter: number;
	readonly whoLeft: 'keepOut' | 'addAgain';
	/** Days for which a member who shouldn't be one stays. */
	readonly removeAfter: number;
}

/** Situation of one person. An unwanted member under another form of the number is `found`, too. */
export interface Situation {
	readonly presence: Presence;
	readonly shouldBeMember: boolean;
}

/** Step that a run takes for one person; `until` is in ms since 1970. */
export type Step =
	| { readonly do: 'nothing' | 'left' }
	/** `triedAt` is the order of additions and removals: 0 for people who were never tried and never out. */
	| { readonly do: 'send'; readonly alone: boolean; readonly triedAt: number }
	/** The person was seen or tried lately, so the group may be as requested. */
	| { readonly do: 'unconfirmed'; readonly until?: number }
	| { readonly do: 'wait'; readonly reason: 'refusedLately' | 'removeAfter'; readonly until: number };

/**
 * Finds the date of the run before this execution. With `remove`, every run has the whole list, and also dates everyone who left.
 * Otherwise a few rows may have run alone since.
 *
 * @param known the facts of all rows of the group. Dates of this execution don't count.
 */
export function lastRunAmong(
	known: readonly Facts[],
	unlisted: 'keep' | 'remove',
	now: number,
): number | undefined {
	const dated: FactName[] = unlisted === 'remove' ? ['member', 'left'] : ['member'];
	const newestFirst = known
		.map((facts) => dateIn(facts, dated))
		.filter((date) => date > 0 && date < now)
		.sort((date, other) => other - date);
	if (unlisted === 'remove') return newestFirst[0];
	const amounts = new Map<number, number>();
	for (const date of newestFirst) amounts.set(date, (amounts.get(date) ?? 0) + 1);
	return [...amounts].sort(([, amount], [, other]) => other - amount)[0]?.[0];
}

/** Decides about one person. @param whoLeft `addAgain` also where only n8n remembers them @returns the true facts, and the step */
export function decide(
	before: Facts,
	situation: Situation,
	rules: MemoryRules,
	whoLeft = rules.whoLeft,
): { facts: Facts; step: Step } {
	const facts = factsShown(before, situation, rules, whoLeft);
	for (const row of STEPS) {
		const step = row(facts, situation, rules, whoLeft);
		if (step !== undefined) return { facts, step };
	}
	const triedAt = dateIn(facts, situation.shouldBeMember ? [...TRIES, 'left', 'member'] : TRIES);
	return { facts, step: { do: 'send', alone: goesAlone(facts, situation.presence), triedAt } };
}

function factsShown(
	before: Facts,
	{ presence, shouldBeMember }: Situation,
	{ now, lastRun = Infinity }: MemoryRules,
	whoLeft: MemoryRules['whoLeft'],
): Facts {
	const seen = { member: { at: now } };
	const facts = withoutOtherTries(before, shouldBeMember);
	if (presence === 'found') return shouldBeMember ? seen : without(facts, ['left']);
	const { member } = facts;
	// A gateway's list can be late: an execution never says `left` of a member whom it has seen.
	if (!shouldBeMember || member === undefined || member.at >= now) return facts;
	if (presence === 'unsure' && whoLeft === 'addAgain') return facts;
	if (member.at < lastRun) return without(facts, ['member']);
	return withFacts(facts, presence === 'absent' ? { left: seen.member } : seen);
}

/** Drops the tries for another wish. Beside `toLeave`, they are removals. */
function withoutOtherTries(facts: Facts, shouldBeMember: boolean): Facts {
	const isAnother = shouldBeMember === (facts.toLeave !== undefined);
	return isAnother ? without(facts, ['toLeave', 'refused', 'asked']) : facts;
}

/** Reasons not to send anything, in order. The first that fits counts. */
const STEPS: ReadonlyArray<
	(
		facts: Facts,
		situation: Situation,
		rules: MemoryRules,
		whoLeft: MemoryRules['whoLeft'],
	) => Step | undefined
> = [
	(_, { presence, shouldBeMember }) =>
		shouldBeMember === (presence === 'found') ? { do: 'nothing' } : undefined,
	({ member }, { shouldBeMember }, { now }) =>
		shouldBeMember && member && member.at >= now ? { do: 'unconfirmed' } : undefined,
	({ left }, { presence }, _, whoLeft) =>
		left && whoLeft === 'keepOut' ? { do: presence === 'absent' ? 'left' : 'unconfirmed' } : undefined,
	(facts, { presence, shouldBeMember }, { now, retryRefusedAfter }) => {
		const until = dateIn(facts, ['member', 'left']) + retryRefusedAfter * DAY;
		return shouldBeMember && presence === 'unsure' && until > now ? { do: 'unconfirmed', until } : undefined;
	},
	({ toLeave }, { shouldBeMember }, { removeAfter, now }) => {
		const until = (toLeave?.at ?? now) + removeAfter * DAY;
		return shouldBeMember || until <= now ? undefined : { do: 'wait', reason: 'removeAfter', until };
	},
	({ refused }, _, rules) => waitAfter(refused?.at, rules),
	(facts, _, { now }) => (dateIn(facts, ['refused', 'asked']) >= now ? { do: 'unconfirmed' } : undefined),
];

const TRIES = ['refused', 'asked', 'out'] as const;

type WaitRules = Pick<MemoryRules, 'now' | 'retryRefusedAfter'>;

function waitAfter(at: number | undefined, { now, retryRefusedAfter }: WaitRules) {
	const until = (at ?? 0) + retryRefusedAfter * DAY;
	return until > now ? ({ do: 'wait', reason: 'refusedLately', until } as const) : undefined;
}

/** Whether a change gets a request of its own. In a group that hides numbers, replies to several people name nobody. */
function goesAlone({ asked, refused }: Facts, presence: Presence): boolean {
	return asked !== undefined || (refused !== undefined && presence === 'unsure');
}

/** Result of a run for one person. */
export interface Answer {
	/** `none`: nothing was to be sent. */
	readonly action: 'add' | 'remove' | 'none';
	readonly outcome: Outcome;
	readonly applied: Applied;
	readonly reason?: string | undefined;
	/** Whether the gateway's reply says so, or the group that was read again. */
	readonly source: 'reply' | 'reread';
}

/** Gives the facts after a run. @param answer `unknown`: the change may have been made; `notSent`: certainly nothing was */
export function factsAfter(
	facts: Facts,
	situation: Situation,
	answer: Answer | 'unknown' | 'notSent',
	now: number,
): Facts {
	const at = toMinute(now);
	if (answer === 'notSent') return facts;
	if (answer === 'unknown') return afterTry(facts, situation, { at });
	const { action, outcome, applied, source, reason } = answer;
	if (reason === 'removeAfter') return withFacts(facts, { toLeave: facts.toLeave ?? { at } });
	if (outcome === 'done' || outcome === 'unchanged') {
		if (situation.shouldBeMember) return withFacts(facts, { member: { at } });
		return withFacts(facts, { out: (action === 'none' && facts.out) || { at } });
	}
	if (action === 'none') return mayBeOut(outcome, situation) ? without(facts, NOT_SEEN) : facts;
	if (source === 'reread') return afterTry(facts, situation, { at });
	const refusal = REFUSALS.find((known) => known === outcome);
	return refusal !== undefined || applied === null
		? afterTry(facts, situation, { at, outcome: refusal })
		: facts;
}

/** Facts about a member that don't hold for an unwanted person whom the group doesn't show. */
const NOT_SEEN = ['member', 'left', 'refused', 'asked'] as const;

function mayBeOut(outcome: Outcome, { shouldBeMember, presence }: Situation): boolean {
	return outcome === 'unconfirmed' && !shouldBeMember && presence !== 'found';
}

/** Notes a change that was refused, or whose result isn't known. The second unknown one in a row counts as refused. */
function afterTry(
	facts: Facts,
	{ presence, shouldBeMember }: Situation,
	{ at, outcome }: { at: number; outcome?: (typeof REFUSALS)[number] | undefined },
): Facts {
	const known = shouldBeMember
		? without(facts, ['member', 'out'])
		: withFacts(facts, { toLeave: facts.toLeave ?? { at } });
	if (outcome === undefined && !goesAlone(facts, presence)) return withFacts(known, { asked: { at } });
	return withFacts(known, { refused: { at, outcome: outcome ?? 'rejected' } });
}

/** Step for an invite. */
export type InviteStep =
	| { readonly do: 'send'; readonly triedAt: number }
	| { readonly do: 'alreadyInvited' | 'maybeInvited' }
	| Extract<Step, { do: 'wait' }>;

/** Decides about an invite by the row's facts and others. Any memory of an invite is enough, and becomes the row's. */
export function decideInvite(
	row: Facts,
	others: readonly Facts[],
	{ now, retryRefusedAfter, onlyOnce }: WaitRules & { readonly onlyOnce: boolean },
): { facts: Facts; step: InviteStep } {
	const all = [row, ...others];
	const newest = (...name: FactName[]) => combine(all.map((facts) => only(facts, name)));
	const invites = { ...newest('invited'), ...newest('maybeInvited') };
	const refusal = combine(all.map(inviteRefusalIn));
	const isNewer = dateIn(refusal) > dateIn(row, ['refused']);
	const facts = consistent({ ...row, ...invites, ...(isNewer && refusal) });
	if (onlyOnce && invites.invited) return { facts, step: { do: 'alreadyInvited' } };
	if (onlyOnce && invites.maybeInvited) return { facts, step: { do: 'maybeInvited' } };
	const refusedAt = dateIn(refusal);
	const wait = waitAfter(refusedAt, { now, retryRefusedAfter });
	return { facts, step: wait ?? { do: 'send', triedAt: Math.max(refusedAt, dateIn(invites)) } };
}

/** Picks a refusal that inviting doesn't help against. */
function inviteRefusalIn({ refused, toLeave }: Facts): Facts {
	const isOfInvite = refused && !toLeave && (['notFound', 'rejected'] as Outcome[]).includes(refused.outcome);
	return isOfInvite ? { refused } : {};
}

/** Gives the facts after an invite. @param outcome `noLink`: the message went out without a working link */
export function factsAfterInvite(facts: Facts, outcome: Outcome | 'noLink', now: number): Facts {
	const at = toMinute(now);
	if (outcome === 'sent') return withFacts(facts, { invited: { at } });
	if (outcome === 'unconfirmed' || outcome === 'noLink') return withFacts(facts, { maybeInvited: { at } });
	const isRefused = outcome === 'notFound' || outcome === 'rejected';
	return isRefused ? withFacts(facts, { refused: { at, outcome } }) : facts;
}
