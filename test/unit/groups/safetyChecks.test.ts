import fc from 'fast-check';
import { WORDING } from '../../../nodes/MessagingGateway/groups/outcomes';
import type { PlanRules } from '../../../nodes/MessagingGateway/groups/sync/rules';
import { check, doubtsAbout } from '../../../nodes/MessagingGateway/groups/sync/safetyChecks';
import { sentenceFor } from '../../../nodes/MessagingGateway/groups/sync/sentences';
import { settleBy } from '../../../nodes/MessagingGateway/groups/sync/settleUnknown';
import { type PersonResult, summaryOf } from '../../../nodes/MessagingGateway/groups/sync/summary';
import { runsOf } from '../../thorough';
import { type Examples, testExamples } from '../support';
import {
	identities,
	kept as known,
	members,
	NONE_BEFORE,
	NOW,
	planOf,
	rows,
	rules,
	told,
} from './sync/example';
import { live } from './sync/spellings';

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
			'where only the hidden ID of the own account is known, and none is shown': [
				'ana / ana bo',
				{ own: identities('lid1') },
			],
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
		// A few always are, but for most of a small group.
		[3, 7, 20, false],
		[3, 6, 20, true],
		[4, 20, 20, false],
		[2, 3, 20, true],
		[1, 2, 20, false],
		[2, 3, 99, true],
		[2, 3, 100, false],
		[4, 8, 20, true],
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
			before: { ...NONE_BEFORE, removed: new Set(Array.from({ length: before }, (_, i) => `before ${i}`)) },
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
		expect(check(planOf('-bo', 'me** bo', some), some).stop).toBeUndefined();
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
		).toContain("Turn off Dry Run to do it. A real run would be stopped by 'Maximum Removals (Percent)'.");
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
	const few = (named: number, all: number) =>
		`The list names ${named} of ${all} members: with 'Members Not in the List' set to Remove, the node needs the whole list`;

	it.each<[string, string, string, Some, string, number?]>([
		[
			'misses half of a table',
			wanted,
			`me** ${many(39)}`,
			grace,
			`${half} are missing in the list ${since},${few(18, 39)}`,
		],
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
			{ ...grace, memory: known({ toLeave: { at: NOW } }) },
			few(18, 39),
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

type Settle = ReturnType<typeof settleBy>;
const said: Parameters<Settle>[1] = { message: 'The gateway did not answer within 120 seconds.' };

/** What is known of the first row's change after the group was read again. */
function resolved(
	list: string,
	before: string,
	after: string,
	some: Partial<PlanRules & Parameters<Settle>[1]> = {},
): ReturnType<Settle> {
	const { jid, message = said.message, ...rest } = some;
	const made = planOf(list, before, rest);
	const [change] = made.decisions;
	if (change?.outcome !== 'planned') throw new Error('Nothing is to be sent');
	return settleBy(made, members(after))(change, { message, ...(jid && { jid }) });
}

/** Examples as `list in group → group read again: applied`. */
function examples(all: Examples<Parameters<typeof resolved>[3]>): void {
	testExamples(all, / in | → |: /, ([list = '', before = '', after = '', applied], some) => {
		expect(String(resolved(list, before, after, some).applied)).toBe(applied);
	});
}

describe('an addition of which it is not known what became of it', () => {
	examples({
		'is done where they are in the group': 'ana in me** → me** ana: true',
		'is done where they are there under another form': 'gil in me** → me** gilShort: true',
		'is done where they are there by the ID that the reply named': [
			'ana in me** lid1 → me** lid1 lid2: true',
			{ jid: '2@lid' },
		],
		'is rejected where they are not, and every member has a number': 'ana in me** → me** bo: false',
		'is rejected by a hidden ID where every member shows theirs':
			'lid9 in lid1=me** → lid1=me** lid2=bo: false',
		'is rejected where they are not, whatever hidden ID the reply named, and every member has a number': [
			'ana in me** → me** bo: false',
			{ jid: '2@lid' },
		],
		'stays unknown where a member has no number': 'ana in me** → me** lid1: null',
		'stays unknown where somebody with nearly the same number is there': 'ana in me** → me** anaOld: null',
		'stays unknown by a hidden ID where one shows only a number': 'lid9 in me** → lid1=me** bo: null',
	});
});

describe('a removal of which it is not known what became of it', () => {
	examples({
		'is done where they are no longer listed': '-ana in me** ana → me**: true',
		'is done where they are no longer listed by a hidden ID': '-lid1 in me** lid1 lid2 → me** lid2: true',
		'is rejected where they still are': '-ana in me** ana → me** ana bo: false',
		'is rejected where they still are, by another of their IDs': '-ana in me** lid1=ana → me** ana: false',
		'is rejected where they still are, by another form of their number':
			'-gil in me** gil → me** gilShort: false',
		'is done though somebody else is new, or shows no number': '-ana in me** ana → me** lid3 anaOld: true',
	});
});

describe('where the group can not be read again, or not as a whole', () => {
	it.each([
		['an empty list', '-bo', '', {}],
		['an empty list, also where the own account is not known', '-bo', '', { own: [] }],
		['a list without the own account', '-bo', 'bo', {}],
		['a list without the own account, for an addition', 'ana', 'bo', {}],
	])('all stays as it was: %s', (_, list, after, some) => {
		expect(resolved(list, 'me** bo', after, some)).toEqual({
			outcome: 'unconfirmed',
			applied: null,
			message: said.message,
		});
	});

	it('the own account is not missed where it was not found before, or was listed twice and is there once', () => {
		expect(resolved('-bo', 'ana bo', 'ana', { own: [] }).applied).toBe(true);
		expect(resolved('-bo', 'me** lid1 bo', 'me**', { own: identities('me lid1') }).applied).toBe(true);
	});
});

describe('it is said that the group was read again', () => {
	const noAnswer = 'The gateway did not answer within 120 seconds.';
	it.each([
		[
			'ana → me** ana: done true',
			"Added to the group. The gateway didn't confirm it, so the group was read again.",
		],
		[
			'ana → me**: rejected false',
			`Wasn't added: the group was read again, and this participant isn't in it so far. ${noAnswer}`,
		],
		[
			'-bo → me** bo: rejected false',
			`Wasn't removed: the group was read again, and this participant is still in it. ${noAnswer}`,
		],
	])('%s: %s', (example, message) => {
		const [list = '', after = '', expected] = example.split(/ → |: /);
		const { outcome, applied, ...rest } = resolved(list, list === 'ana' ? 'me**' : 'me** bo', after);

		expect([`${outcome} ${applied}`, rest]).toEqual([expected, { message }]);
	});

	it.each([
		[
			'all words of others',
			'It said "No. Check the group. Code 5".',
			'It said "No. Check the group. Code 5".',
		],
		[
			'no advice to do so',
			'The gateway gave no clear result for this participant. Check the group before you try again.',
			'The gateway gave no clear result for this participant.',
		],
	])('with %s', (_, before, kept) => {
		const { message } = resolved('ana', 'me**', 'me** lid1', { message: before });

		expect(message).toBe(`${kept} The group was read again and doesn't show it either.`);
	});
});

/**
 * So many results: `done` for people who should be members, `-done` for those who shouldn't, `(done)` for unlisted,
 * `?done` in a group that doesn't show its members, `done!` where nothing was sent, `done<` for people who left before,
 * `done+` for members, `kept#` because of a bad item, `kept%` because it isn't approved, `kept=` with a reason to count.
 */
function results(amounts: Record<string, number>): PersonResult[] {
	return Object.entries(amounts).flatMap(([text, amount]) =>
		Array.from({ length: amount }, () => ({
			decision: {
				shouldBeMember: !/^[-(]/.test(text),
				rows: text.startsWith('(') ? [] : rows('ana'),
				presence: text.includes('+') ? 'found' : 'absent',
				before: text.includes('<') ? { left: { at: 0 } } : {},
				reason: text.includes('#') ? 'badRow' : text.includes('%') ? 'notApproved' : undefined,
				because: text.includes('=') ? 'nobody knows' : undefined,
			},
			result: {
				outcome: text.replace(/[-()?!<#%+=]/g, '') as PersonResult['result']['outcome'],
				action: text.endsWith('!') ? 'none' : 'add',
			},
			isShown: !text.startsWith('?'),
		})),
	);
}

const NO_MEMBERS = {
	unlistedKept: 0,
	unmatched: 0,
	visibleIds: { phone: false, hidden: false, other: false },
};

describe('after a run', () => {
	it('is said what changed, what was so, and what is open', () => {
		const all = {
			postponed: 40,
			unchanged: 285,
			'-done': 2,
			'(done)': 1,
			inviteRequired: 2,
			done: 12,
			'(kept)': 5,
		};

		expect(summaryOf(results(all), [{ ...NO_MEMBERS, unlistedKept: 5 }])).toBe(
			'12 added, 3 removed, 285 already there, 2 need an invite, 40 postponed; 5 members are not in the list and were kept',
		);
	});

	it.each(Object.keys(WORDING).filter((outcome) => !/invited$|^sent$/i.test(outcome)))(
		'an outcome is counted: %s',
		(outcome) => {
			expect(summaryOf(results({ [outcome]: 2 }), [NO_MEMBERS])).toMatch(/^2 /);
		},
	);

	it.each([
		[{ '-unchanged': 2 }, 0, '2 already out'],
		[{ '-unconfirmed': 1, accepted: 2, unconfirmed: 1 }, 0, '2 accepted without a result, 2 not confirmed'],
		[{ '-rejected': 1, rejected: 1, '-kept': 3 }, 0, '2 rejected, 3 kept'],
		[{ planned: 3, '-planned': 1, '(planned)': 1 }, 0, '3 would be added, 2 would be removed'],
		[{ '?planned': 2 }, 0, '2 would be added unless already a member'],
		[{ 'unconfirmed!': 12, unconfirmed: 1 }, 0, '12 were tried before, 1 not confirmed'],
		[{ 'unconfirmed<!': 1, 'unconfirmed!': 1 }, 0, "1 left before and wasn't tried, 1 was tried before"],
		[{ '(kept)#': 1 }, 0, '1 member not in the list stays until all items are valid'],
		[
			{ '(kept)#': 2, '(kept)': 1 },
			1,
			'1 member is not in the list and was kept; 2 members not in the list stay until all items are valid',
		],
		[{ left: 2, 'left<': 1 }, 0, '2 left since the last run and stay out, 1 left and stays out'],
		[{ '-unconfirmed!': 1 }, 0, "1 can't be matched and has to be removed by hand"],
		[{ '-unconfirmed+!': 2 }, 0, '2 were tried before'],
		[{ '-unconfirmed!': 2 }, 0, "2 can't be matched and have to be removed by hand"],
		[{ '(kept)%': 1 }, 0, "1 change isn't approved"],
		[{ '-kept%': 1, 'postponed%': 1, done: 1 }, 0, "1 added, 1 kept, 1 postponed; 2 changes aren't approved"],
		[{ '-kept=': 1 }, 0, '1 kept; 1 member stays: nobody knows'],
		[{ '(kept)=': 2 }, 0, '2 members stay: nobody knows'],
		[{}, 2, '2 members are not in the list and were kept'],
		[{}, 0, ''],
	])('%j, with %d unlisted', (amounts, unlisted, expected) => {
		expect(summaryOf(results(amounts), [{ ...NO_MEMBERS, unlistedKept: unlisted }])).toBe(expected);
	});

	it.each([
		[1, false, "1 member shows no number and can't be matched"],
		[61, false, "61 members show no number and can't be matched"],
		[61, true, "61 members show no hidden ID and can't be matched"],
	])('%d who may be in the list are said apart, with what they lack', (unmatched, phone, expected) => {
		const visibleIds = { ...NO_MEMBERS.visibleIds, phone };
		expect(summaryOf([], [{ unlistedKept: 1, unmatched, visibleIds }])).toBe(
			`1 member is not in the list and was kept; ${expected}`,
		);
	});
});

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
// Near a seed is no smaller group.
const runs = { ...runsOf(5_000, 30), endOnFailure: true };

it('nobody who should stay is removed, however a list spells them', () => {
	let removed = 0;
	fc.assert(
		fc.property(seeds, fc.nat(5), (seed, odd) => {
			const lived = live(seed, odd);
			removed += lived.removed;
			expect(lived.harms).toEqual([]);
		}),
		runs,
	);
	expect(removed).toBeGreaterThan(runs.numRuns);
});

it('strangers are removed all the same where every number is spelled as the gateway has it', () => {
	let [strangers, kept] = [0, 0];
	fc.assert(
		fc.property(seeds, (seed) => {
			const lived = live(seed, 0);
			strangers += lived.strangers;
			kept += lived.keptForNothing.length;
		}),
		runs,
	);
	expect(strangers).toBeGreaterThan(runs.numRuns);
	expect(kept / strangers).toBeLessThan(0.001);
});
