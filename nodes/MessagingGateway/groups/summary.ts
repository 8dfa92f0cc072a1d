import { groupBy } from '../common/groupBy';
import { count, uncapitalized, withoutPeriod } from '../common/text';
import { isSharedChange, type ChangeResult, type Entry } from './change';
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
