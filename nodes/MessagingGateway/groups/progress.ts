import { count, withoutPeriod } from '../common/text';
import { isSharedChange, type ChangeResult, type Entry } from './change';

/** The requests of a run that has ended. */
export interface Progress {
	/** What is known of the changes of each request that was tried. */
	tried: ReadonlyArray<readonly Entry[]>;
	/** How many requests there were to be. */
	requests: number;
}

/** What a run says that ended before it had changed anything. */
export const NOTHING_BEFORE = 'Nothing was changed before this';

/** The results of entries, and why there are no more, each reason once, in their order. */
export function splitEntries(entries: ReadonlyArray<Entry | undefined>): {
	results: ChangeResult[];
	failures: unknown[];
} {
	const known = entries.filter((one) => one !== undefined);
	const failures = known.flatMap((one) => ('failure' in one ? [one.failure] : []));
	return {
		results: known.flatMap((one) => ('result' in one ? one.result : [])),
		failures: [...new Set(failures)],
	};
}

/**
 * What had become of a run when it ended early: `3 of 7 requests succeeded before this (150 participants
 * changed)`, and how many participants nothing is known of.
 *
 * @param wasNothing whether it's certain that nothing was changed, if no request has a result: then it says so
 * @returns the sentences
 */
export function progressOf({ tried, requests }: Progress, wasNothing: boolean): string[] {
	const all = tried.map((entries) => splitEntries(entries).results);
	const succeeded = all.filter((results) => countWith(true, results) > 0).length;
	const unknown = countWith(null, all.flat());
	if (succeeded === 0 && unknown === 0) return wasNothing ? [NOTHING_BEFORE] : [];
	const changed = countPeople(all, ({ outcome }) => outcome === 'done' || outcome === 'sent');
	const shared = countPeople(all, isSharedChange);
	const verb = all.flat().some(({ action }) => action === 'invite') ? 'invited' : 'changed';
	const atMost = `${shared > 0 ? 'at most ' : ''}${count(changed + shared, 'participant')}`;
	const known = `${requestsBefore(succeeded, requests)} (${atMost} ${verb})`;
	return [...(succeeded > 0 ? [known] : []), ...unknownPart(unknown)];
}

/** Of how many people requests have such results. Several items may name the same one, whom a request asks for once. */
function countPeople(
	requests: ReadonlyArray<readonly ChangeResult[]>,
	is: (one: ChangeResult) => boolean,
): number {
	const people = requests.map((results) => new Set(results.filter(is).map(({ sentAs }) => sentAs)).size);
	return people.reduce((sum, amount) => sum + amount, 0);
}

/** What a run that ended early says of its requests: `3 of 7 requests succeeded before this`. */
export function requestsBefore(succeeded: number, requests: number): string {
	return `${succeeded} of ${count(requests, 'request')} succeeded before this`;
}

/** What became of the participants of an item that failed all the same: how many were applied, or are not known. */
export function partOf(asked: number, results: readonly ChangeResult[]): string[] {
	const applied = countWith(true, results);
	const known = `${applied} of the ${asked} participants of this item were applied`;
	// Who isn't found counts as rejected, whether they may be there under another form or not.
	const open = results.filter(({ outcome }) => outcome !== 'notFound');
	return [...(applied > 0 ? [known] : []), ...unknownPart(countWith(null, open))];
}

function unknownPart(amount: number): string[] {
	return amount === 0 ? [] : [`It's not known what became of ${count(amount, 'participant')}`];
}

/** Nobody was asked for these: one is asked later, the other stays out by their own wish. */
const NEVER_REJECTED = new Set<string>(['postponed', 'left']);

/**
 * Which participants were rejected; `undefined` if none was.
 *
 * @returns that in a sentence, and why the first of them was
 */
export function rejectionIn(
	results: readonly ChangeResult[],
): { sentence: string; reason: string } | undefined {
	const [first, ...others] = results.filter(
		({ applied, outcome }) => outcome === 'notFound' || (applied === false && !NEVER_REJECTED.has(outcome)),
	);
	if (first === undefined) return undefined;
	const reason = withoutPeriod(first.message);
	const rest = others.length === 0 ? '' : ` (and ${count(others.length, 'other participant')})`;
	const sentence = `${first.participant}${rest} couldn't be changed: ${reason}`;
	return { sentence, reason };
}

function countWith(applied: boolean | null, results: readonly ChangeResult[]): number {
	return results.filter(
		(one) => one.applied === applied && one.outcome !== 'planned' && one.action !== 'none',
	).length;
}
