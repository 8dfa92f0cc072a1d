import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import {
	factsOf,
	readStored,
	storedReader,
	textsOf,
	withPeople,
	writeStored,
	type StoredPeople as People,
} from '../../../../nodes/MessagingGateway/groups/memory/stored';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 22, 5);
const GROUP = '120363021345678901@g.us';
const NOBODY: People = new Map();
const idsOf = (...ids: string[]) => ids.map(identityFor);
const ana = idsOf('5531999990002');

/** Facts of Ana's as n8n gives them back. */
function kept(facts: Facts, ids = ana, before = NOBODY): People {
	return stored(withPeople(before, NOW, [{ groupJid: GROUP, texts: textsOf([{ ids, facts }], NOW) }]));
}

const stored = (people: People) =>
	readStored({ memory: JSON.parse(JSON.stringify(writeStored(people))) as unknown });
const known = (people: People, ids = ana, group = GROUP) => factsOf(people, group, ids, storedReader(NOW));

describe("n8n's own memory", () => {
	const refused = { at: NOW, outcome: 'blocked' } as const;

	it('keeps all facts, and when a run met the person last', () => {
		const out: Facts = { out: { at: NOW - 9 * DAY }, refused: { ...refused, at: NOW - DAY, times: 3 } };
		expect(known(kept(out))).toEqual({ facts: out, metAt: NOW });
		expect(known(kept({ member: { at: NOW } }))).toEqual({ facts: { member: { at: NOW } }, metAt: NOW });
		expect(known(kept({}))).toEqual({ facts: {}, metAt: NOW });
		expect(known(NOBODY)).toEqual({ facts: {}, metAt: 0 });
	});

	it('knows a person by every form of a number, in one group', () => {
		const people = kept({ refused }, idsOf('5531999990002', '1@lid'));

		for (const id of ['5531999990002', '553199990002'])
			expect(known(people, idsOf(id)).facts).toEqual({ refused });
		expect(known(people, idsOf('5531999990003')).facts).toEqual({});
		expect(known(people, ana, '1@g.us').facts).toEqual({});
		expect(known(kept({ refused }, idsOf('1@lid')), idsOf('1@lid')).facts).toEqual({ refused });
	});

	it('puts together what several IDs know', () => {
		const asked = { at: NOW - DAY };
		const people = kept({ asked }, idsOf('1@lid'), kept({ refused }));

		expect(known(people, [...ana, ...idsOf('1@lid')]).facts).toEqual({ refused });
	});

	it.each([[['nothing', 'refused']], [['refused', 'nothing']]] as const)(
		'keeps the refusal of one form of a number, where nothing is known of another: %j',
		(facts) => {
			const both = facts.map((fact) => ({ ids: ana, facts: fact === 'refused' ? { refused } : {} }));
			const people = withPeople(NOBODY, NOW, [{ groupJid: GROUP, texts: textsOf(both, NOW) }]);

			expect(known(people).facts).toEqual({ refused });
		},
	);

	it('keeps texts of rows without their keys', () => {
		const text = 'refused blocked 2026-11-22T05:00Z; asked 2026-11-22T05:00Z';

		expect(writeStored(kept({ refused, asked: { at: NOW } }))).toEqual({
			version: 2,
			groups: { [GROUP]: { [text]: ['phone:553199990002'] } },
		});
	});

	it('keeps 10,000 people of all groups: first members go, then whom no run has met for longest', () => {
		const at = { at: NOW - 99 * DAY };
		const people = [...Array(10_003).keys()].map((i) => ({
			ids: idsOf(`49152${String(i).padStart(8, '0')}`),
			facts: i === 0 ? { member: { at: NOW } } : { out: at },
		}));
		const before = textsOf(people.slice(5_000), NOW - DAY);
		const half = withPeople(NOBODY, NOW - DAY, [{ groupJid: GROUP, texts: before }]);
		const texts = textsOf(people.slice(0, 5_000), NOW);
		const all = stored(withPeople(half, NOW, [{ groupJid: '1@g.us', texts }]));

		const isForgotten = ({ ids }: (typeof people)[number]) =>
			['1@g.us', GROUP].every((group) => known(all, ids, group).metAt === 0);
		expect(people.filter(isForgotten)).toEqual([people[0], ...people.slice(-2)]);
	});
});

it('reads what 1.3 kept', () => {
	const groups = { [GROUP]: { 'phone:553199990002': 'left 2026-11-20T05:00Z' } };
	const { facts } = known(readStored({ memory: { version: 2, groups } }));
	expect(facts).toEqual({ left: { at: Date.UTC(2026, 10, 20, 5) } });
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
	])('is read: %s', (_, before, expected) => {
		expect(known(readStored(before)).facts).toEqual(expected);
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
		const people = readStored({ memory: value, refusals: value, invited: value });
		expect(known(people).facts).toEqual({});
	});
});
