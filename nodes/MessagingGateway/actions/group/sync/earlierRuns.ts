import { groupBy } from '../../../common/groupBy';
import { listOf, recordOf, type JsonRecord } from '../../../common/json';
import { count } from '../../../common/text';
import { BlockedCall } from '../../../gateway/failures/blockedCall';
import { placesOf, type Places } from '../../../groups/sync/limits';
import { PHASES, type Decision, type Phase } from '../../../groups/sync/plan';
import { executionMemory } from '../../../run/executionMemory';
import type { Run } from '../../../run/operation';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';

/** Of so many runs it's told what they did: n8n tries a node up to five times. */
const MOST_TOLD = 4;
/** What stands for those before. */
const MORE = '…';

/** What this node did in this execution; n8n keeps it until that ends, also from one try or loop round to the next. */
export class EarlierRuns {
	/** Where n8n keeps it. */
	private readonly kept: JsonRecord;

	/** What each earlier run did to each group, in words, the latest last. */
	private readonly synced: JsonRecord;

	constructor({ context }: Pick<Run, 'context'>) {
		this.kept = executionMemory(context);
		this.synced = recordOf(this.kept.syncedGroups);
	}

	/**
	 * What they did to a group, as a sentence; `undefined` if they synced neither it nor one of the others.
	 *
	 * @param others of this run
	 */
	sayFor(groupJid: string, others: readonly string[] = []): string | undefined {
		const said = (one: string) => listOf(this.synced[one]);
		const amount = others.filter((one) => one !== groupJid && said(one).length > 0).length;
		const summary = said(groupJid).join(', then ');
		if (summary === '' && amount === 0) return undefined;
		const more = count(amount, 'other group');
		if (summary === '') return `Earlier, this execution synced ${more}`;
		return `Earlier, this execution synced the group: ${summary}${amount === 0 ? '' : ` (and ${more})`}`;
	}

	/** Notes what this run does to a group; what is noted later stands in its place. */
	note(groupJid: string, summary: string): void {
		const all = [...listOf(this.synced[groupJid]).filter((one) => one !== MORE), summary];
		const told = all.length > MOST_TOLD ? [MORE, ...all.slice(-MOST_TOLD)] : all;
		// Read again: calls of an AI agent may sync other groups meanwhile.
		this.kept.syncedGroups = { ...recordOf(this.kept.syncedGroups), [groupJid]: told };
	}

	/** What earlier runs have left of the places of an instance. */
	placesLeft(instance: string, places: Places): Places {
		const left = (phase: Phase) => Math.max(0, places[phase] - this.amountOf(phase, instance));
		return { add: left('add'), addAlone: left('addAlone'), remove: left('remove') };
	}

	/** Takes the places of those who are to be sent. */
	takePlaces(groups: readonly PlannedGroup[]): void {
		this.addPlaces(groups, 1, () => true);
	}

	/** Gives back the places of those for whom nothing was sent. */
	giveBackPlaces(groups: readonly PlannedGroup[], { entries }: AppliedSync): void {
		this.addPlaces(groups, -1, (decision) => {
			const { entry } = entries.get(decision) ?? {};
			return entry === undefined || ('failure' in entry && entry.failure instanceof BlockedCall);
		});
	}

	private addPlaces(groups: readonly PlannedGroup[], sign: 1 | -1, counts: (one: Decision) => boolean): void {
		const sent = { ...recordOf(this.kept.sentChanges) };
		for (const [instance, ofInstance] of groupBy(groups, (one) => one.instance)) {
			const decisions = ofInstance
				.flatMap(({ plan }) => plan.decisions)
				.flatMap((one) => (one.outcome === 'planned' && counts(one) ? [one] : []));
			const places = placesOf(decisions);
			for (const phase of PHASES)
				sent[keyOf(phase, instance)] = this.amountOf(phase, instance) + sign * places[phase];
		}
		this.kept.sentChanges = sent;
	}

	private amountOf(phase: Phase, instance: string): number {
		// What a run took may be forgotten, an hour later, before that run gives it back.
		return Math.max(0, Number(recordOf(this.kept.sentChanges)[keyOf(phase, instance)] ?? 0));
	}
}

function keyOf(phase: Phase, instance: string): string {
	return `${phase} ${instance}`;
}
