import { listOf } from '../../common/json';
import { DAY } from '../../common/time';
import type { Identity } from '../identity';
import { REFUSALS, type Facts } from '../memory/facts';
import { factsIn, newestIn, readPeople, writePeople, type PeopleMemory } from '../memory/peopleMemory';
import type { Addition } from './plan';

/** What n8n remembers of additions: of each person the last answer, as one of the facts `member`, `asked`, `refused`. */
export type Answers = PeopleMemory;

/** Longer than an answer counts it is remembered who was asked, so that those whom nobody asked yet come first. */
const SHORTEST_MEMORY = 30;
/** As many as fit in a few hundred kB. */
const MOST_ANSWERS = 10_000;

/** Reads what {@link writeAnswers} gave; what isn't understood is left out. */
export function readAnswers(stored: unknown): Answers {
	return readPeople(stored, (answer) => {
		const [seconds, kind, code] = listOf(answer);
		if (typeof seconds !== 'number' || typeof code !== 'string') return undefined;
		const at = seconds * 1000;
		if (kind === 'member' || kind === 'asked') return { [kind]: { at } };
		const outcome = REFUSALS.find((one) => one === kind);
		return outcome && { refused: { at, outcome, code } };
	});
}

/** What is to be remembered of some people of a group. */
export interface GroupAnswers {
	groupJid: string;
	/** All with all identities that are known of each, also that by which the reply names them. */
	people: ReadonlyArray<Pick<Addition, 'ids' | 'facts'>>;
	/** Whether every member of the group has a number: then who is a member needs no memory. */
	showsNumbers: boolean;
}

/** Keeps what is remembered of people: of each the last answer. @returns the memory with it; the given one stays as it is */
export function remember(answers: Answers, groups: Iterable<GroupAnswers>): Answers {
	const remembered = new Map(answers);
	for (const { groupJid, people: all, showsNumbers } of groups) {
		const people = new Map(remembered.get(groupJid));
		for (const { ids, facts } of all) {
			const answer = answerIn(facts, showsNumbers);
			for (const { canonical } of ids) {
				if (answer === undefined) people.delete(canonical);
				else people.set(canonical, answer);
			}
		}
		remembered.set(groupJid, people);
	}
	return remembered;
}

function answerIn({ member, asked, refused }: Facts, showsNumbers: boolean): Facts | undefined {
	if (member && !showsNumbers) return { member };
	if (asked) return { asked };
	return refused && { refused };
}

/**
 * What is remembered of a person, under whatever form of whatever identity; of several answers the newest.
 *
 * @param now ms since 1970: what is dated later doesn't count, since the clock was wrong then, or is now
 */
export function recall(answers: Answers, groupJid: string, ids: readonly Identity[], now: number): Facts {
	const facts = factsIn(answers, groupJid, ids);
	return facts === undefined || newestIn(facts) > now ? {} : facts;
}

/**
 * The memory as plain JSON, each answer as `[seconds since 1970, kind, code of a refusal]`: without what is too old to
 * matter, and without the oldest where there are too many.
 *
 * @param retryRefusedAfter in days
 * @returns what {@link readAnswers} reads
 */
export function writeAnswers(answers: Answers, now: number, retryRefusedAfter: number): object {
	const since = now - Math.max(retryRefusedAfter, SHORTEST_MEMORY) * DAY;
	const write = ({ asked, refused }: Facts, seconds: number) => {
		const kind = asked ? 'asked' : 'member';
		return refused ? [seconds, refused.outcome, refused.code ?? ''] : [seconds, kind, ''];
	};
	return writePeople(answers, write, { since, now, most: MOST_ANSWERS });
}
