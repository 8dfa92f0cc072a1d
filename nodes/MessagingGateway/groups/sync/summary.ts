import { count, joinParts } from '../../common/text';
import { tallyOf, type Outcome } from '../outcomes';

/** What came of one person at the end of a run. */
export interface PersonResult {
	readonly shouldBeMember: boolean;
	readonly outcome: Outcome;
	/** Whether a row names them. */
	readonly isListed: boolean;
}

/** A part of the summary: whom it counts, and the words that follow the number where the outcome has others elsewhere. */
interface Part {
	readonly outcome: PersonResult['outcome'];
	readonly shouldBeMember?: boolean;
	readonly words?: string;
}

/** What changed, what was so, what wasn't possible, what is still to come. */
const PARTS: readonly Part[] = [
	{ outcome: 'done', shouldBeMember: true, words: 'added' },
	{ outcome: 'done', shouldBeMember: false, words: 'removed' },
	{ outcome: 'planned', shouldBeMember: true, words: 'would be added' },
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
	{ outcome: 'unconfirmed' },
	{ outcome: 'kept' },
	{ outcome: 'postponed' },
];

/**
 * What a person reads at a glance after a run: `12 added, 3 removed, 285 already there, 2 need an invite, 40
 * postponed; 5 members are not in the list and were kept`.
 *
 * @param results one for each person, of all groups, but not for those whose request failed
 * @param unlistedKept how many members of these groups aren't in the list and stay
 * @returns empty where there is nothing to say
 */
export function summaryOf(results: readonly PersonResult[], unlistedKept: number): string {
	const counted = results.filter(({ outcome, isListed }) => isListed || outcome !== 'kept');
	const parts = PARTS.flatMap((part) => {
		const amount = counted.filter((result) => counts(part, result)).length;
		return amount === 0 ? [] : [textFor(part, amount)];
	});
	return joinParts([parts.join(', '), ...unlistedText(unlistedKept)]);
}

function counts({ outcome, shouldBeMember }: Part, result: PersonResult): boolean {
	return result.outcome === outcome && (shouldBeMember ?? result.shouldBeMember) === result.shouldBeMember;
}

function textFor({ outcome, words }: Part, amount: number): string {
	return words === undefined ? tallyOf(outcome, '', amount) : `${amount} ${words}`;
}

function unlistedText(amount: number): string[] {
	if (amount === 0) return [];
	const words = amount === 1 ? 'is not in the list and was kept' : 'are not in the list and were kept';
	return [`${count(amount, 'member')} ${words}`];
}
