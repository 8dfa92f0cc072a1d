import type { INodeExecutionData } from 'n8n-workflow';
import { messageOf } from '../../../common/problem';
import { count } from '../../../common/text';
import type { Entry, Journal } from '../../../groups/change';
import type { Facts } from '../../../groups/memory/facts';
import { rowTextAfter } from '../../../groups/memory/rowText';
import { progressOf, splitEntries } from '../../../groups/progress';
import type { ItemFailure } from '../../../groups/summary';
import type { NextRunFor } from '../../../groups/sync/nextRun';
import { appliedBy, type Decision } from '../../../groups/sync/plan';
import type { Row } from '../../../groups/sync/rules';
import { sentenceFor } from '../../../groups/sync/sentences';
import { AMOUNTS, summaryOf, type PersonResult } from '../../../groups/sync/summary';
import { errorItem, type FailedItem } from '../../../run/items';
import type { Run } from '../../../run/operation';
import { failItem, failureOf, isUncertain, problemOf, type ReportedItem } from '../../../run/report';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';

/** What a run has found out: of decisions, and what is remembered of them. */
export interface SyncFindings {
	applied: AppliedSync;
	facts: ReadonlyMap<Decision, Facts>;
	nextRunFor: NextRunFor;
	/** When the run began, ms since 1970. */
	now: number;
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
			const entry = decision.rows.length > 0 ? entryFor(decision, group, findings) : undefined;
			if (entry === undefined) continue;
			const after = findings.facts.get(decision);
			for (const row of decision.rows) {
				await eventLoop.yieldIfDue();
				const memory = row.memory && after ? rowTextAfter(row.memory, after) : row.memoryText;
				const own = { participant: row.participant.given, ...(memory !== undefined && { memory }) };
				journal.set(row, 'result' in entry ? { result: { ...entry.result, ...own } } : entry);
			}
		}
	return journal;
}

/** Whether something was to be sent for a decision, and not only tried out. */
function isSent({ outcome }: Decision, { rules }: PlannedGroup): boolean {
	return outcome === 'planned' && !rules.dryRun;
}

/** The person as the list names them, or a member whom it doesn't name. */
function nameOf({ rows: [row], members: [member] }: Decision): string {
	return row?.participant.given ?? member?.number ?? member?.id ?? '';
}

/** What came of a decision, with the fields in the order of a table; `undefined` if its request was never tried. */
function entryFor(
	decision: Decision,
	group: PlannedGroup,
	{ applied: { entries }, nextRunFor, now }: SyncFindings,
): Entry | undefined {
	const participant = nameOf(decision);
	if (isSent(decision, group)) {
		const entry = entries.get(decision)?.entry;
		return entry && 'result' in entry ? { result: { ...entry.result, participant } } : entry;
	}
	const { action, outcome } = decision;
	const result = {
		participant,
		action,
		outcome,
		message: sentenceFor(decision, {
			showsNumbers: group.plan.shows.phone,
			now,
			nextRunFor: (postponed) => nextRunFor(postponed, group),
		}),
		applied: appliedBy(decision),
		...('reason' in decision && { reason: decision.reason }),
		...('sentAs' in decision && { sentAs: decision.sentAs }),
		instance: group.instance,
		groupJid: group.groupJid,
	};
	return { result };
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
	const outputs: INodeExecutionData[] = [];
	const failures: unknown[] = [];
	const notRemoved: string[] = [];
	for (const decision of group.plan.decisions) {
		if (decision.rows.length > 0) continue;
		const entry = entryFor(decision, group, findings);
		if (entry === undefined) continue;
		if ('failure' in entry) {
			notRemoved.push(nameOf(decision));
			failures.push(entry.failure);
			continue;
		}
		const { participant, ...result } = entry.result;
		const name = decision.members[0]?.name;
		const json = { participant, ...(name !== undefined && { name }), ...result };
		outputs.push({ json, pairedItem: { item: group.firstItem } });
	}
	const problem = problemOf(failures);
	if (problem === undefined) return { outputs, failed: [] };
	const what = failures.some(isUncertain) ? 'may still be there' : "couldn't be removed";
	const who = `${count(notRemoved.length, 'member')} not in the list ${what} (${notRemoved.join(', ')})`;
	const sentences = [who, ...problem.sentences];
	const { reason = messageOf(problem.cause) } = problem;
	const ofAll = { ...problem, sentences, reason, amount: notRemoved.length };
	const failed = failItem(run, { ...group, item: group.firstItem }, ofAll);
	return { outputs: [...outputs, errorItem(failed)], failed: [failed] };
}

/**
 * Counts everybody whose request failed once, whatever items name them, by what became of that request.
 *
 * @param failed in the order in which they are counted
 * @param journal in which rows of one person share a failure's entry
 */
export function countPeople(
	failed: ReadonlyArray<ItemFailure & { item: number }>,
	items: ReadonlyArray<Pick<ReportedItem<Row>, 'item' | 'asked'>>,
	journal: Journal<Row>,
): ItemFailure[] {
	const rows = new Map(items.map(({ item, asked }) => [item, asked]));
	const counted = new Set<Entry>();
	return failed.flatMap((one): ItemFailure[] => {
		const entries = new Set((rows.get(one.item) ?? []).flatMap((row) => journal.get(row) ?? []));
		const failures = [...entries].flatMap((entry) => ('failure' in entry ? [entry] : []));
		if (failures.length === 0) return [one];
		const others = failures.filter((entry) => !counted.has(entry));
		for (const entry of others) counted.add(entry);
		return others.map(({ failure }) => failureOf(problemOf([failure]) ?? { cause: failure, sentences: [] }));
	});
}

/**
 * Ends the run with the first request that failed, unless the node continues on fail: also if the members showed
 * afterwards what became of it, since nothing was sent after it.
 *
 * @param sayEarlier what earlier runs of the node in this execution did to a group, as a sentence
 * @throws NodeApiError or NodeOperationError that says what was applied before
 */
export function endWithFailure(
	run: Run,
	{ failedRequest, progress }: AppliedSync,
	sayEarlier: (groupJid: string) => string | undefined,
): void {
	if (failedRequest === undefined || run.context.continueOnFail()) return;
	const { failure, request } = failedRequest;
	// After the first that failed, nothing was tried.
	const entries = progress.tried.at(-1) ?? [];
	const { results, failures } = splitEntries(entries);
	const asAsked = results.filter((result) => result.applied === true).length;
	const readAgain = `The group was read again: ${amountAsAsked(asAsked, entries.length)}`;
	const problem =
		isUncertain(failure) && failures.length === 0
			? { cause: failure, sentences: [failure.message, readAgain], description: failure.description }
			: problemOf(failures.length > 0 ? failures : [failure]);
	const item = request.changes[0]?.item ?? 0;
	const before = { ...progress, tried: progress.tried.slice(0, -1) };
	const earlier = sayEarlier(request.groupJid);
	if (problem === undefined) return;
	failItem(run, { ...request, item }, problem, (wasNothing) => [
		...progressOf(before, wasNothing && earlier === undefined),
		...(earlier === undefined ? [] : [earlier]),
	]);
}

/** How many of those whom a request names are as asked now, as a sentence. */
function amountAsAsked(asAsked: number, people: number): string {
	const verb = asAsked === 1 ? 'is' : 'are';
	if (people === 1) return `the participant of this request ${asAsked === 1 ? 'is' : "isn't"} as asked`;
	return `${asAsked === 0 ? 'none' : asAsked} of the ${people} participants of this request ${verb} as asked`;
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
	for (const group of planned)
		for (const decision of group.plan.decisions) {
			await eventLoop.yieldIfDue();
			const { shouldBeMember, rows, action, facts } = decision;
			const entry = isSent(decision, group)
				? entries.get(decision)?.entry
				: { result: { outcome: decision.outcome, applied: appliedBy(decision) } };
			if (entry === undefined || 'failure' in entry) continue;
			const { outcome, applied } = entry.result;
			const isListed = rows.length > 0;
			const isFailed = isListed && rows.every(({ item }) => failedItems.has(item));
			if (isFailed && applied !== true) continue;
			people.push({
				shouldBeMember,
				outcome,
				action,
				reason: 'reason' in decision ? decision.reason : undefined,
				hasLeft: facts.left !== undefined,
				isListed,
				isShown: group.plan.shows.phone,
			});
		}
	const amounts = { unlistedKept: 0, withoutNumber: 0, withoutHiddenId: 0 };
	for (const { plan } of planned) for (const name of AMOUNTS) amounts[name] += plan[name];
	return await eventLoop.finish(summaryOf(people, amounts));
}
