import type { ItemResult } from '../../../nodes/MessagingGateway/domain/group/itemResults';
import type { Outcome } from '../../../nodes/MessagingGateway/domain/group/outcomes';
import { summaryOf } from '../../../nodes/MessagingGateway/domain/group/summary';
import { NUMBERS, person, requestOf, resultOf } from '../support';

/** What came of an item whose participants have these outcomes; more were asked for where there is no result. */
function itemResult(outcomes: Outcome[], withoutResult = 0): ItemResult {
	const people = NUMBERS.slice(0, outcomes.length + withoutResult).map(person);
	return {
		requested: { item: 0, changes: requestOf('add', people).changes },
		results: outcomes.map((outcome) => resultOf(outcome)),
		failures: [],
	};
}

describe('the summary of a run', () => {
	const dryRun = 'planned, nothing was sent for them (dry run)';

	it.each<[string, ItemResult[], number, string]>([
		['all applied', [itemResult(['done', 'unchanged'])], 0, '2 of 2 applied'],
		[
			'some that need an invite',
			[itemResult(['done', 'inviteRequired']), itemResult(['inviteRequired'])],
			0,
			'1 of 3 applied, 2 need an invite',
		],
		['one that needs an invite', [itemResult(['inviteRequired'])], 0, '0 of 1 applied, 1 needs an invite'],
		[
			'some of everything',
			[itemResult(['done', 'groupFull', 'unconfirmed'])],
			0,
			'1 of 3 applied, 1 did not fit in the group, 1 not confirmed',
		],
		['a dry run', [itemResult(['planned', 'planned'])], 0, `2 participants ${dryRun}`],
		['one in a dry run', [itemResult(['planned'])], 0, `1 participant ${dryRun}`],
		['a dry run of some', [itemResult(['done', 'planned'])], 0, `1 of 1 applied, 1 participant ${dryRun}`],
		['some without a result', [itemResult(['done'], 2)], 0, '1 of 3 applied, 2 without a result'],
		['an item that is not valid', [itemResult(['done'])], 1, '1 of 1 applied, 1 item not valid'],
		['only items that are not valid', [], 2, '2 items not valid'],
	])('of %s', (_, itemResults, invalid, expected) => {
		expect(summaryOf(itemResults, invalid)).toBe(expected);
	});
});
