import {
	itemResultOf,
	NOT_KNOWN,
	partOf,
	progressOf,
	rejectionOf,
	type ItemResult,
	type RequestedItem,
} from '../../../nodes/MessagingGateway/groups/itemResults';
import type { Outcome } from '../../../nodes/MessagingGateway/groups/outcomes';
import type { ChangeResult } from '../../../nodes/MessagingGateway/groups/requestResults';
import type { ParticipantResult } from '../../../nodes/MessagingGateway/groups/matching/results';
import { itemsOf, NUMBERS, person, requestOf, resultOf } from '../support';

/** Items that name as many people. */
const itemsOfSizes = (...sizes: number[]) =>
	itemsOf(
		sizes.map((size, i) => ({
			item: i * 2,
			instance: 'main',
			groupJid: '1@g.us',
			action: 'add',
			participants: NUMBERS.slice(0, size).map(person),
		})),
	);

const found = (outcome: Outcome): ChangeResult<string> => ({ result: resultOf(outcome) });
const failed = (failure: string): ChangeResult<string> => ({ failure });

/** What came of an item whose participants have these outcomes. */
function itemResult(...outcomes: Outcome[]): ItemResult {
	const [requested] = itemsOfSizes(outcomes.length);
	if (!requested) throw new Error('an item was expected');
	return {
		requested,
		asked: outcomes.length,
		results: outcomes.map((outcome, i) => resultOf(outcome, NUMBERS[i])),
		failures: [],
	};
}

/** What came of items, given what came of all their changes. */
const itemResultsOf = (items: RequestedItem[], all: Array<ChangeResult<string> | undefined>) =>
	items.map((item) =>
		itemResultOf(
			item,
			item.changes.map(({ place }) => all[place]),
		),
	);
const outcomesOf = (results: ParticipantResult[]) => results.map(({ outcome }) => outcome);

describe('the result of an item', () => {
	it('has the results of its own changes, in its own order', () => {
		const all = [found('done'), found('blocked'), found('unchanged')];

		expect(itemResultsOf(itemsOfSizes(2, 1), all).map(({ results }) => outcomesOf(results))).toEqual([
			['done', 'blocked'],
			['unchanged'],
		]);
	});

	it('is there for each item, in their order, whatever came of it', () => {
		const items = itemsOfSizes(1, 2, 1);

		expect(itemResultsOf(items, []).map(({ requested }) => requested)).toEqual(items);
	});

	it('has each reason once why there is none for a change, in the order of its changes', () => {
		const all = [failed('broken'), found('done'), failed('not sent'), failed('broken'), failed('else')];

		expect(itemResultsOf(itemsOfSizes(4, 1), all)).toMatchObject([
			{ results: [{ outcome: 'done' }], failures: ['broken', 'not sent'] },
			{ results: [], failures: ['else'] },
		]);
	});

	it('has neither results nor reasons where nothing was tried', () => {
		const [item] = itemsOfSizes(2);

		expect(item && itemResultsOf([item], [undefined, undefined])).toStrictEqual([
			{ requested: item, asked: 2, results: [], failures: [] },
		]);
	});
});

describe('what was applied before a run ended', () => {
	const sent = (...outcomes: Outcome[]) => {
		const people = NUMBERS.slice(0, outcomes.length).map(person);
		return { request: requestOf('add', people), results: outcomes.map((outcome) => resultOf(outcome)) };
	};
	const broken = { request: requestOf('add', []), failure: 'x' };

	it('counts requests and participants', () => {
		expect(progressOf([sent('done', 'done'), sent('done'), broken], 7, true)).toEqual([
			'2 of 7 requests (3 participants) were applied before this',
		]);
	});

	it('counts only participants that are as asked', () => {
		expect(progressOf([sent('done', 'unchanged', 'rejected')], 3, true)).toEqual([
			'1 of 3 requests (2 participants) were applied before this',
		]);
	});

	it.each([
		['no request succeeded', [broken]],
		['no request was tried', []],
		['everybody was rejected', [sent('rejected')]],
	])('says so where it is nothing: %s', (_, all) => {
		expect(progressOf(all, 7, true)).toEqual(['Nothing was applied before this']);
	});

	it('says nothing where it is nothing and the last request may have been carried out', () => {
		expect(progressOf([broken], 7, false)).toEqual([]);
	});

	it('says of how many nothing is known, and does not count their requests as applied', () => {
		const open = sent('accepted', 'unconfirmed');

		expect(progressOf([open, sent('done')], 4, true)).toEqual([
			'1 of 4 requests (1 participant) were applied before this',
			"It's not known what became of 2 participants",
		]);
		expect(progressOf([open], 4, true)).toEqual(["It's not known what became of 2 participants"]);
	});
});

it('an outcome that is not known is told as such', () => {
	expect(NOT_KNOWN).toBe("It's not known whether this change was carried out");
});

describe('what was applied of an item that failed', () => {
	it('is a sentence', () => {
		expect(partOf(itemResult('done', 'unchanged', 'rejected', 'accepted'))).toEqual([
			'2 of the 4 participants of this item were applied',
			"It's not known what became of 1 participant",
		]);
	});

	it('is not mentioned where it is nothing', () => {
		expect(partOf(itemResult('rejected', 'planned'))).toEqual([]);
	});
});

describe('the rejection of an item', () => {
	it('names the participant and why', () => {
		expect(rejectionOf(itemResult('done', 'groupFull'))).toBe(
			"5511999990002 couldn't be changed: The group is full",
		);
	});

	it('says why in full', () => {
		expect(rejectionOf(itemResult('inviteRequired'))).toBe(
			"5511999990001 couldn't be changed: Couldn't be added because of their privacy settings. Send an invite instead",
		);
	});

	it.each<[Outcome[], string]>([
		[['groupFull', 'done', 'rejected'], ' (and 1 other participant)'],
		[['groupFull', 'notFound', 'blocked'], ' (and 2 other participants)'],
	])('counts the others of %p', (outcomes, others) => {
		expect(rejectionOf(itemResult(...outcomes))).toBe(
			`5511999990001${others} couldn't be changed: The group is full`,
		);
	});

	it.each<[Outcome]>([['done'], ['unchanged'], ['accepted'], ['unconfirmed'], ['planned'], ['postponed']])(
		'is none where the outcome is %s',
		(outcome) => {
			expect(rejectionOf(itemResult(outcome))).toBeUndefined();
		},
	);

	it.each<[Outcome]>([
		['inviteRequired'],
		['notFound'],
		['recentlyLeft'],
		['groupFull'],
		['pendingApproval'],
		['blocked'],
		['rejected'],
	])('is one where the outcome is %s', (outcome) => {
		expect(rejectionOf(itemResult(outcome))).toContain("5511999990001 couldn't be changed");
	});
});
