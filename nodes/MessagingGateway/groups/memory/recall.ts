import { DAY, HOUR } from '../../common/time';
import { consistent, FACT_NAMES, without, type FactName, type Facts } from './fact';
import type { Remembered } from './text';

/** The facts of one person in one group, by store. */
export interface Sources {
	/** Those that the node itself remembers. */
	readonly node: Remembered;
	/** Those that all nodes and operations in the process noted. */
	readonly notes: Remembered;
}

/** Rules by which old facts count. */
export interface RecallRules {
	/** Beginning of the execution's first run, to the minute, ms since 1970. */
	readonly now: number;
	/** The time since when a third of the people of the group were met; `undefined`: nobody was. */
	readonly lastRun: number | undefined;
	/** Whether so many people are in the list again that parts of it were missing. */
	readonly cameInParts?: boolean | undefined;
	/** Whether n8n keeps no memory of the node. */
	readonly isUnkept?: boolean | undefined;
}

/** Number of steps since which a node has met whom it knows: a row that is missing once is a slip. */
const STEPS_KNOWN = 2.5;

/** Time for which it knows those who were in a part of the list that was missing: later, it was a wish. */
const PARTS_KNOWN_FOR = 14 * DAY;

/** Time for which invites of somebody count whom no run meets. */
export const INVITES_KNOWN_FOR = 100 * DAY;

/** Time for which a membership proves a leaving where n8n keeps nothing: another worker may remove, too. */
const RECENT = 36 * HOUR;

export const INVITES: readonly FactName[] = ['invited', 'maybeInvited'];
const IN_MEETINGS = FACT_NAMES.filter((name) => name !== 'out' && !INVITES.includes(name));
const STANDINGS = ['member', 'left'] as const;

/** Gives the time since which a node has to have met somebody, or what it knows is of an earlier wish. */
export function knownSince({ now, lastRun = now, cameInParts = false }: RecallRules): number {
	return now - Math.max(STEPS_KNOWN * Math.max(DAY, now - lastRun), cameInParts ? PARTS_KNOWN_FOR : 0);
}

/** Puts together what is known for Sync. That others saw a person ends refusals, and proves no leaving. */
export function recall({ node, notes }: Sources, rules: RecallRules): Facts {
	const { now, isUnkept = false } = rules;
	const since = knownSince(rules);
	const ofNode = current(node, since, now);
	const isProof = !isUnkept || node.metAt >= now - RECENT;
	const others = current(notes, since, now);
	const seenAt = others.member?.at ?? 0;
	const own = isProof ? ofNode : without(ofNode, STANDINGS);
	return consistent([own, without(others, STANDINGS)], seenAt);
}

/** Puts together what is known for an invite: that somebody was a member counts by the word of all nodes. */
export function recallForInvite({ node, notes }: Sources, now: number): Facts {
	return consistent([node, notes].map((store) => withoutOldInvites(store, store.facts, now)));
}

/** Leaves the facts that count: of whom no run met lately, all but `out` and invites are of an earlier wish. */
function current(store: Remembered, since: number, now: number): Facts {
	const { facts, metAt } = store;
	return withoutOldInvites(store, metAt < since ? without(facts, IN_MEETINGS) : facts, now);
}

function withoutOldInvites({ metAt }: Remembered, facts: Facts, now: number): Facts {
	return metAt < now - INVITES_KNOWN_FOR ? without(facts, INVITES) : facts;
}
