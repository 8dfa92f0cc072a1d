import { describeEachLine, groupParameters, runNode, withGateways } from '../support';
import { getBot, getInstance, getMany } from './parameters';

describeEachLine('the calls', (engine) => {
	const start = withGateways();

	describe('on the wire', () => {
		/** What arrived at a gateway when the node ran on one item. */
		async function sent(parameters: object, { at = '', item = {} }: { at?: string; item?: object } = {}) {
			const gateway = await start();
			const { error } = await runNode(
				engine(),
				{ url: gateway.url + at, apiKey: gateway.apiKey },
				parameters,
				[item],
			);
			return { calls: gateway.calls, error, paths: gateway.calls.map(({ path }) => path) };
		}

		test('Get Many is GET of the list with the key, without a query or body', async () => {
			const { calls } = await sent(getMany());
			expect(calls).toMatchObject([{ method: 'GET', path: '/instance/fetchInstances', body: undefined }]);
			expect(calls[0]?.headers).toMatchObject({ apikey: 'TEST-GLOBAL-KEY' });
			expect(calls[0]?.headers).not.toHaveProperty('content-type');
			expect(calls[0]?.headers).not.toHaveProperty('authorization');
		});

		test('Get Many with a name filter adds it to the query, and a status filter adds nothing', async () => {
			const byName = await sent(getMany({ filters: { instanceName: 'second one/ü', status: 'open' } }));
			expect(byName.paths).toEqual(['/instance/fetchInstances?instanceName=second%20one%2F%C3%BC']);
			const byStatus = await sent(getMany({ filters: { status: 'open' } }));
			expect(byStatus.paths).toEqual(['/instance/fetchInstances']);
			for (const filters of [{ instanceName: '' }, { status: ' ' }, { instanceName: '={{ $json.none }}' }]) {
				const empty = await sent(getMany({ filters }));
				expect(empty.paths).toEqual([]);
			}
		});

		test('Get asks for the name', async () => {
			const { calls } = await sent(getInstance('main'));
			expect(calls).toMatchObject([
				{ method: 'GET', path: '/instance/fetchInstances?instanceName=main', body: undefined },
			]);
			expect(calls[0]?.headers).toMatchObject({ apikey: 'TEST-GLOBAL-KEY' });
		});

		test('a group change is PUT with the group in the query and the change as JSON', async () => {
			const { calls } = await sent(groupParameters({ participants: '+44 7700 900999, 447700900998' }));
			expect(calls).toHaveLength(1);
			const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: null }] = calls;
			expect(method).toBe('PUT');
			expect(path).toMatch(/^\/group\/updateParticipant\/main\?groupJid=120363000000000001(@|%40)g\.us$/);
			expect(headers).toMatchObject({ apikey: 'TEST-GLOBAL-KEY' });
			expect(headers['content-type']).toMatch(/^application\/json\b/);
			expect(body).toEqual({ action: 'add', participants: ['447700900999', '447700900998'] });
		});

		test('a bot is GET of its id and instance, without a query, then of the instance whose it may be', async () => {
			const { calls } = await sent(getBot('cmtestbot0000000000000001'));
			expect(calls).toMatchObject([
				{ method: 'GET', path: '/openai/find/cmtestbot0000000000000001/main', body: undefined },
				{ method: 'GET', path: '/instance/fetchInstances?instanceName=main', body: undefined },
			]);
			expect(calls[0]?.headers).toMatchObject({ apikey: 'TEST-GLOBAL-KEY' });
			expect(calls[0]?.headers).not.toHaveProperty('content-type');
		});

		test.each([
			['/sub/manager', '/sub'],
			['/my%20gateway', '/my%20gateway'],
		])('a base URL that ends in %s', async (at, kept) => {
			expect((await sent(getMany(), { at })).paths).toEqual([`${kept}/instance/fetchInstances`]);
			const [bot] = (await sent(getBot('b'), { at })).paths;
			expect(bot).toBe(`${kept}/openai/find/b/main`);
			const [group] = (await sent(groupParameters({ participants: '447700900999' }), { at })).paths;
			expect(group?.split('?')[0]).toBe(`${kept}/group/updateParticipant/main`);
		});
	});

	describe('no request is made', () => {
		test.each([
			['without a scheme', (url: string) => url.replace('http://', '')],
			['with a query', (url: string) => `${url}/?token=geheim`],
			['with a fragment', (url: string) => `${url}/#geheim`],
			['with a user and password', (url: string) => url.replace('://', '://user:geheim@')],
		])('for a base URL %s', async (_what, spoil) => {
			const gateway = await start();
			for (const parameters of [getMany(), groupParameters({ participants: '447700900999' }), getBot('b')]) {
				const credential = { url: spoil(gateway.url), apiKey: gateway.apiKey };
				const { main, error, run } = await runNode(engine(), credential, parameters, [{}]);
				expect(main).toEqual([]);
				expect(error?.message).toMatch(/base URL/i);
				expect(error?.description).toMatch(/http/);
				expect(JSON.stringify(run)).not.toContain('geheim');
			}
			expect(gateway.calls).toEqual([]);
		});
	});
});
