import type { JournalEntry } from '../../../nodes/MessagingGateway/groups/change';
import type { Outcome } from '../../../nodes/MessagingGateway/groups/outcomes';
import { partOf, progressOf, splitEntries } from '../../../nodes/MessagingGateway/groups/summary';
import { NUMBERS, resultOf } from '../support';

/** The results of participants who have these outcomes. */
const results = (...outcomes: Outcome[]) => outcomes.map((outcome, i) => resultOf(outcome, NUMBERS[i]));

const known = (outcome: Outcome, i = 0): JournalEntry => ({ result: resultOf(outcome, NUMBERS[i]) });
const failed = (failure: string): JournalEntry => ({ failure });

describe('the entries of an item', () => {
	it('are split into results, in their order, and each reason once why there are no more, in theirs', () => {
		const entries = [
			failed('broken'),
			known('done'),
			failed('not sent'),
			failed('broken'),
			undefined,
			known('blocked'),
		];

		expect(splitEntries(entries)).toStrictEqual({
			results: [resultOf('done'), resultOf('blocked')],
			failures: ['broken', 'not sent'],
		});
	});

	it('are neither results nor reasons where nothing was tried', () => {
		expect(splitEntries([undefined, undefined])).toStrictEqual({ results: [], failures: [] });
	});
});

describe('what was applied before a run ended', () => {
	const sent = (...outcomes: Outcome[]) => outcomes.map((outcome, i) => known(outcome, i));
	const broken = [failed('x')];
	const before409: JournalEntry = { result: { ...resultOf('unchanged'), code: '409' } };
	const kept: JournalEntry = { result: { ...resultOf('kept'), action: 'none', applied: true } };
	const invited: JournalEntry = { result: { ...resultOf('sent'), action: 'invite' } };
	const unknown = sent('accepted', 'unconfirmed');
	const notKnown = "It's not known what became of 2 participants";
	const succeeded = (amount: number, who: string) => `${amount} of 7 requests succeeded before this (${who})`;

	it.each<[string, JournalEntry[][], string[]]>([
		[
			'counts requests, and participants, once in each',
			[sent('done', 'done'), [known('done'), known('done')], broken],
			[succeeded(2, '3 participants changed')],
		],
		[
			'counts only participants who were changed',
			[[before409, known('rejected')]],
			[succeeded(1, '0 participants changed')],
		],
		[
			'says how many it may be where it is not known who of several was changed',
			[sent('unchanged', 'unchanged'), sent('done'), [before409], broken],
			[succeeded(3, 'at most 3 participants changed')],
		],
		['counts nobody who was kept', [[kept]], []],
		['names invites as such', [[invited], broken], [succeeded(1, '1 participant invited')]],
		['is nothing where no request succeeded', [broken], []],
		['is nothing where no request was tried', [], []],
		['is nothing where everybody was rejected', [sent('rejected')], []],
		[
			'is not known of some, whose requests do not count',
			[unknown, sent('done')],
			[succeeded(1, '1 participant changed'), notKnown],
		],
		['is not known', [unknown], [notKnown]],
	])('%s', (_, tried, expected) => {
		expect(progressOf({ tried, requests: 7 })).toEqual(expected);
	});
});

describe('what was applied of an item that failed', () => {
	it('is a sentence', () => {
		expect(partOf(4, results('done', 'unchanged', 'rejected', 'accepted'))).toEqual([
			'2 of the 4 participants of this item were applied',
			"It's not known what became of 1 participant",
		]);
	});

	it.each([
		['it is nothing', results('rejected', 'planned')],
		['a number may be there under another form', [{ ...resultOf('notFound'), applied: null }]],
		['somebody was kept', [{ ...resultOf('kept'), action: 'none' as const, applied: true }]],
	])('is not mentioned where %s', (_, all) => {
		expect(partOf(2, all)).toEqual([]);
	});
});
