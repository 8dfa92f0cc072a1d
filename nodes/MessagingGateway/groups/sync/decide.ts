import { DAY } from '../../common/time';
import type { ChangeResult } from '../change';
import { REFUSALS, withFact, without, type Facts } from '../memory/facts';

/** What the members show of a person of the list: there, not there, or there perhaps. */
export type Presence = 'found' | 'absent' | 'unsure';

/** What happens to people who were members and are gone. */
export const WHO_LEFT = ['keepOut', 'addAgain'] as const;
export type WhoLeft = (typeof WHO_LEFT)[number];

/** What counts for what is remembered of one person. */
export interface MemoryRules {
	/** When the run began, ms since 1970. */
	readonly now: number;
	/** In days; 0: refused people are asked every time. */
	readonly retryRefusedAfter: number;
	readonly whoLeft: WhoLeft;
	/** How many days a person stays who should not be a member. */
	readonly removeAfter: number;
}

/** What is remembered, once it's known what the members show. */
export function factsSeen(
	facts: Facts,
	presence: Presence,
	{ shouldBeMember, now }: { shouldBeMember: boolean; now: number },
): Facts {
	const wished = shouldBeMember ? without(facts, ['toLeave']) : facts;
	if (presence === 'found') return without(wished, ['left', 'out']);
	return presence === 'absent' && wished.member !== undefined
		? withFact(wished, 'left', { at: now })
		: wished;
}

/** Of people who were members by what is remembered. `ask`: they are added like others; `wait`: some days after the last answer. */
const WAS_MEMBER = {
	keepOut: {
		absent: { member: 'left', left: 'left' },
		unsure: { member: 'mayHaveLeft', left: 'mayHaveLeft' },
	},
	addAgain: { absent: { member: 'ask', left: 'ask' }, unsure: { member: 'wait', left: 'ask' } },
} as const;

/**
 * What to do about a person who should be a member and isn't found.
 *
 * @param facts as {@link factsSeen} gave them
 * @returns `until`: nothing before that, ms since 1970
 */
export function decideMissing(
	facts: Facts,
	presence: 'absent' | 'unsure',
	{ now, retryRefusedAfter, whoLeft }: MemoryRules,
): { do: 'add' | 'left' | 'mayHaveLeft' | 'refusedLately' | 'askedLately'; until?: number } {
	const retryAfter = (at: number) => at + retryRefusedAfter * DAY;
	const was = (['member', 'left'] as const).find((name) => facts[name] !== undefined);
	const then = was && WAS_MEMBER[whoLeft][presence][was];
	if (then === 'left' || then === 'mayHaveLeft') return { do: then };
	const { member, refused } = facts;
	if (then === 'wait' && member && retryAfter(member.at) > now)
		return { do: 'askedLately', until: retryAfter(member.at) };
	if (refused && retryAfter(refused.at) > now) return { do: 'refusedLately', until: retryAfter(refused.at) };
	return { do: 'add' };
}

/** Until when a member stays who should not be one, ms since 1970; `undefined` where they are removed now. */
export function staysUntil({ toLeave }: Facts, { now, removeAfter }: MemoryRules): number | undefined {
	const until = (toLeave?.at ?? now) + removeAfter * DAY;
	return removeAfter > 0 && until > now ? until : undefined;
}

/** When a person was asked for last: an addition was tried then, or answered. 0 if it isn't remembered. */
export function lastAsked({ member, refused, asked }: Facts): number {
	return Math.max(...[member, refused, asked].map((fact) => fact?.at ?? 0));
}

/** What a run has found out about a person. */
export interface Finding extends Pick<ChangeResult, 'outcome' | 'applied'> {
	readonly action: 'add' | 'remove' | 'none';
	readonly reason?: string | undefined;
	/** The gateway's own code. */
	readonly code?: string | undefined;
	/** Who says it: the gateway's reply, or the group that was read again. */
	readonly source: 'reply' | 'reread';
}

/**
 * What is remembered of a person after a run.
 *
 * @param facts as {@link factsSeen} gave them
 */
export function factsAfter(
	facts: Facts,
	shouldBeMember: boolean,
	{ action, outcome, applied, reason, code, source }: Finding,
	now: number,
): Facts {
	if (reason === 'removeAfter') return withFact(facts, 'toLeave', facts.toLeave ?? { at: now });
	if (outcome === 'done' || outcome === 'unchanged') {
		const name = shouldBeMember ? 'member' : 'out';
		// The gateway's answer is newer than what was remembered.
		const known = action === 'add' ? undefined : facts[name];
		return withFact(facts, name, known ?? { at: now });
	}
	if (action !== 'add') return facts;
	const refusal = REFUSALS.find((one) => one === outcome);
	if (refusal !== undefined && source === 'reply' && code !== undefined)
		return withFact(facts, 'refused', { at: now, outcome: refusal, code });
	return applied === null || source === 'reread' ? withFact(facts, 'asked', { at: now }) : facts;
}
