import { listOf, recordOf, type JsonRecord } from '../../../common/json';
import { flatMapInSteps, mapInSteps, type Steps } from '../../../common/steps';
import { count } from '../../../common/text';
import { BlockedCall } from '../../../gateway/failures/blockedCall';
import type { Entry } from '../../../groups/change';
import { personKey, type Places, type PlacesLeft } from '../../../groups/sync/limits';
import { phaseOf, removalsIn, sentIn, type Decision, type Phase } from '../../../groups/sync/plan';
import { executionMemory } from '../../../run/executionMemory';
import type { Run } from '../../../run/operation';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';

/** A group with its plan, and whose places it takes. */
type PlannedRef = Pick<PlannedGroup, 'instance' | 'groupJid' | 'plan'>;

/** What a person takes who is sent: of an instance, in a phase. */
interface Place {
	key: string;
	person: string;
}

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
		const taken = recordOf(this.places);
		const left = (phase: Phase) => {
			const amounts = Object.values(recordOf(taken[keyOf(phase, instance)]));
			return Math.max(0, places[phase] - amounts.reduce<number>((sum, one) => sum + Number(one), 0));
		};
		const placed = new Set(Object.keys(recordOf(taken[keyOf('add', instance)])));
		return { add: places.add, placed, addAlone: left('addAlone'), remove: left('remove') };
	}

	/**
	 * The places that runs of this execution have taken; another value once any has taken some, or given some back. By
	 * instance and phase it's how often each person was sent, or is about to be: so many times a place may be given back.
	 */
	get places(): unknown {
		return this.kept.sentChanges;
	}

	set places(taken: unknown) {
		this.kept.sentChanges = taken;
	}

	/** The places that are taken together with those of who is to be sent; the same value if nobody is. */
	*placesWith(groups: readonly PlannedRef[]): Steps<unknown> {
		return yield* placesAfter(this.places, yield* placesOf(groups), 1);
	}

	/** How many members were removed from a group, or may have been. */
	removedFrom(groupJid: string): number {
		return Number(recordOf(this.kept.removedMembers)[groupJid] ?? 0);
	}

	/** Gives back the places of those for whom nothing was sent, and notes how many were removed. */
	*settle(groups: readonly PlannedRef[], { entries }: Pick<AppliedSync, 'entries'>): Steps<void> {
		const entryOf = (decision: Decision) => entries.get(decision)?.entry;
		const wasSent = (entry: Entry | undefined) =>
			entry !== undefined && !('failure' in entry && entry.failure instanceof BlockedCall);
		const mayBeDone = (entry: Entry | undefined) =>
			wasSent(entry) && !(entry && 'result' in entry && entry.result.applied === false);
		const removed = yield* mapInSteps(groups, ({ groupJid, plan }) => {
			const removals = removalsIn(plan).filter((one) => mayBeDone(entryOf(one)));
			return [groupJid, removals.length] as const;
		});
		const sums = removed.flatMap(([groupJid, amount]) =>
			amount === 0 ? [] : [[groupJid, this.removedFrom(groupJid) + amount] as const],
		);
		if (sums.length > 0)
			this.kept.removedMembers = { ...recordOf(this.kept.removedMembers), ...Object.fromEntries(sums) };
		const unsent = yield* placesOf(groups, (decision) => !wasSent(entryOf(decision)));
		for (;;) {
			const before = this.places;
			const after = yield* placesAfter(before, unsent, -1);
			// Another call of an AI agent may have taken or given back places while this one gave way.
			if (this.places !== before) continue;
			this.places = after;
			return;
		}
	}
}

/** The places that are taken once each of some is taken once more, or once less; the same value without any. */
function* placesAfter(places: unknown, some: readonly Place[], change: 1 | -1): Steps<unknown> {
	// Another value would have others who are under way plan again.
	if (some.length === 0) return places;
	const taken = recordOf(places);
	const after = new Map<string, JsonRecord>();
	for (const { key, person } of some) {
		yield;
		const ofKey = after.get(key) ?? { ...recordOf(taken[key]) };
		after.set(key, ofKey);
		const amount = Number(ofKey[person] ?? 0) + change;
		if (amount > 0) ofKey[person] = amount;
		else delete ofKey[person];
	}
	return { ...taken, ...Object.fromEntries(after) };
}

/** The places that decisions take. @param counts of which of those for which something is sent; all if left out */
function* placesOf(
	groups: readonly PlannedRef[],
	counts: (one: Decision) => boolean = () => true,
): Steps<Place[]> {
	return yield* flatMapInSteps(groups, ({ instance, plan }) =>
		mapInSteps(sentIn(plan).filter(counts), (one) => ({
			key: keyOf(phaseOf(one), instance),
			person: personKey(one),
		})),
	);
}

function keyOf(phase: Phase, instance: string): string {
	return `${phase} ${instance}`;
}
