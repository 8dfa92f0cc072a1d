import { count } from '../common/text';
import type { Change } from './batching/plan';
import type { ChangeResult } from './requestResults';
import type { ParticipantResult } from './matching/results';

/** An item, and the changes that it asks for. */
export interface RequestedItem {
	item: number;
	changes: Change[];
}

/** What came of one item. */
export interface ItemResult<I = unknown, F = unknown> {
	requested: I;
	/** How many participants it asks for. */
	asked: number;
	/** Those that there is a result for, in their order. */
	results: ParticipantResult[];
	/** Why the others have none, each reason once, in their order. */
	failures: F[];
}

/**
 * Hands results back to the item that asked for them.
 *
 * @param changeResults one for each participant of the item, in their order; nothing for what was never tried
 */
export function itemResultOf<I, F>(
	requested: I,
	changeResults: ReadonlyArray<ChangeResult<F> | undefined>,
): ItemResult<I, F> {
	const results: ParticipantResult[] = [];
	const failures: F[] = [];
	for (const one of changeResults) {
		if (one === undefined) continue;
		if ('result' in one) results.push(one.result);
		else if (!failures.includes(one.failure)) failures.push(one.failure);
	}
	return { requested, asked: changeResults.length, results, failures };
}

/** A request that was tried. */
export type EndedRequest = { results: ParticipantResult[] } | { failure: unknown };

/** Said if a change may or may not have been carried out. */
export const NOT_KNOWN = "It's not known whether this change was carried out";

/**
 * What had become of a run when it ended early: `3 of 7 requests (150 participants) were applied before this`,
 * and how many participants nothing is known of.
 *
 * @returns the sentences; none if nothing was applied, and that goes without saying since it isn't known either
 */
export function progressOf(
	requestResults: readonly EndedRequest[],
	requests: number,
	failureIsKnown: boolean,
): string[] {
	const all = requestResults.flatMap((one) => ('results' in one ? [one.results] : []));
	const done = all.filter((results) => countWith(true, results) > 0).length;
	const applied = countWith(true, all.flat());
	const open = countWith(null, all.flat());
	if (done === 0 && open === 0) return failureIsKnown ? ['Nothing was applied before this'] : [];
	const known = `${done} of ${requests} requests (${count(applied, 'participant')}) were applied before this`;
	return [...(done > 0 ? [known] : []), ...unknownOf(open)];
}

/** What became of the participants of an item that failed all the same: how many were applied, or are not known. */
export function partOf({ asked, results }: ItemResult): string[] {
	const applied = countWith(true, results);
	const known = `${applied} of the ${asked} participants of this item were applied`;
	return [...(applied > 0 ? [known] : []), ...unknownOf(countWith(null, results))];
}

function unknownOf(open: number): string[] {
	return open === 0 ? [] : [`It's not known what became of ${count(open, 'participant')}`];
}

/** Which participants of an item were rejected, as a sentence; nothing if none was. Who is asked later, was not. */
export function rejectionOf({ results }: Pick<ItemResult, 'results'>): string | undefined {
	const [first, ...others] = results.filter(
		({ applied, outcome }) => applied === false && outcome !== 'postponed',
	);
	if (first === undefined) return undefined;
	const rest = others.length === 0 ? '' : ` (and ${count(others.length, 'other participant')})`;
	return `${first.participant}${rest} couldn't be changed: ${first.message.replace(/\.$/, '')}`;
}

function countWith(applied: boolean | null, results: readonly ParticipantResult[]): number {
	return results.filter((result) => result.applied === applied && result.outcome !== 'planned').length;
}
