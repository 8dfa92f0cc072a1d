import { listOf } from '../../common/json';
import { DAY } from '../../common/time';
import type { Identity } from '../identity';
import { REFUSALS, type Facts } from '../memory/facts';
import {
	noteOf,
	readPeople,
	writePeople,
	type Note,
	type NoteFormat,
	type PeopleMemory,
} from '../memory/notes';
import type { Addition } from './plan';

const ANSWER_KINDS = ['member', 'asked', ...REFUSALS] as const;

/** The last thing that was found out about adding a person. */
export interface Answer extends Note {
	readonly kind: (typeof ANSWER_KINDS)[number];
	/** The gateway's own code of a refusal; empty for the others. */
	readonly code: string;
}

/** What n8n remembers of additions: by group, then by the canonical form of each of a person's identities. */
export type Answers = PeopleMemory<Answer>;

/** Longer than an answer counts it is remembered who was asked, so that those whom nobody asked yet come first. */
const SHORTEST_MEMORY = 30;
/** As many as fit in a few hundred kB. */
const MOST_ANSWERS = 10_000;

/** `[seconds since 1970, kind, code]`. */
const ANSWER_FORMAT: NoteFormat<Answer> = {
	version: 1,
	write: ({ at, kind, code }) => [at / 1000, kind, code],
	read: (value) => {
		const [seconds, said, code] = listOf(value);
		const kind = ANSWER_KINDS.find((one) => one === said);
		if (typeof seconds !== 'number' || kind === undefined || typeof code !== 'string') return undefined;
		return { at: seconds * 1000, kind, code };
	},
};

/** Reads what {@link writeAnswers} gave; what isn't understood is left out. */
export function readAnswers(stored: unknown): Answers {
	return readPeople(stored, ANSWER_FORMAT);
}

/**
 * Keeps what is remembered of some people: of each the last answer.
 *
 * @param all with all identities that are known of each, also that by which the reply names them
 * @param showsNumbers whether every member of the group has a number: then who is a member needs no memory
 * @returns the memory with it; the given one stays as it is
 */
export function remember(
	answers: Answers,
	groupJid: string,
	all: Iterable<Pick<Addition, 'ids' | 'facts'>>,
	showsNumbers: boolean,
): Answers {
	const people = new Map(answers.get(groupJid));
	for (const { ids, facts } of all) {
		const answer = answerIn(facts, showsNumbers);
		for (const { canonical } of ids) {
			if (answer === undefined) people.delete(canonical);
			else people.set(canonical, answer);
		}
	}
	return new Map(answers).set(groupJid, people);
}

function answerIn({ member, asked, refused }: Facts, showsNumbers: boolean): Answer | undefined {
	const inSeconds = ({ at }: Note) => Math.floor(at / 1000) * 1000;
	if (member && !showsNumbers) return { at: inSeconds(member), kind: 'member', code: '' };
	if (asked) return { at: inSeconds(asked), kind: 'asked', code: '' };
	return refused && { at: inSeconds(refused), kind: refused.outcome, code: refused.code ?? '' };
}

/**
 * What is remembered of a person, under whatever form of whatever identity; of several answers the newest.
 *
 * @param now ms since 1970: what is dated later doesn't count, since the clock was wrong then, or is now
 */
export function recall(answers: Answers, groupJid: string, ids: readonly Identity[], now: number): Facts {
	const answer = noteOf(answers, groupJid, ids);
	if (answer === undefined || answer.at > now) return {};
	const { at, kind, code } = answer;
	if (kind === 'member' || kind === 'asked') return { [kind]: { at } };
	return { refused: { at, outcome: kind, code } };
}

/**
 * The memory as plain JSON: without what is too old to matter, and without the oldest where there are too many.
 *
 * @param retryRefusedAfter in days
 * @returns what {@link readAnswers} reads
 */
export function writeAnswers(answers: Answers, now: number, retryRefusedAfter: number): object {
	const since = now - Math.max(retryRefusedAfter, SHORTEST_MEMORY) * DAY;
	return writePeople(answers, ANSWER_FORMAT, { since, now, most: MOST_ANSWERS });
}
