import { planInvites, type InviteRow } from '../../../../nodes/MessagingGateway/groups/invites';
import { inviteRow } from '../../support';

const row = (item: number, sentAs: string, more: Partial<InviteRow> = {}) =>
	inviteRow(sentAs, { item, message: `message ${item}`, ...more });

/** Of each invite, how the person is named, and which items it is for. */
const planned = (...rows: InviteRow[]) =>
	planInvites(rows).map((invite) => [
		invite.rows[0].participant.sentAs,
		...invite.rows.map(({ item }) => item),
	]);

describe('invites', () => {
	it('go to each person once, in the order of the first mention, with the first message', () => {
		const rows = [row(0, '447700900001'), row(1, '447700900002'), row(2, '447700900001')];

		expect(planned(...rows)).toEqual([
			['447700900001', 0, 2],
			['447700900002', 1],
		]);
		expect(planInvites(rows)[0]?.rows[0].message).toBe('message 0');
	});

	it.each([
		['two forms of a number', '5531999990002', '553199990002'],
		['a plain number and its JID', '447700900001', '447700900001@s.whatsapp.net'],
		['a hidden ID', '199999999999701@lid', '199999999999701@lid'],
	])('go once to a person who is named in two forms: %s', (_, one, other) => {
		expect(planned(row(0, one), row(1, other))).toEqual([[one, 0, 1]]);
	});

	it.each<[string, InviteRow, InviteRow]>([
		['a number and a hidden ID', row(0, '199999999999'), row(1, '199999999999@lid')],
		['instances', row(0, '447700900001'), row(1, '447700900001', { instance: 'other' })],
		['groups', row(0, '447700900001'), row(1, '447700900001', { groupJid: '2@g.us' })],
	])('are apart for different %s', (_, one, other) => {
		expect(planned(one, other)).toHaveLength(2);
	});
});
