import { DAY, HOUR } from '../../common/time';
import { consistent, FACT_NAMES, hasFacts, NO_FACTS, without, type Facts, type FactName } from './fact';

/** Facts that a store has of a person, and when a run met the person last, in ms since 1970; 0: never. */
export interface Remembered {
	readonly facts: Facts;
	readonly metAt: number;
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

/** Times for which facts count of somebody whom no run meets. */
const KNOWN_FOR = 30 * DAY;
export const INVITES_KNOWN_FOR = 60 * DAY;

/** A date that fewer people or a smaller share of them have is that of a run of some rows. */
const FEWEST = 3;
const SMALLEST_SHARE = 0.1;

/**
 * Finds the date of the run before this execution. Only where neither rows nor n8n have one do the node's own facts in the process
 * count.
 *
 * @param people all people of the group in this run. Dates of this execution don't count.
 */
export function lastRunAmong(
	people: readonly Sources[],
	{ now, node }: Pick<RecallRules, 'now' | 'node'>,
): number | undefined {
	const ofList = people.map(({ rows, n8n }) => [...rows, n8n.facts]);
	const own = () => people.map(({ process: { facts } }) => (facts.member?.by === node ? [facts] : []));
	return runBefore(ofList, now) ?? runBefore(own(), now);
}

/**
 * Finds the date around the newest one that many people share which most of them share. By votes alone, the members of
 * an earlier list would outvote those of the last run, who would all be said to have left. By the newest date alone, a handful
 * of rows at noon would outvote the night.
 *
 * @param people the facts of each person
 */
function runBefore(people: ReadonlyArray<readonly Facts[]>, now: number): number | undefined {
	const amounts = new Map<number, number>();
	for (const facts of people)
		for (const at of new Set(facts.map(({ member }) => member?.at)))
			if (at !== undefined && at < now) amounts.set(at, (amounts.get(at) ?? 0) + 1);
	const newestFirst = [...amounts].sort(([date], [other]) => other - date);
	const enough = Math.max(FEWEST, SMALLEST_SHARE * people.length);
	const [newest] = newestFirst.find(([, amount]) => amount >= enough) ?? [];
	const near = newestFirst.filter(
		([date]) => newest === undefined || (date <= newest && date >= newest - RECENT),
	);
	const most = Math.max(...near.map(([, amount]) => amount));
	return near.find(([, amount]) => amount === most)?.[0];
}

/** Whether a row or the node itself remembers a person. */
export function isKnown({ rows, n8n, process: { facts } }: Sources, node: string): boolean {
	return n8n.metAt > 0 || rows.some(hasFacts) || FACT_NAMES.some((name) => facts[name]?.by === node);
}

/** Puts together what the stores know of a person: the newest fact counts, wherever it stands. */
export function recall({ rows, n8n, process }: Sources, rules: RecallRules): Facts {
	const { now, lastRun = 0, node, whoLeft } = rules;
	const isForgotten = n8n.metAt < lastRun - KNOWN_FOR;
	const known = withoutOldInvites(process, withoutOldGrace(process, now - RECENT), now);
	const ofProcess =
		whoLeft === 'addAgain' ? { facts: known, seenAt: 0 } : withoutHearsay(known, { now, node });
	// An invite of before a removal doesn't count, however long ago that was.
	const current = isForgotten ? without(n8n.facts, ALL_BUT_OUT_AND_INVITES) : withoutOldGrace(n8n, lastRun);
	const ofN8n = withoutOldInvites(n8n, current, lastRun);
	// The row was missing since: who is wanted again after months is new.
	const recent = [ofN8n, ofProcess.facts].map((facts) =>
		facts.left !== undefined && facts.left.at < lastRun - RECENT ? without(facts, ['left']) : facts,
	);
	return consistent([...rows, ...recent], ofProcess.seenAt);
}

/** Puts together what the stores know of a person who may get an invite. That they were a member counts by the word of all nodes. */
export function recallForInvite({ rows, n8n, process }: Sources, now: number): Facts {
	return consistent([...rows, ...[n8n, process].map((store) => withoutOldInvites(store, store.facts, now))]);
}

export const INVITES: readonly FactName[] = ['invited', 'maybeInvited'];
const ALL_BUT_OUT_AND_INVITES = FACT_NAMES.filter((name) => name !== 'out' && !INVITES.includes(name));

/** Drops invites of somebody whom no run has met for long: who comes back after that is somebody new. */
function withoutOldInvites({ metAt }: Remembered, facts: Facts, now: number): Facts {
	return metAt < now - INVITES_KNOWN_FOR ? without(facts, INVITES) : facts;
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
