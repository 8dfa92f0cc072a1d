import { readNumberLookup } from '../../../../nodes/MessagingGateway/gateway/replies/numbers';

const ASKED = '552198860002';
const JID = '5521998860002@s.whatsapp.net';

describe('the reply to a look-up of a number', () => {
	it('names the ID under which the network has it', () => {
		const reply = [{ exists: true, jid: JID, number: '552198860002' }];
		expect(readNumberLookup(reply, ASKED)).toMatchObject({ digits: '5521998860002' });
	});

	it('says that the network has none', () => {
		expect(readNumberLookup([{ exists: false, jid: JID, number: '552198860002' }], ASKED)).toBeNull();
	});

	it.each([
		undefined,
		null,
		1006,
		{},
		[],
		'text',
		[null],
		[{ jid: JID }],
		[{ exists: 'true', jid: JID }],
		[{ exists: true }],
		[{ exists: false, jid: JID, number: '447700900001' }],
		[{ exists: true, jid: JID, number: '447700900001' }],
		[{ exists: true, jid: '120363000000000101@g.us' }],
		[
			{ exists: true, jid: JID },
			{ exists: true, jid: JID },
		],
	])('is none where it is %j', (reply) => {
		expect(readNumberLookup(reply, ASKED)).toBeUndefined();
	});
});
