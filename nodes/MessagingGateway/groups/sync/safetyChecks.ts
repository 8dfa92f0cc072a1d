import { Problem } from '../../common/problem';
import { count, quote } from '../../common/text';
import { hasNumber } from '../people';
import type { Decision, Plan, Removal, SentDecision } from './plan';
import type { GroupRules, PlanRules, Row } from './rules';

/** So few say nothing about the whole group: they may be removed whatever their part of it, unless nobody may. */
const ALWAYS_ALLOWED = 3;

/** What a plan has to pass before anything of it is sent. */
export type CheckRules = Pick<
	GroupRules,
	'unlisted' | 'removeAdmins' | 'maxRemovalPercent' | 'overLimit' | 'dryRun'
> &
	Pick<PlanRules, 'own'>;

/** What the checks look at. */
interface CheckedPlan {
	readonly plan: Plan;
	readonly rules: CheckRules;
	readonly removals: readonly Removal[];
}

interface Check {
	/** Says what is wrong, in a sentence without a full stop; `undefined` where nothing is. */
	readonly find: (checked: CheckedPlan) => string | undefined;
	/** What to do. */
	readonly description: string;
	/** Why a dry run plans what it stops, for a limit that can be raised. */
	readonly limit?: 'maxRemovalPercent';
}

/** The first that finds something counts. */
const CHECKS: readonly Check[] = [
	{
		find: ({ plan }) =>
			plan.members.all.length === 0 ? 'the gateway gave an empty list of members' : undefined,
		description:
			"No group has no members, so the list isn't complete. Check that the instance is connected, then run this again",
	},
	{
		find: ({ plan, rules: { own } }) =>
			own.length > 0 && plan.self.length === 0 && plan.members.all.every(hasNumber)
				? "the instance's own account isn't in the list of members that the gateway gave"
				: undefined,
		description:
			"The list isn't complete, or it's about another group. Check the group and the instance, then run this again",
	},
	{
		find: ({ plan: { contradictions } }) => contradictionIn(contradictions),
		description:
			"Both IDs belong to the same person. Make 'Should Be Member' the same for both, or keep only one of them",
	},
	{
		find: ({ plan, rules: { unlisted } }) =>
			unlisted === 'remove' && !plan.decisions.some(({ shouldBeMember }) => shouldBeMember)
				? 'the list names nobody who should be a member, so all members would be removed'
				: undefined,
		description:
			"Check that the source of the list isn't empty and that its columns have the names that you use here. To remove only those whom the list names, set 'Members Not in the List' to keep them",
	},
	{
		find: ({ plan, rules: { unlisted } }) =>
			unlisted === 'remove' && !plan.members.all.some(hasNumber)
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
		find: ({ plan: { self }, removals, rules: { removeAdmins } }) =>
			removeAdmins && self.length === 0 && removals.some(({ member }) => member.role !== 'member')
				? "an admin would be removed, and it isn't known which member is the instance's own account"
				: undefined,
		description:
			"The account could remove itself. Turn off 'Remove Admins' in the options, or use a key that may list the instances",
	},
	{
		find: ({ plan: { self, decisions } }) =>
			self.length > 0 &&
			self.every(({ role }) => role === 'member') &&
			decisions.some(({ outcome }) => outcome === 'planned')
				? "the instance's own account isn't an admin of the group"
				: undefined,
		description: 'Make the account an admin of the group, then run this again',
	},
];

/**
 * Checks a plan before anything of it is sent. A list of members that can't be read has no plan and stops its group
 * as well.
 *
 * @returns the plan as it may be carried out: where too many would be removed and the rules say so, all of them are kept,
 * and in a dry run what a limit would stop says so; `stop`: why nothing may be sent for the group, and all its items fail;
 * `warning`: what a run has to say first
 */
export function check(plan: Plan, rules: CheckRules): { plan: Plan; stop?: Problem; warning?: string } {
	const held = rules.overLimit === 'hold' ? tooManyRemovals(checkedPlan(plan, rules)) : undefined;
	const checked = checkedPlan(held === undefined ? plan : holdRemovals(plan), rules);
	for (const { find, description, limit } of CHECKS) {
		const found = find(checked);
		if (found === undefined) continue;
		if (!rules.dryRun) {
			const advice = limit ? `Look at them with 'Dry Run'. ${description}` : description;
			return { plan: checked.plan, stop: new Problem(`Nothing was changed: ${found}`, advice) };
		}
		const shown = limit ? mapPlanned(checked.plan, (one) => ({ ...one, reason: limit })) : checked.plan;
		return { plan: shown, warning: `This would be stopped: ${found}. ${description}` };
	}
	return {
		plan: checked.plan,
		...(held !== undefined && { warning: `Nobody is removed for now: ${held}. ${HELD}` }),
	};
}

const HELD = "Look at who is kept. If it's right, raise 'Maximum Removals (Percent)' in the options";

function checkedPlan(plan: Plan, rules: CheckRules): CheckedPlan {
	const removals = plan.decisions.flatMap((one) =>
		one.action === 'remove' && one.outcome === 'planned' ? [one] : [],
	);
	return { plan, rules, removals };
}

function mapPlanned(plan: Plan, change: (decision: SentDecision) => Decision): Plan {
	return { ...plan, decisions: plan.decisions.map((one) => (one.outcome === 'planned' ? change(one) : one)) };
}

function holdRemovals(plan: Plan): Plan {
	let unlistedKept = plan.unlistedKept;
	const held = mapPlanned(plan, (decision) => {
		if (decision.action === 'add') return decision;
		const { rows, shouldBeMember, ids, members, before, facts } = decision;
		if (rows.length === 0) unlistedKept++;
		const subject = { rows, shouldBeMember, ids, members, before, facts };
		return { ...subject, action: 'none', outcome: 'kept', reason: 'maxRemovalPercent' };
	});
	return { ...held, unlistedKept };
}

/** People who were members by the memory of their rows and certainly aren't any more: more than a few, and most of them. */
function membersWhoAreGone({ plan: { decisions } }: CheckedPlan): string | undefined {
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
	const nameOf = ({ participant: { given } }: Row) => quote(given);
	const rest = others.length === 0 ? '' : ` (and ${count(others.length, 'other member')} likewise)`;
	return `${nameOf(first.wanted)}, who should be a member, and ${nameOf(first.unwanted)}, who shouldn't, are the same member${rest}`;
}

function tooManyRemovals({ plan, rules: { maxRemovalPercent }, removals }: CheckedPlan): string | undefined {
	const members = plan.members.all.length;
	if (maxRemovalPercent >= 100) return undefined;
	const part = Math.floor((maxRemovalPercent * members) / 100);
	const allowed = maxRemovalPercent === 0 ? 0 : Math.max(ALWAYS_ALLOWED, part);
	if (removals.length <= allowed) return undefined;
	const percent = percentAbove(maxRemovalPercent, (removals.length / members) * 100);
	return `${removals.length} of ${count(members, 'member')} would be removed (${percent} %), more than the ${maxRemovalPercent} % allowed`;
}

/** With one decimal, or as many as it takes to show that it is above the limit. */
function percentAbove(limit: number, percent: number): number {
	const shown = [1, 2, 3].map((decimals) => Number(percent.toFixed(decimals)));
	return shown.find((one) => one > limit) ?? percent;
}
