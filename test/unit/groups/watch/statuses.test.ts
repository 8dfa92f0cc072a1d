import {
	compareStatuses,
	readStatuses,
	writeStatuses,
} from '../../../../nodes/MessagingGateway/groups/watch/statuses';
import { testExamples } from '../../support';

/** What a poll finds of `a open, b ?`. */
const listedIn = (text: string) =>
	new Map(
		text
			.split(', ')
			.filter(Boolean)
			.map((one) => one.split(' '))
			.map(([name = '', status]) => [name, status === '?' ? undefined : status]),
	);

/** How many polls confirm a status, and the statuses to tell: all if left out. */
type Rule = { confirmPolls: number; chosen?: string[] };

/** What each of several polls in a row tells, as `a open>close`. */
function toldInTurn({ confirmPolls, chosen }: Rule, polls: string[]): string[] {
	const isChosen = (status: string) => chosen?.includes(status) ?? true;
	let stored: object = {};
	return polls.map((poll) => {
		const before = readStatuses(JSON.parse(JSON.stringify(stored)));
		const { changes, snapshot } = compareStatuses(before, listedIn(poll), { confirmPolls, isChosen });
		stored = writeStatuses(snapshot);
		return changes
			.map(({ name, status, previousStatus }) => `${name} ${previousStatus}>${status}`)
			.join(', ');
	});
}

const twice = { confirmPolls: 2 };

describe('the status of instances', () => {
	// What polls find in turn, and what each of them tells; with how many polls it takes.
	testExamples<Rule>(
		{
			'a new one counts at once': 'a open | a close → | a open>close',
			'or when the next poll shows it, too': [
				'a open | a close | a close | a close → | | a open>close |',
				twice,
			],
			'not when the next poll shows the old one': ['a open | a close | a open | a close → | | |', twice],
			'three polls in a row, if that is asked': [
				'a open | a close | a close | a close → | | | a open>close',
				{ confirmPolls: 3 },
			],
			'each poll of the row may show another one: the last is told': [
				'a open | a close | a connecting | a connecting → | | a open>connecting |',
				twice,
			],
			'of the row, the last one that is chosen is told': [
				'a open | a close | a connecting | → | | | a open>close',
				{ confirmPolls: 3, chosen: ['close'] },
			],
			'and remembered, so that an account that goes back and forth is told once': [
				'a open | a connecting | a close | a connecting | a close | a connecting | a close → | | a open>close | | | |',
				{ confirmPolls: 2, chosen: ['close'] },
			],
			'a row without a chosen one tells nothing, and is known': [
				'a open | a close | a connecting | a open | a open → | | | | a connecting>open',
				{ confirmPolls: 2, chosen: ['open'] },
			],
			'a newly listed instance is only remembered': 'a open | a open, b close → |',
			'one that is no longer listed is deleted': 'a open | | → | a open>deleted |',
			'deleted is confirmed as well': ['a open | | → | | a open>deleted', twice],
			'one that comes back was deleted': 'a open | | a connecting → | a open>deleted | a deleted>connecting',
			'one without a status is as it was': 'a open | a ? | a close → | | a open>close',
			'one that never had a status is not known': 'a ? | | a open → | |',
			'each instance has its own':
				'a open, b open | a close, b open | a close, b close → | a open>close | b open>close',
		},
		'→',
		([polls = '', expected = ''], rule = { confirmPolls: 1 }) => {
			const inTurn = (text: string) => text.split('|').map((one) => one.trim());
			expect(toldInTurn(rule, inTurn(polls))).toEqual(inTurn(expected));
		},
	);

	it.each([
		undefined,
		null,
		[],
		{},
		{ statuses: {} },
		{ statuses: [1] },
		{ statuses: [['a']] },
		{ statuses: [[1, 'open']] },
	])('is not known from %j', (stored) => {
		expect(readStatuses(stored)).toEqual(new Map());
	});

	it.each([[['a', 'open']], [['a', 'open', 'close']], [['a', 'open', 5, 1]], [['a', 'open', 'close', '1']]])(
		'has no other one that was seen in %j',
		(stored) => {
			expect(readStatuses({ statuses: [stored] }).get('a')).toStrictEqual({ status: 'open' });
		},
	);
});
