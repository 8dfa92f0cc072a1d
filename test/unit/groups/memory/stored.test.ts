import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import {
	factsOf,
	readStored,
	withPeople,
	writeStored,
	type RememberedPeople as People,
} from '../../../../nodes/MessagingGateway/groups/memory/stored';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 22, 5);
const GROUP = '120363021345678901@g.us';
const NOBODY: People = new Map();
const idsOf = (...ids: string[]) => ids.map(identityFor);
const ana = idsOf('5531999990002');

/** Memory with facts of Ana's, as n8n gives it back. */
function kept(facts: Facts, hidesNumbers = false, ids = ana, before = NOBODY): People {
	const people = withPeople(before, { groupJid: GROUP, hidesNumbers, known: [{ ids, facts }] });
	return readStored({ memory: JSON.parse(JSON.stringify(writeStored(people))) as unknown }, NOW);
}

describe("n8n's own memory", () => {
	const refused = { at: NOW, outcome: 'blocked' } as const;
	const all: Facts = { refused, asked: { at: NOW }, invited: { at: NOW }, maybeInvited: { at: NOW - DAY } };

	it.each<[string, Facts, boolean, Facts]>([
		['what was tried, and invites', all, false, all],
		['members where the group hides numbers', { member: { at: NOW } }, true, { member: { at: NOW } }],
		[
			'no members where it shows them',
			{ member: { at: NOW }, invited: { at: NOW } },
			false,
			{ invited: { at: NOW } },
		],
		[
			'whose removal was refused',
			{ toLeave: { at: NOW }, refused },
			false,
			{ toLeave: { at: NOW }, refused },
		],
		['nothing that needs the row: who left', { left: { at: NOW }, refused }, true, { refused }],
		['nothing that needs the row: who is out', { out: { at: NOW } }, true, {}],
	])('keeps %s', (_, facts, hidesNumbers, expected) => {
		expect(factsOf(kept(facts, hidesNumbers), GROUP, ana)).toEqual(expected);
	});

	it('knows a person by every form of every ID, in one group', () => {
		const people = kept({ refused }, false, idsOf('5531999990002', '1@lid'));

		for (const id of ['5531999990002', '553199990002', '1@lid'])
			expect(factsOf(people, GROUP, idsOf(id))).toEqual({ refused });
		expect(factsOf(people, GROUP, idsOf('5531999990003'))).toEqual({});
		expect(factsOf(people, '1@g.us', ana)).toEqual({});
	});

	it('gives the newest of what several IDs know', () => {
		const asked = { at: NOW - DAY };
		const people = kept({ asked }, false, idsOf('1@lid'), kept({ refused }));

		expect(factsOf(people, GROUP, [...ana, ...idsOf('1@lid')])).toEqual({ refused });
		expect(factsOf(people, GROUP, [...idsOf('1@lid'), ...ana])).toEqual({ refused });
	});

	it('forgets who is as asked', () => {
		const after = writeStored(kept({ member: { at: NOW } }, false, ana, kept({ refused })));

		expect(after).toEqual({ version: 2, groups: {} });
	});

	it.each([[['member', 'refused']], [['refused', 'member']]] as const)(
		'keeps the refusal of one form of a number, where another is as asked: %j',
		(facts) => {
			const known = facts.map((fact) => ({ ids: ana, facts: fact === 'refused' ? { refused } : {} }));
			const people = withPeople(NOBODY, { groupJid: GROUP, hidesNumbers: false, known });

			expect(factsOf(people, GROUP, ana)).toEqual({ refused });
		},
	);

	it('keeps texts of rows without their keys', () => {
		const text = 'refused blocked 2026-11-22T05:00Z; asked 2026-11-22T05:00Z';

		expect(writeStored(kept({ refused, asked: { at: NOW } }))).toEqual({
			version: 2,
			groups: { [GROUP]: { 'phone:553199990002': text } },
		});
	});

	it('keeps the newest 10,000 people of all groups', () => {
		const ids = Array.from({ length: 10_002 }, (_, i) => idsOf(`49152${String(i).padStart(8, '0')}`));
		const known = ids.map((each, i) => ({ ids: each, facts: { invited: { at: NOW - i * 60_000 } } }));
		const people = withPeople(
			NOBODY,
			{ groupJid: GROUP, hidesNumbers: false, known: known.slice(0, 5_000) },
			{ groupJid: '1@g.us', hidesNumbers: false, known: known.slice(5_000) },
		);

		const after = readStored({ memory: writeStored(people) }, NOW);

		const forgotten = ids.filter(
			(each) => !['1@g.us', GROUP].some((jid) => factsOf(after, jid, each).invited),
		);
		expect(forgotten).toEqual(ids.slice(-2));
	});
});

describe('what 1.1 and 1.2 kept', () => {
	const SECONDS = NOW / 1000;
	const v1 = (value: unknown) => ({ version: 1, groups: { [GROUP]: { 'phone:553199990002': value } } });

	it.each<[string, object, Facts]>([
		[
			'a refusal',
			{ refusals: v1([SECONDS, 'blocked', '401']) },
			{ refused: { at: NOW, outcome: 'blocked' } },
		],
		['a try', { refusals: v1([SECONDS, 'asked', '']) }, { asked: { at: NOW } }],
		['a member', { refusals: v1([SECONDS, 'member', '']) }, { member: { at: NOW } }],
		['an invite', { invited: v1(SECONDS) }, { invited: { at: NOW } }],
		[
			'an invite that may have been sent',
			{ invited: v1({ unsure: SECONDS }) },
			{ maybeInvited: { at: NOW } },
		],
		['nothing once this version has written', { memory: writeStored(NOBODY), invited: v1(SECONDS) }, {}],
		['nothing of a far future', { invited: v1(SECONDS + 2 * 24 * 60 * 60) }, {}],
		['nothing of another version', { invited: { ...v1(SECONDS), version: 3 } }, {}],
	])('is read: %s', (_, stored, expected) => {
		expect(factsOf(readStored(stored, NOW), GROUP, ana)).toEqual(expected);
	});

	it.each<unknown>([
		undefined,
		null,
		'text',
		[1],
		{ version: 1 },
		{ version: 1, groups: [1] },
		{ version: 1, groups: { [GROUP]: null } },
		...[
			null,
			'x',
			[],
			[SECONDS],
			['x', 'blocked', ''],
			[1e300, 'asked', ''],
			{ unsure: 'x' },
			[SECONDS, 'done', ''],
		].map(v1),
	])('is nothing where it is not understood: %j', (value) => {
		const people = readStored({ memory: value, refusals: value, invited: value }, NOW);
		expect(writeStored(people)).toEqual({ version: 2, groups: {} });
	});
});
