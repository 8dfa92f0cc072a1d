import type { IContextObject } from 'n8n-workflow';
import { groupBy } from '../../../common/groupBy';
import { isRecord, listOf, type JsonRecord } from '../../../common/json';
import { count } from '../../../common/text';
import { BlockedCall } from '../../../gateway/failures/blockedCall';
import { placesOf, type Places } from '../../../groups/sync/limits';
import { PHASES, type Phase } from '../../../groups/sync/plan';
import { executionMemory } from '../../../run/executionMemory';
import type { Run } from '../../../run/operation';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';

/** Of so many runs it's told what they did: n8n tries a node up to five times. */
const MOST_TOLD = 4;

/** What this node did in this execution; n8n keeps it until that ends, also from one try or loop round to the next. */
export class EarlierRuns {
	/** Where n8n keeps it. */
	private readonly kept: IContextObject;

	/** What each run did to each group, in words, the latest last; and the same with this run. */
	private readonly synced: JsonRecord;
	private readonly syncedWithThis: JsonRecord;

	/** How many people were sent so far, by phase and instance. */
	private readonly sent: JsonRecord;

	constructor({ context }: Pick<Run, 'context'>) {
		this.kept = executionMemory(context);
		this.synced = copyOf(this.kept.syncedGroups);
		this.syncedWithThis = copyOf(this.kept.syncedGroups);
		this.sent = copyOf(this.kept.sentChanges);
	}

	/** What they did to the first of some groups that they synced, as a sentence; `undefined` if they synced none. */
	sayFor(groupJids: readonly string[]): string | undefined {
		const summaries = groupJids.flatMap((groupJid) => listOf(this.synced[groupJid]).join(', then ') || []);
		const [first, ...others] = summaries;
		if (first === undefined) return undefined;
		const more = others.length === 0 ? '' : ` (and ${count(others.length, 'other group')})`;
		return `Earlier, this execution synced the group: ${first}${more}`;
	}

	/** Notes what this run does to a group; what is noted later stands in its place. */
	note(groupJid: string, summary: string): void {
		this.syncedWithThis[groupJid] = [...listOf(this.synced[groupJid]).slice(-MOST_TOLD), summary];
		this.kept.syncedGroups = this.syncedWithThis;
	}

	/** What earlier runs have left of the places of an instance. */
	placesLeft(instance: string, places: Places): Places {
		const left = (phase: Phase) => Math.max(0, places[phase] - this.amountOf(phase, instance));
		return { add: left('add'), addAlone: left('addAlone'), remove: left('remove') };
	}

	/** Notes what was sent for an instance, whatever came of it. */
	noteSent(groups: readonly PlannedGroup[], { entries }: AppliedSync): void {
		const wasTried = (entry: ReturnType<typeof entries.get>) =>
			entry !== undefined && !('failure' in entry.entry && entry.entry.failure instanceof BlockedCall);
		for (const [instance, ofInstance] of groupBy(groups, (one) => one.instance)) {
			const decisions = ofInstance
				.flatMap(({ plan }) => plan.decisions)
				.flatMap((one) => (one.outcome === 'planned' && wasTried(entries.get(one)) ? [one] : []));
			const places = placesOf(decisions);
			for (const phase of PHASES)
				this.sent[keyOf(phase, instance)] = this.amountOf(phase, instance) + places[phase];
		}
		this.kept.sentChanges = this.sent;
	}

	private amountOf(phase: Phase, instance: string): number {
		return Number(this.sent[keyOf(phase, instance)] ?? 0);
	}
}

function keyOf(phase: Phase, instance: string): string {
	return `${phase} ${instance}`;
}

function copyOf(kept: unknown): JsonRecord {
	return isRecord(kept) ? { ...kept } : {};
}
