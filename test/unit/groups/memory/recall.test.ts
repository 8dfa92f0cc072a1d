import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import { KnownPeople, noteChanges } from '../../../../nodes/MessagingGateway/groups/memory/process';
import {
	lastRunAmong,
	UNKNOWN,
	recall,
	type Sources,
} from '../../../../nodes/MessagingGateway/groups/memory/recall';
import { person } from '../../support';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 22, 5);
const GROUP = '1@g.us';

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
			{ n8n: 'left 40, invited 40', met: 31.1 },
			'',
		],
		['is still a removal of long ago', { rows: 'invited 99', n8n: 'out 90', met: 31.1 }, 'out 90'],
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

describe('the run before', () => {
	it.each<[string, Array<Parameters<typeof sources>[0]>, number | undefined]>([
		['is the date that most share', [{ rows: 'member 1' }, { rows: 'member 1' }, { rows: 'member 0.5' }], 1],
		['is the newest of equally many', [{ rows: 'member 2' }, { rows: 'member 1' }], 1],
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

describe('the process', () => {
	const ana = [identityFor('5511999990001')];
	const [group, change] = ['main', { instance: 'main', groupJid: GROUP, item: 0 }] as const;
	const request = (action: 'add' | 'remove') => {
		const participant = person('5511999990001');
		const changes = [{ ...change, action, participant }];
		return { instance: group, groupJid: GROUP, action, participants: [participant], changes };
	};
	const author = { node: 'web', startedAt: NOW };
	const result = (action: 'add' | 'remove', outcome: 'done' | 'inviteRequired', applied: boolean) => ({
		...change,
		participant: '5511999990001',
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
		people.note(GROUP, ana, 'night', () => facts('out 1'), true);
		const answer = noteChanges(people, request('remove'), author);
		answer([{ ...result('remove', 'done', true), outcome: 'unchanged' }]);
		expect(people.find(GROUP, ana).facts.out?.by).toBe('night');
	});

	it('puts people together once a run has found that they are one', () => {
		const people = new KnownPeople();
		const lid = [identityFor('1@lid')];
		people.note(GROUP, ana, 'web', () => facts('refused 2'));
		people.note(GROUP, lid, 'web', () => facts('invited 1'));
		people.note(GROUP, [...ana, ...lid], 'night', (before) => before);
		people.note(GROUP, ana, 'web', (before) => ({ ...before, ...facts('toLeave 0') }));
		expect(people.find(GROUP, lid).facts).toEqual(people.find(GROUP, ana).facts);
		expect(names(people)).toEqual(['refused', 'invited', 'toLeave']);
	});

	it('keeps a change that is under way while another node notes what it sees', () => {
		const people = new KnownPeople();
		noteChanges(people, request('remove'), author);
		people.remember(GROUP, { ids: ana, facts: facts('member 1') }, 'night', NOW);
		expect(names(people)).toEqual(['asked', 'toLeave']);
	});

	it('forgets whom no run meets for 8 days, invites after 30, and no removal', () => {
		const people = new KnownPeople();
		people.note(GROUP, ana, 'web', () => facts('out 0, refused 0, invited 0'));
		now = NOW + 7.9 * DAY;
		expect(names(people)).toEqual(['out', 'refused', 'invited']);
		now = NOW + 8.1 * DAY;
		expect(names(people)).toEqual(['out', 'invited']);
		now = NOW + 30.1 * DAY;
		expect(names(people)).toEqual(['out']);
	});

	it('knows a person by every ID once a run has found that they are one', () => {
		const people = new KnownPeople();
		const lid = [identityFor('1@lid')];
		people.note(GROUP, [...ana, ...lid], 'night', () => facts('member 1'));
		people.note(GROUP, lid, 'web', () => facts('out 0'));
		expect(names(people)).toEqual(['out']);
		expect(people.find('2@g.us', ana)).toBe(UNKNOWN);
	});

	it('keeps what another node noted after a run had read', () => {
		const people = new KnownPeople();
		people.note(GROUP, ana, 'web', () => facts('out -0.1'));
		people.remember(GROUP, { ids: ana, facts: facts('member 0') }, 'night', NOW);
		expect(names(people)).toEqual(['out']);
		people.remember(GROUP, { ids: ana, facts: facts('member -0.2') }, 'night', NOW + DAY);
		expect(names(people)).toEqual(['member']);
	});

	it('has room for 20,000 people: first members go', () => {
		const people = new KnownPeople();
		people.note(GROUP, ana, 'web', () => facts('out 0'));
		for (let i = 0; i < 20_000; i++)
			people.note(GROUP, [identityFor(`49152${String(i).padStart(8, '0')}`)], 'web', () => facts('member 0'));
		expect(names(people)).toEqual(['out']);
		expect(people.find(GROUP, [identityFor('4915200000000')])).toBe(UNKNOWN);
		expect(people.find(GROUP, [identityFor('4915200019999')])).not.toBe(UNKNOWN);
	});
});
