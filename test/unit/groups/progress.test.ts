import type { ChangeResult, Entry } from '../../../nodes/MessagingGateway/groups/change';
import type { Outcome } from '../../../nodes/MessagingGateway/groups/outcomes';
import {
	partOf,
	progressOf,
	rejectionIn,
	splitEntries,
} from '../../../nodes/MessagingGateway/groups/summary';
import { NUMBERS, resultOf } from '../support';

/** The results of participants who have these outcomes. */
const results = (...outcomes: Outcome[]) => outcomes.map((outcome, i) => resultOf(outcome, NUMBERS[i]));

const known = (outcome: Outcome, i = 0): Entry => ({ result: resultOf(outcome, NUMBERS[i]) });
const failed = (failure: string): Entry => ({ failure });

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
	const as409 = (result: ChangeResult): Entry => ({ result: { ...result, code: '409' } });

	it('counts requests, and participants, once in each', () => {
		expect(
			progressOf(
				{ tried: [sent('done', 'done'), [known('done'), known('done')], broken], requests: 7 },
				true,
			),
		).toEqual(['2 of 7 requests succeeded before this (3 participants changed)']);
	});

	it('counts only participants who were changed', () => {
		const tried = [[as409(resultOf('unchanged')), known('rejected')]];

		expect(progressOf({ tried, requests: 3 }, true)).toEqual([
			'1 of 3 requests succeeded before this (0 participants changed)',
		]);
	});

	it('says how many it may be where it is not known who of several was changed', () => {
		const tried = [sent('unchanged', 'unchanged'), sent('done'), [as409(resultOf('unchanged'))], broken];

		expect(progressOf({ tried, requests: 5 }, true)).toEqual([
			'3 of 5 requests succeeded before this (at most 3 participants changed)',
		]);
	});

	it('counts nobody who was kept', () => {
		const kept = { result: { ...resultOf('kept'), action: 'none' as const, applied: true } };

		expect(progressOf({ tried: [[kept]], requests: 2 }, true)).toEqual(['Nothing was changed before this']);
		expect(partOf(2, [kept.result, resultOf('done')])).toEqual([
			'1 of the 2 participants of this item were applied',
		]);
	});

	it('names invites as such', () => {
		const sentBefore = { result: { ...resultOf('sent'), action: 'invite' as const } };

		expect(progressOf({ tried: [[sentBefore], broken], requests: 2 }, true)).toEqual([
			'1 of 2 requests succeeded before this (1 participant invited)',
		]);
	});

	it.each([
		['no request succeeded', [broken]],
		['no request was tried', []],
		['everybody was rejected', [sent('rejected')]],
	])('says so where it is nothing: %s', (_, tried) => {
		expect(progressOf({ tried, requests: 7 }, true)).toEqual(['Nothing was changed before this']);
	});

	it('says nothing where it is nothing and the last request may have been carried out', () => {
		expect(progressOf({ tried: [broken], requests: 7 }, false)).toEqual([]);
	});

	it('says of how many nothing is known, and does not count their requests as applied', () => {
		const unknown = sent('accepted', 'unconfirmed');

		expect(progressOf({ tried: [unknown, sent('done')], requests: 4 }, true)).toEqual([
			'1 of 4 requests succeeded before this (1 participant changed)',
			"It's not known what became of 2 participants",
		]);
		expect(progressOf({ tried: [unknown], requests: 4 }, true)).toEqual([
			"It's not known what became of 2 participants",
		]);
	});
});

describe('what was applied of an item that failed', () => {
	it('is a sentence', () => {
		expect(partOf(4, results('done', 'unchanged', 'rejected', 'accepted'))).toEqual([
			'2 of the 4 participants of this item were applied',
			"It's not known what became of 1 participant",
		]);
	});

	it('is not mentioned where it is nothing', () => {
		expect(partOf(2, results('rejected', 'planned'))).toEqual([]);
	});
});

describe('the rejection of an item', () => {
	it('names the participant and why', () => {
		expect(rejectionIn(results('done', 'groupFull'))?.sentence).toBe(
			"5511999990002 couldn't be changed: The group is full",
		);
	});

	it('is also that of a number that may be there under another form, of which nothing else is said', () => {
		const open = { ...resultOf('notFound'), applied: null };

		expect(rejectionIn([open])?.sentence).toContain("5511999990001 couldn't be changed");
		expect(partOf(1, [open])).toEqual([]);
	});

	it('says why in full', () => {
		expect(rejectionIn(results('inviteRequired'))?.sentence).toBe(
			"5511999990001 couldn't be changed: Couldn't be added because of their privacy settings. Send an invite instead",
		);
	});

	it.each<[Outcome[], string]>([
		[['groupFull', 'done', 'rejected'], ' (and 1 other participant)'],
		[['groupFull', 'notFound', 'blocked'], ' (and 2 other participants)'],
	])('counts the others of %p', (outcomes, others) => {
		expect(rejectionIn(results(...outcomes))).toEqual({
			sentence: `5511999990001${others} couldn't be changed: The group is full`,
			reason: 'The group is full',
		});
	});

	it('is none where nobody was rejected, or asked for', () => {
		const fine = results('done', 'unchanged', 'accepted', 'unconfirmed', 'planned', 'postponed', 'left');

		expect(rejectionIn(fine)).toBeUndefined();
	});

	it('is of everybody whom the gateway refused', () => {
		const open = results('inviteRequired', 'notFound', 'recentlyLeft', 'groupFull', 'pendingApproval');

		expect(rejectionIn([...open, ...results('blocked', 'rejected')])?.sentence).toContain(
			'(and 6 other participants)',
		);
	});
});
