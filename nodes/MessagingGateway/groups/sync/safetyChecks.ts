import { Problem } from '../../common/problem';
import { count, quote } from '../../common/text';
import { hasNumber } from '../people';
import type { Plan, Removal } from './plan';
import type { GroupRules, PlanRules, Row } from './rules';

/** As many removals are allowed whatever their part of the group, unless none is. */
const ALWAYS_ALLOWED = 3;

/** What a plan has to pass before anything of it is sent. */
export type CheckRules = Pick<GroupRules, 'unlisted' | 'removeAdmins' | 'maxRemovalPercent' | 'dryRun'> &
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
	/** A dry run goes on all the same. */
	readonly onlyWarns?: boolean;
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
		find: tooManyRemovals,
		description:
			"Look at them with 'Dry Run'. If they are right, raise 'Maximum Removals (Percent)' in the options",
		onlyWarns: true,
	},
	{
		find: ({ plan: { self }, removals, rules: { removeAdmins } }) =>
			removeAdmins && self.length === 0 && removals.some(({ member }) => member.role !== 'member')
				? "an admin would be removed, and it isn't known which member is the instance's own account"
				: undefined,
		description:
			"The account could remove itself. Turn off 'Remove Admins' in the options, or use a key that may list the instances",
	},
];

/**
 * Checks a plan before anything of it is sent. A list of members that can't be read has no plan and stops its group
 * as well.
 *
 * @returns `stop`: why nothing may be sent for the group, and all its items fail; `warning`: what a dry run has to say
 */
export function check(plan: Plan, rules: CheckRules): { stop?: Problem; warning?: string } {
	const checked = { plan, rules, removals: plan.decisions.filter((one) => one.action === 'remove') };
	let warning: string | undefined;
	for (const { find, description, onlyWarns } of CHECKS) {
		const found = find(checked);
		if (found === undefined) continue;
		if (onlyWarns && rules.dryRun) warning = `This would be stopped: ${found}`;
		else return { stop: new Problem(`Nothing was changed: ${found}`, description) };
	}
	return warning === undefined ? {} : { warning };
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
