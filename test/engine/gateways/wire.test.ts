import { describeEachLine, groupParameters, runNode, withGateways } from '../support';
import { getBot, getInstance, getMany } from './parameters';
import { CUSTOMERS } from '../../gateway/seed';

/** Names, and each as one segment of a path. */
const oddNames: Array<[name: string, segment: string]> = [
	['second one/ü', 'second%20one%2F%C3%BC'],
	['a?b=c&d#e', 'a%3Fb%3Dc%26d%23e'],
	['%2e%2e', '%252e%252e'],
	['...', '...'],
	['a/../b', 'a%2F..%2Fb'],
	['back\\slash+plus', 'back%5Cslash%2Bplus'],
	['__proto__', '__proto__'],
	['constructor', 'constructor'],
	['{instance}', '%7Binstance%7D'],
	["$& $' $1", "%24%26%20%24'%20%241"],
	['日本 🙂', '%E6%97%A5%E6%9C%AC%20%F0%9F%99%82'],
];

describeEachLine('the calls', (engine) => {
	describe('on the wire', () => {
		const start = withGateways();

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

		test.each(oddNames)('the name %s is one segment', async (name, segment) => {
			const group = await sent(
				groupParameters({ instance: '={{ $json.name }}', participants: '447700900999' }),
				{ item: { name } },
			);
			expect(group.paths.map((path) => path.split('?')[0])).toEqual([`/group/updateParticipant/${segment}`]);
			const bot = await sent(getBot('={{ $json.name }}', '={{ $json.name }}'), { item: { name } });
			expect(bot.paths).toEqual([`/openai/find/${segment}/${segment}`]);
			const one = await sent(getInstance('={{ $json.name }}'), { item: { name } });
			// An apostrophe may stay as it is in a path, not in a query.
			const value = segment.replaceAll("'", '%27');
			expect(one.paths).toEqual([`/instance/fetchInstances?instanceName=${value}`]);
		});

		test.each([
			['/', ''],
			['///', ''],
			['/manager', ''],
			['/manager/', ''],
			['/sub/path', '/sub/path'],
			['/sub/path/', '/sub/path'],
			['/sub/manager', '/sub'],
			['/manager/login', ''],
			['/sub/#/manager', '/sub'],
			['/my%20gateway', '/my%20gateway'],
		])('a base URL that ends in %s', async (at, kept) => {
			expect((await sent(getMany(), { at })).paths).toEqual([`${kept}/instance/fetchInstances`]);
			const [bot] = (await sent(getBot('b'), { at })).paths;
			expect(bot).toBe(`${kept}/openai/find/b/main`);
			const [group] = (await sent(groupParameters({ participants: '447700900999' }), { at })).paths;
			expect(group?.split('?')[0]).toBe(`${kept}/group/updateParticipant/main`);
		});

		test.each(['120363000000000001', CUSTOMERS, ' 120363000000000001@g.us '])(
			'the group %j goes out as its full JID',
			async (group) => {
				const { paths } = await sent(groupParameters({ group, participants: '447700900999' }));
				expect(paths.map((path) => new URL(path, 'http://gateway').searchParams.get('groupJid'))).toEqual([
					CUSTOMERS,
				]);
			},
		);

		test('an old group id, with a dash, is one too', async () => {
			const group = '5511999999999-1600000000';
			const { paths } = await sent(groupParameters({ group, participants: '447700900999' }));
			expect(decodeURIComponent(paths[0] ?? '')).toContain(`groupJid=${group}@g.us`);
		});
	});

	describe('no request is made', () => {
		const start = withGateways();

		test.each([
			['without a scheme', (url: string) => url.replace('http://', '')],
			['with another scheme', (url: string) => url.replace('http:', 'ftp:')],
			['with a file', () => 'file:///etc/hosts'],
			['with a script', () => 'javascript:alert(1)'],
			['without a host', () => 'http://'],
			['without slashes', (url: string) => url.replace('http://', 'http:')],
			['that is empty', () => ''],
			['that is blank', () => '  '],
			['with a query', (url: string) => `${url}/?token=geheim`],
			['with a fragment', (url: string) => `${url}/#geheim`],
			['with a user and password', (url: string) => url.replace('://', '://user:geheim@')],
			['with words', () => 'my gateway'],
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

		const names: Array<[unknown]> = [[''], [' '], ['.'], ['..'], [null], [true], [{}], [['main']]];
		test.each(names)('for the name %j', async (name) => {
			const gateway = await start();
			const asked: Array<[object, RegExp]> = [
				[getInstance('={{ $json.name }}'), /instance/i],
				[getBot('b', '={{ $json.name }}'), /instance/i],
				[getBot('={{ $json.name }}'), /bot/i],
				[groupParameters({ instance: '={{ $json.name }}', participants: '447700900999' }), /instance/i],
			];
			for (const [parameters, says] of asked) {
				const { main, error } = await runNode(engine(), gateway, parameters, [{ name }]);
				expect(main).toEqual([]);
				expect(error).toMatchObject({ message: expect.stringMatching(says), itemIndex: 0 });
			}
			expect(gateway.calls).toEqual([]);
		});

		const groups: Array<[unknown]> = [
			[true],
			[false],
			['true'],
			[''],
			[' '],
			[null],
			['https://chat.whatsapp.com/AbCdEfGhIjKlMnOpQrStUv'],
			['chat.whatsapp.com/AbCdEfGhIjKlMnOpQrStUv'],
			['5511990000001@s.whatsapp.net'],
			['5511990000001@c.us'],
			['199999999999999@lid'],
			['120363000000000001@newsletter'],
			['status@broadcast'],
			['@g.us'],
			['..'],
			['Customers'],
			['120363000000000001@g.us,120363000000000002@g.us'],
			['120363000000000001@g.us&groupJid=120363000000000002@g.us'],
			[[CUSTOMERS]],
			[{}],
		];
		test.each(groups)('for the group %j', async (group) => {
			const gateway = await start();
			const parameters = groupParameters({ group: '={{ $json.group }}', participants: '447700900999' });
			const { main, error } = await runNode(engine(), gateway, parameters, [{ group }]);
			expect(main).toEqual([]);
			expect(error).toMatchObject({ message: expect.stringMatching(/group/i), itemIndex: 0 });
			expect(`${error?.message} ${error?.description}`).toContain('@g.us');
			expect(gateway.calls).toEqual([]);
		});
	});
});
