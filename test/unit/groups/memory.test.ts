import fc from 'fast-check';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import { FACT_NAMES, type Facts } from '../../../nodes/MessagingGateway/groups/memory/fact';
import { GroupMemory, UNKNOWN, withinLimit } from '../../../nodes/MessagingGateway/groups/memory/groupMemory';
import { KnownPeople } from '../../../nodes/MessagingGateway/groups/memory/knownPeople';
import {
	type Answer,
	decide,
	decideInvite,
	factsAfter,
	factsAfterInvite,
	type MemoryRules,
	type Situation,
	type InviteStep,
	type Step,
} from '../../../nodes/MessagingGateway/groups/memory/meaning';
import { noteChanges } from '../../../nodes/MessagingGateway/groups/memory/noteChanges';
import { recall, recallForInvite, type Sources } from '../../../nodes/MessagingGateway/groups/memory/recall';
import { runsOf, thorough } from '../../thorough';
import { person } from '../support';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 22, 5);
const GROUP = '120363021345678901@g.us';
const ANA = '5531999990002';
const idsOf = (...ids: string[]) => ids.map(identityFor);
const ana = idsOf(ANA);
const phone = (i: number) => idsOf(`49152${String(i).padStart(8, '0')}`);
const OUTCOME = { refused: { outcome: 'blocked' } } as const;

/** `member 1, out 0.5 by web`: facts so many days ago, and who noted them. */
function facts(text: string): Facts {
	const each = text.split(', ').filter(Boolean);
	return Object.fromEntries(
		each.map((fact) => {
			const [name = '', days, , by] = fact.split(' ');
			return [name, { at: NOW - Number(days) * DAY, ...OUTCOME[name as 'refused'], ...(by && { by }) }];
		}),
	);
}

const told = (known: Facts) =>
	Object.entries(known)
		.map(([name, { at }]) => `${name} ${(NOW - at) / DAY}`)
		.join(', ');

afterEach(() => jest.restoreAllMocks());

describe("a process's notes", () => {
	const change = { instance: 'main', groupJid: GROUP, item: 0 } as const;
	const request = (action: 'add' | 'remove') => {
		const participant = person(ANA);
		const changes = [{ ...change, action, participant }];
		return { instance: 'main', groupJid: GROUP, action, participants: [participant], changes };
	};
	const web = { node: 'web', startedAt: NOW };
	const result = (
		action: 'add' | 'remove',
		outcome: 'done' | 'unchanged' | 'inviteRequired',
		applied = true,
	) => [{ ...change, participant: ANA, action, outcome, applied, message: '' }];
	let now = NOW;
	beforeEach(() => {
		now = NOW;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});
	const names = (people: KnownPeople) => Object.keys(people.find(GROUP, ana).facts);
	const know = (people: KnownPeople, text: string, ids = ana, node = 'web') =>
		people.note(GROUP, ids, node, () => facts(text));

	it('have a change from when it is sent', () => {
		const people = new KnownPeople();
		noteChanges(people, request('remove'), web);
		expect(names(people)).toEqual(['toLeave', 'asked']);
		// Its refusal is no removal's.
		noteChanges(people, request('add'), web);
		expect(names(people)).toEqual(['asked']);
	});

	it.each([
		['done', 'add', result('add', 'done'), 'member'],
		['refused', 'add', result('add', 'inviteRequired', false), 'out, refused'],
		['done', 'remove', result('remove', 'done'), 'out'],
		['unknown', 'add', 'unknown', 'out, asked'],
		['not sent', 'remove', 'notSent', 'out'],
	] as const)('have its result in its place: %s, %s', (_, action, results, expected) => {
		const people = new KnownPeople();
		know(people, 'out 3');
		noteChanges(people, request(action), web)(results);
		expect(names(people).join(', ')).toEqual(expected);
	});

	it('date a removal by its answer, since a run may have read the group meanwhile', () => {
		const people = new KnownPeople();
		const answer = noteChanges(people, request('remove'), web);
		now = NOW + 60_000;
		answer(result('remove', 'done'));
		expect(people.find(GROUP, ana).facts.out).toEqual({ at: now, by: 'web' });
	});

	it('say of nobody that a node took them out who were not in the group, and keep who did before', () => {
		const people = new KnownPeople();
		noteChanges(people, request('remove'), web)(result('remove', 'unchanged'));
		expect(people.find(GROUP, ana).facts.out?.by).toBeUndefined();
		know(people, 'out 1 by night');
		noteChanges(people, request('remove'), web)(result('remove', 'unchanged'));
		expect(people.find(GROUP, ana).facts.out?.by).toBe('night');
	});

	it('are of one person once a run has found that two are one', () => {
		const people = new KnownPeople();
		const lid = idsOf('1@lid');
		know(people, 'refused 2');
		know(people, 'invited 1', lid);
		people.note(GROUP, [...ana, ...lid], 'night', (before) => before);
		people.note(GROUP, ana, 'web', (before) => ({ ...before, ...facts('toLeave 0') }));
		expect(people.find(GROUP, lid).facts).toEqual(people.find(GROUP, ana).facts);
		expect(names(people)).toEqual(['refused', 'invited', 'toLeave']);
		expect(people.find('2@g.us', ana)).toBe(UNKNOWN);
	});

	it('keep what others have noted after a run had read', () => {
		const people = new KnownPeople();
		const met = (text: string) => ({ groupJid: GROUP, ids: ana, facts: facts(text) });
		noteChanges(people, request('remove'), web);
		people.remember(met('member 1'), 'night', NOW);
		expect(names(people)).toEqual(['asked', 'toLeave']);
		know(people, 'out -0.1');
		people.remember(met('member 0'), 'night', NOW);
		expect(names(people)).toEqual(['out']);
		people.remember(met('member 0'), 'night', NOW + DAY);
		expect(names(people)).toEqual(['member']);
	});

	it('have room for 20,000 people: first members go', () => {
		const people = new KnownPeople();
		know(people, 'out 0');
		for (let i = 0; i < 20_000; i++) know(people, 'member 0', phone(i));
		expect(names(people)).toEqual(['out']);
		expect(people.find(GROUP, phone(0))).toBe(UNKNOWN);
		expect(people.find(GROUP, phone(19_999))).not.toBe(UNKNOWN);
	});

	it('forget last whom a run met last', () => {
		const people = new KnownPeople();
		for (let i = 0; i < 20_000; i++) know(people, 'member 0', phone(i));
		for (const i of [0, 20_000]) know(people, 'member 0', phone(i));
		expect([0, 1].map((i) => people.find(GROUP, phone(i)) === UNKNOWN)).toEqual([false, true]);
	});
});

describe("a node's memory of a group", () => {
	/** The text after a run that met some people. */
	function kept(people: ReadonlyArray<readonly [ids: typeof ana, facts: string]>, before = '', at = NOW) {
		const group = new GroupMemory([before], NOW);
		for (const [ids, text] of people) group.note(ids, facts(text), at);
		return group.write();
	}
	const find = (text: unknown, ids = ana) => new GroupMemory([text], NOW).find(ids);

	it('has all facts, and when a run met the person last', () => {
		for (const text of ['out 9, refused 1', 'left 3, toLeave 1, asked 0', 'member 0', ''])
			expect([told(find(kept([[ana, text]])).facts), find(kept([[ana, text]])).metAt]).toEqual([text, NOW]);
		expect(find('')).toBe(UNKNOWN);
	});

	it('has the number that is not on the network, and none of another refusal', () => {
		const group = new GroupMemory([], NOW);
		const refused = { at: NOW, outcome: 'notFound', number: '+5531999990002' } as const;
		group.note(ana, { refused }, NOW);
		expect(find(group.write()).facts).toEqual({ refused });
		expect(find(kept([[ana, 'refused 0']])).facts.refused).not.toHaveProperty('number');
	});

	it('knows a person by every form of a number, and by a hidden ID alone', () => {
		const text = kept([[idsOf(ANA, '1@lid'), 'refused 0']]);
		const all = [idsOf(ANA), idsOf('553199990002'), idsOf('5531999990003'), idsOf('1@lid')];
		expect(all.map((ids) => told(find(text, ids).facts))).toEqual(['refused 0', 'refused 0', '', '']);
		const hidden = kept([[idsOf('1@lid'), 'refused 0']]);
		expect(told(find(hidden, idsOf('1@lid')).facts)).toBe('refused 0');
		expect(find(kept([[idsOf(ANA, '1@lid'), 'out 0']], hidden), idsOf('1@lid'))).toBe(UNKNOWN);
	});

	it('has people of equal facts together, in at most 50 bytes each', () => {
		const text = kept([
			[ana, 'refused 0, asked 0'],
			[phone(1), 'refused 0, asked 0'],
			[phone(2), 'out 1'],
		]);
		expect(JSON.parse(text)).toEqual({
			'refused blocked 2026-11-22T05:00Z; asked 2026-11-22T05:00Z': [
				'phone:553199990002',
				'phone:4915200000001',
			],
			'out 2026-11-21T05:00Z; met 2026-11-22T05:00Z': ['phone:4915200000002'],
		});
		const many = kept(Array.from({ length: 1000 }, (_, i) => [phone(i), 'member 0']));
		expect(JSON.stringify(many).length / 1000).toBeLessThan(50);
	});

	it('is what was noted later of each person, where two runs have written', () => {
		const before = kept(
			[
				[ana, 'member 1'],
				[phone(1), 'member 1'],
			],
			'',
			NOW - DAY,
		);
		const first = kept([[ana, 'left 0.5']], before, NOW - DAY / 2);
		const second = kept([[phone(1), 'out 0.4']], before, NOW - 0.4 * DAY);
		for (const texts of [
			[first, second],
			[second, first],
		]) {
			const both = new GroupMemory(texts, NOW);
			expect([ana, phone(1)].map((ids) => told(both.find(ids).facts))).toEqual(['left 0.5', 'out 0.4']);
		}
	});

	it('is rid of whom no run has met for the 100 days before the newest of the group', () => {
		const text = kept([[ana, 'out 99']], '', NOW - 99 * DAY);
		expect(find(kept([[phone(1), 'member 0']], text)).metAt).toBe(NOW - 99 * DAY);
		expect(find(kept([[phone(1), 'member 0']], text, NOW + 2 * DAY))).toBe(UNKNOWN);
	});

	it('has 10,000 people of all groups: first members go, then whom no run has met for longest', async () => {
		const groups = [new GroupMemory([], NOW), new GroupMemory([], NOW)];
		for (let i = 0; i < 10_003; i++)
			groups[i < 5_000 ? 0 : 1]?.note(
				phone(i),
				facts(i === 0 ? 'member 0' : 'out 9'),
				NOW - (i < 10_001 ? 0 : DAY),
			);
		const texts = Object.fromEntries(groups.map((group, i) => [`${i}@g.us`, group.write()]));
		Object.assign(texts, await withinLimit(texts, NOW, async () => {}));
		const all = new GroupMemory(Object.values(texts), NOW);
		const isForgotten = (i: number) => all.find(phone(i)) === UNKNOWN;
		expect([...Array(10_003).keys()].filter(isForgotten)).toEqual([0, 10_001, 10_002]);
	});

	it('finds who was listed by a hidden ID by that and by the number, once no member shows both', () => {
		const group = new GroupMemory([], NOW);
		const hidden = identityFor('123456789012345@lid');
		group.note([hidden, ...phone(1)], facts('left 1'), NOW);
		const read = new GroupMemory([group.write()], NOW);
		expect([[hidden], phone(1)].map((ids) => told(read.find(ids).facts))).toEqual(['left 1', 'left 1']);
	});

	it.each<unknown>([
		undefined,
		null,
		'text',
		'[1]',
		'{"out 2026-11-22T05:00Z":null}',
		'{"x":["phone:553199990002"],"out 2026-11-99":[1],"out":["phone:553199990002"]}',
		'{"out 2026-11-24T05:01Z":["phone:553199990002"]}',
		'{"refused sulking 2026-11-22T05:00Z":["phone:553199990002"]}',
	])('is nothing where it is not understood: %j', (text) => {
		expect(told(find(text).facts)).toBe('');
	});

	/** When people were met, in days: the newest of a third of them is the last run. */
	it.each<[string, number[], number | undefined]>([
		['of nobody', [], undefined],
		['of a night', [1, 1, 1, 1, 2], 1],
		['of a handful at noon is no run', [0.7, 0.7, 1, 1, 1, 1, 1, 1, 1], 1],
		['of a third is one', [0.7, 0.7, 0.7, 1, 1, 1, 1, 1, 1], 0.7],
		['of this execution is none: rounds of a loop', [0, 0, 0, 0, 1, 1, 3], 1],
		['of weekly lists', [7, 7, 7, 14], 7],
		['of two people', [3, 1], 1],
	])('tells the last run: %s', (_, days, expected) => {
		const group = new GroupMemory([], NOW);
		days.forEach((day, i) => group.note(phone(i), {}, NOW - day * DAY));
		// An execution hardly begins with the minute.
		expect(group.lastRun(NOW + 30_000)).toBe(expected === undefined ? undefined : NOW - expected * DAY);
	});
});

describe('meaning', () => {
	/** Facts in words: `member 3`, so many days ago, `refused blocked 3`. */
	function facts(text: string): Facts {
		const words = text
			.split(', ')
			.filter(Boolean)
			.map((fact) => fact.split(' '));
		return Object.fromEntries(
			words.map(([name = '', ...more]) => {
				const at = NOW - Number(more.at(-1)) * DAY;
				return [name, name === 'refused' ? { at, outcome: more[0] } : { at }];
			}),
		);
	}

	const told = (known: Facts) =>
		FACT_NAMES.flatMap((name) => {
			const { at, outcome = '' } = { ...known[name] } as Partial<NonNullable<Facts['refused']>>;
			if (at === undefined) return [];
			return [[name, outcome, (NOW - at) / DAY].filter((word) => word !== '').join(' ')];
		}).join(', ');

	function toldStep(step: Step | InviteStep): string {
		const what = 'do' in step ? step.do : step.outcome;
		const days = (at: number) => (at - NOW) / DAY;
		return [
			'reason' in step ? step.reason : what,
			...('alone' in step && step.alone ? ['alone'] : []),
			...('until' in step && step.until !== undefined ? [`for ${days(step.until)}`] : []),
			...('triedAt' in step && step.triedAt ? [`tried ${-days(step.triedAt)}`] : []),
		].join(' ');
	}

	/** `in found`: should be a member, and is found; `in absent now`: and was met nine minutes ago. */
	function situationOf(text: string): Situation {
		const [wish, presence, met] = text.split(' ');
		const metAt = met === 'now' ? NOW - 9 * MINUTE : NOW - DAY;
		return { shouldBeMember: wish === 'in', presence: presence as Situation['presence'], number: ANA, metAt };
	}

	/** The run before was yesterday. */
	const rules = (some: Partial<MemoryRules> = {}): MemoryRules => ({
		now: NOW,
		lastRun: NOW - DAY,
		at: NOW,
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
					['', 'in found', 'unchanged', 'member 0'],
					['member 30', 'in found', 'unchanged', 'member 0'],
					[ALL_BESIDE, 'in found', 'unchanged', 'member 0'],
					['toLeave 3, refused rejected 3', 'in found', 'unchanged', 'member 0'],
					// Was a member in the run before.
					['member 1', 'in absent', 'left', 'left 0'],
					['member 0.5', 'in absent', 'left', 'left 0'],
					['member 1, refused rejected 1', 'in absent', 'left', 'left 0, refused rejected 1'],
					['left 9', 'in absent', 'left', 'left 9'],
					['left 9, refused blocked 1', 'in absent', 'left', 'left 9, refused blocked 1'],
					['left 1, toLeave 1', 'in absent', 'left', 'left 1'],
					['member 1', 'in unsure', 'unconfirmed', 'member 0'],
					['left 9', 'in unsure', 'unconfirmed', 'left 9'],
					// A run saw them a moment ago.
					['member 1', 'in absent now', 'unconfirmed', 'member 1'],
					['left 1', 'in absent now', 'left', 'left 1'],
					['asked 0', 'in absent', 'unconfirmed', 'asked 0'],
					// Others.
					['', 'in absent', 'planned', ''],
					['', 'in unsure', 'planned', ''],
					['out 3', 'in absent', 'planned tried 3', 'out 3'],
					['invited 3, maybeInvited 3', 'in absent', 'planned', 'invited 3, maybeInvited 3'],
					['toLeave 3', 'in absent', 'planned', ''],
				],
			],
			[
				'adds who left again',
				{ whoLeft: 'addAgain' },
				[
					['member 1', 'in absent', 'planned tried 1', 'left 0'],
					['left 3', 'in absent', 'planned tried 3', 'left 3'],
					['left 3, refused blocked 1', 'in absent', 'refusedLately for 6', 'left 3, refused blocked 1'],
					['member 1', 'in absent now', 'unconfirmed', 'member 1'],
					['member 1', 'in unsure', 'unconfirmed for 6', 'member 1'],
					['member 7', 'in unsure', 'planned tried 7', 'member 7'],
					['member 6.92', 'in unsure', 'planned tried 6.92', 'member 6.92'],
					['left 6', 'in unsure', 'unconfirmed for 1', 'left 6'],
					['left 7', 'in unsure', 'planned tried 7', 'left 7'],
				],
			],
			[
				'waits for the wish that was refused',
				{},
				[
					['refused blocked 6', 'in absent', 'refusedLately for 1', 'refused blocked 6'],
					['refused blocked 7', 'in absent', 'planned tried 7', 'refused blocked 7'],
					['refused blocked 6.95', 'in absent', 'planned tried 6.95', 'refused blocked 6.95'],
					['out 9, refused blocked 1', 'in absent', 'refusedLately for 6', 'out 9, refused blocked 1'],
					['refused blocked 7', 'in unsure', 'planned alone tried 7', 'refused blocked 7'],
					['asked 1', 'in absent', 'planned alone tried 1', 'asked 1'],
					['refused blocked 8, asked 1', 'in absent', 'planned alone tried 1', 'refused blocked 8, asked 1'],
					['toLeave 3, refused rejected 1', 'in absent', 'planned', ''],
					['toLeave 3, asked 1', 'in unsure', 'planned', ''],
					[
						'toLeave 3, refused rejected 1',
						'out found',
						'refusedLately for 6',
						'toLeave 3, refused rejected 1',
					],
					['toLeave 9, refused rejected 7', 'out found', 'planned tried 7', 'toLeave 9, refused rejected 7'],
					['toLeave 3, asked 1', 'out found', 'planned alone tried 1', 'toLeave 3, asked 1'],
					['refused blocked 1', 'out found', 'planned', ''],
					['member 1, asked 1', 'out found', 'planned', 'member 1'],
					['refused blocked 1, invited 1', 'out absent', 'unchanged', 'invited 1'],
				],
			],
			[
				'removes who should not be a member',
				{},
				[
					['', 'out found', 'planned', ''],
					['member 1', 'out found', 'planned', 'member 1'],
					['left 1', 'out found', 'planned', ''],
					['left 1', 'out absent', 'unchanged', 'left 1, toLeave 0'],
					['left 1, toLeave 1', 'out absent', 'unchanged', 'left 1, toLeave 1'],
					['left 1', 'out unsure', 'unchanged', 'left 1, toLeave 0'],
					['out 5', 'out found', 'planned tried 5', 'out 5'],
					['out 5', 'out absent', 'unchanged', 'out 5'],
					['member 1', 'out unsure', 'unchanged', 'member 1'],
				],
			],
			[
				'removes them after some days',
				{ removeAfter: 7 },
				[
					['', 'out found', 'removeAfter for 7', ''],
					['member 30', 'out found', 'removeAfter for 7', 'member 30'],
					['toLeave 6', 'out found', 'removeAfter for 1', 'toLeave 6'],
					['toLeave 7', 'out found', 'planned', 'toLeave 7'],
					['toLeave 6.92', 'out found', 'planned', 'toLeave 6.92'],
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

		it('says left of nobody where so many have gone that they did not leave', () => {
			const step = (known: string) =>
				toldStep(decide(facts(known), situationOf('in absent'), rules({ isNobodyLeft: true })).step);

			expect(['member 1', 'left 1', 'out 1'].map(step)).toEqual(['planned', 'left', 'planned tried 1']);
		});

		it('lets a number wait that is not on the network, and no corrected one', () => {
			const refused = { at: NOW - DAY, outcome: 'notFound', number: '4915200000009' } as const;
			const step = (number: string) =>
				toldStep(decide({ refused }, { ...situationOf('in absent'), number }, rules()).step);

			expect([step(refused.number), step(ANA)]).toEqual(['refusedLately for 6', 'planned tried 1']);
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
				'out 9, refused notFound 0',
			],
			['refused blocked 30', 'in absent', reply('blocked', false), 'refused blocked 0'],
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
			['refused blocked 9', 'in unsure', 'unknown', 'refused unconfirmed 0'],
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
				'toLeave 9, refused rejected 0',
			],
			['toLeave 2', 'out found', remove(reply('unconfirmed', null)), 'toLeave 2, asked 0'],
			['member 9', 'out found', { ...remove(reply('postponed', false)), reason: 'removeAfter' }, 'toLeave 0'],
			[
				'toLeave 5',
				'out found',
				{ ...remove(reply('postponed', false)), reason: 'removeAfter' },
				'toLeave 5',
			],
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
			const times = { now: NOW, at: NOW };
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
			['refused notFound 1', true, 'wait for 6'],
			['refused rejected 7', true, 'send tried 7'],
			['refused inviteRequired 1', true, 'send'],
			['refused unconfirmed 1', true, 'send'],
			// Members get no message, and neither does who left, unless an addition was refused since.
			['member 1', true, 'member'],
			['member 1', false, 'send'],
			['left 99', true, 'left'],
			['left 1, toLeave 1', true, 'left'],
			['member 101', true, 'send'],
			['left 101', true, 'send'],
			['left 9, refused inviteRequired 1', true, 'send'],
			['left 1, refused inviteRequired 9', true, 'left'],
			['member 1, invited 1', true, 'alreadyInvited'],
			['toLeave 3, refused rejected 1', true, 'send'],
		])('%s, only once %p: %s', (known, onlyOnce, step) => {
			expect(toldStep(decideInvite(facts(known), { now: NOW, number: ANA, onlyOnce }))).toBe(step);
		});

		it.each<[string, Answer['outcome'] | 'noLink', string]>([
			['refused inviteRequired 1', 'sent', 'refused inviteRequired 1, invited 0'],
			['', 'unconfirmed', 'maybeInvited 0'],
			['', 'noLink', 'maybeInvited 0'],
			['out 9, asked 9', 'notFound', 'out 9, refused notFound 0'],
			['refused notFound 7', 'notFound', 'refused notFound 0'],
			['member 1', 'rejected', 'member 1, refused rejected 0'],
			['left 9', 'postponed', 'left 9'],
		])('remembers, after %s, %s: %s', (before, outcome, after) => {
			expect(told(factsAfterInvite(facts(before), outcome, ANA, NOW))).toBe(after);
		});
	});
});
describe('recall', () => {
	/** What stores know: the node has met the person in the run before, and somebody in the process an hour ago. */
	const sources = (known: { node?: string; notes?: string; met?: number }): Sources => ({
		node: { facts: facts(known.node ?? ''), metAt: NOW - DAY * (known.met ?? 1) },
		notes: { facts: facts(known.notes ?? ''), metAt: NOW - DAY * (known.met ?? 1 / 24) },
	});
	const rules = { now: NOW, lastRun: NOW - DAY };

	it.each<[string, Parameters<typeof sources>[0], string, Partial<Parameters<typeof recall>[1]>?]>([
		['is the newest fact, wherever it stands', { node: 'left 3', notes: 'out 1' }, 'out 1'],
		[
			'is all facts that do not contradict each other',
			{ node: 'out 3', notes: 'refused 1' },
			'out 3, refused 1',
		],
		[
			'begins with the first notice of who should leave',
			{ node: 'toLeave 5', notes: 'toLeave 1' },
			'toLeave 5',
		],
		['is no invite of before a removal', { node: 'invited 9', notes: 'out 5 by web' }, 'out 5'],
		['is no invite of before a membership', { node: 'invited 9', notes: 'member 5' }, ''],
		[
			'is a removal by another node after a membership',
			{ node: 'member 1', notes: 'out 0.5 by web' },
			'out 0.5',
		],
		[
			'is a removal on its way',
			{ node: 'member 1', notes: 'toLeave 0.5, asked 0.5' },
			'asked 0.5, toLeave 0.5',
		],
		['is no membership that others saw, and nobody who left by their word', { notes: 'member 1' }, ''],
		[
			'is the own membership, though others saw one, too',
			{ node: 'member 1', notes: 'member 0.5' },
			'member 1',
		],
		['is who left by the own word alone', { node: 'left 3', notes: 'left 1' }, 'left 3'],
		['is a membership where a row was missing once: a slip', { node: 'member 2', met: 2 }, 'member 2'],
		['is one after two and a half steps, and no longer', { node: 'member 2.5', met: 2.5 }, 'member 2.5'],
		['is none where a row was missing twice: a new wish', { node: 'member 3, left 3', met: 3 }, ''],
		[
			'is out and invites even then',
			{ node: 'toLeave 9, refused 9, invited 9', notes: 'out 90', met: 91 },
			'invited 9, out 90',
		],
		[
			'is a membership in two weekly lists',
			{ node: 'member 14', met: 14 },
			'member 14',
			{ lastRun: NOW - 7 * DAY },
		],
		['is none in three', { node: 'member 21', met: 21 }, '', { lastRun: NOW - 7 * DAY }],
		[
			'is none of long ago where no run before is known',
			{ node: 'member 300', met: 300 },
			'',
			{ lastRun: undefined },
		],
		['has a step of at least a day', { node: 'member 1', met: 2.4 }, 'member 1', { lastRun: NOW - DAY / 24 }],
		['is an invite of somebody unmet for 100 days', { node: 'invited 99', met: 99.9 }, 'invited 99'],
		['is none of somebody unmet for longer', { node: 'invited 101', notes: 'invited 101', met: 100.1 }, ''],
		[
			'is a leaving of 36 hours at most that n8n does not keep',
			{ node: 'left 2', met: 1.6 },
			'',
			{ isUnkept: true },
		],
		['is one of less', { node: 'left 2, refused 1', met: 1.4 }, 'left 2, refused 1', { isUnkept: true }],
		['is a refusal in any case', { node: 'refused 2', met: 1.6 }, 'refused 2', { isUnkept: true }],
	])('%s', (_, known, expected, more = {}) => {
		const { facts: all } = { facts: recall(sources(known), { ...rules, ...more }) };
		expect(told(all).split(', ').sort().join(', ')).toBe(expected.split(', ').sort().join(', '));
	});

	it('counts for an invite by the word of any node', () => {
		const known = sources({ node: 'refused 9', notes: 'member 5', met: 40 });
		expect(told(recallForInvite(known, NOW))).toBe('member 5');
		expect(told(recallForInvite(sources({ node: 'invited 99', met: 101 }), NOW))).toBe('');
	});
});

describe('invites: properties', () => {
	/**
	 * Histories of Send Invite, run after run with the same list. Two memories may know of a message: the node's, and for
	 * a day the notes of the process. The model notes which of them still should.
	 */

	const HOUR = 60 * 60 * 1000;
	/** A week, but for the two hours by which a run may come early. */
	const RETRY = (7 * 24 - 2) * HOUR;
	const PHONES = ['5511999990001', '5531999990002', '4915200000003', '447700900004', '12025550105'];
	const SENT = ['sent', 'unconfirmed', 'noLink'] as const;
	const REFUSED = ['notFound', 'rejected'] as const;
	const MEMORIES = ['node', 'notes'] as const;
	type Memory = (typeof MEMORIES)[number];

	const usually = <T>(usual: T, times: number, ...others: T[]) =>
		fc.constantFrom(...Array<T>(times).fill(usual), ...others);
	const history = fc.record({
		never: fc.subarray([...MEMORIES], { maxLength: 1 }),
		maxPerRun: fc.constantFrom(1, 2, 10),
		runs: fc.array(
			fc.record({
				hours: fc.constantFrom(24, 24, 24, 7),
				/** Memories that don't keep what this run does. */
				unwritten: usually<Memory | undefined>(undefined, 8, ...MEMORIES),
				/** Memories that are lost before it. */
				lost: usually<Memory | undefined>(undefined, 8, ...MEMORIES),
				replies: fc.array(
					usually<(typeof SENT)[number] | (typeof REFUSED)[number]>('sent', 3, ...SENT, ...REFUSED),
					{ minLength: PHONES.length, maxLength: PHONES.length },
				),
			}),
			{ minLength: 3, maxLength: 20 },
		),
	});
	type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

	/** Plays a history. @returns messages and tries that were one too many, with the number of memories that knew better */
	function play({ never, maxPerRun, runs }: History) {
		const harms: string[] = [];
		const isCalm = never.length === 0 && runs.every(({ unwritten, lost }) => !unwritten && !lost);
		let now = Date.UTC(2026, 10, 1, 5);
		let stored = '';
		const people = PHONES.map((phone) => ({
			phone,
			notes: UNKNOWN,
			/** By memory: when a message, or a refusal, was noted that is still there. */
			sent: new Map<Memory, number>(),
			refused: new Map<Memory, number>(),
			wasSent: false,
			waited: 0,
		}));
		for (const { hours, unwritten, lost, replies } of runs) {
			now += hours * HOUR;
			if (lost === 'node') stored = '';
			for (const one of people) {
				if (lost === 'notes' || now - one.notes.metAt >= 24 * HOUR) one.notes = UNKNOWN;
				for (const known of [one.sent, one.refused]) {
					if (lost !== undefined) known.delete(lost);
					if (one.notes === UNKNOWN) known.delete('notes');
				}
			}
			const kept = new GroupMemory([stored], now);
			const rows = people.map((one, i) => {
				const ids = [identityFor(one.phone)];
				const known = recallForInvite({ node: kept.find(ids), notes: one.notes }, now);
				const step = decideInvite(known, { now, number: one.phone, onlyOnce: true });
				return { one, ids, known, step, reply: replies[i] ?? 'sent' };
			});
			const due = rows
				.flatMap((row) => (row.step.do === 'send' ? [{ row, triedAt: row.step.triedAt }] : []))
				.sort((a, b) => a.triedAt - b.triedAt)
				.map(({ row }) => row);
			const served = new Set(due.slice(0, maxPerRun));
			for (const row of rows) {
				const { one, ids, known, reply } = row;
				const isServed = served.has(row);
				one.waited = due.includes(row) && !isServed ? one.waited + 1 : 0;
				if (isCalm && one.waited > 2 * PHONES.length) harms.push('waits for a turn in too many runs');
				const next = isServed ? factsAfterInvite(known, reply, one.phone, now) : known;
				const keeps = (which: Memory) => !never.includes(which) && unwritten !== which;
				if (keeps('node')) kept.note(ids, next, now);
				if (!isServed) continue;
				const isSent = SENT.some((outcome) => outcome === reply);
				const about = isSent ? one.sent : one.refused;
				if (isSent && one.wasSent) harms.push(`a message twice, and memories knew: ${one.sent.size}`);
				const recent = [...one.refused.values()].filter((at) => at + RETRY > now).length;
				if (recent > 0) harms.push(`tried too often, and memories knew: ${recent}`);
				one.wasSent ||= isSent;
				for (const which of MEMORIES) if (keeps(which)) about.set(which, now);
				if (keeps('notes')) one.notes = { metAt: now, facts: next };
			}
			stored = kept.write();
		}
		return harms;
	}

	it('sends nobody a second message, and tries nobody too often, as long as one memory of two knows', () => {
		const figures = new Map<string, number>();
		fc.assert(
			fc.property(history, (one) => {
				const harms = play(one);
				for (const harm of harms) figures.set(harm, (figures.get(harm) ?? 0) + 1);
				expect(harms.filter((harm) => !harm.endsWith('knew: 0'))).toEqual([]);
			}),
			runsOf(100_000, 200),
		);
		expect(figures.get('a message twice, and memories knew: 0')).toBeGreaterThan(10);
		if (thorough) console.log([...figures].map((line) => line.join(' — ')).join('\n'));
	});
});
