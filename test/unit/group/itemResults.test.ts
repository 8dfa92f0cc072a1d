import {
	accountFor,
	NOT_KNOWN,
	partOf,
	progressOf,
	rejectionOf,
	summaryOf,
	type Account,
	type Settled,
} from '../../../nodes/MessagingGateway/domain/group/itemResults';
import { sentenceOf, WORDING, type Outcome } from '../../../nodes/MessagingGateway/domain/group/outcomes';
import {
	planRequests,
	type GroupChange,
	type PlannedRequest,
} from '../../../nodes/MessagingGateway/domain/group/plan';
import {
	plannedResults,
	resultsOf,
	type ParticipantResult,
} from '../../../nodes/MessagingGateway/domain/group/results';
import { person } from '../support';

const NUMBERS = ['5511999990001', '5511999990002', '5511999990003', '5511999990004', '5511999990005'];

function change(item: number, people: number[], groupJid = '1@g.us'): GroupChange {
	const participants = people.map((i) => person(NUMBERS[i] ?? ''));
	return { item, instance: 'main', groupJid, action: 'add', participants };
}

function done(request: PlannedRequest): Settled<string> {
	const rows = request.participants.map((number) => ({ status: '200', jid: `${number}@s.whatsapp.net` }));
	return { request, results: resultsOf(request, { updateParticipants: rows }) };
}

function result(outcome: Outcome, participant = NUMBERS[0] ?? ''): ParticipantResult {
	const { applied } = WORDING[outcome];
	const message = sentenceOf(outcome, 'add', '500');
	return {
		instance: 'main',
		groupJid: '1@g.us',
		action: 'add',
		participant,
		sentAs: participant,
		outcome,
		applied,
		message,
	};
}

type TestAccount = Account<GroupChange, string>;

function account(...outcomes: Outcome[]): TestAccount {
	const results = outcomes.map((outcome, i) => result(outcome, NUMBERS[i]));
	return { change: change(0, [...outcomes.keys()]), results, failures: [] };
}

const results = (all: TestAccount[]) =>
	all.map(({ change: { item }, results: own }) => [
		item,
		...own.map(({ participant }) => NUMBERS.indexOf(participant)),
	]);

describe('an account', () => {
	it('gives each item its own participants back, in its own order', () => {
		const changes = [change(0, [3, 1]), change(2, [0], '2@g.us'), change(5, [1, 2, 1])];
		const settled = planRequests(changes, { combineItems: true, batchSize: 2 }).map(done);

		expect(results(accountFor(changes, settled))).toEqual([
			[0, 3, 1],
			[2, 0],
			[5, 1, 2, 1],
		]);
	});

	it('gives them back in order even where requests are settled out of order', () => {
		const changes = [change(0, [0, 1, 2, 3])];
		const settled = planRequests(changes, { combineItems: true, batchSize: 1 }).map(done);

		expect(results(accountFor(changes, settled.reverse()))).toEqual([[0, 0, 1, 2, 3]]);
	});

	it('has the failures of the requests that an item took part in, each once', () => {
		const changes = [change(0, [0]), change(1, [1, 2, 3]), change(2, [4])];
		const [first, second, third] = planRequests(changes, { combineItems: true, batchSize: 2 });
		if (!first || !second || !third) throw new Error('three requests were expected');
		const settled = [
			done(first),
			{ request: second, failure: 'broken' },
			{ request: third, failure: 'not sent' },
		];
		const accounts = accountFor(changes, settled);

		expect(accounts.map(({ failures }) => failures)).toEqual([[], ['broken'], ['not sent']]);
		expect(results(accounts)).toEqual([[0, 0], [1, 1], [2]]);
	});

	it('has the results of a later request where an earlier one failed', () => {
		const changes = [change(0, [0, 1])];
		const [first, second] = planRequests(changes, { combineItems: true, batchSize: 1 });
		if (!first || !second) throw new Error('two requests were expected');
		const settled = [{ request: first, failure: 'broken' }, done(second)];

		expect(results(accountFor(changes, settled))).toEqual([[0, 1]]);
	});

	it('keeps failures in the order of the requests', () => {
		const changes = [change(0, [0, 1, 2])];
		const failures = ['first', 'second', 'second'];
		const settled = planRequests(changes, { combineItems: true, batchSize: 1 }).map((request, i) => ({
			request,
			failure: failures[i],
		}));

		expect(accountFor(changes, settled)[0]?.failures.slice(0, 2)).toEqual(['first', 'second']);
	});

	it('of an item that was never sent has neither results nor failures', () => {
		const never = change(4, [0, 1]);
		expect(accountFor([never], [])).toStrictEqual([{ change: never, results: [], failures: [] }]);
	});

	it('of a dry run has a planned result for each participant', () => {
		const changes = [change(0, [0, 0]), change(1, [1])];
		const settled = planRequests(changes, { combineItems: true, batchSize: 50 }).map((request) => ({
			request,
			results: plannedResults(request),
		}));

		expect(accountFor(changes, settled).map((one) => one.results.map(({ outcome }) => outcome))).toEqual([
			['planned', 'planned'],
			['planned'],
		]);
	});
});

describe('what was applied before a run ended', () => {
	const requestFor = (people: number[]) => {
		const [request] = planRequests([change(0, people)], { combineItems: true, batchSize: 50 });
		if (!request) throw new Error('a request was expected');
		return request;
	};

	it('counts requests and participants', () => {
		const settled = [
			done(requestFor([0, 1])),
			done(requestFor([2])),
			{ request: requestFor([3]), failure: 'x' },
		];

		expect(progressOf(settled, 7)).toEqual(['2 of 7 requests (3 participants) were applied before this']);
	});

	it('counts only participants that are as asked', () => {
		const request = requestFor([0, 1, 2]);
		const mixed = { request, results: account('done', 'unchanged', 'rejected').results };

		expect(progressOf([mixed], 3)).toEqual(['1 of 3 requests (2 participants) were applied before this']);
	});

	it('says so where it is nothing', () => {
		const nothing = ['Nothing was applied before this'];
		const rejected = { request: requestFor([0]), results: account('rejected').results };
		expect(progressOf([{ request: requestFor([0]), failure: 'x' }], 7)).toEqual(nothing);
		expect(progressOf([], 7)).toEqual(nothing);
		expect(progressOf([rejected], 7)).toEqual(nothing);
	});

	it('says of how many nothing is known, and does not count their requests as applied', () => {
		const open = { request: requestFor([0]), results: account('accepted', 'unconfirmed').results };

		expect(progressOf([open, done(requestFor([1]))], 4)).toEqual([
			'1 of 4 requests (1 participant) were applied before this',
			'It is not known what became of 2 participants',
		]);
		expect(progressOf([open], 4)).toEqual(['It is not known what became of 2 participants']);
	});
});

it('an outcome that is not known is told as such', () => {
	expect(NOT_KNOWN).toBe('It is not known whether this change was carried out');
});

describe('what was applied of an item that failed', () => {
	it('is a sentence', () => {
		expect(partOf(account('done', 'unchanged', 'rejected', 'accepted'))).toEqual([
			'2 of the 4 participants of this item were applied',
			'It is not known what became of 1 participant',
		]);
	});

	it('is not mentioned where it is nothing', () => {
		expect(partOf(account('rejected', 'planned'))).toEqual([]);
	});
});

describe('the rejection of an item', () => {
	it('names the participant and why', () => {
		expect(rejectionOf(account('done', 'groupFull'))).toBe(
			'5511999990002 could not be changed: The group is full',
		);
	});

	it('says why in full', () => {
		expect(rejectionOf(account('inviteRequired'))).toBe(
			"5511999990001 could not be changed: Couldn't be added because of their privacy settings. Send an invite instead",
		);
	});

	it.each<[Outcome[], string]>([
		[['groupFull', 'done', 'rejected'], ' (and 1 other participant)'],
		[['groupFull', 'notFound', 'blocked'], ' (and 2 other participants)'],
	])('counts the others of %p', (outcomes, others) => {
		expect(rejectionOf(account(...outcomes))).toBe(
			`5511999990001${others} could not be changed: The group is full`,
		);
	});

	it.each<[Outcome]>([['done'], ['unchanged'], ['accepted'], ['unconfirmed'], ['planned']])(
		'is none where the outcome is %s',
		(outcome) => {
			expect(rejectionOf(account(outcome))).toBeUndefined();
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
		expect(rejectionOf(account(outcome))).toContain('5511999990001 could not be changed');
	});
});

describe('the summary of a run', () => {
	const dryRun = 'planned, nothing was sent for them (dry run)';

	it.each<[string, TestAccount[], number, string]>([
		['all applied', [account('done', 'unchanged')], 0, '2 of 2 applied'],
		[
			'some that need an invite',
			[account('done', 'inviteRequired'), account('inviteRequired')],
			0,
			'1 of 3 applied, 2 need an invite',
		],
		['one that needs an invite', [account('inviteRequired')], 0, '0 of 1 applied, 1 needs an invite'],
		[
			'some of everything',
			[account('done', 'groupFull', 'unconfirmed')],
			0,
			"1 of 3 applied, 1 didn't fit in the group, 1 not confirmed",
		],
		['a dry run', [account('planned', 'planned')], 0, `2 participants ${dryRun}`],
		['one in a dry run', [account('planned')], 0, `1 participant ${dryRun}`],
		['a dry run of some', [account('done', 'planned')], 0, `1 of 1 applied, 1 participant ${dryRun}`],
		[
			'some without a result',
			[{ ...account('done'), change: change(0, [0, 1, 2]) }],
			0,
			'1 of 3 applied, 2 without a result',
		],
		['an item that is not valid', [account('done')], 1, '1 of 1 applied, 1 item not valid'],
		['only items that are not valid', [], 2, '2 items not valid'],
	])('of %s', (_, accounts, invalid, expected) => {
		expect(summaryOf(accounts, invalid)).toBe(expected);
	});
});
