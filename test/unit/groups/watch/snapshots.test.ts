import { readSnapshot, writeSnapshot } from '../../../../nodes/MessagingGateway/groups/watch/participants';
import { byBoth, byHiddenId, byNumber, membersOf, snapshotOf, type Row } from './people';

const textOf = (rows: Row[]) => JSON.stringify(writeSnapshot(snapshotOf(rows)));
const reread = (text: string) => readSnapshot(JSON.parse(text));

describe('a snapshot', () => {
	it.each<[string, Row]>([
		['all at once', byBoth('1', '5511990000001', { admin: 'admin', name: 'Ana' })],
		['a device', { id: '1:12@lid', phoneNumber: '5511990000001@s.whatsapp.net' }],
		[
			'more IDs than these, some of the same digits',
			{ id: '11@lid', phoneNumber: '11', jid: '22', lid: '22@lid' },
		],
		['an ID of a kind that is not known', { id: 'x@bot' }],
		['a number beside it', { id: 'x@bot', phoneNumber: '5511990000001' }],
	])('is read as it was written: %s', (_, row) => {
		const sorted = (snapshot = snapshotOf([])) =>
			snapshot.members.map(({ ids, ...member }) => ({ ...member, ids: ids.map(({ key }) => key).sort() }));

		expect(sorted(reread(textOf([row])))).toEqual(sorted(snapshotOf([row])));
	});

	it('is written without what is not known or said twice', () => {
		const rows = [
			byBoth('1', '5511990000001', { admin: 'admin', name: 'Ana' }),
			byHiddenId('2', { admin: 'superadmin' }),
			byHiddenId('3', { lid: '4@lid' }),
			byNumber('5511990000003'),
			byNumber('66', { phoneNumber: '77' }),
		];

		expect(writeSnapshot(snapshotOf(rows))).toEqual({
			members: [
				['1@lid', 1, '5511990000001', 0, 'Ana'],
				['2@lid', 2],
				['3@lid', 0, 0, '4@lid'],
				['5511990000003@s.whatsapp.net'],
				['66@s.whatsapp.net', 0, '77'],
			],
		});
	});

	it('is the same whatever order the members are listed in', () => {
		const rows = [byNumber('5511990000001'), byHiddenId('2'), byBoth('1', '5511990000003')];

		expect(textOf([...rows].reverse())).toBe(textOf(rows));
	});

	it('keeps that a role is not known', () => {
		const members = membersOf([byNumber('5511990000001')]).map(({ role: _, ...member }) => member);
		const written = writeSnapshot({ members, seemedEmptied: false });

		expect(reread(JSON.stringify(written))?.members).toMatchObject([
			{ number: '5511990000001', role: undefined },
		]);
	});

	it.each([true, false])('keeps whether most seemed gone: %p', (seemedEmptied) => {
		const written = writeSnapshot({ members: [], seemedEmptied });

		expect(readSnapshot(written)).toEqual({ members: [], seemedEmptied });
	});

	it('is read without IDs that are no text', () => {
		const stored = { members: [['1@lid', 0, 0, 0, 0, ['phone:5511990000001', 5]]] };

		const [member] = readSnapshot(stored)?.members ?? [];

		expect(member?.ids.map(({ key }) => key)).toEqual(['lid:1', 'phone:5511990000001']);
	});

	it.each([
		undefined,
		null,
		'text',
		{},
		{ members: {} },
		{ members: [1] },
		{ members: [[]] },
		{ members: [['1@lid', 7]] },
		{ members: [[5, 0]] },
	])('that is something else is not understood: %j', (stored) => {
		expect(readSnapshot(stored)).toBeUndefined();
	});
});
