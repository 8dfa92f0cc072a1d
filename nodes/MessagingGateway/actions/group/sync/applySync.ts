import { groupBy } from '../../../common/groupBy';
import { messageOf } from '../../../common/problem';
import { flatMapInSteps } from '../../../common/steps';
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
import { stepOf, STEPS, type Decision, type SentDecision, type Step } from '../../../groups/sync/plan';
import { joinedSince, settleBy } from '../../../groups/sync/settleUnknown';
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

/** A decision for which something is sent, and the change that it is. */
interface PlannedChange {
	step: Step;
	decision: SentDecision;
	group: PlannedGroup;
	change: Change;
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
	await run.eventLoop.yieldIfDue();
	const decisions = plannedChanges(groups);
	await run.eventLoop.yieldIfDue();
	const requests = await run.eventLoop.finish(requestsFor(decisions, options));
	const applied = await applyChanges(run, writer, requests, { splitsUnnamed: true });
	const { journal } = applied;
	const { settled, joined } = await settleUnknown(run, decisions, journal, options);
	const entries: AppliedSync['entries'] = new Map();
	for (const { decision, change, group } of decisions) {
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
export function* countRequests(
	groups: readonly PlannedGroup[],
	options: SyncOptions,
): Generator<undefined, number> {
	return (yield* requestsFor(plannedChanges(groups), options)).length;
}

/** In the order in which they are carried out. */
function plannedChanges(groups: readonly PlannedGroup[]): PlannedChange[] {
	const sent = groups.flatMap((group) =>
		group.plan.decisions.flatMap((decision): PlannedChange[] => {
			if (decision.outcome !== 'planned') return [];
			return [{ step: stepOf(decision), decision, group, change: changeOf(decision, group) }];
		}),
	);
	return STEPS.flatMap((step) => sent.filter((one) => one.step === step));
}

function changeOf(
	{ action, rows: [row], sentAs }: SentDecision,
	{ instance, groupJid, firstItem }: PlannedGroup,
): Change {
	// A member's own ID is what the list names them by: what the gateway says of it is certain.
	const given = action === 'remove' ? sentAs : (row?.participant.given ?? sentAs);
	const participant = { given, sentAs, identity: identityFor(sentAs) };
	return { item: row?.item ?? firstItem, instance, groupJid, action, participant };
}

/** The steps of one group don't share a request, and stay in their order. */
function* requestsFor(
	decisions: readonly PlannedChange[],
	{ batchSize }: SyncOptions,
): Generator<undefined, ChangeRequest[]> {
	return yield* flatMapInSteps(
		groupBy(decisions, ({ step }) => step),
		([step, ofStep]) => {
			const changes = ofStep.map(({ change }) => change);
			return inOrder(changes, step === 'addAlone' ? 1 : batchSize);
		},
	);
}

/**
 * Reads the groups once more of which it isn't known what came of some changes, and has the members decide.
 *
 * @param journal what is known so far, and afterwards what is known in the end
 * @returns the changes that it looked at, and who is in the group now without having been asked for under that ID
 */
async function settleUnknown(
	{ client, eventLoop }: Run,
	decisions: readonly PlannedChange[],
	journal: Journal,
	options: SyncOptions,
): Promise<{ settled: Set<Change>; joined: Set<Decision> }> {
	const settled = new Set<Change>();
	const joined = new Set<Decision>();
	const unknown = decisions.flatMap(({ decision, change, group }) => {
		const prior = journal.get(change);
		return prior !== undefined && isUnknown(prior) ? [{ decision, change, group, prior }] : [];
	});
	for (const [group, ofGroup] of groupBy(unknown, (one) => one.group)) {
		if (client.blockedBy(group.instance) !== undefined) continue;
		await client.pause(options.batchInterval);
		const read = await client.members(group, options).catch(() => undefined);
		// A list that can't be read leaves everything as it was.
		if (read === undefined) continue;
		const members = await eventLoop.finish(read);
		for (const decision of joinedSince(group.plan, members)) joined.add(decision);
		const settle = settleBy(group.plan, members, group.exactNumbers);
		for (const { decision, change, prior } of ofGroup) {
			settled.add(change);
			const before = 'result' in prior ? prior.result : { message: messageOf(prior.failure) };
			const { outcome, ...known } = settle(decision, before);
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

const DOES_NOT_TELL = "The group was read again, and it doesn't tell either";

/** Who isn't found on the network isn't in the group either, so that reading it again would tell no more. */
function isUnknown(entry: Entry): boolean {
	if ('failure' in entry) return isUncertain(entry.failure);
	return entry.result.applied === null && entry.result.outcome !== 'notFound';
}
