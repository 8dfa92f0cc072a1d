import { groupBy } from '../common/groupBy';
import { count, uncapitalized, withoutPeriod } from '../common/text';
import { isSharedChange, type ChangeResult } from './change';
import { tallyOf, WORDING, type Outcome } from './outcomes';

const OUTCOME_ORDER = Object.keys(WORDING) as Outcome[];

/**
 * What a person reads at a glance after a run: `3 added, 7 were members already, 1 needs an invite`.
 *
 * @returns the parts; outcomes in the order of their table, and for each outcome actions in the order of the results
 */
export function tallies(
	results: ReadonlyArray<Pick<ChangeResult, 'outcome' | 'action' | 'applied' | 'code'>>,
): string[] {
	const tally = (one: (typeof results)[number], amount: number) =>
		tallyOf(one.outcome, one.action, amount, { applied: one.applied, isShared: isSharedChange(one) });
	// Counted together is what the table has the same words for.
	const byWords = groupBy(results, (one) => tally(one, 2));
	return [...byWords.values()]
		.sort(([a], [b]) => OUTCOME_ORDER.indexOf(a.outcome) - OUTCOME_ORDER.indexOf(b.outcome))
		.map(([first, ...others]) => tally(first, 1 + others.length));
}

/** Why an item failed. */
export interface ItemFailure {
	/** In few words: nothing of the item itself. */
	reason: string;
	/** How many people (in Sync) or items (of all else) failed for it. */
	amount: number;
	/** `unsent`: nothing was sent for it; `unknown`: what it asked for may have been carried out. */
	state: 'failed' | 'unsent' | 'unknown';
}

/**
 * Why items failed, in few words: `2 failed: couldn't connect to https://…: connection refused`. Those whose outcome
 * isn't known are told apart.
 *
 * @param failures those of all failed items, in their order
 * @returns an empty list if none failed
 */
export function failureSummary(failures: readonly ItemFailure[]): string[] {
	const unknown = failures.filter(({ state }) => state === 'unknown');
	const known = failures.filter(({ state }) => state !== 'unknown');
	const areUnsent = unknown.length > 0 && known.every(({ state }) => state === 'unsent');
	const unsent = amountOf(known) === 1 ? "wasn't sent" : "weren't sent";
	return [
		...reasonsOf(unknown, 'failed').map((part) => `${part}, not known whether carried out`),
		...reasonsOf(known, areUnsent ? unsent : 'failed'),
	];
}

function reasonsOf(failures: readonly ItemFailure[], verb: string): string[] {
	const reasons = new Set(failures.map(({ reason }) => reason));
	const [first] = reasons;
	if (first === undefined) return [];
	const others = reasons.size === 1 ? '' : ` (and ${count(reasons.size - 1, 'other reason')})`;
	return [`${amountOf(failures)} ${verb}: ${uncapitalized(withoutPeriod(first))}${others}`];
}

function amountOf(failures: readonly ItemFailure[]): number {
	return failures.reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * What carrying out a dry run would take: `It would be 20 requests and take at least 19 seconds. To do it, turn off the
 * option Dry Run`.
 *
 * @param batchInterval time from a reply to the next request, in ms
 * @param isLeast whether it may be more of them
 */
export function estimateOf(requests: number, batchInterval: number, isLeast = false): string {
	const seconds = Math.floor(((requests - 1) * batchInterval) / 1000);
	if (requests === 0) return 'Nothing would be sent';
	const time = seconds < 120 ? count(seconds, 'second') : count(Math.floor(seconds / 60), 'minute');
	const least = seconds <= 0 ? '' : ` and take at least ${time}`;
	return `It would be ${isLeast ? 'at least ' : ''}${count(requests, 'request')}${least}. To do it, turn off the option Dry Run`;
}
