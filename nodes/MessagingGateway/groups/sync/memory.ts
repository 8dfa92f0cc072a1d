import { listOf } from '../../common/json';
import type { Identity } from '../identity';
import { noteOf, readPeople, writePeople, type NoteFormat, type PeopleMemory } from '../memory';
import type { Outcome } from '../outcomes';

const DAY = 24 * 60 * 60 * 1000;

/** Outcomes by which the gateway says that a person can't be added now. A full group says nothing about a person. */
const REFUSALS = [
	'inviteRequired',
	'blocked',
	'notFound',
	'recentlyLeft',
	'pendingApproval',
	'rejected',
] as const satisfies Outcome[];

/** What was said when a person was refused. */
export interface Refusal {
	/** ms since 1970, to the second. */
	readonly at: number;
	readonly outcome: (typeof REFUSALS)[number];
	/** The gateway's own code. */
	readonly code: string;
}

/** A refusal as a plan needs it. */
export interface PastRefusal extends Refusal {
	/** From when on they are asked again, ms since 1970. */
	readonly retryAt: number;
	/** Whether that is still to come. */
	readonly isRecent: boolean;
}

/** Who was refused: by group, then by the canonical form of each of their identities. */
export type Refusals = PeopleMemory<Refusal>;

/** What the gateway itself said about an addition. */
export interface Answer {
	/** All identities that are known of the person, also that by which the reply names them. */
	readonly ids: readonly Identity[];
	readonly outcome: Outcome;
	/** The gateway's own code. A `rejected` without one is not what the gateway said, and isn't remembered. */
	readonly code?: string;
}

/** When something is asked or written, and how long a refusal counts. */
export interface Time {
	/** ms since 1970. */
	readonly now: number;
	/** Days; 0: refused people are asked every time. */
	readonly retryRefusedAfter: number;
}

/** Longer than a refusal counts it is remembered who was asked, so that those whom nobody asked yet come first. */
const SHORTEST_MEMORY = 30;
/** As many as fit in a few hundred kB. */
const MOST_REFUSALS = 10_000;

/** `[seconds since 1970, outcome, code]`. */
const REFUSAL_FORMAT: NoteFormat<Refusal> = {
	version: 1,
	write: ({ at, outcome, code }) => [at / 1000, outcome, code],
	read: readRefusal,
};

/** Reads what {@link writeRefusals} gave; what isn't understood is left out. */
export function readRefusals(stored: unknown): Refusals {
	return readPeople(stored, REFUSAL_FORMAT);
}

function readRefusal(value: unknown): Refusal | undefined {
	const [seconds, said, code] = listOf(value);
	const outcome = REFUSALS.find((one) => one === said);
	if (typeof seconds !== 'number' || outcome === undefined || typeof code !== 'string') return undefined;
	return { at: seconds * 1000, outcome, code };
}

/**
 * Notes who was refused, and forgets who is in the group now.
 *
 * @param answers what came of additions to the group
 * @param now ms since 1970
 * @returns the memory with them; the given one stays as it is
 */
export function remember(
	refusals: Refusals,
	groupJid: string,
	answers: Iterable<Answer>,
	now: number,
): Refusals {
	const people = new Map(refusals.get(groupJid));
	for (const { ids, outcome, code } of answers) {
		const refusal = REFUSALS.find((one) => one === outcome);
		const isMember = outcome === 'done' || outcome === 'unchanged';
		for (const { canonical } of ids) {
			if (isMember) people.delete(canonical);
			else if (refusal !== undefined && code !== undefined)
				people.set(canonical, { at: Math.floor(now / 1000) * 1000, outcome: refusal, code });
		}
	}
	return new Map(refusals).set(groupJid, people);
}

/**
 * What is remembered of a person, under whatever form of whatever identity; of several refusals the newest.
 *
 * @returns `undefined` also for a refusal that is dated in the future: the clock was wrong then, or is now
 */
export function recall(
	refusals: Refusals,
	groupJid: string,
	ids: readonly Identity[],
	{ now, retryRefusedAfter }: Time,
): PastRefusal | undefined {
	const newest = noteOf(refusals, groupJid, ids);
	if (newest === undefined || newest.at > now) return undefined;
	const retryAt = newest.at + retryRefusedAfter * DAY;
	return { ...newest, retryAt, isRecent: retryAt > now };
}

/**
 * The memory as plain JSON: without what is too old to matter, and without the oldest where there are too many.
 *
 * @returns what {@link readRefusals} reads
 */
export function writeRefusals(refusals: Refusals, { now, retryRefusedAfter }: Time): object {
	const since = now - Math.max(retryRefusedAfter, SHORTEST_MEMORY) * DAY;
	return writePeople(refusals, REFUSAL_FORMAT, { since, now, most: MOST_REFUSALS });
}
