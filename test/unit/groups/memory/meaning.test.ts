import { FACT_NAMES, type Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import {
	decide,
	decideInvite,
	factsAfter,
	factsAfterInvite,
	type Answer,
	type MemoryRules,
	type Situation,
	type Step,
} from '../../../../nodes/MessagingGateway/groups/memory/meaning';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 22, 5, 0);

/** Facts in words: `member 3`, so many days ago, `refused blocked 3`. */
function facts(text: string): Facts {
	const words = text
		.split(', ')
		.filter(Boolean)
		.map((fact) => fact.split(' '));
	return Object.fromEntries(
		words.map(([name = '', ...more]) => {
			const at = NOW - Number(more.at(-1)) * DAY;
			const [outcome, times] = more.length > 2 ? [more[0], { times: Number(more[1]?.slice(1)) }] : [more[0]];
			return [name, name === 'refused' ? { at, outcome, ...times } : { at }];
		}),
	);
}

const told = (known: Facts) =>
	FACT_NAMES.flatMap((name) => {
		const { at, outcome = '', times = 0 } = { ...known[name] } as Partial<NonNullable<Facts['refused']>>;
		if (at === undefined) return [];
		return [
			[name, outcome, times > 1 ? `x${times}` : '', (NOW - at) / DAY].filter((word) => word !== '').join(' '),
		];
	}).join(', ');

function toldStep(step: Step | { do: string; until?: number; triedAt?: number; alone?: boolean }): string {
	const days = (at: number) => (at - NOW) / DAY;
	return [
		step.do === 'wait' && 'reason' in step ? step.reason : step.do,
		...('alone' in step && step.alone ? ['alone'] : []),
		...('until' in step && step.until !== undefined ? [`for ${days(step.until)}`] : []),
		...('triedAt' in step && step.triedAt ? [`tried ${-days(step.triedAt)}`] : []),
	].join(' ');
}

/** `in found`: should be a member, and is found. */
function situationOf(text: string): Situation {
	const [wish, presence] = text.split(' ');
	return { shouldBeMember: wish === 'in', presence: presence as Situation['presence'] };
}

/** The run before was yesterday. */
const rules = (some: Partial<MemoryRules> = {}): MemoryRules => ({
	now: NOW,
	lastRun: NOW - DAY,
	node: 'night',
	retryRefusedAfter: 7,
	whoLeft: 'keepOut',
	removeAfter: 0,
	...some,
});

type Row = [facts: string, situation: string, step: string, after: string];

describe('Sync', () => {
	const ALL_BESIDE = 'left 9, refused blocked 1, asked 1, invited 1, maybeInvited 1';

	describe.each<[string, Partial<MemoryRules>, Row[]]>([
		[
			'keeps out who left',
			{},
			[
				// Should be a member, and is found.
				['', 'in found', 'nothing', 'member 0'],
				['member 30', 'in found', 'nothing', 'member 0'],
				[ALL_BESIDE, 'in found', 'nothing', 'member 0'],
				['toLeave 3, refused rejected 3', 'in found', 'nothing', 'member 0'],
				// Was a member in the run before.
				['member 1', 'in absent', 'left', 'left 0'],
				['member 0.5', 'in absent', 'left', 'left 0'],
				['member 1, refused rejected 1', 'in absent', 'left', 'left 0, refused rejected 1'],
				['left 9', 'in absent', 'left', 'left 0'],
				['left 9, refused blocked 1', 'in absent', 'left', 'left 0, refused blocked 1'],
				['left 1, toLeave 1', 'in absent', 'left', 'left 0'],
				['member 1', 'in unsure', 'unconfirmed', 'member 0'],
				['left 9', 'in unsure', 'unconfirmed', 'left 0'],
				// The row wasn't in the run before.
				['member 2', 'in absent', 'send', ''],
				['member 2', 'in unsure', 'send', ''],
				['member 2, invited 1', 'in absent', 'send', 'invited 1'],
				// This execution saw them.
				['member 0', 'in absent', 'unconfirmed', 'member 0'],
				['member 0', 'in unsure', 'unconfirmed', 'member 0'],
				['asked 0', 'in absent', 'unconfirmed', 'asked 0'],
				// Others.
				['', 'in absent', 'send', ''],
				['', 'in unsure', 'send', ''],
				['out 3', 'in absent', 'send tried 3', 'out 3'],
				['invited 3, maybeInvited 3', 'in absent', 'send', 'invited 3, maybeInvited 3'],
				['toLeave 3', 'in absent', 'send', ''],
			],
		],
		[
			'adds who left again',
			{ whoLeft: 'addAgain' },
			[
				['member 1', 'in absent', 'send tried 1', 'left 0'],
				['member 2', 'in absent', 'send', ''],
				['left 3', 'in absent', 'send tried 3', 'left 0'],
				['left 3, refused blocked 1', 'in absent', 'refusedLately for 6', 'left 0, refused blocked 1'],
				['member 0', 'in absent', 'unconfirmed', 'member 0'],
				['member 1', 'in unsure', 'unconfirmed for 6', 'member 1'],
				['member 7', 'in unsure', 'send tried 7', 'member 7'],
				['left 6', 'in unsure', 'unconfirmed for 1', 'left 6'],
				['left 7', 'in unsure', 'send tried 7', 'left 7'],
			],
		],
		[
			'waits for the wish that was refused',
			{},
			[
				['refused blocked 6', 'in absent', 'refusedLately for 1', 'refused blocked 6'],
				['refused blocked 7', 'in absent', 'send tried 7', 'refused blocked 7'],
				['refused blocked 6.95', 'in absent', 'send tried 6.95', 'refused blocked 6.95'],
				['refused blocked x2 13', 'in absent', 'refusedLately for 1', 'refused blocked x2 13'],
				['refused blocked x3 27', 'in absent', 'refusedLately for 1', 'refused blocked x3 27'],
				['refused blocked x9 28', 'in absent', 'send tried 28', 'refused blocked x9 28'],
				['out 9, refused blocked 1', 'in absent', 'refusedLately for 6', 'out 9, refused blocked 1'],
				['refused blocked 7', 'in unsure', 'send alone tried 7', 'refused blocked 7'],
				['asked 1', 'in absent', 'send alone tried 1', 'asked 1'],
				['refused blocked 8, asked 1', 'in absent', 'send alone tried 1', 'refused blocked 8, asked 1'],
				['toLeave 3, refused rejected 1', 'in absent', 'send', ''],
				['toLeave 3, asked 1', 'in unsure', 'send', ''],
				[
					'toLeave 3, refused rejected 1',
					'out found',
					'refusedLately for 6',
					'toLeave 3, refused rejected 1',
				],
				['toLeave 9, refused rejected 7', 'out found', 'send tried 7', 'toLeave 9, refused rejected 7'],
				['toLeave 3, asked 1', 'out found', 'send alone tried 1', 'toLeave 3, asked 1'],
				['refused blocked 1', 'out found', 'send', ''],
				['member 1, asked 1', 'out found', 'send', 'member 1'],
				['refused blocked 1, invited 1', 'out absent', 'nothing', 'invited 1'],
			],
		],
		[
			'waits for nobody',
			{ retryRefusedAfter: 0 },
			[
				['refused blocked 1', 'in absent', 'send tried 1', 'refused blocked 1'],
				['toLeave 1, refused rejected 1', 'out found', 'send tried 1', 'toLeave 1, refused rejected 1'],
				['refused blocked 0', 'in absent', 'unconfirmed', 'refused blocked 0'],
			],
		],
		[
			'waits for a day, if that is what the option says',
			{ retryRefusedAfter: 1 },
			[
				['refused blocked 0.5', 'in absent', 'refusedLately for 0.5', 'refused blocked 0.5'],
				['refused blocked 1', 'in absent', 'send tried 1', 'refused blocked 1'],
			],
		],
		[
			'removes who should not be a member',
			{},
			[
				['', 'out found', 'send', ''],
				['member 1', 'out found', 'send', 'member 1'],
				['left 1', 'out found', 'send', ''],
				['left 1', 'out absent', 'nothing', 'left 0, toLeave 0'],
				['left 1, toLeave 1', 'out absent', 'nothing', 'left 0, toLeave 1'],
				['left 1', 'out unsure', 'nothing', 'left 0, toLeave 0'],
				['out 5', 'out found', 'send tried 5', 'out 5'],
				['out 5', 'out absent', 'nothing', 'out 5'],
				['member 1', 'out unsure', 'nothing', 'member 1'],
			],
		],
		[
			'removes them after some days',
			{ removeAfter: 7 },
			[
				['', 'out found', 'removeAfter for 7', ''],
				['member 30', 'out found', 'removeAfter for 7', 'member 30'],
				['toLeave 6', 'out found', 'removeAfter for 1', 'toLeave 6'],
				['toLeave 7', 'out found', 'send', 'toLeave 7'],
				['toLeave 6.92', 'out found', 'send', 'toLeave 6.92'],
				[
					'toLeave 9, refused rejected 2',
					'out found',
					'refusedLately for 5',
					'toLeave 9, refused rejected 2',
				],
			],
		],
	])('%s', (_, some, rows) => {
		it.each(rows)('%s, %s: %s; then %s', (before, situation, step, after) => {
			const decided = decide(facts(before), situationOf(situation), rules(some));

			expect([toldStep(decided.step), told(decided.facts)]).toEqual([step, after]);
		});
	});

	it('says left of nobody where no run before is known', () => {
		const { step } = decide(facts('member 1'), situationOf('in absent'), rules({ lastRun: undefined }));

		expect(step.do).toBe('send');
	});
});

describe('after a change is remembered', () => {
	const reply = (outcome: Answer['outcome'], applied: boolean | null): Answer => ({
		action: 'add',
		outcome,
		applied,
	});
	const none = (answer: Answer): Answer => ({ ...answer, action: 'none' });
	const remove = (answer: Answer): Answer => ({ ...answer, action: 'remove' });

	it.each<[string, string, Answer | 'unknown' | 'onTheWay' | 'notSent', string]>([
		['out 9, refused blocked 9, maybeInvited 1', 'in absent', reply('done', true), 'member 0'],
		['left 9, asked 1', 'in unsure', reply('unchanged', true), 'member 0'],
		['asked 1', 'in absent', reply('done', true), 'member 0'],
		['', 'in absent', reply('blocked', false), 'refused blocked 0'],
		[
			'out 9, refused blocked 7, asked 6',
			'in absent',
			reply('notFound', null),
			'out 9, refused notFound x2 0',
		],
		['refused blocked x3 30', 'in absent', reply('blocked', false), 'refused blocked x4 0'],
		['left 9', 'in absent', reply('blocked', false), 'left 9, refused blocked 0'],
		['member 9', 'in unsure', reply('recentlyLeft', false), 'refused recentlyLeft 0'],
		['invited 9', 'in absent', reply('inviteRequired', false), 'refused inviteRequired 0, invited 9'],
		// Not known.
		['', 'in absent', 'unknown', 'asked 0'],
		['out 3', 'in absent', reply('unconfirmed', null), 'out 3, asked 0'],
		['', 'in absent', reply('accepted', null), 'asked 0'],
		['refused blocked 9', 'in absent', 'unknown', 'refused blocked 9, asked 0'],
		// Not known, after a request of its own.
		['asked 1', 'in absent', 'unknown', 'refused unconfirmed 0'],
		['asked 1', 'in absent', reply('unconfirmed', null), 'refused unconfirmed 0'],
		['refused blocked 9', 'in unsure', 'unknown', 'refused unconfirmed x2 0'],
		// The request met something on the way, which is nobody's refusal for three days.
		['member 9', 'in absent', 'onTheWay', 'asked 0'],
		['out 9, asked 2.9', 'in absent', 'onTheWay', 'out 9, asked 2.9'],
		['refused blocked 9', 'in unsure', 'onTheWay', 'refused blocked 9, asked 0'],
		['asked 3', 'in absent', 'onTheWay', 'refused unconfirmed 0'],
		['toLeave 5, asked 1', 'out found', 'onTheWay', 'toLeave 5, asked 1'],
		['out 9', 'out found', 'onTheWay', 'toLeave 0, asked 0'],
		// Certainly nothing.
		['refused blocked 9', 'in absent', reply('groupFull', false), 'refused blocked 9'],
		['asked 1', 'in absent', 'notSent', 'asked 1'],
		['out 9', 'in absent', reply('postponed', false), 'out 9'],
		['left 9', 'in absent', none(reply('left', false)), 'left 9'],
		['left 9', 'in unsure', none(reply('unconfirmed', null)), 'left 9'],
		// Should not be a member.
		['toLeave 9, refused rejected 9, asked 8', 'out found', remove(reply('done', true)), 'out 0'],
		['out 9', 'out found', remove(reply('done', true)), 'out 0'],
		['member 1', 'out found', remove(reply('rejected', false)), 'toLeave 0, refused rejected 0'],
		['toLeave 9', 'out found', remove(reply('rejected', false)), 'toLeave 9, refused rejected 0'],
		['out 9', 'out found', 'unknown', 'toLeave 0, asked 0'],
		['toLeave 2, asked 1', 'out found', 'unknown', 'toLeave 2, refused unconfirmed 0'],
		[
			'toLeave 9, refused rejected 8',
			'out found',
			remove(reply('rejected', false)),
			'toLeave 9, refused rejected x2 0',
		],
		['toLeave 2', 'out found', remove(reply('unconfirmed', null)), 'toLeave 2, asked 0'],
		['member 9', 'out found', { ...remove(reply('postponed', false)), reason: 'removeAfter' }, 'toLeave 0'],
		['toLeave 5', 'out found', { ...remove(reply('postponed', false)), reason: 'removeAfter' }, 'toLeave 5'],
		['member 9', 'out found', { ...remove(reply('postponed', false)), reason: 'maxRemovals' }, 'member 9'],
		['member 9, invited 9', 'out absent', none(reply('unchanged', true)), 'out 0'],
		['out 9, invited 3', 'out absent', none(reply('unchanged', true)), 'out 9, invited 3'],
		// One wrong night in a column brings nobody back who left; the second one does.
		['left 0, toLeave 0', 'out absent', none(reply('unchanged', true)), 'left 0, toLeave 0'],
		['left 0, toLeave 0.95', 'out absent', none(reply('unchanged', true)), 'out 0'],
		['out 9', 'out absent', none(reply('unchanged', true)), 'out 9'],
		['member 9, invited 9', 'out unsure', none(reply('unconfirmed', null)), 'invited 9'],
		['left 0, toLeave 0', 'out unsure', none(reply('unconfirmed', null)), 'left 0, toLeave 0'],
		['left 0, toLeave 1', 'out unsure', none(reply('unconfirmed', null)), ''],
		['toLeave 1, asked 0', 'out found', none(reply('unconfirmed', null)), 'toLeave 1, asked 0'],
		['toLeave 5, asked 5', 'out absent', none(reply('rejected', false)), 'toLeave 5, asked 5'],
	])('%s, %s, %j: %s', (before, situation, answer, after) => {
		const times = { now: NOW, at: NOW, lengthensWait: true };
		expect(told(factsAfter(facts(before), situationOf(situation), answer, times))).toBe(after);
	});
});

describe('Send Invite', () => {
	it.each<[string, boolean, string]>([
		['', true, 'send'],
		['invited 9', true, 'alreadyInvited'],
		['maybeInvited 9', true, 'maybeInvited'],
		['maybeInvited 9, invited 9', true, 'alreadyInvited'],
		['invited 9', false, 'send tried 9'],
		['refused notFound 1', true, 'refusedLately for 6'],
		['refused notFound x2 8', true, 'refusedLately for 6'],
		['refused rejected 7', true, 'send tried 7'],
		['refused inviteRequired 1', true, 'send'],
		['refused unconfirmed 1', true, 'send'],
		// Members get no message, and neither does who left, unless an addition was refused since.
		['member 1', true, 'member'],
		['member 1', false, 'send'],
		['left 59', true, 'left'],
		['left 1, toLeave 1', true, 'left'],
		['member 61', true, 'send'],
		['left 61', true, 'send'],
		['left 9, refused inviteRequired 1', true, 'send'],
		['left 1, refused inviteRequired 9', true, 'left'],
		['member 1, invited 1', true, 'alreadyInvited'],
		['toLeave 3, refused rejected 1', true, 'send'],
	])('%s, only once %p: %s', (known, onlyOnce, step) => {
		expect(toldStep(decideInvite(facts(known), { now: NOW, retryRefusedAfter: 7, onlyOnce }))).toBe(step);
	});

	it.each<[string, Answer['outcome'] | 'noLink', string]>([
		['refused inviteRequired 1', 'sent', 'refused inviteRequired 1, invited 0'],
		['', 'unconfirmed', 'maybeInvited 0'],
		['', 'noLink', 'maybeInvited 0'],
		['out 9, asked 9', 'notFound', 'out 9, refused notFound 0'],
		['refused notFound 7', 'notFound', 'refused notFound x2 0'],
		['member 1', 'rejected', 'member 1, refused rejected 0'],
		['left 9', 'postponed', 'left 9'],
	])('remembers, after %s, %s: %s', (before, outcome, after) => {
		expect(told(factsAfterInvite(facts(before), outcome, { at: NOW, lengthensWait: true }))).toBe(after);
	});
});
