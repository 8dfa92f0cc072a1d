import { Problem } from '../../common/problem';
import { amountOf, count, nameSome } from '../../common/text';
import { personKey, plannedIn, type Plan } from './plan';
import { asStopped, onlyApproved, through } from './policies';
import type { PlanRules } from './rules';
import { nameWithNumber } from './sentences';

/** Up to 3 removals are always allowed, unless the limit is 0 %. */
const ALWAYS_ALLOWED = 3;

const PUT_BACK = 'If rows are missing from the list, put them back.';
const TOO_MANY_ADVICE = `${PUT_BACK} If they are right, raise 'Maximum Removals (Percent)'`;
const HALF_ADVICE = `${PUT_BACK} The node needs the whole list at once. If they are right, set 'Maximum Removals (Percent)' to 100`;

/** Checks, each with its advice. The first that finds something counts. A dry run names the limit. */
const CHECKS: ReadonlyArray<{
	readonly find: (plan: Plan, rules: PlanRules, removals: Removals) => string | undefined;
	readonly description: string;
	readonly limit?: 'maxRemovalPercent';
}> = [
	{
		find: ({ members }) => (members.length === 0 ? 'the gateway gave an empty list of members' : undefined),
		description:
			"Every group has members, so the list isn't complete. Check that the instance is connected, then run this again",
	},
	{
		find: ({ self, visibleIds }, { own }) =>
			visibleIds.phone && own.some(({ kind }) => visibleIds[kind]) && self.length === 0
				? "the instance's own account isn't in the list of members that the gateway gave"
				: undefined,
		description:
			"The list isn't complete, or it's about another group. Check the group and the instance, then run this again",
	},
	{
		find: ({ decisions }, { unlisted }) =>
			unlisted === 'remove' && !decisions.some(({ shouldBeMember }) => shouldBeMember)
				? 'the list names nobody who should be a member, so all members would be removed'
				: undefined,
		description:
			"Check that the source of the list isn't empty and that its columns have the names that you use here. To remove only those whom the list names, set 'Members Not in the List' to keep them",
	},
	{ find: tooManyRemovals, description: TOO_MANY_ADVICE, limit: 'maxRemovalPercent' },
	{ find: mostWouldGo, description: HALF_ADVICE, limit: 'maxRemovalPercent' },
	{
		find: (plan) =>
			plan.self.length > 0 && plan.self.every(({ role }) => role === 'member') && plannedIn(plan).length > 0
				? "the instance's own account isn't an admin of the group"
				: undefined,
		description: 'Make the account an admin of the group, then run this again',
	},
];

/** Checks a plan before it's sent. @returns the plan that is left, and why nothing may be, or a warning */
export function check(
	made: Plan,
	rules: PlanRules,
): { readonly plan: Plan; readonly stop?: Problem; readonly warning?: string; readonly wouldStop?: boolean } {
	const plan = through(made, onlyApproved(rules.approved));
	const removals = removalsIn(plan, rules);
	for (const { find, description, limit } of CHECKS) {
		const found = find(plan, rules, removals);
		if (found === undefined) continue;
		if (!rules.dryRun) {
			// n8n's box cuts long texts: what to do comes first.
			const names = nameSome(removals.planned.map(nameWithNumber));
			const advice = limit ? `${description}. They are ${names}` : description;
			return { plan, stop: new Problem(found, advice) };
		}
		const shown = limit ? through(plan, asStopped) : plan;
		return { plan: shown, warning: `This would be stopped: ${found}. ${description}`, wouldStop: true };
	}
	return { plan };
}

type Removals = ReturnType<typeof removalsIn>;

/** Counts earlier removals of the execution, too: a loop that removes one at a time empties a group. */
function removalsIn(plan: Plan, { before: { removed } }: PlanRules) {
	const planned = plannedIn(plan, 'remove');
	const again = new Set(planned.map(personKey));
	const before = [...removed].filter((person) => !again.has(person)).length;
	const besides = before > 0 ? ` besides ${amountOf(before)} before in this execution` : '';
	const members = count(plan.members.length, 'member');
	const said = `${amountOf(planned.length)} of ${members} would be removed${besides}`;
	return { planned, before, all: planned.length + before, said };
}

function tooManyRemovals(
	{ members }: Plan,
	{ maxRemovalPercent }: PlanRules,
	{ planned, before, all, said }: Removals,
): string | undefined {
	const membersBefore = members.length + before;
	if (planned.length === 0 || all <= allowedOf(membersBefore, maxRemovalPercent)) return undefined;
	const percent = percentAbove(maxRemovalPercent, (all / membersBefore) * 100);
	return `${said} (${percent} %), more than the ${maxRemovalPercent} % allowed`;
}

/** Finds a list of few rows, as a shop's webhook makes it: it would empty a small group. One may go. */
function mostWouldGo(
	{ ordinary }: Plan,
	{ maxRemovalPercent, removeAdmins }: PlanRules,
	{ planned, before, all, said }: Removals,
): string | undefined {
	const amount = ordinary.length + before;
	const always = planned.every(({ rows }) => rows.length > 0) ? 1 : 0;
	const isAllowed = maxRemovalPercent >= 100 || all <= Math.max(always, amount / 2);
	if (planned.length === 0 || isAllowed) return undefined;
	const who = removeAdmins ? 'besides the account itself' : "who aren't admins";
	return `${said}, more than half of those ${who} (${amountOf(amount)})`;
}

function allowedOf(members: number, maxRemovalPercent: number): number {
	const part = Math.floor((maxRemovalPercent * members) / 100);
	return maxRemovalPercent === 0 ? 0 : Math.max(ALWAYS_ALLOWED, part);
}

/** Numbers of rows at which nodes and services cut a list. */
const USUAL_LIMITS = [50, 100, 200, 250, 500, 1000];

/** Doubts a list that no check stops: it may be cut, or its column wrong. @param size number of all rows */
export function doubtsAbout(
	{ decisions, members, ordinary, lost }: Plan,
	{ unlisted, maxRemovalPercent }: Pick<PlanRules, 'unlisted' | 'maxRemovalPercent'>,
	size: number,
): string[] {
	const all = members.length;
	const inList = new Set(decisions.flatMap((decision) => (decision.rows.length > 0 ? decision.members : [])));
	const named = ordinary.filter((member) => inList.has(member)).length;
	const leaving = decisions.filter(({ reason, before }) => reason === 'removeAfter' && !before.toLeave);
	const isHalf = leaving.length > allowedOf(all, maxRemovalPercent);
	const percent = percentAbove(maxRemovalPercent, (leaving.length / all) * 100);
	const what = leaving.some(({ rows }) => rows.length === 0) ? 'are missing in the list' : 'have to leave';
	const isNobody = decisions.every(({ shouldBeMember }) => !shouldBeMember);
	const listed = isNobody ? decisions.flatMap(({ rows }) => rows.map(({ item }) => item)) : [];
	const items = new Set(listed).size;
	return [
		lost !== undefined &&
			`${amountOf(lost.amount)} of ${amountOf(lost.of)} people of the list were members in the run before and aren't any more: they are added again`,
		isHalf &&
			`${leaving.length} of ${count(all, 'member')} (${percent} %) ${what} since this run: if rows are missing, put them back`,
		unlisted === 'remove' &&
			USUAL_LIMITS.includes(size) &&
			`The list has exactly ${amountOf(size)} rows: if a limit cut it, turn on Return All in the node before`,
		unlisted === 'remove' &&
			named * 2 < ordinary.length &&
			`The list names ${amountOf(named)} of ${count(ordinary.length, 'member')}: with 'Members Not in the List' set to Remove, the node needs the whole list`,
		items > 1 && `None of the ${amountOf(items)} rows should be a member: check 'Should Be Member'`,
	].filter((doubt) => doubt !== false);
}

/** Rounds to one decimal, or as many as it takes to show that the percentage is above the limit. */
function percentAbove(limit: number, percent: number): number {
	const shown = [1, 2, 3].map((decimals) => Number(percent.toFixed(decimals)));
	return shown.find((rounded) => rounded > limit) ?? percent;
}
