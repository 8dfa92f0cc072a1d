import { KINDS, kindsSeed, startGateway, type Gateway, type GatewayOptions, type Seed } from './gateway';

const [ANA, BEN, CLEO, DAN] = ['4915200000001', '4915200000002', '4915200000003', '4915200000004'] as const;
const seed: Seed = { ...kindsSeed, fates: { [BEN]: 'refused', [CLEO]: 'unanswered', [DAN]: 'read' } };

const started: Gateway[] = [];
afterEach(async () => await Promise.all(started.splice(0).map((gateway) => gateway.close())));

async function start(options: GatewayOptions): Promise<Gateway> {
	const gateway = await startGateway(options);
	started.push(gateway);
	return gateway;
}

async function post({ url, apiKey }: Gateway, route: string, body: object) {
	const headers = { apikey: apiKey, 'content-type': 'application/json' };
	return await fetch(`${url}/${route}/keeper`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function invite(gateway: Gateway, number: string): Promise<number> {
	const body = { groupJid: KINDS.numbers, description: 'Join us', numbers: [number] };
	return (await post(gateway, 'group/sendInvite', body)).status;
}

async function find(gateway: Gateway, number: string) {
	const key = { remoteJid: `${number}@s.whatsapp.net`, fromMe: true };
	const reply = await post(gateway, 'chat/findMessages', { where: { key }, offset: 1 });
	return { status: reply.status, body: JSON.parse(await reply.text()) };
}

describe('messages', () => {
	test.each([
		[ANA, ['DELIVERY_ACK']],
		[BEN, ['ERROR']],
		[CLEO, []],
		[DAN, ['DELIVERY_ACK', 'READ']],
	])('are sent all the same, and kept with what the network said: %s', async (number, statuses) => {
		const gateway = await start({ generation: '2.3', seed });
		expect(await invite(gateway, number)).toBe(200);
		expect(await find(gateway, number)).toMatchObject({
			status: 200,
			body: {
				messages: {
					total: 1,
					records: [
						{
							message: { conversation: expect.stringMatching(/^Join us\n\nhttps:/) },
							MessageUpdate: statuses.map((status) => ({ status })),
						},
					],
				},
			},
		});
	});

	test('are found newest first, by one person', async () => {
		const gateway = await start({ generation: '2.3', seed });
		for (const number of [ANA, BEN, ANA]) await invite(gateway, number);
		const { messages } = (await find(gateway, ANA)).body;
		expect([messages.total, messages.pages, messages.records.length]).toEqual([2, 2, 1]);
	});

	test('are not kept by a gateway that is set so', async () => {
		const gateway = await start({ generation: '2.3', seed: { ...seed, storesMessages: false } });
		await invite(gateway, BEN);
		expect((await find(gateway, BEN)).body).toMatchObject({ messages: { total: 0, records: [] } });
	});

	test.each(['published', '1.8'] as const)('cannot be looked up in %s', async (generation) => {
		const gateway = await start({ generation, seed });
		expect((await find(gateway, BEN)).status).toBe(404);
	});
});
