import { groupBy } from '../../common/maps';
import { joinParts } from '../../common/text';
import type { ChangeResult } from '../change';
import { countOf, tally, type Kind, type Words } from '../summary';
import type { Decision, Plan } from './plan';

/** Result of one person at the end of a run. */
export interface PersonResult {
	readonly decision: Pick<Decision, 'shouldBeMember' | 'rows' | 'presence' | 'before' | 'reason' | 'because'>;
	readonly result: Pick<ChangeResult, 'outcome' | 'action'>;
	/** Whether the group shows who is a member. */
	readonly isShown: boolean;
}

function kindsOf({ decision, result: { outcome, action }, isShown }: PersonResult): Kind[] {
	const { shouldBeMember, presence, before } = decision;
	const wish = `${outcome} ${shouldBeMember ? 'add' : 'remove'}` as const;
	const untried = action === 'none' ? ' untried' : '';
	const detail = presence === 'found' ? ' found' : before.left ? ' left' : '';
	const unseen = isShown ? [] : ([`${wish} unseen`] as const);
	const ofWish = [`${wish} listed`, `${wish}${untried}${detail}`, `${wish}${untried}`] as const;
	return [...unseen, ...ofWish, `${outcome}${detail}`, outcome];
}

/**
 * Says at a glance what became of everybody: `12 added, 40 postponed; 5 members are not in the list and were kept`.
 *
 * @param people one result for each row and unlisted member of all groups whose request didn't fail
 */
export function summaryOf(
	people: readonly PersonResult[],
	plans: ReadonlyArray<Pick<Plan, 'unlistedKept' | 'unmatched' | 'visibleIds'>>,
): string {
	const isUnlistedKept = ({ decision, result }: PersonResult) =>
		decision.rows.length === 0 && result.outcome === 'kept';
	const counted = people.filter((person) => !isUnlistedKept(person));
	const sum = (amountIn: (plan: (typeof plans)[number]) => number) =>
		plans.reduce((total, plan) => total + amountIn(plan), 0);
	const withReason = (reason: Decision['reason']) =>
		people.filter(({ decision }) => decision.reason === reason);
	const becauses = new Set(people.flatMap(({ decision }) => (decision.because ? decision : [])));
	const kept = groupBy(becauses, ({ because }) => because);
	const others: Array<[number, Words]> = [
		[
			sum(({ unlistedKept }) => unlistedKept),
			['member is not in the list and was kept', 'members are not in the list and were kept'],
		],
		[
			withReason('badRow').filter(isUnlistedKept).length,
			[
				'member not in the list stays until all items are valid',
				'members not in the list stay until all items are valid',
			],
		],
		[
			sum(({ unmatched, visibleIds }) => (visibleIds.phone ? 0 : unmatched)),
			["member shows no number and can't be matched", "members show no number and can't be matched"],
		],
		[
			sum(({ unmatched, visibleIds }) => (visibleIds.phone ? unmatched : 0)),
			["member shows no hidden ID and can't be matched", "members show no hidden ID and can't be matched"],
		],
		[withReason('notApproved').length, ["change isn't approved", "changes aren't approved"]],
		...[...kept].flatMap(([because, { length }]): Array<[number, Words]> => {
			return because === undefined
				? []
				: [[length, [`member stays: ${because}`, `members stay: ${because}`]]];
		}),
	];
	return joinParts([
		tally(counted, kindsOf),
		...others.map(([amount, words]) => (amount === 0 ? '' : countOf(amount, words))),
	]);
}
