import fc from 'fast-check';
import { identityFor } from '../../../nodes/MessagingGateway/groups/identity';
import {
	consistent,
	FACT_NAMES,
	type Facts,
	REFUSALS,
} from '../../../nodes/MessagingGateway/groups/memory/fact';
import { KnownPeople } from '../../../nodes/MessagingGateway/groups/memory/knownPeople';
import {
	type Answer,
	decide,
	decideInvite,
	factsAfter,
	factsAfterInvite,
	type MemoryRules,
	type Situation,
	type Step,
} from '../../../nodes/MessagingGateway/groups/memory/meaning';
import { noteChanges } from '../../../nodes/MessagingGateway/groups/memory/noteChanges';
import {
	lastRunAmong,
	recall,
	recallForInvite,
	type Sources,
	UNKNOWN,
} from '../../../nodes/MessagingGateway/groups/memory/recall';
import { readRowText, rowTextAfter } from '../../../nodes/MessagingGateway/groups/memory/text';
import { runsOf, thorough } from '../../thorough';
import { person } from '../support';

describe('knownPeople', () => {
	const DAY = 24 * 60 * 60 * 1000;
	const NOW = Date.UTC(2026, 10, 22, 5);
	const GROUP = '120363021345678901@g.us';
	const ANA = '5531999990002';
	const idsOf = (...ids: string[]) => ids.map(identityFor);
	const ana = idsOf(ANA);
	const phone = (i: number) => idsOf(`49152${String(i).padStart(8, '0')}`);
	const by = (node: string, startedAt = NOW) => ({ node, startedAt });

	/** `member 1, out 0.5`: facts so many days ago. */
	function facts(text: string): Facts {
		return Object.fromEntries(
			text.split(', ').map((fact) => {
				const [name = '', days] = fact.split(' ');
				return [name, { at: NOW - Number(days) * DAY, ...(name === 'refused' && { outcome: 'blocked' }) }];
			}),
		);
	}

	const told = (known: Facts) =>
		Object.entries(known)
			.map(([name, { at }]) => `${name} ${(NOW - at) / DAY}`)
			.join(', ');

	describe('the process', () => {
		const [group, change] = ['main', { instance: 'main', groupJid: GROUP, item: 0 }] as const;
		const request = (action: 'add' | 'remove') => {
			const participant = person(ANA);
			const changes = [{ ...change, action, participant }];
			return { instance: group, groupJid: GROUP, action, participants: [participant], changes };
		};
		const author = by('web');
		const result = (action: 'add' | 'remove', outcome: 'done' | 'inviteRequired', applied: boolean) => ({
			...change,
			participant: ANA,
			action,
			outcome,
			applied,
			message: '',
		});
		let now = NOW;
		beforeEach(() => {
			now = NOW;
			jest.spyOn(Date, 'now').mockImplementation(() => now);
		});
		afterEach(() => jest.restoreAllMocks());
		const names = (people: KnownPeople) => Object.keys(people.find(GROUP, ana).facts);

		it('knows a change from when it is sent', () => {
			const people = new KnownPeople();
			noteChanges(people, request('remove'), author);
			expect(names(people)).toEqual(['toLeave', 'asked']);
		});

		it.each([
			['done', 'add', [result('add', 'done', true)], ['member']],
			['refused', 'add', [result('add', 'inviteRequired', false)], ['refused']],
			['done', 'remove', [result('remove', 'done', true)], ['out']],
			['unknown', 'add', 'unknown', ['asked']],
			['not sent', 'remove', 'notSent', []],
		] as const)('knows its result: %s, %s', (_, action, results, expected) => {
			const people = new KnownPeople();
			noteChanges(people, request(action), author)(results);
			expect(names(people)).toEqual(expected);
		});

		it('dates a removal by its answer, since a run may have read the group meanwhile', () => {
			const people = new KnownPeople();
			const answer = noteChanges(people, request('remove'), author);
			now = NOW + 60_000;
			answer([result('remove', 'done', true)]);
			expect(people.find(GROUP, ana).facts.out).toEqual({ at: now, by: 'web' });
		});

		it('says of nobody that a node took them out who were not in the group', () => {
			const people = new KnownPeople();
			const answer = noteChanges(people, request('remove'), author);
			answer([{ ...result('remove', 'done', true), outcome: 'unchanged' }]);
			expect(people.find(GROUP, ana).facts.out?.by).toBe('');
		});

		it('knows who took somebody out, also after another removal that finds them gone', () => {
			const people = new KnownPeople();
			people.note(GROUP, ana, by('night'), () => facts('out 1'), true);
			const answer = noteChanges(people, request('remove'), author);
			answer([{ ...result('remove', 'done', true), outcome: 'unchanged' }]);
			expect(people.find(GROUP, ana).facts.out?.by).toBe('night');
		});

		it('puts people together once a run has found that they are one', () => {
			const people = new KnownPeople();
			const lid = [identityFor('1@lid')];
			people.note(GROUP, ana, by('web'), () => facts('refused 2'));
			people.note(GROUP, lid, by('web'), () => facts('invited 1'));
			people.note(GROUP, [...ana, ...lid], by('night'), (before) => before);
			people.note(GROUP, ana, by('web'), (before) => ({ ...before, ...facts('toLeave 0') }));
			expect(people.find(GROUP, lid).facts).toEqual(people.find(GROUP, ana).facts);
			expect(names(people)).toEqual(['refused', 'invited', 'toLeave']);
		});

		it('keeps a change that is under way while another node notes what it sees', () => {
			const people = new KnownPeople();
			noteChanges(people, request('remove'), author);
			people.remember({ groupJid: GROUP, ids: ana, facts: facts('member 1') }, by('night'), NOW);
			expect(names(people)).toEqual(['asked', 'toLeave']);
		});

		it('knows a person by every ID once a run has found that they are one', () => {
			const people = new KnownPeople();
			const lid = [identityFor('1@lid')];
			people.note(GROUP, [...ana, ...lid], by('night'), () => facts('member 1'));
			people.note(GROUP, lid, by('web'), () => facts('out 0'));
			expect(names(people)).toEqual(['out']);
			expect(people.find('2@g.us', ana)).toBe(UNKNOWN);
		});

		it('keeps what another node noted after a run had read', () => {
			const people = new KnownPeople();
			people.note(GROUP, ana, by('web'), () => facts('out -0.1'));
			people.remember({ groupJid: GROUP, ids: ana, facts: facts('member 0') }, by('night'), NOW);
			expect(names(people)).toEqual(['out']);
			people.remember({ groupJid: GROUP, ids: ana, facts: facts('member -0.2') }, by('night'), NOW + DAY);
			expect(names(people)).toEqual(['member']);
		});

		it('has room for 20,000 people: first members go', () => {
			const people = new KnownPeople();
			people.note(GROUP, ana, by('web'), () => facts('out 0'));
			for (let i = 0; i < 20_000; i++) people.note(GROUP, phone(i), by('web'), () => facts('member 0'));
			expect(names(people)).toEqual(['out']);
			expect(people.find(GROUP, phone(0))).toBe(UNKNOWN);
			expect(people.find(GROUP, phone(19_999))).not.toBe(UNKNOWN);
		});
	});

	describe("n8n's own memory", () => {
		/** What n8n gives back of people whom a run has noted. */
		function kept(
			people: ReadonlyArray<readonly [ids: typeof ana, facts: string]>,
			before = '',
			startedAt = NOW,
		) {
			const known = KnownPeople.read(before, NOW);
			for (const [ids, text] of people)
				known.remember(
					{ groupJid: GROUP, ids, facts: text === '' ? {} : facts(text) },
					by('night', startedAt),
				);
			return known.write();
		}
		const find = (text: string, ids = ana, group = GROUP) => KnownPeople.read(text, NOW).find(group, ids);

		it('keeps all facts, and when a run met the person last', () => {
			for (const text of ['out 9, refused 1', 'member 0', ''])
				expect([told(find(kept([[ana, text]])).facts), find(kept([[ana, text]])).metAt]).toEqual([text, NOW]);
			expect(find('')).toBe(UNKNOWN);
		});

		it('knows a person by every form of a number, in one group', () => {
			const text = kept([[idsOf(ANA, '1@lid'), 'refused 0']]);
			const all = [idsOf(ANA), idsOf('553199990002'), idsOf('5531999990003')];
			expect(all.map((ids) => told(find(text, ids).facts))).toEqual(['refused 0', 'refused 0', '']);
			expect(find(text, ana, '1@g.us')).toBe(UNKNOWN);
			expect(told(find(kept([[idsOf('1@lid'), 'refused 0']]), idsOf('1@lid')).facts)).toBe('refused 0');
		});

		it('puts together what several IDs know, and keeps one place for them', () => {
			const text = kept([[idsOf('1@lid'), 'asked 1']], kept([[ana, 'refused 0']]));
			const both = [...ana, ...idsOf('1@lid')];
			expect(told(find(text, both).facts)).toBe('refused 0');
			expect(find(kept([[both, 'out 0']], text), idsOf('1@lid'))).toBe(UNKNOWN);
		});

		it('keeps texts of rows without their keys, each once', () => {
			const text = kept([
				[ana, 'refused 0, asked 0'],
				[phone(1), 'refused 0, asked 0'],
				[phone(2), 'out 1'],
			]);
			expect(JSON.parse(text)).toEqual({
				[GROUP]: {
					'refused blocked 2026-11-22T05:00Z; asked 2026-11-22T05:00Z': [
						'phone:553199990002',
						'phone:4915200000001',
					],
					'out 2026-11-21T05:00Z; met 2026-11-22T05:00Z': ['phone:4915200000002'],
				},
			});
		});

		it('is rid of whom no run has met for the 60 days before the newest date of their group', () => {
			const text = kept([[ana, 'out 70']], '', NOW - 59 * DAY);
			expect(find(kept([[phone(1), 'member 0']], text)).metAt).toBe(NOW - 59 * DAY);
			expect(find(kept([[phone(1), 'member -2']], text, NOW + 2 * DAY))).toBe(UNKNOWN);
		});

		it('keeps 10,000 people of all groups: first members go, then whom no run has met for longest', () => {
			const people = KnownPeople.read('', NOW);
			for (let i = 0; i < 10_003; i++) {
				const [groupJid, startedAt] =
					i < 5_000 ? ['1@g.us', NOW] : [GROUP, NOW - (i < 10_001 ? DAY : 2 * DAY)];
				const known = { groupJid, ids: phone(i), facts: facts(i === 0 ? 'member 0' : 'out 99') };
				people.remember(known, by('night', startedAt));
			}
			const all = KnownPeople.read(people.write(), NOW);
			const isForgotten = (i: number) =>
				['1@g.us', GROUP].every((group) => all.find(group, phone(i)) === UNKNOWN);
			expect([...Array(10_003).keys()].filter(isForgotten)).toEqual([0, 10_001, 10_002]);
		});

		it.each<unknown>([
			undefined,
			null,
			'text',
			'[1]',
			'{"1@g.us":null}',
			`{"${GROUP}":{"x":["phone:553199990002"],"out 2026-11-99":[1]}}`,
			`{"${GROUP}":{"out 2026-11-24T05:01Z":["phone:553199990002"]}}`,
		])('is nothing where it is not understood: %j', (text) => {
			expect(told(KnownPeople.read(text, NOW).find(GROUP, ana).facts)).toBe('');
		});
	});
});

describe('meaning', () => {
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
					['member 6.92', 'in unsure', 'send tried 6.92', 'member 6.92'],
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
			['refused notFound 1', true, 'refusedLately for 6'],
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
			expect(toldStep(decideInvite(facts(known), { now: NOW, onlyOnce }))).toBe(step);
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
			expect(told(factsAfterInvite(facts(before), outcome, NOW))).toBe(after);
		});
	});
});

describe('recall', () => {
	const HOUR = 60 * 60 * 1000;
	const DAY = 24 * HOUR;
	const NOW = Date.UTC(2026, 10, 22, 5);

	/** `member 1, out 0.5 by web`: facts so many days ago, and who noted them. */
	function facts(text: string): Facts {
		const each = text.split(', ').filter(Boolean);
		return Object.fromEntries(
			each.map((fact) => {
				const [name = '', days, , by] = fact.split(' ');
				const outcome = name === 'refused' ? { outcome: 'blocked' } : {};
				return [name, { at: NOW - Number(days) * DAY, ...outcome, ...(by && { by }) }];
			}),
		);
	}

	/** What stores know, by store; the process has met the person an hour ago, n8n in the run before. */
	const sources = (known: { rows?: string; n8n?: string; process?: string; met?: number }): Sources => ({
		rows: [facts(known.rows ?? '')],
		n8n: { facts: facts(known.n8n ?? ''), metAt: NOW - DAY * (known.met ?? 1) },
		process: { facts: facts(known.process ?? ''), metAt: NOW - DAY * (known.met ?? 1 / 24) },
	});
	const told = (known: Facts) =>
		Object.entries(known)
			.map(([name, { at }]) => `${name} ${(NOW - at) / DAY}`)
			.join(', ');
	const rules = { now: NOW, lastRun: NOW - DAY, node: 'night' };

	describe('what is remembered of a person', () => {
		it.each<[string, Parameters<typeof sources>[0], string]>([
			['is the newest fact, wherever it stands', { rows: 'member 1', n8n: 'left 3' }, 'member 1'],
			[
				'is all facts that do not contradict each other',
				{ rows: 'out 3', n8n: 'refused 1' },
				'out 3, refused 1',
			],
			[
				'begins with the first notice of who should leave',
				{ rows: 'toLeave 5', n8n: 'toLeave 1' },
				'toLeave 5',
			],
			['is no invite of before a removal', { rows: 'invited 9', process: 'out 5 by web' }, 'out 5'],
			['is no invite of before a membership', { n8n: 'invited 9', process: 'member 5 by web' }, ''],
			[
				'is a removal by another node after a membership',
				{ rows: 'member 1', process: 'out 0.5 by web' },
				'out 0.5',
			],
			[
				'is a removal on its way',
				{ rows: 'member 1', process: 'toLeave 0.5 by web, asked 0.5 by web' },
				'asked 0.5, toLeave 0.5',
			],
			['is no membership that another node saw', { process: 'member 1 by web' }, ''],
			[
				'is the own membership, though another node saw one, too',
				{ rows: 'member 1, invited 1', process: 'member 0.5 by web' },
				'member 1',
			],
			['is nobody who left by the word of another node', { process: 'left 1 by web' }, ''],
			['is who left by the own word in the process', { process: 'left 1 by night' }, 'left 1'],
			[
				'is no standing of more than 36 hours ago that only the process has',
				{ process: 'member 1.6 by night' },
				'',
			],
			[
				'is no end of a grace that only the process has, of somebody long unmet',
				{ process: 'toLeave 9 by night, refused 1 by night', met: 1.6 },
				'',
			],
			['is no end of a grace of somebody whom the run before did not meet', { n8n: 'toLeave 9', met: 2 }, ''],
			['is the end of a grace while runs meet the person', { n8n: 'toLeave 9' }, 'toLeave 9'],
			['is who left while the row was there', { n8n: 'left 2' }, 'left 2'],
			['is nobody who left before the row was missing', { n8n: 'left 3' }, ''],
			['is who left long ago by the word of a row', { rows: 'left 300', n8n: 'left 300' }, 'left 300'],
			[
				'is nothing that n8n knows of somebody unmet for a month',
				{ n8n: 'left 40, refused 40', met: 31.1 },
				'',
			],
			[
				'is still an invite of somebody unmet for two months',
				{ n8n: 'refused 40, invited 40', met: 60.9 },
				'invited 40',
			],
			[
				'is no invite of somebody unmet for longer',
				{ n8n: 'invited 70', process: 'invited 70 by web', met: 61.1 },
				'',
			],
			['is an invite as long as a row has it', { rows: 'invited 400' }, 'invited 400'],
			['is still a removal of long ago', { rows: 'invited 99', n8n: 'out 90', met: 31.1 }, 'out 90'],
			[
				'is a refusal of long ago in the process',
				{ process: 'out 90 by web, refused 90 by web', met: 90 },
				'out 90, refused 90',
			],
		])('%s', (_, known, expected) => {
			expect(told(recall(sources(known), rules))).toBe(expected);
		});
	});

	it('counts all that the process knows of members where nobody is kept out, but no old grace', () => {
		const known = sources({ process: 'member 5 by web' });
		expect(told(recall(known, { ...rules, whoLeft: 'addAgain' }))).toBe('member 5');
		const unmet = sources({ process: 'toLeave 7 by night, refused 7 by night', met: 5 });
		expect(told(recall(unmet, { ...rules, whoLeft: 'addAgain' }))).toBe('');
	});

	it('counts for an invite by the word of any node, and as long as runs meet the person', () => {
		const rules = (known: Parameters<typeof sources>[0]) => told(recallForInvite(sources(known), NOW));
		expect(rules({ rows: 'invited 9', process: 'member 5 by web' })).toBe('member 5');
		expect(rules({ n8n: 'invited 90', process: 'invited 90 by web', met: 59.9 })).toBe('invited 90');
		expect(rules({ n8n: 'invited 90, out 99', process: 'invited 90 by web', met: 60.1 })).toBe('out 99');
		expect(rules({ rows: 'invited 400' })).toBe('invited 400');
	});

	/** So many people who are members since so many days. */
	const shared = (...dates: Array<[people: number, days: number]>) =>
		dates.flatMap(([people, days]) => Array.from({ length: people }, () => ({ rows: `member ${days}` })));

	describe('the run before', () => {
		it.each<[string, Array<Parameters<typeof sources>[0]>, number | undefined]>([
			[
				'is the date that most share',
				[{ rows: 'member 1' }, { rows: 'member 1' }, { rows: 'member 0.5' }],
				1,
			],
			['is the newest of equally many', [{ rows: 'member 2' }, { rows: 'member 1' }], 1],
			['is no earlier list that more share', shared([60, 90], [10, 1]), 1],
			['is the night, not a handful at noon', shared([30, 1], [5, 0.5]), 1],
			['is the newest that enough share, if all is older than 36 hours', shared([30, 2.1], [5, 0.5]), 0.5],
			['is no date of fewer than three people', shared([9, 9], [2, 1]), 9],
			['is no date of less than a tenth', shared([60, 9], [6, 1]), 9],
			['is no date of so few people, though it is near', shared([5, 1], [4, 0.5], [2, 0.2]), 1],
			[
				'is a date of a person once, in rows and n8n together',
				[
					...[1, 2, 3].map(() => ({ rows: 'member 1' })),
					...[1, 2].map(() => ({ rows: 'member 0.5', n8n: 'member 0.5' })),
				],
				1,
			],
			['counts rows and n8n apart', [{ rows: 'member 0.5', n8n: 'member 1' }, { n8n: 'member 1' }], 1],
			['is no date of this execution', [{ rows: 'member 0' }, { rows: 'member 0' }, { rows: 'member 2' }], 2],
			['is nothing of who left', [{ rows: 'left 1' }, { rows: 'left 1' }, { rows: 'member 2' }], 2],
			[
				'is in the process only where nothing else tells',
				[{ process: 'member 1 by night', rows: 'member 3' }],
				3,
			],
			['is the own one there', [{ process: 'member 1 by night' }, { process: 'member 2 by web' }], 1],
			['is unknown without any', [{ n8n: 'refused 1' }], undefined],
		])('%s', (_, known, days) => {
			const at = lastRunAmong(known.map(sources), rules);
			expect(at && (NOW - at) / DAY).toBe(days);
		});
	});
});

describe('text', () => {
	const GROUP = '120363021345678901@g.us';
	const ana = identityFor('5531999990002');
	const NOW = Date.UTC(2026, 10, 22, 5, 30, 59);
	/** A day without a time is its end. */
	const OCTOBER = Date.UTC(2026, 9, 1, 23, 59);
	const D1 = Date.UTC(2026, 10, 1, 5);

	const read = (text: string, id = ana, group = GROUP) => readRowText(text, group, id, NOW);
	const { key } = read('');
	describe("a row's text", () => {
		it.each<[string, Facts]>([
			['', {}],
			['member 2026-11-01T05:00Z', { member: { at: D1 } }],
			[
				'out 2026-11-01T05:00Z; refused notFound 2026-11-01T05:00Z; invited 2026-10-01',
				{ out: { at: D1 }, refused: { at: D1, outcome: 'notFound' } },
			],
			[
				'member 2026-11-01T05:00Z; invited 2026-11-01T04:59Z; maybeInvited 2026-10-01',
				{ member: { at: D1 } },
			],
			[
				'member 2026-11-01T05:00Z; invited 2026-11-01T05:00Z; maybeInvited 2026-11-01T05:00Z',
				{ member: { at: D1 }, invited: { at: D1 }, maybeInvited: { at: D1 } },
			],
			[
				'member 2026-10-01; refused blocked 2026-11-01T05:00Z',
				{ member: { at: OCTOBER }, refused: { at: D1, outcome: 'blocked' } },
			],
			['member 2026-11-01T05:00Z; refused blocked 2026-10-01', { member: { at: D1 } }],
			['member 2026-10-01; asked 2026-11-01T05:00Z', { asked: { at: D1 } }],
			['refused blocked 2026-11-01T05:00Z; asked 2026-10-01', { refused: { at: D1, outcome: 'blocked' } }],
			[
				'refused blocked 2026-10-01; asked 2026-11-01T05:00Z',
				{ refused: { at: OCTOBER, outcome: 'blocked' }, asked: { at: D1 } },
			],
			['member 2026-11-01T05:00Z; left 2026-10-01', { left: { at: OCTOBER } }],
			[
				'toLeave 2026-11-01T05:00Z; refused rejected 2026-10-01',
				{ toLeave: { at: D1 }, refused: { at: OCTOBER, outcome: 'rejected' } },
			],
			['out 2026-10-01; MEMBER   2026-11-01T05:00Z ;;', { member: { at: D1 } }],
			[' tOlEaVe\t2026-11-01 05:00 ', { toLeave: { at: D1 } }],
			['member 2026-11-01', { member: { at: Date.UTC(2026, 10, 1, 23, 59) } }],
			['left 2026-11-22', { left: { at: NOW - 60_000 } }],
			['left 2026-11-23', { left: { at: NOW - 60_000 } }],
			['refused blocked 2026-11-01T05:00Z', { refused: { at: D1, outcome: 'blocked' } }],
			['toLeave 2026-10-01; left 2026-11-01T05:00Z', { toLeave: { at: OCTOBER }, left: { at: D1 } }],
			['left 2026-11-01T05:00Z; toLeave 2026-10-01', { toLeave: { at: OCTOBER }, left: { at: D1 } }],
			[`"member 2026-11-01T05:00Z; for ${key}"`, { member: { at: D1 } }],
			[`'left 2026-11-01T05:00Z; for ${key} (asked not to be added!); see mail`, { left: { at: D1 } }],
			['member 2026-11-01T07:00+02:00', { member: { at: D1 } }],
			['member 2026-11-01T02:00:00.000-0300', { member: { at: D1 } }],
			['member 2026-11-23T05:30:59Z', { member: { at: Date.UTC(2026, 10, 23, 5, 30, 59) } }],
		])('says: %s', (text, facts) => {
			expect(read(text)).toEqual({ text, key, facts, isForeign: false, isUnreadable: false });
		});

		it('says something in at most 2,000 characters', () => {
			const text = `invited 2026-10-01;${' '.repeat(1981)}`;
			expect(read(text)).toMatchObject({ facts: { invited: { at: OCTOBER } }, isUnreadable: false });
			expect(read(`${text} `)).toMatchObject({ facts: {}, isUnreadable: true });
		});

		it.each([
			'membr 2026-11-01',
			'member',
			'member yesterday',
			'member 2026-02-30',
			'member 2026-11-01T25:00Z',
			'member 2026-11-23T05:31Z',
			'refused 2026-11-01',
			'refused done 2026-11-01',
			'refused blocked',
			'refused blocked x 2026-11-01',
			'left 2026-11-24',
			'5',
			'{"a":1}',
			'member 2026-11-01 2026-11-01',
		])('counts as nothing where it cannot be read: %s', (text) => {
			expect(read(text)).toEqual({ text, key, facts: {}, isForeign: false, isUnreadable: true });
		});
	});

	describe('whom a text is for', () => {
		it('is one person in one group, under whatever form of the number', () => {
			expect(read('', identityFor('553199990002')).key).toBe(key);
			expect(read('', identityFor('5531999990003')).key).not.toBe(key);
			expect(read('', ana, '1@g.us').key).not.toBe(key);
			expect(key).toMatch(/^[0-9a-f]{8}$/);
		});

		it('counts as nothing for anybody else', () => {
			const text = 'member 2026-11-01T05:00Z; for 00000000';
			expect(read(text)).toEqual({ text, key, facts: {}, isForeign: true, isUnreadable: false });
		});

		const split = `${key.slice(0, 4)} ${key.slice(4)}`;
		it.each(['', '0000000', '00000000x', 'x00000000', split])('is nobody unless whole: %s', (whom) => {
			const text = `member 2026-11-01T05:00Z; for ${whom}`;
			expect(read(text)).toEqual({ text, key, facts: {}, isForeign: false, isUnreadable: true });
		});
	});

	describe('the text after a run', () => {
		const text = `member 2026-11-01T05:00Z; for ${key}`;

		it('names all facts in one order, to the minute, and whom they are for', () => {
			const facts: Facts = {
				maybeInvited: { at: D1 },
				invited: { at: D1 },
				asked: { at: D1 },
				refused: { at: NOW, outcome: 'recentlyLeft' },
				left: { at: D1 },
			};

			expect(rowTextAfter(read(''), facts)).toBe(
				`left 2026-11-01T05:00Z; refused recentlyLeft 2026-11-22T05:30Z; asked 2026-11-01T05:00Z; invited 2026-11-01T05:00Z; maybeInvited 2026-11-01T05:00Z; for ${key}`,
			);
		});

		it.each([text, ` Member 2026-11-01 05:00; FOR ${key.toUpperCase()}`, '', 'hello', `hello; ${text}`])(
			'is as it was where there is nothing new: %s',
			(before) => {
				expect(rowTextAfter(read(before), read(before).facts)).toBe(before);
			},
		);

		it.each([
			'member 2026-11-01T05:00Z',
			'hello; Member 2026-11-01 05:00',
			'member 2026-11-01 05:00; out 2026-99',
		])('gets whom it is for: %s', (before) => {
			expect(rowTextAfter(read(before), read(before).facts)).toBe(text);
		});

		it('loses what cannot be read with the next fact', () => {
			expect(rowTextAfter(read('hello; out 2026-11-01'), { member: { at: D1 } })).toBe(text);
			expect(rowTextAfter(read('out 2026-11-01; for 123'), { member: { at: D1 } })).toBe(text);
		});

		it('is empty where nothing is true any more', () => {
			expect(rowTextAfter(read(text), {})).toBe('');
		});

		const minute = fc
			.integer({ min: 0, max: Math.floor(NOW / 60_000) })
			.map((minutes) => ({ at: minutes * 60_000 }));
		const standing = fc.constantFrom('member', 'left', 'toLeave', 'out');
		const refusal = fc
			.tuple(minute, fc.constantFrom(...REFUSALS), fc.integer({ min: 1, max: 12 }))
			.map(([note, outcome]) => ({ ...note, outcome }));
		const beside = fc.record(
			{ refused: refusal, asked: minute, invited: minute, maybeInvited: minute },
			{ requiredKeys: [] },
		);
		const known = fc
			.tuple(fc.option(fc.tuple(standing, minute)), beside)
			.map(([fact, more]): Facts =>
				consistent(
					Object.entries({ ...(fact && { [fact[0]]: fact[1] }), ...more }).map(([name, one]) => ({
						[name]: one,
					})),
				),
			);

		it('is read as it was written, whatever the facts, in any case and order', () => {
			fc.assert(
				fc.property(known, (facts) => {
					const written = rowTextAfter(read(''), facts);
					expect(read(written).facts).toEqual(facts);
					const [whom = '', ...parts] = written.toUpperCase().split('; ').reverse();
					expect(read([...parts, whom].join(' ;  ')).facts).toEqual(facts);
				}),
				runsOf(5_000, 200),
			);
		});

		it('never fails, whatever the row has', () => {
			const part = fc.constantFrom(...'member refused blocked for 2026-11-01 ; x'.split(' '), key, ' ', '\n');
			fc.assert(
				fc.property(
					fc.oneof(
						fc.string(),
						fc.array(part).map((parts) => parts.join(' ')),
					),
					(before) => {
						const { facts } = read(before);
						const after = rowTextAfter(read(before), facts);
						expect(read(after).facts).toEqual(facts);
						expect(rowTextAfter(read(after), facts)).toBe(after);
					},
				),
				runsOf(5_000, 200),
			);
		});
	});
});

describe('invites: properties', () => {
	/**
	 * Histories of Send Invite, run after run with the same list. Three memories may know of a message: the row, n8n, and for
	 * a day the process. The model notes which of them still should.
	 */

	const GROUP = '1@g.us';
	const HOUR = 60 * 60 * 1000;
	/** A week, but for the two hours by which a run may come early. */
	const RETRY = (7 * 24 - 2) * HOUR;
	const PHONES = ['5511999990001', '5531999990002', '4915200000003', '447700900004', '12025550105'];
	const SENT = ['sent', 'unconfirmed', 'noLink'] as const;
	const REFUSED = ['notFound', 'rejected'] as const;
	const MEMORIES = ['row', 'n8n', 'process'] as const;
	type Memory = (typeof MEMORIES)[number];

	const usually = <T>(usual: T, times: number, ...others: T[]) =>
		fc.constantFrom(...Array<T>(times).fill(usual), ...others);
	const history = fc.record({
		never: fc.subarray([...MEMORIES], { maxLength: 2 }),
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
		const isCalm = !never.includes('row') && runs.every(({ unwritten, lost }) => !unwritten && !lost);
		let now = Date.UTC(2026, 10, 1, 5);
		let stored = '';
		const people = PHONES.map((phone) => ({
			phone,
			cell: '',
			process: { at: 0, facts: {} as Facts },
			/** By memory: when a message, or a refusal, was noted that is still there. */
			sent: new Map<Memory, number>(),
			refused: new Map<Memory, number>(),
			wasSent: false,
			waited: 0,
		}));
		for (const { hours, unwritten, lost, replies } of runs) {
			now += hours * HOUR;
			if (lost === 'n8n') stored = '';
			for (const one of people) {
				if (lost === 'row') one.cell = '';
				if (lost === 'process' || now - one.process.at >= 24 * HOUR) one.process = { at: 0, facts: {} };
				for (const known of [one.sent, one.refused]) {
					if (lost !== undefined) known.delete(lost);
					if (one.process.at === 0) known.delete('process');
				}
			}
			const kept = KnownPeople.read(stored, now);
			const rows = people.map((one, i) => {
				const ids = [identityFor(one.phone)];
				const memory = readRowText(one.cell, GROUP, identityFor(one.phone), now);
				const n8n = kept.find(GROUP, ids);
				const process = { facts: one.process.facts, metAt: one.process.at };
				const sources = { rows: [memory.facts], n8n, process };
				const facts = recallForInvite(sources, now);
				const step = decideInvite(facts, { now, onlyOnce: true });
				return { one, ids, memory, facts, step, reply: replies[i] ?? 'sent' };
			});
			const due = rows
				.flatMap((row) => (row.step.do === 'send' ? [{ row, triedAt: row.step.triedAt }] : []))
				.sort((a, b) => a.triedAt - b.triedAt)
				.map(({ row }) => row);
			const served = new Set(due.slice(0, maxPerRun));
			for (const row of rows) {
				const { one, ids, memory, facts, reply } = row;
				const isServed = served.has(row);
				one.waited = due.includes(row) && !isServed ? one.waited + 1 : 0;
				if (isCalm && one.waited > 2 * PHONES.length) harms.push('waits for a turn in too many runs');
				const next = isServed ? factsAfterInvite(facts, reply, now) : facts;
				const keeps = (which: Memory) => !never.includes(which) && unwritten !== which;
				if (keeps('row')) one.cell = rowTextAfter(memory, next);
				if (!isServed) continue;
				const isSent = SENT.some((outcome) => outcome === reply);
				const about = isSent ? one.sent : one.refused;
				if (isSent && one.wasSent) harms.push(`a message twice, and memories knew: ${one.sent.size}`);
				const recent = [...one.refused.values()].filter((at) => at + RETRY > now).length;
				if (recent > 0) harms.push(`tried too often, and memories knew: ${recent}`);
				one.wasSent ||= isSent;
				for (const which of MEMORIES) if (keeps(which)) about.set(which, now);
				const author = { node: 'invites', startedAt: now };
				if (keeps('n8n')) kept.remember({ groupJid: GROUP, ids, facts: next }, author);
				if (keeps('process')) one.process = { at: now, facts: next };
			}
			stored = kept.write();
		}
		return harms;
	}

	it('sends nobody a second message, and tries nobody too often, as long as one memory of three knows', () => {
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
