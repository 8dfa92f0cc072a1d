import { count, joinParts } from '../../common/text';
import { counted, tallyOf, type Outcome, type Tally } from '../outcomes';
import type { Decision, Plan } from './plan';

/** Result of one person at the end of a run. */
export interface PersonResult extends Pick<Decision, 'shouldBeMember' | 'reason'> {
	readonly outcome: Outcome;
	readonly action: string;
	/** Whether an earlier run noticed that they left. */
	readonly hasLeft: boolean;
	/** Whether a row names them. */
	readonly isListed: boolean;
	/** Whether the group shows who is a member. */
	readonly isShown: boolean;
}

/** A part of the summary: whom it counts, and the words that follow the number where the outcome has others elsewhere. */
interface Part extends Partial<Pick<PersonResult, (typeof FIELDS)[number]>> {
	readonly outcome: Outcome;
	readonly words?: Tally;
}

const FIELDS = ['outcome', 'shouldBeMember', 'isShown', 'hasLeft', 'action'] as const;

/** What changed, what was so, what wasn't possible, what is still to come. */
const PARTS: readonly Part[] = [
	{ outcome: 'done', shouldBeMember: true, words: 'added' },
	{ outcome: 'done', shouldBeMember: false, words: 'removed' },
	{ outcome: 'planned', shouldBeMember: true, isShown: true, words: 'would be added' },
	{
		outcome: 'planned',
		shouldBeMember: true,
		isShown: false,
		words: 'would be added unless already a member',
	},
	{ outcome: 'planned', shouldBeMember: false, words: 'would be removed' },
	{ outcome: 'unchanged', shouldBeMember: true, words: 'already there' },
	{ outcome: 'unchanged', shouldBeMember: false, words: 'already gone' },
	{ outcome: 'inviteRequired' },
	{ outcome: 'pendingApproval' },
	{ outcome: 'recentlyLeft' },
	{ outcome: 'blocked' },
	{ outcome: 'notFound' },
	{ outcome: 'groupFull' },
	{ outcome: 'rejected' },
	{ outcome: 'accepted' },
	{
		outcome: 'unconfirmed',
		shouldBeMember: true,
		action: 'none',
		hasLeft: true,
		words: ["left before and wasn't tried", "left before and weren't tried"],
	},
	{
		outcome: 'unconfirmed',
		shouldBeMember: true,
		action: 'none',
		words: ['was tried before', 'were tried before'],
	},
	{
		outcome: 'unconfirmed',
		shouldBeMember: false,
		action: 'none',
		words: [
			"can't be matched and has to be removed by hand",
			"can't be matched and have to be removed by hand",
		],
	},
	{ outcome: 'unconfirmed' },
	{
		outcome: 'left',
		hasLeft: false,
		words: ['left since the last run and stays out', 'left since the last run and stay out'],
	},
	{ outcome: 'left' },
	{ outcome: 'kept' },
	{ outcome: 'postponed' },
];

/**
 * Says at a glance what became of everybody: `12 added, 3 removed, 285 already there, 2 need an invite, 40 postponed; 5
 * members are not in the list and were kept`.
 *
 * @param results one for each person, of all groups, but not for those whose request failed
 * @returns empty where there is nothing to say
 */
export function summaryOf(
	results: readonly PersonResult[],
	{ unlistedKept, unmatched }: Pick<Plan, 'unlistedKept' | 'unmatched'>,
): string {
	const amounts = new Map<Part, number>();
	for (const result of results) {
		const part = PARTS.find((one) => isAbout(one, result));
		const isCounted = result.isListed || result.outcome !== 'kept';
		if (part !== undefined && isCounted) amounts.set(part, (amounts.get(part) ?? 0) + 1);
	}
	const parts = PARTS.flatMap((part) => {
		const amount = amounts.get(part) ?? 0;
		const { outcome, words } = part;
		if (amount === 0) return [];
		return [words === undefined ? tallyOf(outcome, '', amount) : counted(amount, words)];
	});
	const unlisted = results.filter(({ isListed }) => !isListed);
	const keptFor = (reason: PersonResult['reason']) => unlisted.filter((one) => one.reason === reason).length;
	return joinParts([
		parts.join(', '),
		members(unlistedKept, ['is not in the list and was kept', 'are not in the list and were kept']),
		members(keptFor('badRow'), [
			'not in the list stays until all items are valid',
			'not in the list stay until all items are valid',
		]),
		members(unmatched, ["shows no number and can't be matched", "show no number and can't be matched"]),
		changes(results.filter(({ reason }) => reason === 'notApproved').length),
	]);
}

function isAbout(part: Part, result: PersonResult): boolean {
	return FIELDS.every((field) => part[field] === undefined || part[field] === result[field]);
}

function members(amount: number, [one, several]: readonly [string, string]): string {
	return amount === 0 ? '' : `${count(amount, 'member')} ${amount === 1 ? one : several}`;
}

function changes(amount: number): string {
	return amount === 0 ? '' : `${count(amount, 'change')} ${amount === 1 ? "isn't" : "aren't"} approved`;
}
