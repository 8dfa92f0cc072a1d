import { tallyOf, WORDING, type Applied, type Outcome } from './outcomes';
import type { GroupChange, PlannedRequest } from './plan';
import type { ParticipantResult } from './results';
import { count } from '../text/text';

/** What came of one request: a result for each of its origins, or the reason why there is none. */
export type Settled<F> =
	{ request: PlannedRequest; results: ParticipantResult[] } | { request: PlannedRequest; failure: F };

/** What came of one item. */
export interface Account<C extends GroupChange, F> {
	change: C;
	/** Those that there is a result for, in the order of the item's participants. */
	results: ParticipantResult[];
	/** Why the others have none, in the order of the requests. */
	failures: F[];
}

export type AnyAccount = Account<GroupChange, unknown>;

/**
 * Hands the results of requests back to the items that they came from.
 *
 * @returns one account for each change, in their order; every participant of every settled request is in exactly
 * one of them
 */
export function accountFor<C extends GroupChange, F>(
	changes: readonly C[],
	settled: ReadonlyArray<Settled<F>>,
): Array<Account<C, F>> {
	const accounts = new Map<number, Account<C, F>>();
	// An array that grows takes room for many more than the one or few that an item has.
	for (const change of changes)
		accounts.set(change.item, {
			change,
			results: new Array<ParticipantResult>(change.participants.length),
			failures: [],
		});
	for (const one of settled) {
		const { origins } = one.request;
		if ('failure' in one)
			for (const item of new Set(origins.map((origin) => origin.item)))
				accounts.get(item)?.failures.push(one.failure);
		else
			origins.forEach(({ item, position }, i) => {
				const result = one.results[i];
				const account = accounts.get(item);
				if (account && result) account.results[position] = result;
			});
	}
	const all = [...accounts.values()];
	// Without the places that have no result.
	for (const account of all) account.results = Object.values(account.results);
	return all;
}

/** Said where a change may or may not have been carried out. */
export const NOT_KNOWN = 'It is not known whether this change was carried out';

/**
 * What had become of a run when it ended early: `3 of 7 requests (150 participants) were applied before this`,
 * and how many participants nothing is known of.
 */
export function progressOf(settled: ReadonlyArray<Settled<unknown>>, requests: number): string[] {
	const all = settled.flatMap((one) => ('results' in one ? [one.results] : []));
	const done = all.filter((results) => countWith(true, results) > 0).length;
	const applied = countWith(true, all.flat());
	const open = countWith(null, all.flat());
	if (done === 0 && open === 0) return ['Nothing was applied before this'];
	const known = `${done} of ${requests} requests (${count(applied, 'participant')}) were applied before this`;
	return [...(done > 0 ? [known] : []), ...unknownOf(open)];
}

/** What became of the participants of an item that failed all the same: how many were applied, or are not known. */
export function partOf({ change, results }: AnyAccount): string[] {
	const applied = countWith(true, results);
	const known = `${applied} of the ${change.participants.length} participants of this item were applied`;
	return [...(applied > 0 ? [known] : []), ...unknownOf(countWith(null, results))];
}

function unknownOf(open: number): string[] {
	return open === 0 ? [] : [`It is not known what became of ${count(open, 'participant')}`];
}

/** Which participants of an item were rejected, as a sentence; nothing where none was. */
export function rejectionOf({ results }: AnyAccount): string | undefined {
	const [first, ...others] = results.filter(({ applied }) => applied === false);
	if (first === undefined) return undefined;
	const rest = others.length === 0 ? '' : ` (and ${count(others.length, 'other participant')})`;
	return `${first.participant}${rest} could not be changed: ${first.message.replace(/\.$/, '')}`;
}

/**
 * What a person reads at a glance after a run: `48 of 50 applied, 2 need an invite`.
 *
 * @param invalid how many items could not be read, so that their participants are not known
 */
export function summaryOf(accounts: readonly AnyAccount[], invalid: number): string {
	const tally = new Map<Outcome, number>();
	for (const { outcome } of accounts.flatMap(({ results }) => results))
		tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
	const planned = tally.get('planned') ?? 0;
	const total = sum(accounts.map(({ change }) => change.participants.length));
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

function countWith(applied: Applied, results: readonly ParticipantResult[]): number {
	return results.filter((result) => result.applied === applied && result.outcome !== 'planned').length;
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}
