import { get, keeper, participants, replied } from './client';
import { KINDS, parseGeneration, type Connection, type Gateway } from './gateway';

describe('a connection', () => {
	const state = async (gateway: Gateway, instance: string) =>
		JSON.parse(JSON.stringify(await get(gateway, `/instance/connectionState/${instance}`))).instance.state;

	test('that is started has no QR code at first, then one with a picture, and is open once it is scanned', async () => {
		for (const generation of ['1.8', '2.3'] as const) {
			const gateway = await keeper(generation);
			const connect = async () => await get(gateway, '/instance/connect/fresh');
			expect(await connect()).toEqual({ count: 0 });
			expect(await state(gateway, 'fresh')).toBe('connecting');
			expect(await connect()).toEqual({
				pairingCode: null,
				code: expect.stringMatching(/^2@/),
				base64: expect.stringMatching(/^data:image\/png;base64,iVBOR/),
				count: 1,
			});
			gateway.network.setConnection('fresh', 'open');
			expect(await connect()).toEqual({ instance: { instanceName: 'fresh', state: 'open' } });
		}
	});

	test.each<[Connection, string]>([
		['open', 'open'],
		['close', 'close'],
		['never', 'close'],
		['connecting', 'connecting'],
		['waiting', 'connecting'],
	])('%s is told as %s, by the list too', async (connection, expected) => {
		const gateway = await keeper('1.8');
		gateway.network.setConnection('keeper', connection);
		expect(await state(gateway, 'keeper')).toBe(expected);
		expect(await get(gateway, '/instance/fetchInstances?instanceName=keeper')).toHaveProperty(
			'instance.status',
			expected,
		);
	});

	test('an instance that is deleted is not known any more', async () => {
		const gateway = await keeper();
		gateway.network.deleteInstance('fresh');
		expect((await replied(gateway, '/instance/connectionState/fresh')).status).toBe(404);
	});

	test('an unknown name in the list is a 500 of its own form on 1.8.6', async () => {
		const gateway = await keeper(parseGeneration('1.8.6'));
		const reply = await replied(gateway, '/instance/fetchInstances?instanceName=nope');
		expect(reply).toEqual({
			status: 500,
			text: '{"error":true,"message":["Instance \\"nope\\" not found"]}',
		});
	});
});

describe('between two calls', () => {
	const person = '12025550100';
	const jid = `${person}@s.whatsapp.net`;
	const group = KINDS.numbers;

	test('members come, get another role, and leave', async () => {
		const gateway = await keeper();
		const role = async () => (await participants(gateway, group)).find(({ id }) => id === jid)?.admin;
		expect(await role()).toBeUndefined();
		gateway.network.join('keeper', group, person);
		expect(await role()).toBeNull();
		gateway.network.promote('keeper', group, person);
		expect(await role()).toBe('admin');
		gateway.network.demote('keeper', group, person);
		expect(await role()).toBeNull();
		gateway.network.leave('keeper', group, person);
		expect(await role()).toBeUndefined();
		expect(() => gateway.network.promote('keeper', group, person)).toThrow('is not a member');
	});

	test('a group gets hidden ids: the same people and roles under other names', async () => {
		const gateway = await keeper();
		const before = await participants(gateway, group);
		gateway.network.hideIds('keeper', group);
		const after = await participants(gateway, group);
		expect(after.map(({ id }) => id.split('@')[1])).toEqual(['lid', 'lid', 'lid', 'lid']);
		expect(after.map(({ phoneNumber, admin }) => [phoneNumber, admin])).toEqual(
			before.map(({ id, admin }) => [id, admin]),
		);
		gateway.network.join('keeper', group, person);
		expect((await participants(gateway, group)).at(-1)).toMatchObject({ phoneNumber: jid });
	});
});
