import { groupBy } from '../../common/groupBy';
import { joinParts } from '../../common/text';
import type { ChangeResult } from '../change';
import { countOf, tallyOf, type Outcome, type Tally } from '../outcomes';
import type { Decision, Plan } from './plan';

/** Result of one person at the end of a run. */
export interface PersonResult {
	readonly decision: Pick<Decision, 'shouldBeMember' | 'rows' | 'presence' | 'before' | 'reason'>;
	readonly result: Pick<ChangeResult, 'outcome' | 'action'>;
	/** Whether the group shows who is a member. */
	readonly isShown: boolean;
}

/** Kinds of results in the order of the summary, with words for here if the outcome's usual ones don't fit. */
const KIND_WORDS = new Map<string, Tally | undefined>([
	['done wanted', 'added'],
	['done unwanted', 'removed'],
	['planned wanted', 'would be added'],
	['planned wanted unseen', 'would be added unless already a member'],
	['planned unwanted', 'would be removed'],
	['unchanged wanted', 'already there'],
	['unchanged unwanted', 'already out'],
	['inviteRequired', undefined],
	['pendingApproval', undefined],
	['recentlyLeft', undefined],
	['blocked', undefined],
	['notFound', undefined],
	['groupFull', undefined],
	['rejected', undefined],
	['accepted', undefined],
	['unconfirmed wanted untried left', ["left before and wasn't tried", "left before and weren't tried"]],
	['unconfirmed wanted untried', ['was tried before', 'were tried before']],
	['unconfirmed unwanted untried found', ['was tried before', 'were tried before']],
	[
		'unconfirmed unwanted untried',
		["can't be matched and has to be removed by hand", "can't be matched and have to be removed by hand"],
	],
	['unconfirmed', undefined],
	['left', ['left since the last run and stays out', 'left since the last run and stay out']],
	['left left', undefined],
	['kept', undefined],
	['postponed', undefined],
]);

function kindOf({ decision, result: { outcome, action }, isShown }: PersonResult): string | undefined {
	const { shouldBeMember, presence, before } = decision;
	const wanted = `${outcome} ${shouldBeMember ? 'wanted' : 'unwanted'}`;
	const untried = action === 'none' ? ' untried' : '';
	const detail = presence === 'found' ? ' found' : before.left ? ' left' : '';
	const kinds = [
		`${wanted}${untried}${detail}`,
		`${wanted}${untried}`,
		wanted,
		`${outcome}${detail}`,
		outcome,
	];
	return (isShown ? kinds : [`${wanted} unseen`, ...kinds]).find((kind) => KIND_WORDS.has(kind));
}

/**
 * Says at a glance what became of everybody: `12 added, 3 removed, 285 already there, 2 need an invite, 40 postponed; 5
 * members are not in the list and were kept`.
 *
 * @param people one result for each row and unlisted member of all groups, but not for those whose request failed
 */
export function summaryOf(
	people: readonly PersonResult[],
	plans: ReadonlyArray<Pick<Plan, 'unlistedKept' | 'unmatched'>>,
): string {
	const isUnlistedKept = ({ decision, result }: PersonResult) =>
		decision.rows.length === 0 && result.outcome === 'kept';
	const byKind = groupBy(
		people.filter((person) => !isUnlistedKept(person)),
		kindOf,
	);
	const parts = [...KIND_WORDS].flatMap(([kind, words]) => {
		const amount = byKind.get(kind)?.length;
		if (amount === undefined) return [];
		return words === undefined ? tallyOf(kind.split(' ')[0] as Outcome, '', amount) : countOf(amount, words);
	});
	const sum = (name: 'unlistedKept' | 'unmatched') => plans.reduce((total, plan) => total + plan[name], 0);
	const because = (reason: Decision['reason']) => people.filter(({ decision }) => decision.reason === reason);
	const others: Array<[number, Tally]> = [
		[
			sum('unlistedKept'),
			['member is not in the list and was kept', 'members are not in the list and were kept'],
		],
		[
			because('badRow').filter(isUnlistedKept).length,
			[
				'member not in the list stays until all items are valid',
				'members not in the list stay until all items are valid',
			],
		],
		[
			sum('unmatched'),
			["member shows no number and can't be matched", "members show no number and can't be matched"],
		],
		[because('notApproved').length, ["change isn't approved", "changes aren't approved"]],
	];
	return joinParts([
		parts.join(', '),
		...others.map(([amount, words]) => (amount === 0 ? '' : countOf(amount, words))),
	]);
}
