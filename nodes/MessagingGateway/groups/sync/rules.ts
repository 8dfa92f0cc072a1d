import type { GroupRef, Participant } from '../change';
import type { Identity } from '../identity';
import type { MemoryRules } from '../memory/meaning';
import type { RecallRules, Sources } from '../memory/recall';

/** The memory of one group, in all stores. */
export interface Recaller extends Omit<RecallRules, 'now' | 'cameInParts'> {
	readonly find: (ids: readonly Identity[]) => Sources;
	/** Whether the node remembers anybody. */
	readonly knowsAnybody: boolean;
}

/** One participant of one item. */
export interface Row {
	readonly item: number;
	/** `null` where the row has a field for it, without text. */
	readonly name?: string | null | undefined;
	readonly participant: Participant;
	readonly shouldBeMember: boolean;
}

/** Rules of one group, the same for all its items. */
export interface GroupRules extends Pick<MemoryRules, 'whoLeft' | 'removeAfter'> {
	readonly unlisted: 'keep' | 'remove';
	readonly removeAdmins: boolean;
	/** People who are never removed. */
	readonly protected: readonly Identity[];
	/** 0 to 100. */
	readonly maxRemovalPercent: number;
	/** Action and `sentAs` of approved changes: `add 4915200000001`. Everything is approved without them. */
	readonly approved?: ReadonlySet<string> | undefined;
}

export interface PlanRules extends GroupRules, GroupRef {
	readonly dryRun: boolean;
	/** Beginning of the execution, ms since 1970. */
	readonly now: number;
	/** The time now, in ms since 1970. */
	readonly at: number;
	/** The instance's own account; empty where it isn't known. */
	readonly own: readonly Identity[];
	/** Whether a bad item may be about this group: then nobody is removed. */
	readonly badRow: boolean;
	/** People about whom items contradict each other: nothing is sent for them. */
	readonly withheld: readonly Identity[];
	/** The digits of protected and withheld numbers that nothing says the country of. */
	readonly bare: readonly string[];
	/** The memory of the group. */
	readonly memory: Recaller;
	/** People, by key, whom earlier runs of the execution took out, wanted, or noticed to be gone. */
	readonly before: Readonly<Record<'removed' | 'wanted', ReadonlySet<string>>> & {
		readonly left: ReadonlyMap<string, readonly Identity[]>;
	};
}
