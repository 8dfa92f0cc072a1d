import { describeEachLine, groupParameters, runNode, withGateways } from '../support';
import { getBot, getMany } from './parameters';

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

	test('for a base URL that is none are not made, and nothing of it is shown', async () => {
		const gateway = await start();
		for (const parameters of [getMany(), groupParameters({ participants: '447700900999' }), getBot('b')]) {
			const credential = { url: `${gateway.url}/?token=geheim`, apiKey: gateway.apiKey };
			const { main, error, run } = await runNode(engine(), credential, parameters, [{}]);
			expect(main).toEqual([]);
			expect(error?.message).toMatch(/base URL/i);
			expect(error?.description).toMatch(/http/);
			expect(JSON.stringify(run)).not.toContain('geheim');
		}
		expect(gateway.calls).toEqual([]);
	});
});
