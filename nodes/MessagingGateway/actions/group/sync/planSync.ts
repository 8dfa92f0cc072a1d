import { messageOf, Problem } from '../../../common/problem';
import { BlockedCall } from '../../../gateway/failures/blockedCall';
import type { Identity } from '../../../groups/identity';
import { recall, type Answers } from '../../../groups/sync/answers';
import { placesWithin, withinLimits } from '../../../groups/sync/limits';
import { plan, type Plan } from '../../../groups/sync/plan';
import type { PlanRules } from '../../../groups/sync/rules';
import { check } from '../../../groups/sync/safetyChecks';
import type { FailedItem } from '../../../run/items';
import { subjectIn } from '../../../run/nodeErrors';
import type { Run } from '../../../run/operation';
import { failItem } from '../../../run/report';
import type { EarlierRuns } from './earlierRuns';
import type { SyncGroup, SyncOptions } from './readSync';

/** A group whose plan may be carried out. */
export interface PlannedGroup extends SyncGroup {
	plan: Plan;
	/** Whether a real run would be stopped, where this is a dry one. */
	wouldStop: boolean;
}

/**
 * Reads every group and plans what is to become of it. Sends no change. A hint says what there is to say about plans that
 * are held or, in a dry run, would be stopped.
 *
 * @param answers what n8n remembers of additions
 * @param earlierRuns what this node did before in this execution
 * @returns `failed`: the items of groups for which nothing is sent
 * @throws why nothing is sent for a group, on its first item, unless the node continues on fail
 */
export async function planSync(
	run: Run,
	groups: readonly SyncGroup[],
	options: SyncOptions,
	answers: Answers,
	earlierRuns: EarlierRuns,
): Promise<{ planned: PlannedGroup[]; failed: FailedItem[] }> {
	const { client, eventLoop, hints, startedAt: now } = run;
	let owners: ReadonlyMap<string, Identity | undefined> | undefined;
	const planned: PlannedGroup[] = [];
	const failed: FailedItem[] = [];
	for (const group of groups) {
		const { instance, groupJid } = group;
		const earlier = earlierRuns.sayFor(groupJid);
		try {
			if (earlier !== undefined && group.rules.unlisted === 'remove') throw SECOND_RUN;
			const members = await client.members(group, options);
			owners ??= await client.ownAccounts([...new Set(groups.map((one) => one.instance))], options);
			const account = owners.get(instance);
			const rules: PlanRules = {
				...group.rules,
				own: account === undefined ? [] : [account],
				now,
				retryRefusedAfter: options.retryRefusedAfter,
				removedBefore: earlierRuns.removedFrom(groupJid),
				recall: (ids) => recall(answers, groupJid, ids, now),
			};
			const rows = group.items.flatMap(({ asked }) => asked);
			const made = await eventLoop.finish(plan(rows, members, rules));
			const checked = await eventLoop.finish(check(made, rules));
			await eventLoop.yieldIfDue();
			if (checked.stop !== undefined) throw checked.stop;
			if (checked.warning !== undefined)
				hints.add(checked.warning + (groups.length > 1 ? subjectIn(group) : ''));
			planned.push({ ...group, plan: checked.plan, wouldStop: checked.wouldStop ?? false });
		} catch (problem) {
			const reason = messageOf(problem instanceof BlockedCall ? problem.reason : problem);
			const sentences = [stopMessage(reason, earlier)];
			for (const item of group.items) {
				await eventLoop.yieldIfDue();
				failed.push(failItem(run, item, { cause: problem, sentences, reason }));
			}
		}
	}
	await eventLoop.yieldIfDue();
	// What a dry run would do takes no place of a real one, and what would be stopped none of the others.
	const scopeOf = ({ instance, rules: { dryRun }, wouldStop }: PlannedGroup) =>
		JSON.stringify([instance, dryRun, wouldStop]);
	const most = placesWithin(options);
	const placesFor = ({ instance }: SyncGroup) => earlierRuns.placesLeft(instance, most);
	for (;;) {
		const { places: before } = earlierRuns;
		const limited = await eventLoop.finish(withinLimits(planned, scopeOf, placesFor));
		const live = limited.filter(({ rules }) => !rules.dryRun);
		const places = await eventLoop.finish(earlierRuns.placesWith(live));
		// Another call of an AI agent may have taken places while this one gave way.
		if (earlierRuns.places !== before) continue;
		earlierRuns.places = places;
		return { planned: limited, failed };
	}
}

const SECOND_RUN = new Problem(
	'Nothing was changed: members who are in another list of this execution could be removed now',
	"This node has already synced this group in this execution: in a loop, by Retry On Fail, or before the execution was retried. In a loop, each batch would remove the members of the others. Give the node the whole list at once, turn off Retry On Fail, start a new execution, or set 'Members Not in the List' to keep them",
);

/**
 * Why nothing is sent for a group.
 *
 * @param earlier what an earlier run of this node in this execution did to it, e.g. with Retry On Fail
 */
function stopMessage(said: string, earlier: string | undefined): string {
	const message = said.startsWith(NOTHING) ? said : `${NOTHING}. ${said}`;
	if (earlier === undefined) return message;
	const more = message.replace(NOTHING, 'Nothing more was changed');
	return `${more}. ${earlier}`;
}

const NOTHING = 'Nothing was changed';
