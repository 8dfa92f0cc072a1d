import type { INodeExecutionData } from 'n8n-workflow';
import { nameOfRow } from '../../../common/badRows';
import { messageOf } from '../../../common/problem';
import { count, nameSome } from '../../../common/text';
import type { ChangeResult, JournalEntry } from '../../../groups/change';
import { rowTextAfter } from '../../../groups/memory/text';
import { countOf, type Outcome } from '../../../groups/outcomes';
import { estimateOf, progressOf, type Progress } from '../../../groups/summary';
import { appliedBy, type Decision } from '../../../groups/sync/plan';
import type { Row } from '../../../groups/sync/rules';
import { sentenceFor } from '../../../groups/sync/sentences';
import { summaryOf, type PersonResult } from '../../../groups/sync/summary';
import { describeReading } from '../../../input/participants';
import { errorItem, inInputOrder, type FailedItem } from '../../../run/items';
import type { Run } from '../../../run/operation';
import { failItem, hasSentIn, hintOf, problemOf, reportItems, type ItemProblem } from '../../../run/report';
import { memoryHints } from '../../../run/rowMemory';
import { hintIfForgotten } from '../../../run/staticMemory';
import type { ChangeSender } from '../changes';
import { countRequests } from './applySync';
import type { PlannedGroup } from './planSync';
import type { SyncOptions } from './readSync';

/** Makes the output of a run: an item for each participant of each item, then for unlisted members, and a hint. */
export async function reportSync(
	run: Run,
	planned: readonly PlannedGroup[],
	options: SyncOptions,
	{ failed, progress }: { failed: FailedItem[]; progress: Progress },
): Promise<INodeExecutionData[]> {
	const ofRow = new Map<Row, Decision>();
	for (const group of planned) {
		await run.giveWay();
		for (const decision of group.plan.decisions) {
			decision.entry ??= entryOf(run, options, decision, group);
			for (const row of decision.rows) ofRow.set(row, decision);
		}
	}
	const items = planned.flatMap((group) => group.items);
	const entryOfRow = (row: Row) => entryFor(row, ofRow.get(row));
	const rows = await reportItems(run, items, entryOfRow, { failed, progress });
	await run.giveWay();
	const before = progressOf(progress);
	const unlisted = planned.map((group) => reportUnlisted(run, group, before));
	const allFailed = [...rows.failed, ...unlisted.flatMap((group) => group.failed)];
	await run.giveWay();
	const summary = summarize(planned, new Set(rows.failed.map(({ item }) => item)));
	run.hints.add(hintOf(summary, allFailed));
	await run.giveWay();
	addHints(run, planned, options);
	return [...inInputOrder(rows.outputs), ...unlisted.flatMap((group) => group.outputs)];
}

/** Ends the run with the first request that failed. @throws its error, with what was applied before */
export function endWithFailure(run: Run, sender: ChangeSender): void {
	if (sender.failed === undefined || !sender.hasEnded) return;
	const { request, failure } = sender.failed;
	const problem = problemOf([failure]) ?? { cause: failure, sentences: [messageOf(failure)] };
	const progress = sender.progress(0);
	const before = { ...progress, tried: progress.tried.slice(0, -1) };
	failItem(run, { ...request, item: request.changes[0]?.item ?? 0 }, problem, {
		sent: { item: false, run: hasSentIn(before) },
		before: progressOf(before),
	});
}

/** Makes the entry of a row, with its participant and memory. */
function entryFor(row: Row, { entry, after }: Partial<Decision> = {}): JournalEntry | undefined {
	if (entry === undefined || 'failure' in entry) return entry;
	const memory = row.memory && (after ? rowTextAfter(row.memory, after) : row.memory.text);
	const participant = row.participant.given;
	return { result: { ...entry.result, participant, ...(memory !== undefined && { memory }) } };
}

/** Makes the entry of a person for whom nothing was sent, in the order of a table; `undefined` if it should have been. */
function entryOf(
	{ startedAt: now, context }: Run,
	{ dryRun }: SyncOptions,
	decision: Decision,
	group: PlannedGroup,
): JournalEntry | undefined {
	const { action, outcome, reason, sentAs } = decision;
	if (outcome === 'planned' && !dryRun) return undefined;
	const nameOf = (item: number) => nameOfRow(context.getInputData()[item]?.json ?? {}, item);
	const message = sentenceFor(decision, { showsNumbers: group.plan.visibleIds.phone, now, dryRun, nameOf });
	const result: ChangeResult = {
		participant: namePerson(decision),
		action,
		outcome,
		message,
		applied: appliedBy(decision),
		...(reason !== undefined && { reason }),
		...(sentAs !== undefined && { sentAs }),
		instance: group.instance,
		groupJid: group.groupJid,
	};
	return { result };
}

function namePerson({ rows: [row], members: [member] }: Decision): string {
	return row?.participant.given ?? member?.number ?? member?.id ?? '';
}

/** Makes items for unlisted members, one error item for all failed removals, and one if everybody was kept. @throws unless the node continues on fail */
function reportUnlisted(
	run: Run,
	group: PlannedGroup,
	before: readonly string[],
): { outputs: INodeExecutionData[]; failed: FailedItem[] } {
	const outputs: INodeExecutionData[] = [];
	const failures: unknown[] = [];
	const notRemoved: string[] = [];
	const { item } = group.items[0];
	for (const decision of group.plan.decisions) {
		const { rows, entry, members } = decision;
		if (rows.length > 0 || entry === undefined) continue;
		if ('failure' in entry) {
			notRemoved.push(namePerson(decision));
			failures.push(entry.failure);
			continue;
		}
		const name = members[0]?.name;
		// A table shows the fields in this order.
		const first = { participant: namePerson(decision), ...(name !== undefined && { name }) };
		outputs.push({ json: { ...first, ...entry.result, ...first }, pairedItem: { item } });
	}
	const who = `${count(notRemoved.length, 'member')} not in the list couldn't be removed (${nameSome(notRemoved)})`;
	const problem = problemOf(failures);
	const problems: ItemProblem[] = [
		...(problem
			? [{ ...problem, unsent: undefined, sentences: [who, problem.reason, ...problem.sentences.slice(1)] }]
			: []),
		...(group.keptAll ? [{ cause: group.keptAll, sentences: [group.keptAll.message] }] : []),
	];
	const happened = before.length > 0 ? { before } : {};
	const failed = problems.map((itemProblem) => failItem(run, { ...group, item }, itemProblem, happened));
	// The item is about the group: with a row, n8n would add that row's fields and old memory.
	const errors = failed.map((failedItem) => ({ ...errorItem(failedItem), pairedItem: [] }));
	return { outputs: [...outputs, ...errors], failed };
}

/** Makes the summary of everybody, without failed items. */
function summarize(planned: readonly PlannedGroup[], failedItems: ReadonlySet<number>): string {
	const people = planned.flatMap(({ plan }) =>
		plan.decisions.flatMap((decision): PersonResult[] => {
			const { entry, rows } = decision;
			if (entry === undefined || 'failure' in entry) return [];
			const { result } = entry;
			const person = { decision, result, isShown: plan.visibleIds.phone };
			if (rows.length === 0) return [person];
			return rows.filter(({ item }) => !failedItems.has(item)).map(() => person);
		}),
	);
	return summaryOf(
		people,
		planned.map(({ plan }) => plan),
	);
}

function addHints(run: Run, planned: readonly PlannedGroup[], options: SyncOptions): void {
	const rows = planned.flatMap((group) => group.rows);
	addDoubt(run, planned);
	if (options.dryRun) {
		// Unless the node continues on fail, a group that is stopped ends a real run before anything is sent.
		const sendable = planned.filter(({ wouldStop }) => !wouldStop);
		if (sendable.length > 0 && (sendable.length === planned.length || run.context.continueOnFail()))
			run.hints.add(estimateOf(countRequests(sendable, options), options.batchInterval));
	}
	for (const hint of describeReading(rows, run.context.getInputData(), options.dryRun)) run.hints.add(hint);
	const hasMembers = !options.dryRun && planned.some(({ plan }) => plan.decisions.some(isMember));
	for (const hint of memoryHints(rows, hasMembers)) run.hints.add(hint);
	if (planned.some(({ plan, rules }) => rules.retryRefusedAfter > 0 && plan.decisions.some(isOnlyInN8n)))
		hintIfForgotten(run, 'was refused', 'tries them again');
}

/** Doubts groups that lost unlisted members while people of their list weren't found: they may be one person. */
function addDoubt(run: Run, planned: readonly PlannedGroup[]): void {
	const sums = { removed: 0, notFound: 0 };
	for (const { plan } of planned) {
		const amountOf = (isListed: boolean, outcome: Outcome) =>
			plan.decisions.filter(
				({ rows, entry }) =>
					rows.length > 0 === isListed && entry && 'result' in entry && entry.result.outcome === outcome,
			).length;
		const [removed, notFound] = [amountOf(false, 'done'), amountOf(true, 'notFound')];
		if (removed === 0 || notFound === 0) continue;
		sums.removed += removed;
		sums.notFound += notFound;
	}
	const { removed, notFound } = sums;
	if (removed > 0)
		run.hints.add(
			`${countOf(removed, ['was', 'were'])} removed and ${notFound} not found: check that they aren't one person`,
		);
}

/** Whether a person of the list was refused, and no row remembers it. */
function isOnlyInN8n({ rows, outcome, after }: Decision): boolean {
	const isRefused = outcome === 'planned' && after?.refused !== undefined;
	return isRefused && rows.some(({ memory }) => memory === undefined);
}

/** Whether the list of members shows a person of the list, or the gateway says that they are a member. */
function isMember({ rows, members, action, entry }: Decision): boolean {
	const wasMember = action === 'add' && entry && 'result' in entry && entry.result.outcome === 'unchanged';
	return rows.length > 0 && (members.length > 0 || wasMember === true);
}
