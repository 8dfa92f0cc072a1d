import { participantsField } from '../../../fields/groupOptions';
import { groupLocator, instanceLocator } from '../../../fields/locators';
import { notRememberedHint } from '../../../groups/memory/hints';
import { estimateOf } from '../../../groups/summary';
import { foretell } from '../../../groups/sync/nextRun';
import type { Decision } from '../../../groups/sync/plan';
import { describeWithoutPlus } from '../../../input/participants';
import { inInputOrder } from '../../../run/items';
import type { Operation } from '../../../run/operation';
import { hintOf, reportItems, reportNone } from '../../../run/report';
import { isRemembered } from '../../../run/staticMemory';
import { Writer } from '../../../run/writer';
import { applySync, countRequests, type AppliedSync } from './applySync';
import { EarlierRuns } from './earlierRuns';
import { planSync, type PlannedGroup } from './planSync';
import { readSync } from './readSync';
import { factsOf, keepAnswers, memoryHints, openMemory } from './rememberSync';
import { syncOptionsField } from './syncOptions';
import { countPeople, endWithFailure, journalOfRows, reportUnlisted, summaryFor } from './syncReport';

export const syncParticipants: Operation = {
	name: 'Sync Participants',
	action: 'Sync group participants',
	description:
		"Make a group equal to your list: adds who is missing and, if you choose to, removes who isn't in it. Never removed: the one who created the group, the instance's own account, protected people and, unless you allow it, admins.",
	fields: [
		instanceLocator,
		groupLocator,
		participantsField,
		{
			displayName: 'Should Be Member',
			name: 'shouldBeMember',
			type: 'boolean',
			default: true,
			description:
				'Whether the participants of this item should be in the group; if not, they have to leave. Usually an expression for a column such as "paid". An empty value is refused, so that a missing column adds and removes nobody.',
		},
		{
			displayName: 'Members Not in the List',
			name: 'unlisted',
			type: 'options',
			default: 'keep',
			description:
				"What to do with members of the group whom no item names. With Remove, give the node the whole list at once: a second run for a group in one execution is refused, since each batch of a loop would remove the members of the others. How many may go is set by 'Maximum Removals (Percent)'.",
			options: [
				{
					name: 'Keep',
					value: 'keep',
					description: 'They stay in the group. Only people whom your list names are added or removed.',
				},
				{
					name: 'Remove',
					value: 'remove',
					description:
						'They are removed. If they are too many, nothing is changed. Never use this in a loop.',
				},
			],
		},
		syncOptionsField,
	],
	async execute(run) {
		const { context, hints } = run;
		const { groups, failed, options } = await readSync(run);
		if (options === undefined) return reportNone(run, failed);
		const held = groups.filter(({ rules }) => !rules.dryRun);
		const writer = new Writer(run, options, held);
		await run.client.holdGroups(held);
		const earlier = new EarlierRuns(run);
		const { planned: plans, failed: stopped } = await planSync(
			run,
			groups,
			options,
			openMemory(run),
			earlier,
		);

		const live = plans.filter(({ rules }) => !rules.dryRun);
		const dry = plans.filter(({ rules }) => rules.dryRun);
		const summaries = new Map(live.map(({ groupJid }) => [groupJid, MAY_BE_CHANGED]));
		earlier.note(summaries);
		const applied = await applySync(run, writer, live, options);
		await run.eventLoop.finish(earlier.settle(live, applied));
		for (const one of live) {
			const summary = await summaryFor(run, [one], applied);
			if (summary !== '') summaries.set(one.groupJid, summary);
		}
		earlier.note(summaries);
		const planned = plans.map((one) => withJoined(one, applied));
		const facts = await factsOf(run, planned, applied);
		const kept = await keepAnswers(run, live, applied, facts, options.retryRefusedAfter);

		const sayEarlier = (groupJid: string) =>
			earlier.sayFor(
				groupJid,
				live.map((one) => one.groupJid),
			);
		endWithFailure(run, applied, sayEarlier);
		const nextRunFor = await run.eventLoop.finish(foretell(planned, options, facts, isRemembered(context)));
		const findings = { applied, facts, nextRunFor, now: run.startedAt };
		const journal = await journalOfRows(run, planned, findings);
		const items = planned.flatMap((group) => group.items);
		const unsent = { failed: [...failed, ...stopped], progress: applied.progress };
		const rows = await reportItems(run, items, journal, unsent);
		const unlisted = await run.eventLoop.map(planned, (group) => reportUnlisted(run, group, findings));

		const failedItems = new Set(rows.failed.map(({ item }) => item));
		const summary = await summaryFor(run, planned, applied, failedItems);
		await run.eventLoop.yieldIfDue();
		const people = countPeople(rows.failed, items, journal);
		hints.add(hintOf(summary, [...people, ...unlisted.flatMap((one) => one.failed)]));
		// Unless the node continues on fail, a group that is stopped ends a real run before anything is sent.
		const sendable = dry.filter(({ wouldStop }) => !wouldStop);
		if (sendable.length > 0 && (sendable.length === dry.length || context.continueOnFail())) {
			const requests = await run.eventLoop.finish(countRequests(sendable, options));
			hints.add(estimateOf(requests, options.batchInterval));
		}
		for (const hint of describeWithoutPlus(dry.flatMap((group) => group.items.flatMap(({ asked }) => asked))))
			hints.add(hint);
		for (const hint of await run.eventLoop.finish(memoryHints(groups, planned, applied))) hints.add(hint);
		await run.eventLoop.yieldIfDue();
		if (kept > 0 && !isRemembered(context))
			hints.add(notRememberedHint('was asked for', 'asks for them again'));
		return [...inInputOrder(rows.outputs), ...unlisted.flatMap(({ outputs }) => outputs)];
	},
};

/** What is told of a group of which no more is known. */
const MAY_BE_CHANGED = 'it may have been changed';

function withJoined(group: PlannedGroup, { joined }: AppliedSync): PlannedGroup {
	if (joined.size === 0) return group;
	const decisions = group.plan.decisions.map((one): Decision =>
		one.outcome === 'unchanged' && joined.has(one) ? { ...one, outcome: 'rejected' } : one,
	);
	return { ...group, plan: { ...group.plan, decisions } };
}
