import { readGroups, simplifyGroup } from '../../../../nodes/MessagingGateway/gateway/replies/groups';

const GROUP = { id: '1@g.us', subject: 'Club', size: 3 };

/** The fields that Get Many gives of a group. */
function simplified(element: object): object {
	const [group] = readGroups([element]) ?? [];
	if (group === undefined) throw new Error('This is no group');
	return simplifyGroup(group, 'main');
}

describe('a list of groups', () => {
	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['an object', { groups: [] }],
		['text', 'ok'],
		['a list of texts', ['1@g.us']],
		['a list with null in it', [GROUP, null]],
		['an element without an ID', [GROUP, { subject: 'Club' }]],
		['an element with an empty ID', [{ ...GROUP, id: '' }]],
		['an element whose ID is no text', [{ ...GROUP, id: 5 }]],
	])('is not %s', (_, reply) => {
		expect(readGroups(reply)).toBeUndefined();
	});

	it('may be empty', () => {
		expect(readGroups([])).toEqual([]);
	});

	it('has what is always in a group, in the order of the reply', () => {
		const bare = { id: '2@g.us', subject: '', size: '3' };

		expect(readGroups([GROUP, bare])).toEqual([
			{ element: GROUP, ...GROUP, isCommunity: false },
			{ element: bare, id: '2@g.us', isCommunity: false },
		]);
	});

	it.each<[object, object]>([
		[{ isCommunity: true }, { isCommunity: true, announcementsOf: undefined }],
		[
			{ isCommunityAnnounce: true, linkedParent: '9@g.us' },
			{ isCommunity: false, announcementsOf: '9@g.us' },
		],
		[{ isCommunityAnnounce: true }, { announcementsOf: '' }],
		[{ isCommunityAnnounce: false, linkedParent: '9@g.us' }, { announcementsOf: undefined }],
	])('tells what a group with %j is to a community', (fields, expected) => {
		expect(readGroups([{ ...GROUP, ...fields }])).toMatchObject([expected]);
	});
});

describe('a simplified group', () => {
	it('has the published fields in their order, and no other', () => {
		const element = {
			pictureUrl: 'https://pictures.example/1.jpg',
			isCommunity: false,
			restrict: true,
			announce: false,
			creation: 1_760_000_000,
			desc: 'About us',
			descId: 'D1',
			owner: '5511999990001@s.whatsapp.net',
			subjectOwner: '5511999990001@s.whatsapp.net',
			subjectTime: 1_760_000_000,
			participants: [{ id: 'x' }],
			...GROUP,
		};

		expect(Object.entries(simplified(element))).toEqual([
			['instance', 'main'],
			['groupJid', '1@g.us'],
			['subject', 'Club'],
			['size', 3],
			['owner', '5511999990001@s.whatsapp.net'],
			['description', 'About us'],
			['createdAt', '2025-10-09T08:53:20.000Z'],
			['announce', false],
			['restrict', true],
			['isCommunity', false],
		]);
	});

	it('leaves out what the gateway gives as null, or not at all', () => {
		const nulls = { subject: null, size: null, owner: null, desc: null, creation: null };

		expect(simplified({ id: '1@g.us', ...nulls })).toEqual({ instance: 'main', groupJid: '1@g.us' });
	});

	it('keeps empty and zero, which say something', () => {
		const element = { id: '1@g.us', subject: '', size: 0, desc: '' };

		expect(simplified(element)).toEqual({
			instance: 'main',
			groupJid: '1@g.us',
			subject: '',
			size: 0,
			description: '',
		});
	});

	it('has its subject in one line of at most 100 characters', () => {
		const subject = `Club\n\u202E${'x'.repeat(200)}`;
		expect(simplified({ ...GROUP, subject })).toMatchObject({ subject: `Club ${'x'.repeat(94)}…` });
	});

	// 2008, the day after tomorrow, and ms in place of seconds.
	it.each(['1760000000', 1e15, NaN, {}, 0, 1_230_000_000, Date.now() / 1000 + 2 * 86_400, 1_700_000_000_000])(
		'has no date where the gateway gives %p',
		(creation) => {
			expect(simplified({ ...GROUP, creation })).not.toHaveProperty('createdAt');
		},
	);
});
