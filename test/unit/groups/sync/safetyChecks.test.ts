import type { PlanRules } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { actionOf, plan } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import { check, doubtsAbout } from '../../../../nodes/MessagingGateway/groups/sync/safetyChecks';
import { sentenceFor } from '../../../../nodes/MessagingGateway/groups/sync/sentences';
import { identities, kept as known, members, NOW, planOf, remembering, rules, told } from './example';
import { testExamples } from '../../support';

type Some = Partial<PlanRules>;

const remove: Some = { unlisted: 'remove' };

/** The result of checking a plan, and the plan after it. */
function checked(list: string, group: string, some: Some = {}) {
	return check(planOf(list, group, some), rules(some));
}

const messageOf = (list: string, group: string, some: Some = {}) => checked(list, group, some).stop?.message;

/** So many names of members whom nobody else is. */
const many = (amount: number, from = 0) =>
	Array.from({ length: amount }, (_, i) => `lid${i + from}=49151000${10_000 + i + from}`).join(' ');

describe('nothing is sent', () => {
	testExamples<Some>(
		{
			'where the list of members is empty': 'ana /  → the gateway gave an empty list of members',
			'where the own account is missing and every member has a number':
				"ana / ana bo → the instance's own account isn't in the list of members that the gateway gave",
			'where everybody who is not in an empty list would be removed': [
				' / me** ana bo → the list names nobody who should be a member, so all members would be removed',
				remove,
			],
			'where the list names only people who should leave, and all others would be removed, too': [
				'-ana -bo / me** ana bo cleo → the list names nobody who should be a member, so all members would be removed',
				remove,
			],
			'where the own account is no admin':
				"ana bo / me bo** → the instance's own account isn't an admin of the group",
		},
		/ \/ | → /,
		([list = '', group = '', message], some) => {
			expect(messageOf(list, group, some)).toBe(message);
		},
	);

	it.each(['ana', '-bo'])('and what to do is said with each reason (%s)', (list) => {
		expect(checked(list, '').stop?.description).toMatch(/^Every group has members/);
	});
});

describe('all is well', () => {
	testExamples<Some>(
		{
			'where there is nothing to do, for which nobody has to be an admin': 'ana / me ana',
			'where the own account is listed twice, once as an admin': [
				'ana / me** lid1',
				{ own: identities('me lid1') },
			],
			'where the own account is not known': ['ana / ana bo', { own: [] }],
			'where the own account may be a member without a number': 'ana / ana lid1',
			'where two rows that agree name one member under two IDs': 'ana lid1 / me** lid1=ana',
			'where a list names only people who should leave, and others are kept': '-ana / me** ana',
			'where no number is shown and others are kept': '-ana / lid1** lid2',
		},
		/ \/ /,
		([list = '', group = ''], some) => {
			expect(Object.keys(checked(list, group, some))).toEqual(['plan']);
		},
	);
});

describe('removals', () => {
	const leave = (amount: number) => Array.from({ length: amount }, (_, i) => `-lid${i}`).join(' ');

	it('are stopped where they are more than allowed, with figures, ten names, and what to do', () => {
		expect(checked(leave(140), `me** ${many(299)}`, { maxRemovalPercent: 20 }).stop).toMatchObject({
			message: '140 of 300 members would be removed (46.7 %), more than the 20 % allowed',
			description: `If rows are missing from the list, put them back. If they are right, raise 'Maximum Removals (Percent)'. They are ${leave(10).replaceAll(' ', ', ')} and 130 more`,
		});
	});

	it.each<[removed: number, of: number, percent: number, stopped: boolean]>([
		[60, 300, 20, false],
		[61, 300, 20, true],
		// A part of a member isn't allowed.
		[4, 24, 20, false],
		[5, 24, 20, true],
		// A few always are.
		[3, 4, 20, false],
		[4, 5, 20, true],
		[1, 300, 0, true],
		[3, 300, 0.5, false],
		[299, 300, 100, false],
	])('of %d of %d members are checked against %d %%: stopped %p', (removed, of, percent, stopped) => {
		const message = messageOf(leave(removed), `me** ${many(of - 1)}`, { maxRemovalPercent: percent });

		expect(message !== undefined).toBe(stopped);
	});

	it.each<[removed: number, of: number, before: number, says: string | undefined]>([
		[1, 21, 3, undefined],
		[1, 20, 4, '1 of 20 members would be removed besides 4 before in this execution (20.8 %)'],
		[1, 2, 3, '1 of 2 members would be removed besides 3 before in this execution (80 %)'],
		[0, 2, 10, undefined],
	])('of %d of %d members are checked with %d before in the execution: %s', (removed, of, before, says) => {
		const message = messageOf(removed === 0 ? 'lid0' : leave(removed), `me** ${many(of - 1)}`, {
			maxRemovalPercent: 20,
			removedBefore: new Set(Array.from({ length: before }, (_, i) => `before ${i}`)),
		});

		expect(message).toBe(says && `${says}, more than the 20 % allowed`);
	});

	it('are told with as many decimals as it takes to see that they are too many', () => {
		expect(messageOf(leave(205), `me** ${many(1023)}`, { maxRemovalPercent: 20 })).toContain('(20.02 %)');
	});

	it('are counted as they would be sent: not those who are kept, and nobody twice', () => {
		const kept = { maxRemovalPercent: 0, protected: identities('ana') };

		expect(messageOf('-ana -bo', 'me** ana lid1=bo*', kept)).toBeUndefined();
		expect(messageOf('-ana -lid1', 'me** lid1=ana', { maxRemovalPercent: 0 })).toContain('1 of 2 members');
		const some = rules({ maxRemovalPercent: 0, removeAfter: 7 });
		expect(check(plan(remembering('-bo', ''), members('me** bo'), some), some).stop).toBeUndefined();
		const approved = { maxRemovalPercent: 20, approved: new Set(['remove 0@lid']) };
		expect(messageOf(leave(9), `me** ${many(9)}`, approved)).toBeUndefined();
	});

	it('are warned about in a dry run, whose plan says what would be stopped', () => {
		const {
			stop,
			warning,
			plan: shown,
		} = checked(`cleo lid8 ${leave(4)}`, `me** ${many(9)}`, { maxRemovalPercent: 20, dryRun: true });

		expect([stop, warning]).toEqual([
			undefined,
			"This would be stopped: 4 of 10 members would be removed (40 %), more than the 20 % allowed. If rows are missing from the list, put them back. If they are right, raise 'Maximum Removals (Percent)'",
		]);
		expect(shown.decisions.map(told)).toEqual([
			'cleo: add cleo maxRemovalPercent',
			'lid8: unchanged',
			...[0, 1, 2, 3].map((i) => `-lid${i}: remove lid${i} maxRemovalPercent`),
		]);
		expect(
			shown.decisions
				.map((one) => sentenceFor(one, { showsNumbers: true, now: NOW, dryRun: true, nameOf: String }))
				.join(),
		).toContain("nothing was sent. A real run would be stopped by 'Maximum Removals (Percent)'.");
	});

	it.each([false, true])(
		'are all held where the group is to go on, and others are added (dry run: %p)',
		(dryRun) => {
			const all = { ...remove, maxRemovalPercent: 20, overLimit: 'hold' as const, dryRun };
			const {
				keptAll,
				warning,
				plan: shown,
				...others
			} = checked(`cleo ${leave(3)}`, `me** ana ${many(8)}`, all);

			expect(others).toEqual({});
			expect(dryRun ? [keptAll, warning] : [warning, `${keptAll?.message}. ${keptAll?.description}`]).toEqual(
				[
					undefined,
					`Nobody ${dryRun ? 'would be' : 'was'} removed: 9 of 10 members would be removed (90 %), more than the 20 % allowed. If rows are missing from the list, put them back. If they are right, raise 'Maximum Removals (Percent)'`,
				],
			);
			expect(shown.decisions.map(told).slice(0, 2)).toEqual([
				'cleo: add cleo',
				'-lid0: kept maxRemovalPercent',
			]);
			expect(new Set(shown.decisions.map(actionOf))).toEqual(new Set(['add', 'none']));
		},
	);

	it('that are held do not keep other checks from stopping the group', () => {
		const some = { maxRemovalPercent: 20, overLimit: 'hold' as const };

		expect(messageOf(`cleo ${leave(4)}`, `me bo** ${many(9)}`, some)).toContain("isn't an admin");
		expect(messageOf(leave(4), `me bo** ${many(9)}`, some)).toBeUndefined();
	});
});

describe('a dry run', () => {
	it('says first what would stop it, and plans all the same', () => {
		const { stop, warning, plan: shown } = checked('-ana', 'me ana bo**', { dryRun: true });

		expect([stop, warning]).toEqual([
			undefined,
			"This would be stopped: the instance's own account isn't an admin of the group. Make the account an admin of the group, then run this again",
		]);
		expect(shown.decisions.map(told)).toEqual(['-ana: remove ana']);
	});
});

describe('a list that no check stops', () => {
	const doubts = (list: string, group: string, some: Some, size = 7) =>
		doubtsAbout(planOf(list, group, some), rules(some), size).join();
	const grace: Some = { ...remove, maxRemovalPercent: 20, removeAfter: 1 };
	const half = '21 of 40 members (52.5 %)';
	const since = 'since this run: if rows are missing, put them back';
	const wanted = Array.from({ length: 18 }, (_, i) => `lid${i}`).join(' ');

	it.each<[string, string, string, Some, string, number?]>([
		['misses half of a table', wanted, `me** ${many(39)}`, grace, `${half} are missing in the list ${since}`],
		[
			'has half of a table leave',
			Array.from({ length: 21 }, (_, i) => `-lid${i}`).join(' ') + ' lid30',
			`me** ${many(39)}`,
			{ ...grace, unlisted: 'keep' },
			`${half} have to leave ${since}`,
		],
		[
			'misses who was missing before',
			wanted,
			`me** ${many(39)}`,
			{ ...grace, recalled: known({ toLeave: { at: NOW } }) },
			'',
		],
		['misses a few', wanted, `me** ${many(21)}`, grace, ''],
		[
			'may be cut',
			'ana',
			'me** ana',
			remove,
			'The list has exactly 100 rows: if a limit cut it, turn on Return All in the node before',
			100,
		],
		['is short, and others are kept', 'ana', 'me** ana', {}, '', 100],
		[
			'names nobody who should be a member',
			'-ana -bo',
			'me** ana',
			{},
			"None of the 2 rows should be a member: check 'Should Be Member'",
		],
		['names one who should leave', '-ana', 'me** ana', {}, ''],
	])('and %s', (...[, list, group, some, expected, size]) => {
		expect(doubts(list, group, some, size)).toBe(expected);
	});
});
