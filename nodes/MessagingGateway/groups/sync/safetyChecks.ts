import { Problem } from '../../common/problem';
import type { Steps } from '../../common/steps';
import { count, quote } from '../../common/text';
import { hasNumber } from '../people';
import { removalsIn, subjectOf, type Decision, type Plan, type SentDecision } from './plan';
import type { PlanRules } from './rules';

/** So few say nothing about the whole group: they may be removed whatever their part of it, unless nobody may. */
const ALWAYS_ALLOWED = 3;

interface Check {
	/** Says what is wrong, in a sentence without a full stop; `undefined` where nothing is. */
	readonly find: (plan: Plan, rules: PlanRules) => string | undefined;
	/** What to do. */
	readonly description: string;
	/** Why a dry run plans what it stops, for a limit that can be raised. */
	readonly limit?: 'maxRemovalPercent';
}

/** The first that finds something counts. */
const CHECKS: readonly Check[] = [
	{
		find: ({ members }) =>
			members.all.length === 0 ? 'the gateway gave an empty list of members' : undefined,
		description:
			"Every group has members, so the list isn't complete. Check that the instance is connected, then run this again",
	},
	{
		find: ({ self, shows }, { own }) =>
			own.length > 0 && self.length === 0 && shows.phone
				? "the instance's own account isn't in the list of members that the gateway gave"
				: undefined,
		description:
			"The list isn't complete, or it's about another group. Check the group and the instance, then run this again",
	},
	{
		find: ({ contradictions }) => contradictionIn(contradictions),
		description:
			"Both IDs belong to the same person. Make 'Should Be Member' the same for both, or keep only one of them",
	},
	{
		find: ({ decisions }, { unlisted }) =>
			unlisted === 'remove' && !decisions.some(({ shouldBeMember }) => shouldBeMember)
				? 'the list names nobody who should be a member, so all members would be removed'
				: undefined,
		description:
			"Check that the source of the list isn't empty and that its columns have the names that you use here. To remove only those whom the list names, set 'Members Not in the List' to keep them",
	},
	{
		find: ({ members }, { unlisted }) =>
			unlisted === 'remove' && !members.all.some(hasNumber)
				? "the gateway doesn't show the phone number of any member, so it can't be told who isn't in the list"
				: undefined,
		description:
			"This group has hidden IDs. Update the gateway to a version that shows numbers there, or set 'Members Not in the List' to keep them",
	},
	{
		find: membersWhoAreGone,
		description:
			"The group was emptied, or this memory is another group's. Look at the group. If they really left, empty their memory, then run this again",
	},
	{
		find: tooManyRemovals,
		description: "If they are right, raise 'Maximum Removals (Percent)' in the options",
		limit: 'maxRemovalPercent',
	},
	{
		find: (plan, { removeAdmins }) =>
			removeAdmins &&
			plan.self.length === 0 &&
			removalsIn(plan).some(({ member }) => member.role !== 'member')
				? "an admin would be removed, and it isn't known which member is the instance's own account"
				: undefined,
		description:
			"The account could remove itself. Turn off 'Remove Admins' in the options, or use a key that may list the instances",
	},
	{
		find: (plan) =>
			removalsIn(plan).length > 0 && plan.members.all.every(({ role }) => role === undefined)
				? "members would be removed, and the gateway doesn't show who is an admin"
				: undefined,
		description: 'One of them may have created the group. Remove them by hand, and only add people here',
	},
	{
		find: ({ self, decisions }) =>
			self.length > 0 &&
			self.every(({ role }) => role === 'member') &&
			decisions.some(({ outcome }) => outcome === 'planned')
				? "the instance's own account isn't an admin of the group"
				: undefined,
		description: 'Make the account an admin of the group, then run this again',
	},
];

interface Checked {
	readonly plan: Plan;
	readonly stop?: Problem;
	readonly warning?: string;
	/** Whether a real run would be stopped. */
	readonly wouldStop?: boolean;
}

/**
 * Checks a plan before anything of it is sent. A list of members that can't be read has no plan and stops its group
 * as well.
 *
 * @returns the plan as it may be carried out: where too many would be removed and the rules say so, all of them are kept,
 * and in a dry run what a limit would stop says so; `stop`: why nothing may be sent for the group, and all its items fail;
 * `warning`: what a run has to say first
 */
export function* check(made: Plan, rules: PlanRules): Steps<Checked> {
	const held = rules.overLimit === 'hold' ? tooManyRemovals(made, rules) : undefined;
	const plan = held === undefined ? made : holdRemovals(made);
	for (const { find, description, limit } of CHECKS) {
		yield;
		const found = find(plan, rules);
		if (found === undefined) continue;
		if (!rules.dryRun) {
			const advice = limit ? `Look at them with 'Dry Run'. ${description}` : description;
			return { plan, stop: new Problem(`Nothing was changed: ${found}`, advice) };
		}
		const shown = limit ? mapPlanned(plan, (one) => ({ ...one, reason: limit })) : plan;
		return { plan: shown, warning: `This would be stopped: ${found}. ${description}`, wouldStop: true };
	}
	return held === undefined ? { plan } : { plan, warning: `Nobody is removed for now: ${held}. ${HELD}` };
}

const HELD = "Look at who is kept. If it's right, raise 'Maximum Removals (Percent)' in the options";

function mapPlanned(plan: Plan, change: (decision: SentDecision) => Decision): Plan {
	return { ...plan, decisions: plan.decisions.map((one) => (one.outcome === 'planned' ? change(one) : one)) };
}

function holdRemovals(plan: Plan): Plan {
	const held = mapPlanned(plan, (decision) =>
		decision.action === 'add'
			? decision
			: { ...subjectOf(decision), action: 'none', outcome: 'kept', reason: 'maxRemovalPercent' },
	);
	const unlisted = removalsIn(plan).filter(({ rows }) => rows.length === 0);
	return { ...held, unlistedKept: plan.unlistedKept + unlisted.length };
}

/** People who were members by the memory of their rows and certainly aren't any more: more than a few, and most of them. */
function membersWhoAreGone({ decisions }: Plan): string | undefined {
	const were = decisions.filter(
		({ shouldBeMember, before, rows }) =>
			shouldBeMember && before.member && rows.some(({ memory }) => memory),
	);
	const gone = were.filter(({ facts }) => facts.left);
	if (gone.length <= ALWAYS_ALLOWED || gone.length * 2 <= were.length) return undefined;
	return `${gone.length} of the ${were.length} people who were members by their memory aren't in the group`;
}

function contradictionIn([first, ...others]: Plan['contradictions']): string | undefined {
	if (first === undefined) return undefined;
	const [wanted, unwanted] = first.map(({ participant }) => quote(participant.given));
	const rest = others.length === 0 ? '' : ` (and ${count(others.length, 'other member')} likewise)`;
	return `${wanted}, who should be a member, and ${unwanted}, who shouldn't, are the same member${rest}`;
}

/** In a loop that removes one at a time, those before count, too: it's the whole group that they are too many of. */
function tooManyRemovals(plan: Plan, { maxRemovalPercent, removedBefore }: PlanRules): string | undefined {
	const removals = removalsIn(plan).length;
	const all = removals + removedBefore;
	const members = plan.members.all.length;
	const membersBefore = members + removedBefore;
	const part = Math.floor((maxRemovalPercent * membersBefore) / 100);
	const allowed = maxRemovalPercent === 0 ? 0 : Math.max(ALWAYS_ALLOWED, part);
	if (removals === 0 || all <= allowed) return undefined;
	const percent = percentAbove(maxRemovalPercent, (all / membersBefore) * 100);
	const before = removedBefore > 0 ? ` besides ${removedBefore} before in this execution` : '';
	return `${removals} of ${count(members, 'member')} would be removed${before} (${percent} %), more than the ${maxRemovalPercent} % allowed`;
}

/** With one decimal, or as many as it takes to show that it is above the limit. */
function percentAbove(limit: number, percent: number): number {
	const shown = [1, 2, 3].map((decimals) => Number(percent.toFixed(decimals)));
	return shown.find((one) => one > limit) ?? percent;
}
