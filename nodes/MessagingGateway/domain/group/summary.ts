import { count } from '../text/text';
import type { ItemResult } from './itemResults';
import { tallyOf, WORDING, type Outcome } from './outcomes';

/**
 * What a person reads at a glance after a run: `48 of 50 applied, 2 need an invite`.
 *
 * @param invalid how many items could not be read, so that their participants are not known
 */
export function summaryOf(itemResults: readonly ItemResult[], invalid: number): string {
	const tally = new Map<Outcome, number>();
	for (const { results } of itemResults)
		for (const { outcome } of results) tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
	const planned = tally.get('planned') ?? 0;
	const total = sum(itemResults.map(({ asked }) => asked));
	const missing = total - sum([...tally.values()]);
	const isApplied = (outcome: Outcome) => WORDING[outcome].applied === true;
	const applied = sum([...tally].filter(([outcome]) => isApplied(outcome)).map(([, amount]) => amount));
	const parts = [...tally]
		.filter(([outcome]) => outcome !== 'planned' && !isApplied(outcome))
		.map(([outcome, amount]) => tallyOf(outcome, amount));
	if (total > planned) parts.unshift(`${applied} of ${total - planned} applied`);
	if (missing > 0) parts.push(`${missing} without a result`);
	if (planned > 0)
		parts.push(`${count(planned, 'participant')} planned, nothing was sent for them (dry run)`);
	if (invalid > 0) parts.push(`${count(invalid, 'item')} not valid`);
	return parts.join(', ');
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

/** Sentences that only the item itself needs, around the reason why it failed. */
const AROUND_REASON = /^Nothing (?:more )?was sent for this item: | \[item \d+\]$|\.$/g;

/**
 * Why items failed, in few words: `2 failed: couldn't connect to https://…: connection refused`.
 *
 * @param messages those of all failed items, in their order
 * @returns nothing if none failed
 */
export function failedWords(messages: readonly string[]): string[] {
	const reasons = new Set(messages.map((message) => message.replaceAll(AROUND_REASON, '')));
	const [first] = reasons;
	if (first === undefined) return [];
	const others = reasons.size === 1 ? '' : ` (and ${count(reasons.size - 1, 'other reason')})`;
	return [`${messages.length} failed: ${first.charAt(0).toLowerCase()}${first.slice(1)}${others}`];
}

/**
 * What carrying out a dry run would take: `It would be 20 requests and take at least 19 seconds`.
 *
 * @param batchInterval time from a reply to the next request, in ms
 */
export function requestWords(requests: number, batchInterval: number): string {
	const seconds = Math.round(((requests - 1) * batchInterval) / 1000);
	if (requests === 0) return 'Nothing would be sent';
	const time =
		seconds < 120 ? count(Math.max(seconds, 0), 'second') : count(Math.round(seconds / 60), 'minute');
	return `It would be ${count(requests, 'request')} and take at least ${time}`;
}
