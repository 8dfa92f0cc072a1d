import { DAY, HOUR } from '../../common/time';
import { consistent, NO_FACTS, only, without, type Facts, type FactName } from './fact';

/** Facts that a store has of a person, and when a run met the person last, in ms since 1970; 0: never. */
export interface Remembered {
	readonly facts: Facts;
	readonly metAt: number;
	/** Times at which runs added the person again whom another node had taken out, ms since 1970; in the process alone. */
	readonly returns?: readonly number[];
}

export const UNKNOWN: Remembered = { facts: NO_FACTS, metAt: 0 };

/** The facts of one person in one group, by store. */
export interface Sources {
	/** Facts of all rows that name the person. */
	readonly rows: readonly Facts[];
	/** Facts in n8n's static data for the node. */
	readonly n8n: Remembered;
	/** Facts that all nodes in the process noted. */
	readonly process: Remembered;
}

/** Rules by which old facts count. */
export interface RecallRules {
	/** Beginning of the execution's first run, to the minute, ms since 1970. */
	readonly now: number;
	/** Date of the run before this execution, as {@link lastRunAmong} gives it. */
	readonly lastRun: number | undefined;
	/** The node whose list it is. */
	readonly node: string;
	/** Rule for people who left: with `addAgain`, all that is known of members counts. */
	readonly whoLeft?: 'keepOut' | 'addAgain';
}

/** A nightly run that is late finds the people of the last one within that time. */
const RECENT = 36 * HOUR;

const STORED_FOR = 30 * DAY;

/**
 * Finds the date of the run before this execution: the one that most `member` facts of rows and n8n share, of equally many the
 * newest. A few rows may have run alone since. Only where neither has one do the node's own in the process count.
 *
 * @param people all people of the group in this run. Dates of this execution don't count.
 */
export function lastRunAmong(
	people: readonly Sources[],
	{ now, node }: Pick<RecallRules, 'now' | 'node'>,
): number | undefined {
	const ofList = people.flatMap(({ rows, n8n }) => [...rows, n8n.facts]);
	const own = () => people.flatMap(({ process: { facts } }) => (facts.member?.by === node ? facts : []));
	return mostShared(ofList, now) ?? mostShared(own(), now);
}

function mostShared(all: readonly Facts[], now: number): number | undefined {
	const amounts = new Map<number, number>();
	for (const { member } of all)
		if (member !== undefined && member.at < now) amounts.set(member.at, (amounts.get(member.at) ?? 0) + 1);
	const [most] = [...amounts].sort(
		([date, amount], [otherDate, other]) => other - amount || otherDate - date,
	);
	return most?.[0];
}

/** Puts together what the stores know of a person: the newest fact counts, wherever it stands. */
export function recall({ rows, n8n, process }: Sources, rules: RecallRules): Facts {
	const { now, lastRun = 0, node, whoLeft } = rules;
	const isForgotten = n8n.metAt < lastRun - STORED_FOR;
	const known = withoutOldGrace(process, now - RECENT);
	const ofProcess =
		whoLeft === 'addAgain' ? { facts: known, seenAt: 0 } : withoutHearsay(known, { now, node });
	// An invite of before a removal doesn't count, however long ago that was.
	const ofN8n = isForgotten ? only(n8n.facts, 'out') : withoutOldGrace(n8n, lastRun);
	// The row was missing since: who is wanted again after months is new.
	const recent = [ofN8n, ofProcess.facts].map((facts) =>
		facts.left !== undefined && facts.left.at < lastRun - RECENT ? without(facts, ['left']) : facts,
	);
	return consistent([...rows, ...recent], ofProcess.seenAt);
}

/**
 * Drops from what the process knows whatever must not keep anybody out: members whom other nodes saw, and standings of old.
 * Another worker or workflow may have taken those people out itself, and they would be called people who left, for good.
 */
function withoutHearsay(
	facts: Facts,
	{ now, node }: Pick<RecallRules, 'now' | 'node'>,
): { facts: Facts; seenAt: number } {
	const { member } = facts;
	const isHearsay = (name: 'member' | 'left') => {
		const note = facts[name];
		return note !== undefined && (note.by !== node || note.at < now - RECENT);
	};
	const hearsay: FactName[] = (['member', 'left'] as const).filter(isHearsay);
	return {
		facts: without(facts, hearsay),
		seenAt: member !== undefined && hearsay.includes('member') ? member.at : 0,
	};
}

/**
 * Drops the days of grace of somebody whom no run has met since, and the tries to remove them. Members who have no row leave
 * unseen: those who come back would be removed at once.
 */
function withoutOldGrace({ facts, metAt }: Remembered, since: number): Facts {
	return facts.toLeave && metAt < since ? without(facts, ['toLeave', 'refused', 'asked']) : facts;
}
