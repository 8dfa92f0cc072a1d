import type { Outcome } from '../outcomes';

/** Outcomes by which a gateway refuses a person; `unconfirmed` if it never told. */
export const REFUSALS = [
	'inviteRequired',
	'blocked',
	'notFound',
	'recentlyLeft',
	'pendingApproval',
	'rejected',
	'unconfirmed',
] as const satisfies Outcome[];

/** Date of a fact. */
interface Note {
	/** In ms since 1970. */
	readonly at: number;
}

/** Facts about a person in a group. At most one of the first four is there, but for `toLeave` beside `left`. */
export interface Facts {
	/** A run saw the person in the group, or added them. */
	readonly member?: Note;
	/** Was a member when a run met them last, and left or was removed by hand. */
	readonly left?: Note;
	/** Should not be a member, noticed then. */
	readonly toLeave?: Note;
	/** Isn't in the group, as requested. `by`: the node that took them out, among the notes of the process. */
	readonly out?: Note & { readonly by?: string };
	/** An addition or an invite was refused; beside `toLeave`, a removal. `number`: the one that was sent. */
	readonly refused?: Note & { readonly outcome: (typeof REFUSALS)[number]; readonly number?: string };
	/** A change was sent, and its result isn't known; beside `toLeave`, a removal. */
	readonly asked?: Note;
	readonly invited?: Note;
	/** A message may have been sent, or had no working link. */
	readonly maybeInvited?: Note;
}

export type FactName = keyof Facts;

/** One object for everybody of whom nothing is known: they may be many. */
export const NO_FACTS: Facts = {};

/** All facts, in the order in which they are written. */
export const FACT_NAMES: readonly FactName[] = [
	'member',
	'left',
	'toLeave',
	'out',
	'refused',
	'asked',
	'invited',
	'maybeInvited',
];

/** Facts that are no longer true once another one is. An invite belongs to the wish: `out` ends it. */
const ENDS: Record<FactName, readonly FactName[]> = {
	member: FACT_NAMES,
	left: ['member', 'out'],
	toLeave: ['member', 'out'],
	out: FACT_NAMES,
	// The refusal may be an invite's, which says nothing about members.
	refused: ['asked'],
	asked: ['member'],
	invited: [],
	maybeInvited: [],
};

/** Adds facts, and drops those that they end. Who should leave does so since the first notice. */
export function withFacts(facts: Facts, more: Facts): Facts {
	let rest = facts;
	for (const name of FACT_NAMES) if (more[name] !== undefined) rest = without(rest, ENDS[name]);
	const { toLeave } = rest;
	return { ...rest, ...more, ...(toLeave && more.toLeave && { toLeave }) };
}

export function without(facts: Facts, names: readonly FactName[]): Facts {
	if (names.every((name) => facts[name] === undefined)) return facts;
	if (FACT_NAMES.every((name) => facts[name] === undefined || names.includes(name))) return NO_FACTS;
	const others = { ...facts };
	for (const name of names) delete others[name];
	return others;
}

/** Adds the node that took somebody out, for the notes of the process. */
export function withAuthor(facts: Facts, by: string | undefined): Facts {
	return facts.out && by !== undefined ? { ...facts, out: { ...facts.out, by } } : facts;
}

export function only(facts: Facts, name: FactName): Facts {
	return facts[name] === undefined ? {} : { [name]: facts[name] };
}

/** Facts of one date become true in this order: standings end refusals, and invites come after. */
const ORDER: readonly FactName[] = [
	'out',
	'refused',
	'asked',
	'member',
	'left',
	'toLeave',
	'invited',
	'maybeInvited',
];

/**
 * Puts facts together, wherever they stand: of two that contradict each other, the newer one counts.
 *
 * @param seenAt when others saw the person in the group, in ms since 1970: that ends all but `member`
 */
export function consistent(all: readonly Facts[], seenAt = 0): Facts {
	const known = all.filter((facts) => hasFacts(facts));
	if (known.length < 2 && seenAt === 0) return known[0] ?? NO_FACTS;
	// Most people are only members, by the word of all stores.
	if (known.every(isOnlyMember))
		return known.reduce((newest, facts) => (dateIn(facts) > dateIn(newest) ? facts : newest), {});
	const dated = known.flatMap((facts) =>
		ORDER.flatMap((name, order) => (facts[name] ? [{ name, at: facts[name].at, order, facts }] : [])),
	);
	dated.sort((fact, other) => fact.at - other.at || fact.order - other.order);
	let isSeen = seenAt === 0;
	let result: Facts = {};
	for (const { name, at, facts } of dated) {
		if (!isSeen && at >= seenAt) {
			result = without(result, ENDED_ELSEWHERE);
			isSeen = true;
		}
		result = withFacts(result, only(facts, name));
	}
	return isSeen ? result : without(result, ENDED_ELSEWHERE);
}

const ENDED_ELSEWHERE = FACT_NAMES.filter((name) => name !== 'member');

export function hasFacts(facts: Facts): boolean {
	return FACT_NAMES.some((name) => facts[name] !== undefined);
}

/** Whether nothing is known but a membership, which matters least where there is no room for all. */
export function isOnlyMember(facts: Facts): boolean {
	return FACT_NAMES.every((name) => (facts[name] !== undefined) === (name === 'member'));
}

/** Gives the date of the newest of some facts, in ms since 1970; 0 without any. */
export function dateIn(facts: Facts, names: readonly FactName[] = FACT_NAMES): number {
	return names.reduce((newest, name) => Math.max(newest, facts[name]?.at ?? 0), 0);
}

/** Rounds a date down to the minute, as it is written. */
export function toMinute(ms: number): number {
	return ms - (ms % 60_000);
}
