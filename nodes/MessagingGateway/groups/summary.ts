import { groupBy } from '../common/maps';
import { amountOf, count, uncapitalized, withoutPeriod } from '../common/text';
import { isAmbiguous, type ChangeResult, type JournalEntry, type GroupResult } from './change';
import type { Action, AnyAction, Outcome } from './outcomes';

/** Words after a number, or a singular and a plural form. */
export type Words = string | readonly [one: string, several: string];

/** Writes an amount and the words that follow it: `1 needs an invite`. */
export function countOf(amount: number, words: Words): string {
	return `${amountOf(amount)} ${typeof words === 'string' ? words : words[amount === 1 ? 0 : 1]}`;
}

/** A kind of result: an outcome, an action, and what else matters to the operation (`listed`, …). */
export type Kind =
	`${Outcome}${'' | ` ${AnyAction}`}${'' | ' ambiguous' | ' unknown' | ' listed' | ' unseen' | `${'' | ' untried'}${'' | ' left' | ' found'}`}`;

/** The words of kinds, in the order of a summary. */
const KINDS: Readonly<
	Record<Exclude<Outcome, 'done' | 'planned'> | `${'done' | 'planned'} ${Action}`, Words> &
		Partial<Record<Kind, Words>>
> = {
	'done add': 'added',
	'done remove': 'removed',
	'done promote': 'promoted',
	'done demote': 'demoted',
	'planned add': 'would be added',
	'planned add unseen': 'would be added unless already a member',
	'planned remove': 'would be removed',
	'planned promote': 'would be promoted',
	'planned demote': 'would be demoted',
	'unchanged add listed': 'already there',
	'unchanged remove listed': 'already out',
	'unchanged add ambiguous': ['is in the group', 'are in the group'],
	'unchanged remove ambiguous': ["isn't in the group", "aren't in the group"],
	'unchanged add': ['was a member already', 'were members already'],
	'unchanged remove': ["wasn't a member", "weren't members"],
	'unchanged invite': ['was in the group', 'were in the group'],
	unchanged: 'unchanged',
	inviteRequired: ['needs an invite', 'need an invite'],
	notFound: 'not found',
	recentlyLeft: 'left recently',
	groupFull: "didn't fit in the group",
	pendingApproval: ['waits for approval', 'wait for approval'],
	blocked: 'blocked',
	rejected: 'rejected',
	accepted: 'accepted without a result',
	'unconfirmed add untried left': ["left before and wasn't tried", "left before and weren't tried"],
	'unconfirmed add untried': ['was tried before', 'were tried before'],
	'unconfirmed remove untried found': ['was tried before', 'were tried before'],
	'unconfirmed remove untried': [
		"can't be matched and has to be removed by hand",
		"can't be matched and have to be removed by hand",
	],
	unconfirmed: 'not confirmed',
	left: ['left since the last run and stays out', 'left since the last run and stay out'],
	'left left': ['left and stays out', 'left and stay out'],
	'left invite': 'left',
	kept: 'kept',
	postponed: 'postponed',
	sent: 'invited',
	alreadyInvited: ['was invited before', 'were invited before'],
	'alreadyInvited unknown': 'may have been invited before',
	'planned invite': 'would be invited',
};

/** Counts results of each kind: `3 added, 1 needs an invite`. @param kindsOf the first known one counts */
export function tally<R>(results: readonly R[], kindsOf: (result: R) => readonly Kind[]): string {
	const byKind: ReadonlyMap<string | undefined, readonly R[]> = groupBy(results, (result) =>
		kindsOf(result).find((kind) => kind in KINDS),
	);
	return Object.entries(KINDS)
		.map(([kind, words]) => [byKind.get(kind)?.length ?? 0, words] as const)
		.flatMap(([amount, words]) => (amount === 0 ? [] : countOf(amount, words)))
		.join(', ');
}

/** Counts results as Update Participants and Send Invite name them. */
export function tallyOf(
	results: ReadonlyArray<Pick<ChangeResult, 'outcome' | 'action' | 'applied' | 'code'>>,
): string {
	return tally(results, (result) => {
		const { outcome, action, applied } = result;
		const more = isAmbiguous(result) ? ([`${outcome} ${action} ambiguous`] as const) : [];
		const unknown = applied === null ? ([`${outcome} unknown`] as const) : [];
		return [...more, ...unknown, `${outcome} ${action}`, outcome];
	});
}

/** The failure of an item, for the hint after the run. */
export interface ItemFailure {
	/** In few words, without the item. */
	reason: string;
	/** `unsent`: nothing was sent for it; `unknown`: the change may have been carried out. */
	state: 'failed' | 'unsent' | 'unknown';
}

/** Counts failures, unknown results apart: `2 failed: couldn't connect (and 1 other reason)`. */
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
	return [`${amountOf(failures.length)} ${verb}: ${uncapitalized(withoutPeriod(first))}${more}`];
}

/** Says how many requests a dry run stands for, and how long they take. @param batchInterval in ms */
export function estimateOf(requests: number, batchInterval: number): string {
	if (requests === 0) return 'Nothing would be sent';
	const seconds = Math.floor(((requests - 1) * batchInterval) / 1000);
	const time = seconds < 120 ? count(seconds, 'second') : count(Math.floor(seconds / 60), 'minute');
	const least = seconds === 0 ? '' : ` and take at least ${time}`;
	return `It would be ${count(requests, 'request')}${least}. To do it, turn off Dry Run`;
}

/** Splits entries into results and failures, each failure once. */
export function splitEntries<R>(entries: ReadonlyArray<JournalEntry<R> | undefined>) {
	const results: R[] = [];
	const failures = new Set<unknown>();
	for (const entry of entries) {
		if (entry === undefined) continue;
		if ('result' in entry) results.push(entry.result);
		else failures.add(entry.failure);
	}
	return { results, failures: [...failures] };
}

/** Says whether a run that ended early had changed something, or may have. @param tried all entries */
export function progressOf(tried: ReadonlyArray<JournalEntry<GroupResult>>): string[] {
	const { results } = splitEntries(tried);
	const changed = countWith(true, results) > 0 ? ['Some changes were made before this'] : [];
	return [...changed, ...unknownPart(countWith(null, results))];
}

/** Says how many participants of an item were changed although it failed. */
export function partOf(participants: number, results: readonly GroupResult[]): string[] {
	const applied = countWith(true, results);
	const known = `${applied} of the ${participants} participants of this item ${applied === 1 ? 'was' : 'were'} changed`;
	// `notFound` counts as rejected, also where another form of the number may be there.
	const open = results.filter(({ outcome }) => outcome !== 'notFound');
	return [...(applied > 0 ? [known] : []), ...unknownPart(countWith(null, open))];
}

function unknownPart(amount: number): string[] {
	return amount === 0 ? [] : [`It's not known what became of ${count(amount, 'participant')}`];
}

function countWith(applied: boolean | null, results: readonly GroupResult[]): number {
	return results.filter(
		(result) =>
			result.applied === applied &&
			!['planned', 'unchanged'].includes(result.outcome) &&
			result.action !== 'none',
	).length;
}
