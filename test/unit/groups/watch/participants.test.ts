import type { Role } from '../../../../nodes/MessagingGateway/groups/people';
import {
	compareMembers,
	type GroupSnapshot,
} from '../../../../nodes/MessagingGateway/groups/watch/participants';
import { byBoth, byHiddenId, byNumber, membersOf, snapshotOf, told, toldBetween, type Row } from './people';
import { testExamples, type Examples } from '../../support';

const ANA = '5511990000001';
const BO = '5511990000002';
const CLEO = '447700900003';

/** Rows as `ana 1=bo 2`: by number, by both IDs, by hidden ID; an ID of another kind is as it is. */
function rowsOf(text: string): Row[] {
	const numberOf = (name: string) => ({ ana: ANA, bo: BO, cleo: CLEO })[name] ?? name;
	return text.split(' ').map((one) => {
		const [own = '', name] = one.split('=');
		if (own.includes('@')) return { id: own };
		if (!/^\d$/.test(own)) return byNumber(numberOf(own));
		return name === undefined ? byHiddenId(own) : byBoth(own, numberOf(name));
	});
}

/** Examples as `members before → members now: changes`. */
function examples(all: Examples): void {
	testExamples(all, / → |: /, ([before = '', now = '', expected = '']) => {
		const changes = expected.replaceAll('ana', ANA).replaceAll('bo', BO).replaceAll('cleo', CLEO);
		expect(toldBetween(rowsOf(before), rowsOf(now))).toEqual(changes.split(', ').filter(Boolean));
	});
}

test('a poll that remembers nothing tells nothing', () => {
	const members = membersOf([byNumber(ANA)]);

	expect(compareMembers(undefined, members)).toEqual({
		changes: [],
		snapshot: { members, seemedEmptied: false },
	});
});

describe('who joined and who left', () => {
	examples({
		'somebody who is new': 'ana → ana bo: joined bo',
		'somebody who is gone': 'ana bo → ana: left bo',
		'somebody new with an ID of a kind that is not known': 'ana → ana x@any: joined x@any',
		'somebody with a known ID, beside one of a kind that is not known': 'x@any → x@any ana: joined ana',
		'one for another': 'ana → bo: joined bo, left ana',
		'nobody, on another device': `ana → ${ANA}:12@s.whatsapp.net: `,
		'nobody, with the ninth digit of Brazil': '553199990002 → 5531999990002: ',
		'nobody, with an ID of a kind that is not known': 'x@any → x@any: ',
	});
});

describe('a group that moves to hidden IDs', () => {
	examples({
		'reports nobody, with numbers beside them': 'ana → 1=ana: ',
		'reports nobody, without numbers': 'ana bo → 1 2: ',
		'reports neither who may have left nor who may have joined': 'ana bo → 1 2 3: ',
		'reports who left, if they were known by both': 'ana 2=bo → 1: left bo',
		'reports who joined, if they are shown by both': 'ana → 1 2=bo: joined bo',
		'reports who is known by number on both sides': 'ana cleo → 1=ana 2=bo: joined bo, left cleo',
		'reports who left, if nobody new may be them': 'ana 2=bo → 2: left ana',
	});

	it('is compared by the new IDs from then on', () => {
		const moved = compareMembers(
			snapshotOf([byNumber(ANA), byNumber(BO)]),
			membersOf([byHiddenId('1'), byHiddenId('2')]),
		);

		expect(told(compareMembers(moved.snapshot, membersOf([byHiddenId('1')])))).toEqual(['left 2@lid']);
	});
});

describe('what was known of somebody', () => {
	const inTurn = (...polls: Row[][]): GroupSnapshot => {
		const [first = [], ...others] = polls;
		return others.reduce(
			(snapshot, rows) => compareMembers(snapshot, membersOf(rows)).snapshot,
			snapshotOf(first),
		);
	};

	it.each([
		['hidden ID', byHiddenId('1')],
		['number', byNumber(ANA)],
	])('stays known while they are there, shown by %s alone', (_, shown) => {
		const snapshot = inTurn([byBoth('1', ANA, { name: 'Ana' })], [shown]);
		const [left] = compareMembers(snapshot, membersOf([byNumber(BO)])).changes;

		expect(left).toMatchObject({ change: 'left', member: { number: ANA, lid: '1@lid', name: 'Ana' } });
	});

	it('is no reason to miss a member with an ID of a kind that is not known', () => {
		const before = [{ id: 'x@bot', phoneNumber: `${ANA}@s.whatsapp.net` }];

		expect(toldBetween(before, [{ id: 'x@bot' }])).toEqual([]);
	});

	it('gives way to what is shown now', () => {
		const snapshot = inTurn([byBoth('1', ANA)], [byBoth('1', BO)]);

		expect(told(compareMembers(snapshot, membersOf([byNumber(ANA)])))).toEqual([
			`joined ${ANA}`,
			`left ${BO}`,
		]);
	});

	it('is forgotten once they left', () => {
		const snapshot = inTurn(
			[byBoth('1', ANA), byNumber(BO)],
			[byNumber(BO)],
			[byHiddenId('1'), byNumber(BO)],
		);

		expect(snapshot.members.find(({ id }) => id === '1@lid')).toHaveProperty('number', undefined);
	});
});

describe('roles', () => {
	it.each([
		[null, 'admin', ['promoted 5511990000001'], 'member'],
		[null, 'superadmin', ['promoted 5511990000001'], 'member'],
		['admin', null, ['demoted 5511990000001'], 'admin'],
		['superadmin', null, ['demoted 5511990000001'], 'superAdmin'],
		['superadmin', 'admin', [], undefined],
	])('from %p to %p', (before, now, expected, previousRole) => {
		const compared = compareMembers(
			snapshotOf([byNumber(ANA, { admin: before })]),
			membersOf([byNumber(ANA, { admin: now })]),
		);

		expect(told(compared)).toEqual(expected);
		expect(compared.changes.map((change) => change.previousRole)).toEqual(expected.map(() => previousRole));
	});

	it('change also while the ID does', () => {
		expect(toldBetween([byNumber(ANA)], [byBoth('1', ANA, { admin: 'admin' })])).toEqual([`promoted ${ANA}`]);
	});

	describe('that are not known', () => {
		/** Ana in a poll, by her role; without one, the gateway doesn't say it. */
		const anaAs = (role?: Role) =>
			membersOf([byNumber(ANA)]).map(({ role: _, ...member }) => ({ ...member, ...(role && { role }) }));

		it.each<[string, Array<Role | undefined>, string[]]>([
			['change nothing when they are lost', ['admin', undefined], []],
			['nor when they are found', [undefined, 'admin'], []],
			['keep the role that was known', ['member', undefined, 'member'], []],
			['and a change of that is told', ['member', undefined, 'superAdmin'], [`promoted ${ANA}`]],
			['also after several polls', ['admin', undefined, undefined, 'member'], [`demoted ${ANA}`]],
		])('%s: %j', (_, roles, expected) => {
			let snapshot: GroupSnapshot | undefined;
			const all = roles.flatMap((role) => {
				const compared = compareMembers(snapshot, anaAs(role));
				({ snapshot } = compared);
				return told(compared);
			});

			expect(all).toEqual(expected);
		});
	});

	it('of somebody who was listed twice are one', () => {
		const before = [byNumber(ANA), byHiddenId('1', { admin: 'admin' })];
		const { changes } = compareMembers(snapshotOf(before), membersOf([byBoth('1', ANA)]));

		expect(changes).toMatchObject([{ change: 'demoted', previousRole: 'admin' }]);
	});
});

describe('where more than half are gone at once', () => {
	const people = (count: number): Row[] =>
		Array.from({ length: count }, (_, i) => byNumber(`49152000000${10 + i}`));
	const ten = people(10);
	const four = ten.slice(0, 4);

	it('the poll gives nothing at all, and remembers all', () => {
		const { changes, snapshot } = compareMembers(snapshotOf(ten), membersOf([...four, byNumber(ANA)]));

		expect(changes).toEqual([]);
		expect(snapshot).toEqual({ members: snapshotOf(ten).members, seemedEmptied: true });
	});

	it('the next poll counts, if again more than half are gone', () => {
		const { snapshot } = compareMembers(snapshotOf(ten), membersOf(four));
		const compared = compareMembers(snapshot, membersOf(four));

		expect(told(compared)).toHaveLength(6);
		expect(compared.snapshot.seemedEmptied).toBe(false);
	});

	it('and are back in the next poll, nothing was', () => {
		const { snapshot } = compareMembers(snapshotOf(ten), membersOf(four));

		expect(compareMembers(snapshot, membersOf(ten))).toEqual({ changes: [], snapshot: snapshotOf(ten) });
	});

	it.each([
		['of nine', people(9), 1, 8],
		['and half stay', ten, 5, 5],
	])('it counts at once %s', (_, before, stay, left) => {
		expect(toldBetween(before, before.slice(0, stay))).toHaveLength(left);
	});

	it('who cannot be told apart is not among them', () => {
		const before = [...ten, ...Array.from({ length: 20 }, (_, i) => byBoth(`${i}`, `1202555${1000 + i}`))];
		const now = [...ten.map((_, i) => byHiddenId(`9${i}`)), ...before.slice(10, 21)];

		// Nine of the twenty who are known by both, and perhaps some of the ten.
		expect(toldBetween(before, now)).toHaveLength(9);
		// Eleven of the twenty, and they would be fewer than half of all thirty.
		expect(toldBetween(before, now.slice(0, 19))).toEqual([]);
	});
});
