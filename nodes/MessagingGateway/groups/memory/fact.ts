import type { Outcome } from '../outcomes';

/** Outcomes by which a gateway refuses a person. A full group says nothing about a person. */
export const REFUSALS = [
	'inviteRequired',
	'blocked',
	'notFound',
	'recentlyLeft',
	'pendingApproval',
	'rejected',
] as const satisfies Outcome[];

/** Date of a fact, in ms since 1970. */
interface Note {
	readonly at: number;
}

/** Facts that are remembered of a person in a group. At most one of the first four is there. */
export interface Facts {
	/** A run saw the person in the group. */
	readonly member?: Note;
	/** Was a member in the run before, and left or was removed by hand. */
	readonly left?: Note;
	/** Should not be a member. */
	readonly toLeave?: Note;
	/** Isn't in the group, as requested. */
	readonly out?: Note;
	/** An addition or an invite was refused; beside `toLeave`, a removal. */
	readonly refused?: Note & { readonly outcome: (typeof REFUSALS)[number] };
	/** A change was sent, and its result isn't known; beside `toLeave`, a removal. */
	readonly asked?: Note;
	readonly invited?: Note;
	/** A message may have been sent, or had no working link. */
	readonly maybeInvited?: Note;
}

export type FactName = keyof Facts;

/** Facts of which at most one is true. */
export const STANDINGS = ['member', 'left', 'toLeave', 'out'] as const satisfies FactName[];

/** All facts, in the order in which they are written. */
export const FACT_NAMES: readonly FactName[] = [...STANDINGS, 'refused', 'asked', 'invited', 'maybeInvited'];

/** Facts that are no longer true once another one is. */
const ENDS: Record<FactName, readonly FactName[]> = {
	member: FACT_NAMES,
	left: STANDINGS,
	toLeave: STANDINGS,
	out: [...STANDINGS, 'refused', 'asked'],
	// The refusal may be an invite's, which says nothing about members.
	refused: ['asked'],
	asked: ['member', 'out'],
	invited: [],
	maybeInvited: [],
};

/** Adds facts, and drops those that they end. */
export function withFacts(facts: Facts, more: Facts): Facts {
	const ended = FACT_NAMES.filter((name) => more[name] !== undefined).flatMap((name) => ENDS[name]);
	return { ...without(facts, ended), ...more };
}

export function without(facts: Facts, names: readonly FactName[]): Facts {
	if (names.every((name) => facts[name] === undefined)) return facts;
	const others = { ...facts };
	for (const name of names) delete others[name];
	return others;
}

export function only(facts: Facts, names: readonly FactName[]): Facts {
	return without(
		facts,
		FACT_NAMES.filter((name) => !names.includes(name)),
	);
}

/** Facts of one date become true in this order: standings end refusals, and invites come after. */
const ORDER: readonly FactName[] = ['refused', 'asked', ...STANDINGS, 'invited', 'maybeInvited'];

/** Drops facts that contradict a newer one. */
export function consistent(facts: Facts): Facts {
	return ORDER.filter((name) => facts[name] !== undefined)
		.sort((name, other) => dateIn(facts, [name]) - dateIn(facts, [other]))
		.reduce<Facts>((known, name) => withFacts(known, only(facts, [name])), {});
}

/** Gives the date of the newest of some facts, in ms since 1970; 0 without any. */
export function dateIn(facts: Facts, names: readonly FactName[] = FACT_NAMES): number {
	return names.reduce((newest, name) => Math.max(newest, facts[name]?.at ?? 0), 0);
}

/** Picks the facts with the newest date: of several rows of a person, these count for all. */
export function combine(all: readonly Facts[]): Facts {
	return all.reduce((newest, facts) => (dateIn(facts) > dateIn(newest) ? facts : newest), {});
}

/** Rounds a date down to the minute, as it is written. */
export function toMinute(ms: number): number {
	return ms - (ms % 60_000);
}
