import { groupBy } from '../../../common/groupBy';
import { listOf, recordOf, type JsonRecord } from '../../../common/json';
import { count } from '../../../common/text';
import { BlockedCall } from '../../../gateway/failures/blockedCall';
import type { Entry } from '../../../groups/change';
import { personKey, type Places, type PlacesLeft } from '../../../groups/sync/limits';
import { phaseOf, type Decision, type Phase } from '../../../groups/sync/plan';
import { executionMemory } from '../../../run/executionMemory';
import type { Run } from '../../../run/operation';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';

/** A group with its plan, and whose places it takes. */
type PlannedRef = Pick<PlannedGroup, 'instance' | 'groupJid' | 'plan'>;

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

	/** Notes what this run does to groups, by their IDs; what is noted later of one stands in its place. */
	note(summaries: ReadonlyMap<string, string>): void {
		const noted = [...summaries].map(([groupJid, summary]) => {
			const all = [...listOf(this.synced[groupJid]).filter((one) => one !== MORE), summary];
			return [groupJid, all.length > MOST_TOLD ? [MORE, ...all.slice(-MOST_TOLD)] : all] as const;
		});
		// Read again: calls of an AI agent may sync other groups meanwhile.
		this.kept.syncedGroups = { ...recordOf(this.kept.syncedGroups), ...Object.fromEntries(noted) };
	}

	/** What earlier runs have left of the places of an instance. */
	placesLeft(instance: string, places: Places): PlacesLeft {
		const left = (phase: Phase) => {
			const taken = [...this.placesIn(keyOf(phase, instance)).values()];
			return Math.max(0, places[phase] - taken.reduce((sum, one) => sum + one, 0));
		};
		const placed = new Set(this.placesIn(keyOf('add', instance)).keys());
		return { add: places.add, placed, addAlone: left('addAlone'), remove: left('remove') };
	}

	/** Another value once any run has taken places, or given some back. */
	get places(): unknown {
		return this.kept.sentChanges;
	}

	/** Takes the places of those who are to be sent. */
	takePlaces(groups: readonly PlannedRef[]): void {
		this.addPlaces(groups, 1, () => true);
	}

	/** How many members were removed from a group, or may have been. */
	removedFrom(groupJid: string): number {
		return Number(recordOf(this.kept.removedMembers)[groupJid] ?? 0);
	}

	/** Gives back the places of those for whom nothing was sent, and notes how many were removed. */
	settle(groups: readonly PlannedRef[], { entries }: Pick<AppliedSync, 'entries'>): void {
		const entryOf = (decision: Decision) => entries.get(decision)?.entry;
		const wasSent = (entry: Entry | undefined) =>
			entry !== undefined && !('failure' in entry && entry.failure instanceof BlockedCall);
		this.addPlaces(groups, -1, (decision) => !wasSent(entryOf(decision)));
		const mayBeDone = (entry: Entry | undefined) =>
			wasSent(entry) && !(entry && 'result' in entry && entry.result.applied === false);
		const removed = groups.flatMap(({ groupJid, plan }) => {
			const removals = plan.decisions.filter(({ action }) => action === 'remove');
			const amount = removals.filter((one) => mayBeDone(entryOf(one))).length;
			return amount === 0 ? [] : [[groupJid, this.removedFrom(groupJid) + amount] as const];
		});
		if (removed.length === 0) return;
		this.kept.removedMembers = { ...recordOf(this.kept.removedMembers), ...Object.fromEntries(removed) };
	}

	private addPlaces(groups: readonly PlannedRef[], sign: 1 | -1, counts: (one: Decision) => boolean): void {
		const changes = groups.flatMap(({ instance, plan }) =>
			plan.decisions.flatMap((one) =>
				one.outcome === 'planned' && counts(one)
					? [{ key: keyOf(phaseOf(one), instance), person: personKey(one) }]
					: [],
			),
		);
		for (const [key, some] of groupBy(changes, (one) => one.key)) {
			const places = this.placesIn(key);
			for (const { person } of some) {
				const amount = (places.get(person) ?? 0) + sign;
				if (amount > 0) places.set(person, amount);
				else places.delete(person);
			}
			this.kept.sentChanges = { ...recordOf(this.kept.sentChanges), [key]: Object.fromEntries(places) };
		}
	}

	/** How often each person was sent in a phase, or is about to be: so many times a place may be given back. */
	private placesIn(key: string): Map<string, number> {
		const places = Object.entries(recordOf(recordOf(this.kept.sentChanges)[key]));
		return new Map(places.map(([person, amount]) => [person, Number(amount)]));
	}
}

function keyOf(phase: Phase, instance: string): string {
	return `${phase} ${instance}`;
}
