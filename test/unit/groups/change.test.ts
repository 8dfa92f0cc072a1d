import { groupKey } from '../../../nodes/MessagingGateway/groups/change';

it('groups are told apart, also one group of two instances, whatever their names hold', () => {
	const groups = [
		{ instance: 'main', groupJid: '1@g.us' },
		{ instance: 'main', groupJid: '2@g.us' },
		{ instance: 'main,1', groupJid: '@g.us' },
		{ instance: 'other', groupJid: '1@g.us' },
	];

	expect(new Set(groups.map(groupKey)).size).toBe(groups.length);
	expect(groupKey({ groupJid: '1@g.us', instance: 'main' })).toBe(groups.map(groupKey)[0]);
});
