import type { Participant } from '../change';
import type { Identity } from '../identity';
import type { Facts } from '../memory/fact';
import type { MemoryRules } from '../memory/meaning';
import type { RowMemory } from '../memory/text';

/** One participant of one item: who, and whether they should be in the group. */
export interface Row {
	/** Index of the item. */
	readonly item: number;
	readonly participant: Participant;
	readonly shouldBeMember: boolean;
	/** What the row remembers; `undefined` without Row Memory. */
	readonly memory?: RowMemory | undefined;
}

/** What holds for one group, the same for all its items. */
export interface GroupRules {
	/** What happens to members that the list doesn't name. */
	readonly unlisted: 'keep' | 'remove';
	readonly removeAdmins: boolean;
	/** People who are never removed. */
	readonly protected: readonly Identity[];
	/** 0 to 100. */
	readonly maxRemovalPercent: number;
	/** What happens where more members would be removed than that. */
	readonly overLimit: 'stop' | 'hold';
	readonly whoLeft: MemoryRules['whoLeft'];
	/** Days that a person stays who should leave. */
	readonly removeAfter: number;
	/** Days that a refused change waits. */
	readonly retryRefusedAfter: number;
	/** The `sentAs` of approved changes; `undefined` where everything is approved. */
	readonly approved?: ReadonlySet<string> | undefined;
}

/** All that a plan has to know besides the list and the members. */
export interface PlanRules extends GroupRules {
	readonly dryRun: boolean;
	/** When the execution began, ms since 1970. */
	readonly now: number;
	/** The instance's own account; empty where it isn't known. */
	readonly own: readonly Identity[];
	/** Whether numbers count as they are spelled; protected people and the own account count in all forms anyway. */
	readonly exactNumbers: boolean;
	/** Whether a bad item may be about this group: then nobody is removed. */
	readonly badRow: boolean;
	/** Number of members that this execution has removed from the group before. */
	readonly removedBefore: number;
	/** Returns what n8n remembers of a person in this group. */
	readonly recall: (ids: readonly Identity[], isListed: boolean) => Facts;
}
