import type { Steps } from '../../common/steps';
import type { Facts } from '../memory/facts';
import { placesWithin, type RunLimits } from './limits';
import { phaseOf, sentIn, type Decision, type Plan, type Postponement, type SentDecision } from './plan';

/**
 * What the next run is for somebody whom a limit holds back: it has room for them, may start with the same people as this
 * one, or has room for nobody; after a dry run it is a real one, with room or without.
 */
export type NextRun = 'hasRoom' | 'mayRepeat' | 'hasNone' | 'isReal' | 'isRealWithoutRoom';

/** A group with its plan, and whose places it takes. */
interface PlannedRef {
	readonly instance: string;
	readonly plan: Plan;
	readonly rules: { readonly dryRun: boolean };
}

/** What the next run is for somebody of a group who is postponed by a limit. */
export type NextRunFor = (postponed: Postponement, group: PlannedRef) => NextRun;

/**
 * Foretells the next run. It has room where everybody who took a place in this one won't take it again: the group shows
 * that they are in it or out of it, or it's remembered what came of them.
 *
 * @param groups also those that were only tried out
 * @param after what is remembered of everybody after the run
 * @param isRemembered whether n8n keeps it where rows don't
 */
export function* foretell(
	groups: readonly PlannedRef[],
	limits: RunLimits,
	after: ReadonlyMap<Decision, Facts>,
	isRemembered: boolean,
): Steps<NextRunFor> {
	const places = placesWithin(limits);
	const hasMemory = ({ rows }: Decision) => isRemembered || rows.some(({ memory }) => memory);
	const isSettled = (one: SentDecision, { shows }: Plan) => {
		const facts = after.get(one) ?? one.facts;
		if (facts === one.facts) return false;
		const isShown = facts.member !== undefined && one.ids.every(({ kind }) => shows[kind]);
		return one.action === 'remove' || isShown || hasMemory(one);
	};
	const scopeOf = (one: SentDecision | Postponement, { instance }: PlannedRef) =>
		`${phaseOf(one)} ${instance}`;
	const settled = new Map<string, boolean>();
	for (const group of groups) {
		if (group.rules.dryRun) continue;
		for (const one of sentIn(group.plan)) {
			yield;
			const scope = scopeOf(one, group);
			settled.set(scope, settled.get(scope) !== false && isSettled(one, group.plan));
		}
	}
	return (postponed, group) => {
		const isWithoutRoom = places[phaseOf(postponed)] === 0;
		if (group.rules.dryRun) return isWithoutRoom ? 'isRealWithoutRoom' : 'isReal';
		if (isWithoutRoom) return 'hasNone';
		// Where nobody took a place, an earlier run of the execution has used them up.
		const isSure = postponed.action === 'remove' || hasMemory(postponed);
		return (settled.get(scopeOf(postponed, group)) ?? isSure) ? 'hasRoom' : 'mayRepeat';
	};
}
