import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import { KnownPeople } from '../../../../nodes/MessagingGateway/groups/memory/knownPeople';
import { noteChanges } from '../../../../nodes/MessagingGateway/groups/memory/noteChanges';
import { UNKNOWN } from '../../../../nodes/MessagingGateway/groups/memory/recall';
import { person } from '../../support';

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
			known.remember({ groupJid: GROUP, ids, facts: text === '' ? {} : facts(text) }, by('night', startedAt));
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
			const [groupJid, startedAt] = i < 5_000 ? ['1@g.us', NOW] : [GROUP, NOW - (i < 10_001 ? DAY : 2 * DAY)];
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
