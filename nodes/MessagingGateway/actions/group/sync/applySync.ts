import { groupBy, groupByInSteps } from '../../../common/groupBy';
import { messageOf } from '../../../common/problem';
import { flatMapInSteps, mapInSteps, type Steps } from '../../../common/steps';
import { inOrder } from '../../../groups/batching/requests';
import {
	changeResult,
	type Change,
	type ChangeRequest,
	type Entry,
	type Journal,
} from '../../../groups/change';
import { identityFor } from '../../../groups/identity';
import type { Progress } from '../../../groups/progress';
import type { Finding } from '../../../groups/sync/decide';
import {
	phaseOf,
	PHASES,
	sentIn,
	type Decision,
	type Phase,
	type SentDecision,
} from '../../../groups/sync/plan';
import { DOES_NOT_TELL, joinedSince, settleBy } from '../../../groups/sync/settleUnknown';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/report';
import type { Writer } from '../../../run/writer';
import { applyChanges, progressOfRequests } from '../applyChanges';
import type { PlannedGroup } from './planSync';
import type { SyncOptions } from './readSync';

/** What came of a run. */
export interface AppliedSync {
	/** What is known in the end, and who says it; a decision whose request was never tried isn't in it. */
	entries: Map<Decision, { entry: Entry } & Pick<Finding, 'source'>>;
	/** People who should not be members and weren't, and are now by what the group showed when it was read again. */
	joined: ReadonlySet<Decision>;
	progress: Progress;
	/** The first request that failed. */
	failedRequest: { request: ChangeRequest; failure?: unknown } | undefined;
}

/** The change that a decision is. */
interface PlannedChange extends Change {
	decision: SentDecision;
	group: PlannedGroup;
}

/**
 * Carries plans out: all removals first, since they make room and no limit on additions can hold them back, then all
 * additions. If it isn't known what came of some of them, their groups are read once more.
 */
export async function applySync(
	run: Run,
	writer: Writer,
	groups: readonly PlannedGroup[],
	options: SyncOptions,
): Promise<AppliedSync> {
	const { eventLoop } = run;
	const byPhase = await eventLoop.finish(changesByPhase(groups));
	const changes = [...byPhase.values()].flat();
	const requests = await eventLoop.finish(requestsFor(byPhase, options));
	const applied = await applyChanges(run, writer, requests, { splitsUnnamed: true });
	const { journal } = applied;
	const { settled, joined } = await readAgain(run, changes, journal, options);
	const entries: AppliedSync['entries'] = new Map();
	for (const change of changes) {
		await eventLoop.yieldIfDue();
		const { decision, group } = change;
		const entry = journal.get(change);
		if (entry === undefined) continue;
		// Where every member has a number, a number that isn't found is in the group under no form.
		const { shows, members } = group.plan;
		const isAbsent =
			'result' in entry &&
			entry.result.outcome === 'notFound' &&
			shows.phone &&
			members.find(decision.ids).length === 0;
		const known: Entry = isAbsent ? { result: { ...entry.result, applied: false } } : entry;
		journal.set(change, known);
		entries.set(decision, { entry: known, source: settled.has(change) ? 'reread' : 'reply' });
	}
	return {
		entries,
		joined,
		progress: progressOfRequests(applied, requests.length),
		failedRequest: applied.tried.find((one) => 'failure' in one),
	};
}

/** How many requests plans take. */
export function* countRequests(groups: readonly PlannedGroup[], options: SyncOptions): Steps<number> {
	return (yield* requestsFor(yield* changesByPhase(groups), options)).length;
}

/** In the order in which they are carried out. */
function* changesByPhase(groups: readonly PlannedGroup[]): Steps<Map<Phase, PlannedChange[]>> {
	const changes = yield* flatMapInSteps(groups, (group) =>
		mapInSteps(sentIn(group.plan), (one) => changeFor(one, group)),
	);
	const byPhase = yield* groupByInSteps(changes, ({ decision }) => phaseOf(decision));
	return new Map(PHASES.map((phase) => [phase, byPhase.get(phase) ?? []]));
}

function changeFor(decision: SentDecision, group: PlannedGroup): PlannedChange {
	const { action, sentAs } = decision;
	const { instance, groupJid, firstItem } = group;
	const row = decision.rows[0];
	// A member's own ID is what the list names them by: what the gateway says of it is certain.
	const given = action === 'remove' ? sentAs : (row?.participant.given ?? sentAs);
	const participant = { given, sentAs, identity: identityFor(sentAs) };
	return { item: row?.item ?? firstItem, instance, groupJid, action, participant, decision, group };
}

/** Phases don't share a request, and stay in their order. */
function* requestsFor(
	byPhase: ReadonlyMap<Phase, readonly PlannedChange[]>,
	{ batchSize }: SyncOptions,
): Steps<ChangeRequest[]> {
	return yield* flatMapInSteps(byPhase, ([phase, changes]) =>
		inOrder(changes, phase === 'addAlone' ? 1 : batchSize),
	);
}

/**
 * Reads the groups once more of which it isn't known what came of some changes, and has the members decide.
 *
 * @param journal what is known so far, and afterwards what is known in the end
 * @returns the changes that it looked at, and who is in the group now without having been asked for under that ID
 */
async function readAgain(
	{ client }: Run,
	changes: readonly PlannedChange[],
	journal: Journal,
	options: SyncOptions,
): Promise<{ settled: Set<Change>; joined: Set<Decision> }> {
	const settled = new Set<Change>();
	const joined = new Set<Decision>();
	const unknown = changes.flatMap((change) => {
		const prior = journal.get(change);
		return prior !== undefined && isUnsettled(prior) ? [{ change, prior }] : [];
	});
	for (const [group, ofGroup] of groupBy(unknown, ({ change }) => change.group)) {
		if (client.blockedBy(group.instance) !== undefined) continue;
		await client.pause(options.batchInterval);
		const members = await client.members(group, options).catch(() => undefined);
		// A list that can't be read leaves everything as it was.
		if (members === undefined) continue;
		for (const decision of joinedSince(group.plan, members)) joined.add(decision);
		const settle = settleBy(group.plan, members, group.rules.exactNumbers);
		for (const { change, prior } of ofGroup) {
			settled.add(change);
			const before = 'result' in prior ? prior.result : { message: messageOf(prior.failure) };
			const { outcome, ...known } = settle(change.decision, before);
			if ('result' in prior)
				journal.set(change, { result: { ...prior.result, ...known, ...(outcome && { outcome }) } });
			else if (outcome !== undefined)
				journal.set(change, { result: changeResult(change, { outcome, ...known }) });
			else if (isUncertain(prior.failure))
				journal.set(change, { failure: prior.failure.withNote(DOES_NOT_TELL) });
		}
	}
	return { settled, joined };
}

/** Who isn't found on the network isn't in the group either, so that reading it again would tell no more. */
function isUnsettled(entry: Entry): boolean {
	if ('failure' in entry) return isUncertain(entry.failure);
	return entry.result.applied === null && entry.result.outcome !== 'notFound';
}
