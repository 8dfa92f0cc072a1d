import type { INodeExecutionData } from 'n8n-workflow';
import { itemResultOf, type ItemResult } from '../../../groups/itemResults';
import type { ChangeResult } from '../../../groups/requestResults';
import type { ParticipantResult } from '../../../groups/matching/results';
import { appliedBy, type Decision } from '../../../groups/sync/plan';
import type { Row } from '../../../groups/sync/rules';
import { sentenceFor } from '../../../groups/sync/sentences';
import { count } from '../../../common/text';
import type { FailedItem } from '../../../run/items';
import type { Run } from '../../../run/operation';
import { failItem, isUncertain, problemOf } from '../../../run/itemErrors';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';
import type { SyncGroup, SyncItem } from './readSync';

/** The fields of an output item, in the order in which a table shows them. */
function resultOf(
	decision: Decision<Row>,
	participant: string,
	{ instance, groupJid }: SyncGroup,
): ParticipantResult {
	const { action, outcome } = decision;
	return {
		participant,
		action,
		outcome,
		message: sentenceFor(decision),
		applied: appliedBy(decision),
		...('reason' in decision && { reason: decision.reason }),
		...('sentAs' in decision && { sentAs: decision.sentAs }),
		instance,
		groupJid,
	};
}

/** What came of a decision, for one participant that it is about; nothing if its request was never tried. */
function changeResultOf(
	decision: Decision<Row>,
	participant: string,
	{ group }: PlannedGroup,
	{ results }: Pick<AppliedSync, 'results'>,
): ChangeResult | undefined {
	if (decision.outcome !== 'planned' || group.rules.dryRun)
		return { result: resultOf(decision, participant, group) };
	const found = results.get(decision)?.change;
	return found && 'result' in found ? { result: { ...found.result, participant } } : found;
}

/** What came of each item of a group. */
export function syncItemResults(group: PlannedGroup, applied: AppliedSync): Array<ItemResult<SyncItem>> {
	const decisions = new Map(
		group.plan.decisions.flatMap((decision) => decision.rows.map((row) => [row, decision])),
	);
	return group.group.items.map((requested) => {
		const results = requested.rows.map((row) => {
			const decision = decisions.get(row);
			return decision && changeResultOf(decision, row.participant.given, group, applied);
		});
		return itemResultOf(requested, results);
	});
}

/**
 * One output item for each member that the list doesn't name and `unlisted: remove` is about, and one error item for
 * those whose removal failed.
 *
 * @throws that error, unless the node continues on fail
 */
export function unlistedOutputs(
	run: Run,
	group: PlannedGroup,
	applied: AppliedSync,
): { outputs: INodeExecutionData[]; failed: FailedItem[] } {
	const item = group.group.firstItem;
	const outputs: INodeExecutionData[] = [];
	const failures: unknown[] = [];
	const notRemoved: string[] = [];
	for (const decision of group.plan.decisions) {
		if (decision.rows.length > 0) continue;
		const [member] = decision.members;
		const participant = member?.number ?? member?.id ?? '';
		const one = changeResultOf(decision, participant, group, applied);
		if (one === undefined) continue;
		if ('result' in one) outputs.push({ json: one.result, pairedItem: { item } });
		else {
			notRemoved.push(participant);
			failures.push(one.failure);
		}
	}
	const problem = problemOf({ results: [], failures }, false);
	if (problem === undefined) return { outputs, failed: [] };
	const who = `${count(notRemoved.length, 'member')} not in the list couldn't be removed (${notRemoved.join(', ')})`;
	const sentences = [who, ...problem.sentences];
	return { outputs, failed: [failItem(run, item, { ...problem, sentences }, [], applied)] };
}

/**
 * Ends the run with the first request that failed, unless the node continues on fail: also if the members showed
 * afterwards what became of it, since nothing was sent after it.
 *
 * @param firstItemOf the first item of a group
 * @throws NodeApiError or NodeOperationError that says what was applied before
 */
export function endWithFailure(
	run: Run,
	applied: AppliedSync,
	firstItemOf: (groupJid: string) => number | undefined,
): void {
	const { failed } = applied;
	if (failed === undefined || run.context.continueOnFail()) return;
	const { failure, groupJid, changes, item = firstItemOf(groupJid) ?? 0 } = failed;
	const results = changes.flatMap((one) => ('result' in one ? [one.result] : []));
	const open = changes.flatMap((one) => ('failure' in one ? [one.failure] : []));
	const asAsked = results.filter((result) => result.applied === true).length;
	const readAgain = `The group was read again: ${asAsked} of the ${count(changes.length, 'participant')} of this request are as asked`;
	const problem = problemOf({ results: [], failures: open.length > 0 ? open : [failure] }, false);
	if (problem === undefined) return;
	const sentences =
		isUncertain(failure) && open.length === 0 ? [failure.message, readAgain] : problem.sentences;
	failItem(run, item, { ...problem, sentences }, [], applied);
}
