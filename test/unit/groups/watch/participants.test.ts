import type { GroupSnapshot } from '../../../../nodes/MessagingGateway/groups/watch/participants';
import {
	byBoth,
	byHiddenId,
	byNumber,
	compareMembers,
	membersOf,
	snapshotOf,
	told,
	toldBetween,
	type Row,
} from './people';

const ANA = '5511990000001';
const BO = '5511990000002';
const CLEO = '447700900003';

describe('who joined and who left', () => {
	it.each<[string, Row[], Row[], string[]]>([
		['nobody', [byNumber(ANA)], [byNumber(ANA)], []],
		['somebody who is new', [byNumber(ANA)], [byNumber(ANA), byNumber(BO)], [`joined ${BO}`]],
		['somebody who is gone', [byNumber(ANA), byNumber(BO)], [byNumber(ANA)], [`left ${BO}`]],
		[
			'somebody new with an ID of a kind that is not known',
			[byNumber(ANA)],
			[byNumber(ANA), { id: 'x@bot' }],
			['joined x@bot'],
		],
		['one for another', [byNumber(ANA)], [byNumber(BO)], [`joined ${BO}`, `left ${ANA}`]],
		['one hidden ID for another', [byHiddenId('1')], [byHiddenId('2')], ['joined 2@lid', 'left 1@lid']],
		['nobody, in another order', [byNumber(ANA), byNumber(BO)], [byNumber(BO), byNumber(ANA)], []],
		['nobody, on another device', [byNumber(ANA)], [{ id: `${ANA}:12@s.whatsapp.net` }], []],
		['nobody, with the ninth digit of Brazil', [byNumber('553199990002')], [byNumber('5531999990002')], []],
		['nobody, with the digit of Mexico', [byNumber('5215512345678')], [byNumber('525512345678')], []],
		['nobody, with an ID of a kind that is not known', [{ id: 'x@bot' }], [{ id: 'x@bot' }], []],
	])('%s', (_, before, now, expected) => {
		expect(toldBetween(before, now)).toEqual(expected);
	});

	it('somebody with a known ID, beside one of a kind that is not known', () => {
		const other: Row = { id: 'x@bot' };

		expect(toldBetween([other], [other, byNumber(ANA)])).toEqual([`joined ${ANA}`]);
	});
});

describe('a group that moves to hidden IDs', () => {
	it.each<[string, Row[], Row[], string[]]>([
		['reports nobody, with numbers beside them', [byNumber(ANA)], [byBoth('1', ANA)], []],
		[
			'reports nobody, without numbers',
			[byNumber(ANA), byNumber(BO)],
			[byHiddenId('1'), byHiddenId('2')],
			[],
		],
		['reports nobody who is back to a number', [byHiddenId('1')], [byNumber(ANA)], []],
		[
			'reports neither who may have left nor who may have joined',
			[byNumber(ANA), byNumber(BO)],
			[byHiddenId('1'), byHiddenId('2'), byHiddenId('3')],
			[],
		],
		[
			'reports who left, if they were known by both',
			[byNumber(ANA), byBoth('2', BO)],
			[byHiddenId('1')],
			[`left ${BO}`],
		],
		[
			'reports who joined, if they are shown by both',
			[byNumber(ANA)],
			[byHiddenId('1'), byBoth('2', BO)],
			[`joined ${BO}`],
		],
		[
			'reports who is known by number on both sides',
			[byNumber(ANA), byNumber(CLEO)],
			[byBoth('1', ANA), byBoth('2', BO)],
			[`joined ${BO}`, `left ${CLEO}`],
		],
		[
			'reports who left, if nobody new may be them',
			[byNumber(ANA), byBoth('2', BO)],
			[byHiddenId('2')],
			[`left ${ANA}`],
		],
	])('%s', (_, before, now, expected) => {
		expect(toldBetween(before, now)).toEqual(expected);
	});

	it('is compared by the new IDs from then on', () => {
		const moved = compareMembers(snapshotOf([byNumber(ANA), byNumber(BO)]), [
			...membersOf([byHiddenId('1'), byHiddenId('2')]),
		]);

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

	it('finds them under either ID', () => {
		const snapshot = inTurn([byBoth('1', ANA)], [byHiddenId('1')]);

		expect(told(compareMembers(snapshot, membersOf([byNumber(ANA)])))).toEqual([]);
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
		['admin', 'superadmin', [], undefined],
		['admin', 'admin', [], undefined],
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
