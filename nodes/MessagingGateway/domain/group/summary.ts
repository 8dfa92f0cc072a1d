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
	const total = sum(itemResults.map(({ requested }) => requested.changes.length));
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
