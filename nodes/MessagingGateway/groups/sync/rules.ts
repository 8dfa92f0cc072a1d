import type { GroupRef, Participant } from '../change';
import type { Identity } from '../identity';
import type { MemoryRules } from '../memory/meaning';
import type { Sources } from '../memory/recall';
import type { RowMemory } from '../memory/text';

/** One participant of one item. */
export interface Row {
	readonly item: number;
	/** `null` where the row has a field for it, without text. */
	readonly name?: string | null | undefined;
	readonly participant: Participant;
	readonly shouldBeMember: boolean;
	/** `undefined` for one of several participants of an item. */
	readonly memory?: RowMemory | undefined;
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
	/** The instance's own account; empty where it isn't known. */
	readonly own: readonly Identity[];
	/** Whether a bad item may be about this group: then nobody is removed. */
	readonly badRow: boolean;
	/** People about whom items contradict each other: nothing is sent for them. */
	readonly withheld: readonly Identity[];
	/** The digits of protected and withheld numbers that nothing says the country of. */
	readonly bare: readonly string[];
	/** Keys of the people whom this execution has taken out of the group before, or tried to. */
	readonly removedBefore: ReadonlySet<string>;
	/** The node whose list it is. */
	readonly node: string;
	/** Finds what n8n and the process remember of a person in this group. */
	readonly recalled: (ids: readonly Identity[]) => Pick<Sources, 'n8n' | 'process'>;
}
