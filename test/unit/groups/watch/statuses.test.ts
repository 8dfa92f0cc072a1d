import {
	compareStatuses,
	readStatuses,
	writeStatuses,
	type StatusSnapshot,
} from '../../../../nodes/MessagingGateway/groups/watch/statuses';
import { finished } from '../../support';

type Listed = Record<string, string | undefined>;

/** What each of several polls in a row tells, as `main: open → close`. */
function toldInTurn(confirmPolls: number, ...polls: Listed[]): string[][] {
	let snapshot: StatusSnapshot | undefined = new Map();
	return polls.map((listed) => {
		const found = new Map(Object.entries(listed));
		const compared = finished(compareStatuses(snapshot ?? new Map(), found, confirmPolls));
		snapshot = readStatuses(JSON.parse(JSON.stringify(writeStatuses(compared.snapshot))));
		return compared.changes.map(
			({ name, status, previousStatus }) => `${name}: ${previousStatus} → ${status}`,
		);
	});
}

describe('the status of instances', () => {
	it.each<[string, number, Listed[], string[][]]>([
		['a new one counts at once', 1, [{ a: 'open' }, { a: 'close' }], [[], ['a: open → close']]],
		[
			'or when the next poll shows it, too',
			2,
			[{ a: 'open' }, { a: 'close' }, { a: 'close' }, { a: 'close' }],
			[[], [], ['a: open → close'], []],
		],
		[
			'not when the next poll shows the old one',
			2,
			[{ a: 'open' }, { a: 'close' }, { a: 'open' }, { a: 'close' }],
			[[], [], [], []],
		],
		[
			'nor when each poll shows another one',
			2,
			[{ a: 'open' }, { a: 'close' }, { a: 'connecting' }, { a: 'connecting' }],
			[[], [], [], ['a: open → connecting']],
		],
		[
			'three polls in a row, if that is asked',
			3,
			[{ a: 'open' }, { a: 'close' }, { a: 'close' }, { a: 'close' }],
			[[], [], [], ['a: open → close']],
		],
		['a newly listed instance is only remembered', 1, [{ a: 'open' }, { a: 'open', b: 'close' }], [[], []]],
		['one that is no longer listed is deleted', 1, [{ a: 'open' }, {}, {}], [[], ['a: open → deleted'], []]],
		['deleted is confirmed as well', 2, [{ a: 'open' }, {}, {}], [[], [], ['a: open → deleted']]],
		[
			'one that comes back was deleted',
			1,
			[{ a: 'open' }, {}, { a: 'connecting' }],
			[[], ['a: open → deleted'], ['a: deleted → connecting']],
		],
		[
			'one without a status is as it was',
			1,
			[{ a: 'open' }, { a: undefined }, { a: 'close' }],
			[[], [], ['a: open → close']],
		],
		['one that never had a status is not known', 1, [{ a: undefined }, {}, { a: 'open' }], [[], [], []]],
		[
			'each instance has its own',
			1,
			[
				{ a: 'open', b: 'open' },
				{ a: 'close', b: 'open' },
				{ a: 'close', b: 'close' },
			],
			[[], ['a: open → close'], ['b: open → close']],
		],
	])('%s', (_, confirmPolls, polls, expected) => {
		expect(toldInTurn(confirmPolls, ...polls)).toEqual(expected);
	});

	it.each([
		undefined,
		null,
		[],
		{},
		{ statuses: {} },
		{ statuses: [1] },
		{ statuses: [['a']] },
		{ statuses: [[1, 'open']] },
	])('is not understood from %j', (stored) => {
		expect(readStatuses(stored)).toBeUndefined();
	});

	it.each([[['a', 'open']], [['a', 'open', 'close']], [['a', 'open', 5, 1]], [['a', 'open', 'close', '1']]])(
		'has no other one that was seen in %j',
		(stored) => {
			expect(readStatuses({ statuses: [stored] })?.get('a')).toStrictEqual({ status: 'open' });
		},
	);
});
