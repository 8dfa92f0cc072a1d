import type { Participant } from '../change';
import { distinct, type Identity } from '../identity';
import type { Facts } from '../memory/facts';
import type { RememberingRow, RowMemory } from '../memory/rowText';
import type { MemoryRules } from './decide';

/** One participant of one item: who, and whether they should be in the group. */
export interface Row extends RememberingRow {
	readonly participant: Participant;
	readonly shouldBeMember: boolean;
	readonly memory?: (RowMemory & Pick<MemoryRules, 'whoLeft' | 'removeAfter'>) | undefined;
}

/** What holds for one group. */
export interface GroupRules {
	/** What happens to members that the list doesn't name. */
	readonly unlisted: 'keep' | 'remove';
	readonly removeAdmins: boolean;
	readonly protected: readonly Identity[];
	/** 0 to 100. */
	readonly maxRemovalPercent: number;
	/** What happens where more members would be removed than that. */
	readonly overLimit: 'stop' | 'hold';
	readonly dryRun: boolean;
}

/** What one item says about its whole group; a bad item has only what could be read of it. */
export type ItemRules = { readonly [Rule in keyof GroupRules]?: GroupRules[Rule] | undefined };

/** All that a plan has to know besides the list and the members. */
export interface PlanRules extends GroupRules, Pick<MemoryRules, 'now' | 'retryRefusedAfter'> {
	/** The instance's own account; empty where it isn't known. */
	readonly own: readonly Identity[];
	/** Whether numbers count as they are spelled; protected people and the own account count in all forms anyway. */
	readonly exactNumbers: boolean;
	/** Whether an item that isn't valid may have named people of this group. */
	readonly badRow: boolean;
	/** How many members earlier runs of the execution have removed from the group. */
	readonly removedBefore: number;
	/** What n8n remembers of a person in this group. */
	readonly recall: (ids: readonly Identity[]) => Facts;
}

/**
 * The rules of a group from those of its items, bad ones included, in input order: `unlisted` and `removeAdmins` as the
 * first item says (where that can't be read, nobody is removed by them), protected people of all items, the smallest
 * percentage, at which the group stops if any item says so, dry if any item is.
 */
export function groupRulesOf(items: readonly ItemRules[]): GroupRules {
	const [first] = items;
	const percentages = items.flatMap(({ maxRemovalPercent }) => maxRemovalPercent ?? []);
	return {
		unlisted: first?.unlisted ?? 'keep',
		removeAdmins: first?.removeAdmins ?? false,
		// Items with the same text share one list.
		protected: distinct([...new Set(items.map((item) => item.protected ?? []))].flat()),
		maxRemovalPercent: percentages.reduce((least, one) => Math.min(least, one), percentages[0] ?? 0),
		overLimit: first && items.every(({ overLimit }) => overLimit === 'hold') ? 'hold' : 'stop',
		dryRun: items.some(({ dryRun }) => dryRun === true),
	};
}
