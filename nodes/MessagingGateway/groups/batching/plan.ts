import { groupBy } from '../../common/groupBy';
import { draftGroup } from './groupDraft';
import { apart } from './requests';
import type { Action } from '../outcomes';

/**
 * One change of one person in one group: the unit of a plan. What was asked for and what is sent are two things, and a
 * change knows its own place, since an item may want several and one may belong to no item.
 */
export interface Change {
	/** Index among all changes of the run. */
	place: number;
	/** The input item that asks for it; nothing if none does. */
	item: number | undefined;
	instance: string;
	groupJid: string;
	action: Action;
	/** The participant as asked for, e.g. `+55 11 99999-0001`. */
	participant: string;
	/** As the gateway is asked for them: digits, or a full JID. */
	sentAs: string;
}

/** One call to the gateway. */
export interface PlannedRequest {
	instance: string;
	groupJid: string;
	action: Action;
	/** What is sent, each once, in the order of first mention. */
	participants: string[];
	/** Every change that it makes, in order. */
	changes: Change[];
}

/** How changes may be put together. */
export interface Grouping {
	/** Whether one request may serve several items. */
	combineItems: boolean;
	/** Most participants in one request. */
	batchSize: number;
}

/** The identities of the account that each instance is connected to, as `identityOf` gives them. */
export type OwnAccounts = ReadonlyMap<string, readonly string[]>;

/** A plan that may depend on what the instances' own accounts are. */
export interface PlanDraft {
	/** The instances whose own account has to be known for it, each once. */
	undecided: string[];
	/**
	 * @param own what is known of them; where nothing is, nothing is reordered
	 * @returns the requests in the order in which they have to be sent
	 */
	decide: (own: OwnAccounts) => PlannedRequest[];
}

/**
 * Turns changes into few requests that leave every group as one request per item, in order, would leave it.
 *
 * Groups don't affect each other, so they follow in order of first mention, each as {@link draftGroup} has it. Where
 * items are not combined, all stays in order.
 *
 * @param changes in the order asked for
 */
export function draftPlan(changes: readonly Change[], { combineItems, batchSize }: Grouping): PlanDraft {
	if (!combineItems) {
		const requests = apart(changes, batchSize);
		return { undecided: [], decide: () => requests };
	}
	const byGroup = groupBy(changes, ({ groupJid }) => groupJid);
	const groups = [...byGroup.values()].map((ofGroup) => draftGroup(ofGroup, batchSize));
	return {
		undecided: [...new Set(groups.flatMap(({ undecided }) => undecided ?? []))],
		decide: (own) => groups.flatMap((group) => group.decide(own)),
	};
}

/** The requests of a plan for which nobody's own account is known: see {@link draftPlan}. */
export function planRequests(changes: readonly Change[], grouping: Grouping): PlannedRequest[] {
	return draftPlan(changes, grouping).decide(new Map());
}
