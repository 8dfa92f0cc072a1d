import type { Participant } from '../../input/participants';
import type { Recalled } from './memory';

/** What happens to members that the list doesn't name. */
export type Unlisted = 'keep' | 'remove';

/** One participant of one item: who, and whether they should be in the group. Callers may add what they need. */
export interface Row {
	/** Index of the item. */
	readonly item: number;
	readonly participant: Participant;
	readonly shouldBeMember: boolean;
}

/** What one item says about its whole group; a bad item has only what could be read of it. */
export interface ItemRules {
	readonly unlisted?: Unlisted;
	readonly removeAdmins?: boolean;
	/** Identities, as `identityOf` gives them. */
	readonly protected?: readonly string[];
	/** 0 to 100. */
	readonly maxRemovalPercent?: number;
	readonly dryRun?: boolean;
}

/** What holds for one group. */
export type GroupRules = Required<ItemRules>;

/** All that a plan has to know besides the list and the members. */
export interface PlanRules extends Pick<GroupRules, 'unlisted' | 'removeAdmins' | 'protected'> {
	/** Identities of the instance's own account; none where it isn't known. */
	readonly own: readonly string[];
	/** Whether numbers count as they are spelled; protected people and the own account count in all forms anyway. */
	readonly exactNumbers: boolean;
	/** Whether an item that isn't valid may have named somebody of this group. */
	readonly badRow: boolean;
	/** What the memory has of somebody's refusal in this group. */
	readonly recall: (ids: readonly string[]) => Recalled | undefined;
}

/**
 * The rules of a group from those of its items, bad ones included, in input order: `unlisted` and `removeAdmins` as the
 * first item says (where that can't be read, nobody is removed by them), protected people of all items, the smallest
 * percentage, dry if any item is.
 */
export function groupRulesOf(items: readonly ItemRules[]): GroupRules {
	const [first] = items;
	const percentages = items.flatMap(({ maxRemovalPercent }) => maxRemovalPercent ?? []);
	return {
		unlisted: first?.unlisted ?? 'keep',
		removeAdmins: first?.removeAdmins ?? false,
		protected: [...new Set(items.flatMap((item) => item.protected ?? []))],
		maxRemovalPercent: percentages.reduce((least, one) => Math.min(least, one), percentages[0] ?? 0),
		dryRun: items.some(({ dryRun }) => dryRun),
	};
}
