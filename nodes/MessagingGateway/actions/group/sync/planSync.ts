import { Problem } from '../../../common/problem';
import type { Identity } from '../../../groups/identity';
import { placesWithin, withinLimits } from '../../../groups/sync/limits';
import { recall } from '../../../groups/sync/memory';
import { plan, type Plan } from '../../../groups/sync/plan';
import type { PlanRules } from '../../../groups/sync/rules';
import { check } from '../../../groups/sync/safetyChecks';
import { subjectIn } from '../../../run/nodeErrors';
import type { Run } from '../../../run/operation';
import type { EarlierRuns } from './earlierRuns';
import type { SyncMemory } from './memory';
import type { SyncGroup, SyncOptions } from './readSync';

/** A group whose plan may be carried out. */
export interface PlannedGroup extends SyncGroup {
	plan: Plan;
}

/** A group for which nothing is sent, and why. */
export interface StoppedGroup {
	group: SyncGroup;
	problem: unknown;
	/** What an earlier run of this node in this execution did to it, e.g. with Retry On Fail. */
	earlier: string | undefined;
}

/**
 * Reads every group and plans what is to become of it. Sends no change. Unless the node continues on fail, the first group
 * that is stopped is the last.
 *
 * @param earlierRuns what this node did before in this execution
 * @returns `warnings`: what has to be said about plans that are held or, in a dry run, would be stopped
 */
export async function planSync(
	{ client, context, eventLoop }: Run,
	groups: readonly SyncGroup[],
	options: SyncOptions,
	{ answers, now }: SyncMemory,
	earlierRuns: EarlierRuns,
): Promise<{ planned: PlannedGroup[]; stopped: StoppedGroup[]; warnings: string[] }> {
	let owners: ReadonlyMap<string, Identity | undefined> | undefined;
	const planned: PlannedGroup[] = [];
	const stopped: StoppedGroup[] = [];
	const warnings: string[] = [];
	for (const group of groups) {
		const { instance, groupJid, rules: ofItems, badRow, exactNumbers } = group;
		const earlier = earlierRuns.summaryOf(groupJid);
		try {
			if (earlier !== undefined && ofItems.unlisted === 'remove') throw SECOND_RUN;
			const members = await eventLoop.finish(await client.members(group, options));
			owners ??= await client.ownAccounts([...new Set(groups.map((one) => one.instance))], options);
			const account = owners.get(instance);
			const rules: PlanRules = {
				...ofItems,
				own: account === undefined ? [] : [account],
				exactNumbers,
				badRow,
				now,
				retryRefusedAfter: options.retryRefusedAfter,
				recall: (ids) => recall(answers, groupJid, ids, now),
			};
			const rows = group.items.flatMap(({ asked }) => asked);
			const made = await eventLoop.finish(plan(rows, members, rules));
			const checked = await eventLoop.finish(check(made, rules));
			await eventLoop.yieldIfDue();
			if (checked.stop !== undefined) throw checked.stop;
			if (checked.warning !== undefined)
				warnings.push(checked.warning + (groups.length > 1 ? subjectIn(group) : ''));
			planned.push({ ...group, plan: checked.plan });
		} catch (problem) {
			stopped.push({ group, problem, earlier });
			// The run ends with it, and each reading is a question to the network.
			if (!context.continueOnFail()) break;
		}
	}
	await eventLoop.yieldIfDue();
	// What a dry run would do takes no place of a real one.
	const scopeOf = ({ instance, rules }: SyncGroup) => JSON.stringify([instance, rules.dryRun]);
	const places = placesWithin(options);
	const placesFor = ({ instance }: SyncGroup) => earlierRuns.placesLeft(instance, places);
	return { planned: await eventLoop.finish(withinLimits(planned, scopeOf, placesFor)), stopped, warnings };
}

const SECOND_RUN = new Problem(
	'Nothing was changed: members who are in another list of this execution could be removed now',
	"This node has already synced this group in this execution: in a loop, or by Retry On Fail. In a loop, each batch would remove the members of the others. Give the node the whole list at once, turn off Retry On Fail, or set 'Members Not in the List' to keep them",
);
