import { joinParts } from '../../common/text';
import { counted, tallyOf, type Outcome, type Tally } from '../outcomes';
import type { Decision, Plan } from './plan';

/** Result of one person at the end of a run. */
export interface PersonResult extends Pick<Decision, 'shouldBeMember' | 'reason'> {
	readonly outcome: Outcome;
	readonly action: string;
	/** Whether an earlier run noticed that they left. */
	readonly hasLeft: boolean;
	/** Whether the list of members shows them. */
	readonly isFound: boolean;
	/** Whether a row names them. */
	readonly isListed: boolean;
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
	['unchanged unwanted', 'already gone'],
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

function kindOf({
	outcome,
	shouldBeMember,
	isShown,
	isFound,
	action,
	hasLeft,
}: PersonResult): string | undefined {
	const wanted = `${outcome} ${shouldBeMember ? 'wanted' : 'unwanted'}`;
	const untried = action === 'none' ? ' untried' : '';
	const detail = isFound ? ' found' : hasLeft ? ' left' : '';
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
 * @param results one for each person, of all groups, but not for those whose request failed
 */
export function summaryOf(
	results: readonly PersonResult[],
	{ unlistedKept, unmatched }: Pick<Plan, 'unlistedKept' | 'unmatched'>,
): string {
	const unlisted = results.filter(({ isListed, outcome }) => !isListed && outcome === 'kept');
	const amounts = new Map<string | undefined, number>();
	for (const result of results) {
		if (!result.isListed && result.outcome === 'kept') continue;
		const kind = kindOf(result);
		amounts.set(kind, (amounts.get(kind) ?? 0) + 1);
	}
	const parts = [...KIND_WORDS].flatMap(([kind, words]) => {
		const amount = amounts.get(kind);
		if (amount === undefined) return [];
		return words === undefined ? tallyOf(kind.split(' ')[0] as Outcome, '', amount) : counted(amount, words);
	});
	const held = unlisted.filter(({ reason }) => reason === 'badRow').length;
	const unapproved = results.filter(({ reason }) => reason === 'notApproved').length;
	const others: Array<[number, Tally]> = [
		[unlistedKept, ['member is not in the list and was kept', 'members are not in the list and were kept']],
		[
			held,
			[
				'member not in the list stays until all items are valid',
				'members not in the list stay until all items are valid',
			],
		],
		[
			unmatched,
			["member shows no number and can't be matched", "members show no number and can't be matched"],
		],
		[unapproved, ["change isn't approved", "changes aren't approved"]],
	];
	return joinParts([
		parts.join(', '),
		...others.map(([amount, words]) => (amount === 0 ? '' : counted(amount, words))),
	]);
}
