import type { INodeExecutionData } from 'n8n-workflow';
import { nameOfRow } from '../../../common/badRows';
import { groupBy } from '../../../common/maps';
import { messageOf, Problem } from '../../../common/problem';
import { amountOf, capitalized, count, nameSome } from '../../../common/text';
import { groupKey, type ChangeResult, type JournalEntry } from '../../../groups/change';
import { isTakenOutByOther } from '../../../groups/memory/meaning';
import type { AnyAction, Outcome } from '../../../groups/outcomes';
import { countOf, estimateOf, progressOf } from '../../../groups/summary';
import { actionOf, appliedBy, type Decision } from '../../../groups/sync/plan';
import type { Row } from '../../../groups/sync/rules';
import { doubtsAbout } from '../../../groups/sync/safetyChecks';
import {
	displayNameOf,
	namePerson,
	nameWithNumber,
	sentenceFor,
	whyStays,
} from '../../../groups/sync/sentences';
import { summaryOf, type PersonResult } from '../../../groups/sync/summary';
import { errorItem, type FailedItem } from '../../../run/items';
import { NO_GRACE, NOT_KEPT } from '../../../run/memory';
import { mapInSteps, type Run } from '../../../run/operation';
import {
	failItem,
	finishRun,
	hasSentIn,
	outputItem,
	problemOf,
	reportItems,
	type ItemProblem,
} from '../../../run/report';
import type { ChangeSender } from '../changes';
import { readingHints } from '../numbers';
import { countRequests } from './applySync';
import type { PlannedGroup } from './planSync';
import type { SyncOptions } from './readSync';

/** Makes the output: an item for each participant of each item, then for unlisted members, and a hint. */
export async function reportSync(
	run: Run,
	planned: readonly PlannedGroup[],
	options: SyncOptions,
	{ failed, tried, isUnkept }: { failed: FailedItem[]; tried: readonly JournalEntry[]; isUnkept: boolean },
): Promise<INodeExecutionData[]> {
	const ofRow = new Map<Row, Decision>();
	for (const group of planned)
		for (const decision of group.plan.decisions) {
			await run.giveWay();
			decision.entry ??= unsentEntryOf(run, options, decision, group);
			for (const row of decision.rows) ofRow.set(row, decision);
		}
	const items = planned.flatMap((group) => group.items);
	// A table begins with its first item's fields.
	const hasNames = planned.some((group) => group.rows.some(({ name }) => name !== undefined));
	const resultFor = resultMaker(hasNames ? null : undefined);
	const resultsOf = (row: Row) => {
		const decision = ofRow.get(row);
		return decision?.entry?.result ? resultFor(decision, decision.entry.result, row) : [];
	};
	const present = async (_: unknown, asked: readonly Row[]) =>
		(await mapInSteps(run, asked, resultsOf)).flat();
	const rows = await reportItems(run, items, (row) => ofRow.get(row)?.entry, { failed, tried, present });
	await run.giveWay();
	const before = progressOf(tried);
	const contradictions = planned.map((group) => contradictionIn(run, group, options));
	const unlisted = planned.map((group, i) =>
		reportUnlisted(run, group, { before, contradiction: contradictions[i] }, resultFor),
	);
	const allFailed = [...rows.failed, ...unlisted.flatMap((group) => group.failed)];
	const summary = await summarize(run, planned, new Set(rows.failed.map(({ item }) => item)));
	await run.giveWay();
	const size = run.context.getInputData().length;
	const missing = planned.flatMap(({ plan, rules }) => doubtsAbout(plan, rules, size));
	const hints = await hintsOf(run, planned, options, isUnkept);
	await run.giveWay();
	const reported = { outputs: rows.outputs, failed: allFailed };
	const names = namesOf(planned, options);
	await run.giveWay();
	const said = [...missing, ...(names === '' ? [] : [names]), ...staysOf(planned), ...hints];
	await run.giveWay();
	const outputs = finishRun(run, reported, summary, said);
	return [...outputs, ...unlisted.flatMap((group) => group.outputs)];
}

/** Ends the run with the first request that failed. @throws its error, with what was applied before */
export function endWithFailure(run: Run, sender: ChangeSender): void {
	if (sender.failed === undefined || !sender.hasEnded) return;
	const { request, failure } = sender.failed;
	const problem = problemOf([failure]) ?? { cause: failure, sentences: [messageOf(failure)] };
	failItem(run, { ...request, item: request.changes[0]?.item ?? 0 }, problem, {
		sent: { item: false, run: hasSentIn(sender.tried) },
		before: progressOf(sender.tried),
	});
}

/** Makes a function that adds to a result what only Sync has. */
function resultMaker(noName: null | undefined) {
	return (decision: Decision, result: ChangeResult, row?: Row): ChangeResult => {
		const { members, until, isNew = false } = decision;
		// A spread with another value for a name takes ten times as long, and the memory of a class for each row.
		return Object.assign({}, result, {
			participant: row?.participant.given ?? namePerson(decision),
			name: row?.name ?? members[0]?.name ?? noName,
			until: until === undefined ? undefined : new Date(until).toISOString(),
			isNew,
		});
	};
}

/** Makes the entry of a person for whom nothing was sent; `undefined` if it should have been. */
function unsentEntryOf(
	{ startedAt: now, context }: Run,
	{ dryRun }: SyncOptions,
	decision: Decision,
	{ plan, instance, groupJid }: PlannedGroup,
): JournalEntry | undefined {
	const { outcome, reason } = decision;
	const action = actionOf(decision);
	const sentAs = action === 'none' ? undefined : decision.participant.sentAs;
	if (outcome === 'planned' && !dryRun) return undefined;
	const nameOf = (item: number) => nameOfRow(context.getInputData()[item]?.json ?? {}, item);
	const message = sentenceFor(decision, { showsNumbers: plan.visibleIds.phone, now, dryRun, nameOf });
	const [participant, applied] = [namePerson(decision), appliedBy(decision)];
	return { result: { participant, action, outcome, message, applied, reason, sentAs, instance, groupJid } };
}

/** Makes items for unlisted members, and error items about the group. @throws unless it continues on fail */
function reportUnlisted(
	run: Run,
	group: PlannedGroup,
	{ before, contradiction }: { before: readonly string[]; contradiction: Problem | undefined },
	resultFor: ReturnType<typeof resultMaker>,
): { outputs: INodeExecutionData[]; failed: FailedItem[] } {
	const outputs: INodeExecutionData[] = [];
	const failures: unknown[] = [];
	const notRemoved: string[] = [];
	const { item } = group.items[0];
	for (const decision of group.plan.decisions) {
		const { rows, entry } = decision;
		if (rows.length > 0 || entry === undefined) continue;
		if (!entry.result) {
			notRemoved.push(nameWithNumber(decision));
			failures.push(entry.failure);
			continue;
		}
		const result = resultFor(decision, entry.result);
		outputs.push(outputItem(run, { item, includeInputFields: false }, result));
	}
	const who = `${count(notRemoved.length, 'member')} not in the list couldn't be removed (${nameSome(notRemoved)})`;
	const problem = problemOf(failures);
	const problems: ItemProblem[] = [
		...(problem
			? [{ ...problem, unsent: undefined, sentences: [who, problem.reason, ...problem.sentences.slice(1)] }]
			: []),
		...(contradiction ? [{ cause: contradiction, sentences: [contradiction.message] }] : []),
	];
	const happened = before.length > 0 ? { before } : {};
	const failed = problems.map((itemProblem) => failItem(run, { ...group, item }, itemProblem, happened));
	// The item is about the group: with a row, n8n would add that row's fields.
	const errors = failed.map((failedItem) => ({ ...errorItem(failedItem), pairedItem: [] }));
	return { outputs: [...outputs, ...errors], failed };
}

async function summarize(
	run: Run,
	planned: readonly PlannedGroup[],
	failedItems: ReadonlySet<number>,
): Promise<string> {
	const people: PersonResult[] = [];
	for (const { plan, wouldStop } of planned)
		for (const decision of plan.decisions) {
			await run.giveWay();
			const { entry, rows } = decision;
			const result = entry?.result;
			if (!result || (wouldStop && result.outcome === 'planned')) continue;
			const person = { decision, result, isShown: plan.visibleIds.phone };
			if (rows.length === 0) people.push(person);
			for (const { item } of rows) if (!failedItems.has(item)) people.push(person);
		}
	await run.giveWay();
	return summaryOf(
		people,
		planned.map(({ plan }) => plan),
	);
}

/** Lists hints behind those of what is missing, and of names. @param isUnkept whether n8n keeps no memory */
async function hintsOf(
	run: Run,
	planned: readonly PlannedGroup[],
	options: SyncOptions,
	isUnkept: boolean,
): Promise<string[]> {
	const items = planned.flatMap((group) => group.items);
	const reading = await readingHints(run, items);
	await run.giveWay();
	// Unless the node continues on fail, a group that is stopped ends a real run before anything is sent.
	const sendable = planned.filter(({ wouldStop }) => !wouldStop);
	const isSent = sendable.length === planned.length || run.context.continueOnFail();
	const isEstimated = options.dryRun && sendable.length > 0 && isSent;
	// A dry run writes no memory.
	const isGrace = ({ plan }: PlannedGroup) => plan.decisions.some(({ reason }) => reason === 'removeAfter');
	const inGrace = options.dryRun ? [] : planned.filter(isGrace);
	return [
		...doubtHints(planned),
		...(isEstimated ? [estimateOf(countRequests(run, sendable, options), options.batchInterval)] : []),
		...reading,
		...(planned.some(mayAddWhoLeft) ? [REMEMBERS_NOBODY] : []),
		...(isUnkept && !options.dryRun ? [inGrace.length > 0 ? NO_GRACE : NOT_KEPT] : []),
		...(!isUnkept && inGrace.some(({ plan }) => !plan.isRemembered) ? [GRACE_FROM_NOW_ON] : []),
	];
}

/** Doubts groups that lost unlisted members while people of the list weren't found: they may be one. */
function doubtHints(planned: readonly PlannedGroup[]): string[] {
	const isRemoved = ({ rows, entry }: Decision) => rows.length === 0 && entry?.result?.outcome === 'done';
	const isNotFound = ({ rows, entry }: Decision) => rows.length > 0 && entry?.result?.outcome === 'notFound';
	const doubtful = planned.flatMap(({ plan: { decisions } }) =>
		decisions.some(isRemoved) && decisions.some(isNotFound) ? decisions : [],
	);
	if (doubtful.length === 0) return [];
	const were = countOf(doubtful.filter(isRemoved).length, ['was', 'were']);
	const notFound = doubtful.filter(isNotFound).length;
	return [`${were} removed and ${notFound} not found: check that they aren't one person`];
}

/** Finds a list that contradicts another: the same people would come and go each night. A dry run hints at it. */
function contradictionIn(run: Run, group: PlannedGroup, { dryRun }: SyncOptions): Problem | undefined {
	const { contradictions } = run.session.part;
	const takenOut = group.plan.decisions.filter(
		({ shouldBeMember, wasWanted, before, entry }) =>
			shouldBeMember &&
			wasWanted &&
			isTakenOutByOther(before, run) &&
			(dryRun ? entry?.result?.outcome === 'planned' : entry?.result?.outcome === 'done'),
	);
	if (takenOut.length === 0) return contradictions.get(groupKey(group));
	const [who, were] = takenOut.length === 1 ? ['person', "isn't"] : ['people', "aren't"];
	const names = nameSome(takenOut.map(displayNameOf));
	const said = `${amountOf(takenOut.length)} ${who} whom this list wants ${were} wanted by another node or workflow (${names})`;
	if (dryRun) run.hints.add(`${said}. They would be added again: make both lists agree`);
	if (dryRun) return undefined;
	const problem = new Problem(
		`${said}. They were added again: make both lists agree`,
		'Give both the same list, or let one of them keep members who are not in its list',
	);
	contradictions.set(groupKey(group), problem);
	return problem;
}

/** Number of people whom a node that remembers nobody may add without a word, in a group of others. */
const FEW = 3;

/** Whether many may be people who left a group with members: a copied node has none of its memory. */
function mayAddWhoLeft({ plan, rules }: PlannedGroup): boolean {
	const { decisions, members, self, isRemembered } = plan;
	const isAdded = ({ shouldBeMember, outcome }: Decision) =>
		shouldBeMember && (outcome === 'planned' || outcome === 'postponed');
	const isSelfAlone = members.length === self.length;
	return (
		!isRemembered && !isSelfAlone && rules.whoLeft === 'keepOut' && decisions.filter(isAdded).length > FEW
	);
}

const REMEMBERS_NOBODY =
	'This node remembers nobody of this group. If it ran before, in a copy or an import, whoever left is added again.';

const GRACE_FROM_NOW_ON = 'Whoever has to leave is remembered from this run on';

/** Labels for people whom a hint names, in its order, by outcome and action. */
const NAMED: Readonly<Partial<Record<`${Outcome | 'stopped'} ${AnyAction}`, string>>> = {
	'done remove': 'removed',
	'planned remove': 'would be removed',
	'stopped remove': 'removals that would be stopped',
	'postponed remove': 'to be removed later',
	'done add': 'added',
	'planned add': 'would be added',
};

/** Names at most ten people of each kind who were changed, or would be; with the number, who loses a place. */
function namesOf(planned: readonly PlannedGroup[], { dryRun }: Pick<SyncOptions, 'dryRun'>): string {
	const changed = planned.flatMap(({ plan, wouldStop }) =>
		plan.decisions.flatMap((decision) => {
			const kind = namedAs(decision, wouldStop);
			return kind === undefined ? [] : { decision, kind };
		}),
	);
	const byKind: ReadonlyMap<string, typeof changed> = groupBy(changed, ({ kind }) => kind);
	const parts = Object.entries(NAMED).flatMap(([kind, label]) => {
		const nameOf = kind.endsWith('remove') ? nameWithNumber : displayNameOf;
		// A person may be in several groups.
		const people = new Map(byKind.get(kind)?.map(({ decision }) => [nameWithNumber(decision), decision]));
		return people.size === 0 ? [] : `${label}: ${nameSome([...people.values()].map(nameOf))}`;
	});
	return dryRun ? capitalized(parts.join('; ')) : parts.map(capitalized).join('. ');
}

/** Maximum number of people whom a hint names that stay. */
const MOST_STAYING = 5;

/** Names who stays although the list doesn't want them, each with the reason. */
function staysOf(planned: readonly PlannedGroup[]): string[] {
	const staying = planned.flatMap(({ plan }) =>
		plan.decisions.flatMap((decision) => {
			const why = whyStays(decision);
			return why === undefined ? [] : `${displayNameOf(decision)} (${why})`;
		}),
	);
	return staying.length === 0 ? [] : [`Stays: ${nameSome(staying, MOST_STAYING)}`];
}

function namedAs({ entry, reason }: Decision, wouldStop: boolean): keyof typeof NAMED | undefined {
	const { outcome, action = 'none' } = entry?.result ?? {};
	if (action === 'none' || !outcome || (outcome === 'postponed' && reason !== 'removeAfter'))
		return undefined;
	return `${wouldStop && outcome === 'planned' ? 'stopped' : outcome} ${action}`;
}
