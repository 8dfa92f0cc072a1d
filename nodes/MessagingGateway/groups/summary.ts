import { groupBy } from '../common/groupBy';
import { count, uncapitalized, withoutPeriod } from '../common/text';
import { isAmbiguous, type ChangeResult, type JournalEntry, type GroupResult } from './change';
import { tallyOf, WORDING, type Outcome } from './outcomes';

const OUTCOME_ORDER = Object.keys(WORDING) as Outcome[];

/** Counts results that have the same words, in the order of the outcomes' table: `3 added`, `1 needs an invite`. */
export function tallies(
	results: ReadonlyArray<Pick<ChangeResult, 'outcome' | 'action' | 'applied' | 'code'>>,
): string[] {
	const tally = (result: (typeof results)[number], amount: number) =>
		tallyOf(result.outcome, result.action, amount, {
			applied: result.applied,
			isAmbiguous: isAmbiguous(result),
		});
	return [...groupBy(results, (result) => tally(result, 2)).values()]
		.sort(([a], [b]) => OUTCOME_ORDER.indexOf(a.outcome) - OUTCOME_ORDER.indexOf(b.outcome))
		.map(([first, ...others]) => tally(first, 1 + others.length));
}

/** The failure of an item, for the hint after the run. */
export interface ItemFailure {
	/** In few words, without the item. */
	reason: string;
	/** `unsent`: nothing was sent for it; `unknown`: the change may have been carried out. */
	state: 'failed' | 'unsent' | 'unknown';
}

/** Counts failures with the first reason, unknown results apart: `2 failed: couldn't connect (and 1 other reason)`. */
export function failureSummary(failures: readonly ItemFailure[]): string[] {
	const unknown = failures.filter(({ state }) => state === 'unknown');
	const known = failures.filter(({ state }) => state !== 'unknown');
	const areUnsent = unknown.length > 0 && known.every(({ state }) => state === 'unsent');
	const unsent = known.length === 1 ? "wasn't sent" : "weren't sent";
	return [
		...reasonsOf(unknown, 'failed').map((part) => `${part}, not known whether carried out`),
		...reasonsOf(known, areUnsent ? unsent : 'failed'),
	];
}

function reasonsOf(failures: readonly ItemFailure[], verb: string): string[] {
	const [first, ...others] = new Set(failures.map(({ reason }) => reason));
	if (first === undefined) return [];
	const more = others.length === 0 ? '' : ` (and ${count(others.length, 'other reason')})`;
	return [`${failures.length} ${verb}: ${uncapitalized(withoutPeriod(first))}${more}`];
}

/** Says how many requests a dry run stands for, and how long they take at least. @param batchInterval in ms */
export function estimateOf(requests: number, batchInterval: number): string {
	if (requests === 0) return 'Nothing would be sent';
	const seconds = Math.floor(((requests - 1) * batchInterval) / 1000);
	const time = seconds < 120 ? count(seconds, 'second') : count(Math.floor(seconds / 60), 'minute');
	const least = seconds === 0 ? '' : ` and take at least ${time}`;
	return `It would be ${count(requests, 'request')}${least}. To do it, turn off Dry Run`;
}

/** The requests of a run that ended. */
export interface Progress {
	/** The entries of each request that was tried. */
	tried: ReadonlyArray<ReadonlyArray<JournalEntry<GroupResult>>>;
	/** Number of requests planned. */
	requests: number;
}

/** Splits entries into results and failures, each failure once. */
export function splitEntries<R>(entries: ReadonlyArray<JournalEntry<R> | undefined>) {
	const given = entries.filter((entry) => entry !== undefined);
	const results = given.flatMap((entry) => ('result' in entry ? [entry.result] : []));
	const failures = given.flatMap((entry) => ('failure' in entry ? [entry.failure] : []));
	return { results, failures: [...new Set(failures)] };
}

/** Says how far a run came that ended early, e.g. `3 of 7 requests succeeded before this (150 participants changed)`. */
export function progressOf({ tried, requests }: Progress): string[] {
	const all = tried.map((entries) => splitEntries(entries).results);
	const succeeded = all.filter((results) => countWith(true, results) > 0).length;
	const unknown = unknownPart(countWith(null, all.flat()));
	if (succeeded === 0) return unknown;
	const sentBefore = `${succeeded} of ${count(requests, 'request')} succeeded before this`;
	if (all.flat().some(({ action }) => action === undefined)) return [sentBefore];
	const changed = countPeople(all, ({ outcome }) => outcome === 'done' || outcome === 'sent');
	const ambiguous = countPeople(all, isAmbiguous);
	const verb = all.flat().some(({ action }) => action === 'invite') ? 'invited' : 'changed';
	const people = `${ambiguous > 0 ? 'at most ' : ''}${count(changed + ambiguous, 'participant')} ${verb}`;
	return [`${sentBefore} (${people})`, ...unknown];
}

/** Counts the people with such a result, once for each request. */
function countPeople(
	requests: ReadonlyArray<readonly GroupResult[]>,
	has: (result: GroupResult) => boolean,
): number {
	return requests.flatMap((results) => [...new Set(results.filter(has).map(({ sentAs }) => sentAs))]).length;
}

/** Says how many participants of an item were applied although it failed. */
export function partOf(participants: number, results: readonly GroupResult[]): string[] {
	const applied = countWith(true, results);
	const known = `${applied} of the ${participants} participants of this item were applied`;
	// `notFound` counts as rejected, also where another form of the number may be there.
	const open = results.filter(({ outcome }) => outcome !== 'notFound');
	return [...(applied > 0 ? [known] : []), ...unknownPart(countWith(null, open))];
}

function unknownPart(amount: number): string[] {
	return amount === 0 ? [] : [`It's not known what became of ${count(amount, 'participant')}`];
}

function countWith(applied: boolean | null, results: readonly GroupResult[]): number {
	return results.filter(
		(result) => result.applied === applied && result.outcome !== 'planned' && result.action !== 'none',
	).length;
}

/** Outcomes that reject nobody: nothing was tried. */
const NOT_TRIED: readonly Outcome[] = ['postponed', 'left'];

/** Says which participants were rejected, and why the first was; `undefined` if none was. */
export function rejectionIn(results: readonly GroupResult[]) {
	const [first, ...others] = results.filter(
		({ applied, outcome }) => outcome === 'notFound' || (applied === false && !NOT_TRIED.includes(outcome)),
	);
	if (first === undefined) return undefined;
	const reason = withoutPeriod(first.message);
	const rest = others.length === 0 ? '' : ` (and ${count(others.length, 'other participant')})`;
	return { sentence: `${first.participant ?? ''}${rest} couldn't be changed: ${reason}`, reason };
}
