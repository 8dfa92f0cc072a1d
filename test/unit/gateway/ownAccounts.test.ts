import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import { ConnectionFailure } from '../../../nodes/MessagingGateway/gateway/http';
import { CREDENTIAL } from '../support';

const OPTIONS = { timeout: 120_000, maxRetries: 2 };

/** A client of a gateway that always gives the same answer. */
function clientOf(status: number, body: unknown, cancelSignal?: AbortSignal) {
	const http = async () => {
		if (status === 0) throw new ConnectionFailure('ECONNREFUSED');
		return await Promise.resolve({ status, headers: {}, text: JSON.stringify(body), elapsed: 5 });
	};
	return new GatewayClient(CREDENTIAL, http, { cancelSignal });
}

describe('the own accounts', () => {
	it('are what the list of instances says', async () => {
		const client = clientOf(200, [{ name: 'main', id: '1', ownerJid: '4915200000001@s.whatsapp.net' }]);
		const owners = await client.ownAccounts(['main', 'other'], OPTIONS);
		expect([...owners].map(([name, owner]) => [name, owner?.digits])).toEqual([
			['main', '4915200000001'],
			['other', undefined],
		]);
	});

	it.each<[string, number, unknown]>([
		['can be asked for by nobody', 0, undefined],
		['are asked for too often', 429, {}],
		['cost a license', 503, { code: 'LICENSE_REQUIRED' }],
		['are somewhere else', 302, {}],
		['are refused', 401, {}],
		['are those of an instance that is missing', 404, { message: ['Instance "main" not found'] }],
	])('are unknown where they %s, which stops nothing', async (_, status, body) => {
		const client = clientOf(status, body);
		expect(await client.ownAccounts(['main'], OPTIONS)).toEqual(new Map([['main', undefined]]));
		expect([undefined, 'main'].map((instance) => client.blockedBy(instance))).toEqual([undefined, undefined]);
	});

	it('are unknown where nothing is sent any more', async () => {
		const client = clientOf(200, [], AbortSignal.abort());
		expect(await client.ownAccounts(['main'], OPTIONS)).toEqual(new Map([['main', undefined]]));
	});
});
