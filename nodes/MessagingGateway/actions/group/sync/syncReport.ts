import type { INodeExecutionData } from 'n8n-workflow';
import { count } from '../../../common/text';
import type { ChangeResult, Entry, Journal } from '../../../groups/change';
import type { Member } from '../../../groups/member';
import type { Facts } from '../../../groups/memory/facts';
import { rowTextAfter } from '../../../groups/memory/rowText';
import type { Applied, Outcome } from '../../../groups/outcomes';
import { progressOf, splitEntries } from '../../../groups/progress';
import { appliedBy, type Decision } from '../../../groups/sync/plan';
import type { Row } from '../../../groups/sync/rules';
import { sentenceFor } from '../../../groups/sync/sentences';
import { summaryOf, type PersonResult } from '../../../groups/sync/summary';
import type { FailedItem } from '../../../run/items';
import type { Run } from '../../../run/operation';
import { failItem, isUncertain, problemOf } from '../../../run/report';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';
import type { SyncGroup } from './readSync';

/** What a run has found out: of decisions, and what is remembered of them. */
export interface SyncFindings {
	applied: AppliedSync;
	facts: ReadonlyMap<Decision, Facts>;
	/** Whether n8n keeps what this run remembers. */
	isRemembered: boolean;
}

/** What came of everybody whom the lists name, by row. */
export async function journalOfRows(
	{ eventLoop }: Pick<Run, 'eventLoop'>,
	groups: readonly PlannedGroup[],
	findings: SyncFindings,
): Promise<Journal<Row>> {
	const journal: Journal<Row> = new Map();
	for (const group of groups)
		for (const decision of group.plan.decisions) {
			const [first] = decision.rows;
			const entry = first && entryFor(decision, first.participant.given, group, findings);
			if (entry === undefined) continue;
			for (const row of decision.rows) {
				await eventLoop.yieldIfDue();
				const memory = memoryAfter(row, decision, group, findings);
				const own = { participant: row.participant.given, ...(memory !== undefined && { memory }) };
				journal.set(row, 'result' in entry ? { result: { ...entry.result, ...own } } : entry);
			}
		}
	return journal;
}

/** The text that the row is to remember; `undefined` without Row Memory. */
function memoryAfter(
	{ memory, memoryText }: Row,
	decision: Decision,
	{ group }: PlannedGroup,
	{ facts }: SyncFindings,
): string | undefined {
	const after = facts.get(decision);
	return memory === undefined || after === undefined || group.rules.dryRun
		? memoryText
		: rowTextAfter(memory, after);
}

/** What came of a decision, for one participant that it is about; `undefined` if its request was never tried. */
function entryFor(
	decision: Decision,
	participant: string,
	{ group, plan }: PlannedGroup,
	{ applied: { entries }, isRemembered }: SyncFindings,
): Entry | undefined {
	if (decision.outcome !== 'planned' || group.rules.dryRun) {
		const goesOn = isRemembered || decision.rows.some(({ memory }) => memory);
		const message = sentenceFor(decision, plan.showsNumbers, goesOn);
		return { result: decisionResult(decision, participant, message, group) };
	}
	const entry = entries.get(decision)?.entry;
	return entry && 'result' in entry ? { result: { ...entry.result, participant } } : entry;
}

/** The fields of an output item, in the order in which a table shows them. */
function decisionResult(
	decision: Decision,
	participant: string,
	message: string,
	{ instance, groupJid }: SyncGroup,
): ChangeResult {
	const { action, outcome } = decision;
	return {
		participant,
		action,
		outcome,
		message,
		applied: appliedBy(decision),
		...('reason' in decision && { reason: decision.reason }),
		...('sentAs' in decision && { sentAs: decision.sentAs }),
		instance,
		groupJid,
	};
}

/**
 * One output item for each member that the list doesn't name and `unlisted: remove` is about, and one error item for
 * those whose removal failed.
 *
 * @throws that error, unless the node continues on fail
 */
export function reportUnlisted(
	run: Run,
	group: PlannedGroup,
	findings: SyncFindings,
): { outputs: INodeExecutionData[]; failed: FailedItem[] } {
	const item = group.group.firstItem;
	const outputs: INodeExecutionData[] = [];
	const failures: unknown[] = [];
	const notRemoved: string[] = [];
	for (const decision of group.plan.decisions) {
		if (decision.rows.length > 0) continue;
		const [member] = decision.members;
		const participant = member?.number ?? member?.id ?? '';
		const entry = entryFor(decision, participant, group, findings);
		if (entry === undefined) continue;
		if ('result' in entry) outputs.push({ json: unlistedResult(entry.result, member), pairedItem: { item } });
		else {
			notRemoved.push(participant);
			failures.push(entry.failure);
		}
	}
	const problem = problemOf([], failures, false);
	if (problem === undefined) return { outputs, failed: [] };
	const what = failures.some(isUncertain) ? 'may still be there' : "couldn't be removed";
	const who = `${count(notRemoved.length, 'member')} not in the list ${what} (${notRemoved.join(', ')})`;
	const sentences = [who, ...problem.sentences];
	return {
		outputs,
		failed: [failItem(run, item, { ...problem, sentences }, beforeIn(findings.applied), group.group)],
	};
}

function unlistedResult({ participant, ...result }: ChangeResult, member: Member | undefined) {
	return { participant, ...(member?.name !== undefined && { name: member.name }), ...result };
}

/**
 * Ends the run with the first request that failed, unless the node continues on fail: also if the members showed
 * afterwards what became of it, since nothing was sent after it.
 *
 * @param planned the groups, by whose first item a removal of unlisted members is known
 * @throws NodeApiError or NodeOperationError that says what was applied before
 */
export function endWithFailure(run: Run, applied: AppliedSync, planned: readonly PlannedGroup[]): void {
	const { failedRequest } = applied;
	if (failedRequest === undefined || run.context.continueOnFail()) return;
	const { failure, entries, request } = failedRequest;
	const own = request.changes.find(({ item }) => item !== undefined)?.item;
	const first = planned.find(({ group }) => group.groupJid === request.groupJid)?.group.firstItem;
	const { results, failures } = splitEntries(entries);
	const asAsked = results.filter((result) => result.applied === true).length;
	const people = count(entries.length, 'participant');
	const readAgain = `The group was read again: of the ${people} of this request, ${asAsked} ${asAsked === 1 ? 'is' : 'are'} as asked`;
	const problem = problemOf([], failures.length > 0 ? failures : [failure], false);
	if (problem === undefined) return;
	const isSettled = isUncertain(failure) && failures.length === 0;
	const said = isSettled
		? { sentences: [failure.message, readAgain], description: failure.description ?? '' }
		: { sentences: problem.sentences };
	const { tried, requests } = applied.progress;
	const progress = { tried: tried.filter((one) => one !== entries), requests };
	failItem(run, own ?? first ?? 0, { ...problem, ...said }, beforeIn({ progress }), request);
}

function beforeIn({ progress }: Pick<AppliedSync, 'progress'>) {
	return { before: (isKnown: boolean) => progressOf(progress, isKnown) };
}

/**
 * What came of everybody at a glance, but for those whose request failed.
 *
 * @param failedItems of people in these only those count for whom the group is as asked: the others count as failed
 */
export async function summaryFor(
	{ eventLoop }: Run,
	planned: readonly PlannedGroup[],
	{ entries }: AppliedSync,
	failedItems: ReadonlySet<number> = new Set(),
): Promise<string> {
	const people: PersonResult[] = [];
	for (const { group, plan } of planned)
		for (const decision of plan.decisions) {
			await eventLoop.yieldIfDue();
			const { shouldBeMember, rows, action } = decision;
			const isListed = rows.length > 0;
			const isFailed = isListed && rows.every(({ item }) => failedItems.has(item));
			const known = resultFor(decision, group, entries);
			if (known === undefined || (isFailed && known.applied !== true)) continue;
			const { outcome } = known;
			people.push({ shouldBeMember, outcome, action, isListed, isShown: plan.showsNumbers });
		}
	await eventLoop.yieldIfDue();
	return summaryOf(people, {
		unlistedKept: planned.reduce((sum, { plan }) => sum + plan.unlistedKept, 0),
		perhapsListed: planned.reduce((sum, { plan }) => sum + plan.perhapsListed, 0),
	});
}

function resultFor(
	decision: Decision,
	{ rules: { dryRun } }: SyncGroup,
	entries: AppliedSync['entries'],
): { outcome: Outcome; applied: Applied } | undefined {
	if (decision.outcome !== 'planned' || dryRun)
		return { outcome: decision.outcome, applied: appliedBy(decision) };
	const entry = entries.get(decision)?.entry;
	return entry && 'result' in entry ? entry.result : undefined;
}
