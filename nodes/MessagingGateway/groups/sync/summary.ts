import type { Steps } from '../../common/steps';
import { count, joinParts } from '../../common/text';
import { counted, tallyOf, type Outcome, type Tally } from '../outcomes';
import type { Plan } from './plan';

/** What came of one person at the end of a run. */
export interface PersonResult {
	readonly shouldBeMember: boolean;
	readonly outcome: Outcome;
	readonly action: string;
	/** Why a person is kept or postponed. */
	readonly reason?: string | undefined;
	/** Whether they left, by what is remembered. */
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

/** Of members whom no row names. */
export const AMOUNTS = ['unlistedKept', 'withoutNumber', 'withoutHiddenId'] as const;

/** What changed, what was so, what wasn't possible, what is still to come. */
const PARTS: readonly Part[] = [
	{ outcome: 'done', shouldBeMember: true, words: 'added' },
	{ outcome: 'done', shouldBeMember: false, words: 'removed' },
	{ outcome: 'planned', shouldBeMember: true, isShown: true, words: 'would be added' },
	{
		outcome: 'planned',
		shouldBeMember: true,
		isShown: false,
		words: 'would be asked for (who is a member already stays one)',
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
		words: ["left before and wasn't asked for", "left before and weren't asked for"],
	},
	{
		outcome: 'unconfirmed',
		shouldBeMember: true,
		action: 'none',
		words: ['was asked for before', 'were asked for before'],
	},
	{ outcome: 'unconfirmed' },
	{ outcome: 'left' },
	{ outcome: 'kept' },
	{ outcome: 'postponed' },
];

/**
 * What a person reads at a glance after a run: `12 added, 3 removed, 285 already there, 2 need an invite, 40
 * postponed; 5 members are not in the list and were kept`.
 *
 * @param results one for each person, of all groups, but not for those whose request failed
 * @returns empty where there is nothing to say
 */
export function* summaryOf(
	results: readonly PersonResult[],
	{ unlistedKept, withoutNumber, withoutHiddenId }: Pick<Plan, (typeof AMOUNTS)[number]>,
): Steps<string> {
	const amounts = new Map<Part, number>();
	let heldByBadRow = 0;
	for (const result of results) {
		yield;
		const part = PARTS.find((one) => isAbout(one, result));
		if (!result.isListed && result.reason === 'badRow') heldByBadRow++;
		const isCounted = result.isListed || result.outcome !== 'kept';
		if (part !== undefined && isCounted) amounts.set(part, (amounts.get(part) ?? 0) + 1);
	}
	const parts = PARTS.flatMap((part) => {
		const amount = amounts.get(part) ?? 0;
		const { outcome, words } = part;
		if (amount === 0) return [];
		return [words === undefined ? tallyOf(outcome, '', amount) : counted(amount, words)];
	});
	return joinParts([
		parts.join(', '),
		membersText(unlistedKept, 'is not in the list and was kept', 'are not in the list and were kept'),
		membersText(
			heldByBadRow,
			'not in the list stays until all items are valid',
			'not in the list stay until all items are valid',
		),
		membersText(
			withoutNumber,
			"comes without a number, so it isn't known whether they are in the list",
			"come without a number, so it isn't known whether they are in the list",
		),
		membersText(
			withoutHiddenId,
			"comes without a hidden ID, so it isn't known whether they are in the list",
			"come without a hidden ID, so it isn't known whether they are in the list",
		),
	]);
}

function isAbout(part: Part, result: PersonResult): boolean {
	return FIELDS.every((field) => part[field] === undefined || part[field] === result[field]);
}

function membersText(amount: number, one: string, several: string): string {
	return amount === 0 ? '' : `${count(amount, 'member')} ${amount === 1 ? one : several}`;
}
