import type { Outcome } from '../outcomes';

/** Outcomes by which the gateway says that a person can't be added now. A full group says nothing about a person. */
export const REFUSALS = [
	'inviteRequired',
	'blocked',
	'notFound',
	'recentlyLeft',
	'pendingApproval',
	'rejected',
] as const satisfies Outcome[];

/** Something that was noted of a person, and when, in ms since 1970. */
export interface Note {
	readonly at: number;
}

/** What was said when a person was refused. */
export interface Refusal extends Note {
	readonly outcome: (typeof REFUSALS)[number];
	/** The gateway's own code, where it is remembered. */
	readonly code?: string;
}

/** What is remembered of a person in a group. At most one of the first four is there. */
export interface Facts {
	/** In the group since then, as far as a run knew it; or the gateway's last answer. */
	readonly member?: Note;
	/** Was a member, and is none any more though nobody asked for it. */
	readonly left?: Note;
	/** Should not be a member. */
	readonly toLeave?: Note;
	/** Not in the group, as asked. */
	readonly out?: Note;
	/** Couldn't be added. */
	readonly refused?: Refusal;
	/** Was asked for, and it isn't known what came of it. */
	readonly asked?: Note;
	/** Was sent an invite. */
	readonly invited?: Note;
	/** May have been sent an invite. */
	readonly maybeInvited?: Note;
}

export type FactName = keyof Facts;

/** Of these at most one is true. */
export const STANDINGS = ['member', 'left', 'toLeave', 'out'] as const satisfies FactName[];

/** What is no longer true once a fact is. */
const ENDS: Record<FactName, readonly FactName[]> = {
	member: [...STANDINGS, 'refused', 'asked', 'invited', 'maybeInvited'],
	left: STANDINGS,
	toLeave: STANDINGS,
	out: [...STANDINGS, 'refused', 'asked'],
	// Who was refused, or may have been, is to be in the group and isn't known to be.
	refused: ['member', 'toLeave', 'out', 'asked'],
	asked: ['member', 'toLeave', 'out'],
	invited: [],
	maybeInvited: [],
};

/** The facts with one more, and without those that it ends. */
export function withFact<N extends FactName>(facts: Facts, name: N, fact: Required<Facts>[N]): Facts {
	return { ...without(facts, ENDS[name]), [name]: fact };
}

export function without(facts: Facts, names: readonly FactName[]): Facts {
	const left = { ...facts };
	for (const name of names) delete left[name];
	return left;
}

/** Whether nothing is remembered. */
export function isEmpty(facts: Facts): boolean {
	return Object.keys(facts).length === 0;
}
