import type { Identity } from '../../../../nodes/MessagingGateway/groups/identity';
import { simplifyMember } from '../../../../nodes/MessagingGateway/groups/people';
import { readMembers } from '../../support';

const read = (...participants: unknown[]) => readMembers({ participants });
const NUMBER = '5511999990010@s.whatsapp.net';
const HIDDEN = '168513008080844@lid';

/** Identities with these keys. */
const idsWith = (...keys: string[]) =>
	keys.map((key): unknown => expect.objectContaining<Partial<Identity>>({ key }));

describe('a member', () => {
	it('of a group with numbers, as all generations give it', () => {
		const row = { id: NUMBER, admin: null };

		expect(read(row)).toEqual([
			{
				id: NUMBER,
				ids: idsWith('phone:5511999990010'),
				number: '5511999990010',
				role: 'member',
				rows: [row],
			},
		]);
	});

	it('of a group with hidden IDs, as 2.3.6 gives it', () => {
		const imgUrl = 'https://pps.example/ana.jpg';
		const row = { id: HIDDEN, phoneNumber: NUMBER, admin: null, name: 'Ana Example', imgUrl };

		expect(read(row)).toEqual([
			{
				id: HIDDEN,
				ids: idsWith('lid:168513008080844', 'phone:5511999990010'),
				number: '5511999990010',
				lid: HIDDEN,
				role: 'member',
				name: 'Ana Example',
				rows: [row],
			},
		]);
	});

	it('of a group with hidden IDs, as 1.8.2 and 2.2.3 give it, has no number', () => {
		expect(read({ id: HIDDEN, admin: null })).toEqual([
			expect.objectContaining({ id: HIDDEN, ids: idsWith('lid:168513008080844'), lid: HIDDEN }),
		]);
		expect(read({ id: HIDDEN, admin: null })?.[0]).not.toHaveProperty('number');
	});

	it('is no number, which another person may have, where only the digits of the hidden ID are given', () => {
		expect(read({ id: '', lid: '168513008080844' })).toEqual([
			expect.objectContaining({ id: HIDDEN, ids: idsWith('lid:168513008080844'), lid: HIDDEN }),
		]);
	});

	it.each([
		['jid', { id: HIDDEN, jid: NUMBER }],
		['phoneNumber, with a device', { id: HIDDEN, phoneNumber: '5511999990010:12@s.whatsapp.net' }],
		['lid, beside a number', { id: NUMBER, lid: HIDDEN }],
		['lid, with a device', { id: NUMBER, lid: '168513008080844:3@lid' }],
		['lid, as digits alone', { id: NUMBER, lid: '168513008080844' }],
	])('shows both IDs in whatever field they are: %s', (_, row) => {
		expect(read(row)).toMatchObject([{ number: '5511999990010', lid: HIDDEN }]);
		expect((read(row)?.[0]?.ids ?? []).map(({ key }) => key).sort()).toEqual([
			'lid:168513008080844',
			'phone:5511999990010',
		]);
	});

	it('has no more IDs for fields that are empty', () => {
		expect(read({ id: NUMBER, jid: '', lid: '', phoneNumber: null, name: '' })).toEqual(
			(read({ id: NUMBER }) ?? []).map((member) => ({ ...member, rows: [expect.anything()] })),
		);
	});

	it.each([
		['', 'jid'],
		[undefined, 'phoneNumber'],
	])('is known by another field where its own ID is %p', (id, field) => {
		expect(read({ id, [field]: NUMBER })).toMatchObject([{ id: NUMBER, number: '5511999990010' }]);
	});

	it.each([
		[null, 'member'],
		['', 'member'],
		[false, 'member'],
		['admin', 'admin'],
		['superadmin', 'superAdmin'],
		['superAdmin', 'superAdmin'],
		[true, 'admin'],
		['owner', 'admin'],
		['superadmins', 'admin'],
		['not superadmin', 'admin'],
	])('whose rank is %p is a %s', (admin, role) => {
		expect(read({ id: NUMBER, admin })).toMatchObject([{ role }]);
	});
});

describe('the role of a member', () => {
	it.each([
		[{ isAdmin: false, isSuperAdmin: false }, 'member'],
		[{ isAdmin: true, isSuperAdmin: false }, 'admin'],
		[{ isAdmin: true, isSuperAdmin: true }, 'superAdmin'],
		[{ isAdmin: false, isSuperAdmin: true }, 'superAdmin'],
		[{ isSuperAdmin: false }, 'member'],
		[{ isAdmin: true }, 'admin'],
		[{ admin: null, isAdmin: true }, 'admin'],
		[{ admin: 'admin', isAdmin: false, isSuperAdmin: true }, 'superAdmin'],
	])('may be told in two fields: %j', (fields, role) => {
		expect(read({ jid: NUMBER, ...fields })).toMatchObject([{ role }]);
	});

	it("isn't known without a field for it", () => {
		const [member] = read({ id: NUMBER, name: 'Ana' }) ?? [];

		expect(member).not.toHaveProperty('role');
		expect(member && simplifyMember(member)).not.toHaveProperty('role');
	});

	it('is the one that any of their rows tells', () => {
		expect(read({ id: NUMBER }, { id: NUMBER, admin: null })).toMatchObject([{ role: 'member' }]);
		expect(read({ id: NUMBER, admin: 'admin' }, { id: NUMBER })).toMatchObject([{ role: 'admin' }]);
		expect(read({ id: NUMBER }, { id: NUMBER })?.[0]).not.toHaveProperty('role');
	});
});

describe('rows that name the same member', () => {
	it.each([
		['the same own ID', [{ id: HIDDEN }, { id: HIDDEN, phoneNumber: NUMBER }], HIDDEN],
		["a number that is the other's own ID", [{ id: NUMBER }, { id: HIDDEN, phoneNumber: NUMBER }], NUMBER],
		['another device', [{ id: HIDDEN }, { id: '168513008080844:2@lid', phoneNumber: NUMBER }], HIDDEN],
	])('are one: %s', (_, rows, id) => {
		expect(read(...rows)).toEqual([
			{ id, ids: expect.anything(), number: '5511999990010', lid: HIDDEN, rows },
		]);
	});

	it('have the highest role and the first name, wherever those stand', () => {
		const rows = [
			{ id: NUMBER },
			{ id: NUMBER, admin: 'superadmin', name: 'Ana' },
			{ id: NUMBER, admin: 'admin', name: 'A' },
		];

		expect(read(...rows)).toMatchObject([{ role: 'superAdmin', name: 'Ana' }]);
	});

	it('keep the place of the first', () => {
		expect(read({ id: NUMBER }, { id: '1@lid' }, { id: NUMBER })?.map(({ id }) => id)).toEqual([
			NUMBER,
			'1@lid',
		]);
	});

	it('with the same own ID and several numbers are one who has them all', () => {
		expect(read({ id: '1@lid', jid: '5511999990010' }, { id: '1@lid', jid: '5511999990011' })).toMatchObject([
			{ ids: idsWith('lid:1', 'phone:5511999990010', 'phone:5511999990011') },
		]);
	});

	it('stay apart where they contradict each other, as with a number that a gateway gives everybody', () => {
		const all = ['1@lid', '2@lid', '3@lid'].map((id) => ({ id, phoneNumber: NUMBER }));

		expect(read(...all)?.map(({ id }) => id)).toEqual(['1@lid', '2@lid', '3@lid']);
		expect(read({ id: NUMBER }, ...all)?.map(({ id }) => id)).toEqual([NUMBER, '2@lid', '3@lid']);
	});

	it("stay apart where their own IDs are no person's and differ", () => {
		const ids = read({ id: 'meta@bot' }, { id: 'other@bot' }, { id: 'meta@bot' })?.map(({ id }) => id);

		expect(ids).toEqual(['meta@bot', 'other@bot']);
	});

	it('are of the first where one could be of several', () => {
		const rows = [
			{ id: '1@lid', jid: NUMBER },
			{ id: '2@lid', jid: NUMBER, admin: null },
			{ id: NUMBER, admin: 'admin' },
		];

		expect(read(...rows)).toMatchObject([
			{ id: '1@lid', role: 'admin' },
			{ id: '2@lid', role: 'member' },
		]);
	});

	it('under two forms of a number stay apart: nobody can tell whether they are one', () => {
		expect(read({ id: '5531999990002@s.whatsapp.net' }, { id: '553199990002@s.whatsapp.net' })).toHaveLength(
			2,
		);
	});
});

describe('a list of members', () => {
	it('may be empty', () => {
		expect(readMembers({ participants: [] })).toEqual([]);
	});

	it.each([
		...[undefined, null, '', 'text', [], {}, { participants: null }, { participants: {} }],
		...[{ participants: [null] }, { participants: ['5511999990010'] }, { participants: [{}] }],
		...[{ participants: [{ id: 5 }] }, { participants: [{ id: NUMBER }, { id: '' }] }],
		{ status: 404, error: 'Not Found', response: { message: ['No participants', 'Error: forbidden'] } },
		...[
			{ status: 500, participants: [{ id: NUMBER }] },
			{ error: 'Not Found', participants: [] },
		],
	])('is not what the reply %j is', (reply) => {
		expect(readMembers(reply)).toBeUndefined();
	});
});
