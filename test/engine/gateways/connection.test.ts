import type { INodeListSearchResult } from 'n8n-workflow';
import { GENERATIONS, type Gateway, type Generation } from '../../gateway/gateway';
import { JSON_TYPE } from '../../gateway/reply';
import { type GatewayCredentials, EngineError, type SerialisedError } from '../engine';
import { describeEachLine, groupParameters, withGateways, workflowOf, locator, runNode } from '../support';
import { getMany, getBot } from './parameters';
import { withServers, type Answer, type Asked } from './server';

const KEY = 'TEST-GLOBAL-KEY';

describeEachLine('a credential', (engine) => {
	const start = withGateways();

	describe('the credential test', () => {
		const startServer = withServers();

		async function tested(credentials: Partial<GatewayCredentials>) {
			const apiKey = credentials.apiKey ?? KEY;
			const result = await engine().testCredential({ baseUrl: '', ...credentials, apiKey });
			if (apiKey.trim() !== '') expect(JSON.stringify(result)).not.toContain(apiKey);
			return result;
		}

		const error = (says: RegExp) => ({ status: 'Error', message: expect.stringMatching(says) });

		test.each(GENERATIONS)('passes a good gateway: %s', async (generation) => {
			const { url: baseUrl, calls } = await start({ generation });
			expect((await tested({ baseUrl })).status).toBe('OK');
			expect(calls).toMatchObject([
				{ method: 'GET', path: '/instance/fetchInstances', headers: { apikey: KEY }, body: undefined },
			]);
			for (const name of ['content-type', 'authorization'])
				expect(calls[0]?.headers).not.toHaveProperty(name);
		});

		test.each(['/sub', '/sub/', '/sub/manager/'])('passes a sub-path: %s', async (path) => {
			const { url } = await startServer((asked) =>
				asked.path === '/sub/instance/fetchInstances' ? { status: 200, body: [] } : { status: 404, body: {} },
			);
			expect((await tested({ baseUrl: url + path })).status).toBe('OK');
		});

		test('passes the key of one instance where the gateway accepts it', async () => {
			const apiKey = 'TEST-INSTANCE-KEY-MAIN';
			const { url: baseUrl } = await start({ generation: '2.3' });
			expect((await tested({ baseUrl, apiKey })).status).toBe('OK');
			const { url: old } = await start({ generation: '1.8' });
			expect(await tested({ baseUrl: old, apiKey })).toEqual(error(/API key.*Unauthorized/));
		});

		test.each<[string, (asked: Asked) => Answer, RegExp]>([
			[
				'a page that is not the gateway, without the key that it repeats',
				({ key }) => ({
					status: 200,
					contentType: 'text/html',
					body: `<html><body><h1>Welcome</h1><p>You sent ${key}</p></body></html>`,
				}),
				/isn't JSON.*Welcome/,
			],
			[
				'JSON that is no list of instances',
				() => ({ status: 200, body: { status: 'ok' } }),
				/unexpected shape/,
			],
			['an empty reply', () => ({ status: 200, contentType: null, body: '' }), /./],
			['a gateway that is busy', () => ({ status: 502, body: {} }), /status 502/],
			[
				'evolution-go',
				() => ({ status: 401, body: { error: 'not authorized' } }),
				/refused the API key.*evolution-go has an interface of its own/,
			],
			[
				'a license gate',
				() => ({
					status: 503,
					body: {
						error: 'service not activated',
						code: 'LICENSE_REQUIRED',
						register_url: 'https://license.example/?id=1',
					},
				}),
				/asks for a license.*Register.*: https:\/\/license\.example\/\?id=1$/,
			],
		])('asks once and names %s', async (_what, answer, says) => {
			const { url: baseUrl, calls } = await startServer(answer);
			expect(await tested({ baseUrl })).toEqual(error(says));
			expect(calls).toHaveLength(1);
		});

		test('names something that does not speak HTTP in clear', async () => {
			const { url } = await start({ tls: true });
			const result = await tested({ baseUrl: url.replace('https:', 'http:') });
			expect(result).toEqual(error(/Base URL|closed the connection/));
		});

		test.each<[string, string, Partial<GatewayCredentials>, RegExp]>([
			['a refused key', '', { apiKey: 'WRONG-KEY-0000' }, /API key.*Unauthorized/],
			['a key that no header can hold as it is', '', { apiKey: 'ключ-0000' }, /API key/],
			['a wrong path', '/wrong', {}, /Cannot GET \/wrong\/.*Base URL/],
			['no base URL', '', { baseUrl: '' }, /base URL is empty/],
			['another protocol', '', { baseUrl: 'ftp://x.example' }, /isn't a valid http or https address/],
			['no server', '', { baseUrl: 'http://127.0.0.1:1' }, /Couldn't connect to http:.*: .*Base URL/],
		])('names %s', async (_, path, credentials, says) => {
			const { url } = await start();
			expect(await tested({ baseUrl: url + path, ...credentials })).toEqual(error(says));
		});

		// What a key is copied with is cut off on its way, so that a gateway repeats the key without it.
		test.each(['\n', ' ', '\t', '\r\n'])(
			'does not show a key that was copied with %j after it',
			async (end) => {
				const { url: baseUrl } = await startServer(({ key }) => ({
					status: 401,
					body: { response: { message: `"${key}" is not known` } },
				}));
				const result = await tested({ baseUrl, apiKey: KEY + end });
				expect(result).toEqual(error(/API key/));
				expect(result.message).not.toContain(KEY);
			},
		);
	});

	describe('a self-signed certificate', () => {
		async function run(gateway: Gateway, parameters: object, allowUnauthorizedCerts?: boolean) {
			const { outputs, error, raw } = await engine().run(workflowOf(parameters), {
				credentials: {
					baseUrl: gateway.url,
					apiKey: gateway.apiKey,
					...(allowUnauthorizedCerts !== undefined && { allowUnauthorizedCerts }),
				},
				items: { Items: [{}] },
			});
			expect(raw).not.toContain(gateway.apiKey);
			return { main: outputs.Gateway?.[0] ?? [], error };
		}

		test('is refused by the credential test unless it is allowed', async () => {
			const { url: baseUrl, apiKey, calls } = await start({ tls: true });
			const refused = { status: 'Error', message: expect.stringMatching(/certificate.*Ignore SSL Issues/) };
			expect(await engine().testCredential({ baseUrl, apiKey })).toEqual(refused);
			expect(await engine().testCredential({ baseUrl, apiKey, allowUnauthorizedCerts: false })).toEqual(
				refused,
			);
			expect(calls).toEqual([]);
			const allowed = await engine().testCredential({ baseUrl, apiKey, allowUnauthorizedCerts: true });
			expect(allowed.status).toBe('OK');
		});

		test.each<[string, object]>([
			['a lookup', getMany({ options: { maxRetries: 0 } })],
			['a group change', groupParameters({ participants: '+447700900999' })],
		])('is refused by the node unless it is allowed: %s', async (_what, parameters) => {
			const gateway = await start({ tls: true });
			const refused = await run(gateway, parameters);
			expect(refused.main).toEqual([]);
			expect(refused.error?.message).toMatch(/certificate/);
			expect(refused.error?.description).toContain('Ignore SSL Issues');
			expect(gateway.calls).toEqual([]);
			const allowed = await run(gateway, parameters, true);
			expect(allowed.error).toBeUndefined();
			expect(allowed.main.length).toBeGreaterThan(0);
		});
	});
});

type Picker = 'searchInstances' | 'searchGroups' | 'searchBots';

const pickers: Picker[] = ['searchInstances', 'searchGroups', 'searchBots'];

describeEachLine('a picker', (engine) => {
	const start = withGateways();

	async function pick(
		{ url, apiKey }: Pick<Gateway, 'url' | 'apiKey'>,
		method: Picker,
		{
			instance = 'main',
			filter,
			mode = 'list',
		}: { instance?: unknown; filter?: string; mode?: 'list' | 'name' } = {},
	): Promise<INodeListSearchResult> {
		return await engine().search(method, {
			parameters: { instance: locator(instance, mode) },
			credentials: { baseUrl: url, apiKey },
			...(filter !== undefined && { filter }),
		});
	}

	/** What the picker throws, without the key in it. */
	async function failure(gateway: Gateway | { url: string; apiKey: string }, ...rest: [Picker, object?]) {
		const error = await pick(gateway, ...rest).then(
			(list): SerialisedError => ({ name: 'nothing was thrown', message: JSON.stringify(list) }),
			(thrown: unknown) => (thrown instanceof EngineError ? thrown.error : Promise.reject(thrown)),
		);
		expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
		expect(JSON.stringify(error)).not.toContain(gateway.apiKey);
		return error;
	}

	test.each(GENERATIONS)(
		'of instances has bare names, and their status beside them: %s',
		async (generation) => {
			const gateway = await start({ generation });
			const { results } = await pick(gateway, 'searchInstances', { instance: '' });
			expect(results).toEqual([
				{ name: 'closed', value: 'closed', description: 'Closed' },
				{ name: 'cloud', value: 'cloud', description: 'Open' },
				{ name: 'connecting', value: 'connecting', description: 'Connecting' },
				{ name: 'main', value: 'main', description: 'Open' },
				{ name: 'second one/ü', value: 'second one/ü', description: 'Open' },
			]);
			expect(gateway.calls.map(({ path }) => path)).toEqual(['/instance/fetchInstances']);
		},
	);

	test.each(GENERATIONS)('of groups has bare names, and their size beside them: %s', async (generation) => {
		const gateway = await start({ generation });
		const { results } = await pick(gateway, 'searchGroups');
		const entry = (name: string, value: string, description: string) => ({ name, value, description });
		expect(results).toHaveLength(7);
		expect(results).toContainEqual(entry('Customers', '120363000000000001@g.us', '4 members'));
		expect(results).toContainEqual(entry('Just me', '120363000000000002@g.us', '1 member'));
		expect(gateway.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /group/fetchAllGroups/main?getParticipants=false',
		]);
	});

	test('of groups gives no name that n8n would run as an expression', async () => {
		const gateway = await start();
		const body = [{ id: '1@g.us', subject: '\u202e={{ $env }}', size: 5 }];
		gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body } });
		const { results } = await pick(gateway, 'searchGroups');
		expect(results.map(({ name }) => name)).toEqual([' ={{ $env }}']);
	});

	test('of groups tells apart those of one name, and a community and its announcements', async () => {
		const gateway = await start();
		const group = (id: string, subject: string, more: object = {}) => ({ id, subject, size: 5, ...more });
		const body = [
			group('1@g.us', 'Riverside', { isCommunity: true }),
			group('2@g.us', 'Riverside', { isCommunityAnnounce: true, linkedParent: '1@g.us' }),
			group('3@g.us', 'Parents', { linkedParent: '1@g.us' }),
			group('4@g.us', 'Shop', { isCommunityAnnounce: true, linkedParent: '9@g.us' }),
			...['120363021345678901', '120363021345671234', '5511-1609'].map((id) => group(`${id}@g.us`, 'Buyers')),
		];
		gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body } });
		const { results } = await pick(gateway, 'searchGroups');
		expect(results.map(({ name, description }) => `${name}: ${description}`)).toEqual([
			'Buyers (…1-1609): 5 members',
			'Buyers (…671234): 5 members',
			'Buyers (…678901): 5 members',
			'Parents: 5 members',
			'Riverside (…1): 5 members, community',
			'Riverside (…2): 5 members, announcements of Riverside',
			'Shop: 5 members, announcements of a community',
		]);
	});

	test.each(GENERATIONS.filter((one) => one !== '1.8'))(
		'of bots shows description or id: %s',
		async (generation) => {
			const gateway = await start({ generation });
			const { results } = await pick(gateway, 'searchBots');
			expect(results.map(({ name, value }) => [name, value])).toEqual([
				['Answers questions', 'cmtestbot0000000000000001'],
				['cmtestbot0000000000000002', 'cmtestbot0000000000000002'],
			]);
			expect(gateway.calls.map(({ path }) => path)).toEqual(['/openai/find/main']);
		},
	);

	test.each(['list', 'name'] as const)('takes the instance in the mode "%s", encoded', async (mode) => {
		const gateway = await start();
		const instance = 'second one/ü';
		const groups = await pick(gateway, 'searchGroups', { instance, mode });
		expect(groups.results.map(({ name }) => name)).toEqual(['Kundinnen & Kunden']);
		const bots = await pick(gateway, 'searchBots', { instance, mode });
		expect(bots.results.map(({ name }) => name)).toEqual(['Zweiter Laden']);
		expect(gateway.calls.map(({ path }) => path.split('?')[0])).toEqual([
			'/group/fetchAllGroups/second%20one%2F%C3%BC',
			'/openai/find/second%20one%2F%C3%BC',
		]);
	});

	test.each<[Picker, string, string[]]>([
		['searchInstances', 'MAIN', ['main']],
		['searchInstances', 'clo', ['closed', 'cloud']],
		['searchInstances', 'ü', ['second one/ü']],
		['searchInstances', 'nothing like it', []],
		['searchInstances', '', ['closed', 'cloud', 'connecting', 'main', 'second one/ü']],
		['searchGroups', 'just ME', ['120363000000000002@g.us']],
		['searchGroups', '000000003@g', ['120363000000000003@g.us']],
		['searchBots', 'question', ['cmtestbot0000000000000001']],
		['searchBots', '0000002', ['cmtestbot0000000000000002']],
	])('%s filtered by "%s"', async (method, filter, expected) => {
		const { results } = await pick(await start(), method, { filter });
		expect(results.map(({ value }) => value)).toEqual(expected);
	});

	test('of groups asks once for all that is typed into it, and anew when it is opened', async () => {
		const gateway = await start();
		for (const filter of ['', 'j', 'ju', 'jus']) await pick(gateway, 'searchGroups', { filter });
		expect(gateway.calls).toHaveLength(1);
		expect((await pick(gateway, 'searchGroups', { filter: 'just' })).results).toHaveLength(1);
		await pick(gateway, 'searchGroups');
		expect(gateway.calls).toHaveLength(2);
	});

	test('of groups asks for another instance, with another key, and after a failure', async () => {
		const gateway = await start();
		await pick(gateway, 'searchGroups');
		await pick(gateway, 'searchGroups', { instance: 'second one/ü', filter: 'j' });
		await failure({ url: gateway.url, apiKey: 'ANOTHER-KEY' }, 'searchGroups', { filter: 'j' });
		await failure({ url: gateway.url, apiKey: 'ANOTHER-KEY' }, 'searchGroups', { filter: 'ju' });
		expect(gateway.calls).toHaveLength(4);
	});

	test.each<[Picker, string, Generation]>([
		['searchInstances', '', 'published'],
		['searchGroups', 'second', 'published'],
		['searchBots', 'closed', 'published'],
		['searchBots', 'closed', '2.2'],
		['searchBots', 'closed', '2.3'],
	])('%s is empty where there is nothing', async (method, instance, generation) => {
		const gateway = await start({ generation });
		if (method !== 'searchBots')
			gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body: [] } });
		expect((await pick(gateway, method, { instance })).results).toEqual([]);
	});

	test.each(pickers)('%s says that a base URL or key cannot be right', async (method) => {
		const { url, apiKey } = await start();
		expect((await failure({ url: 'gateway.example', apiKey }, method)).message).toMatch(/base URL/);
		expect((await failure({ url, apiKey: ' \t ' }, method)).message).toMatch(/API key is empty/);
	});

	test.each<Picker>(['searchGroups', 'searchBots'])('%s asks for an instance first', async (method) => {
		const gateway = await start();
		for (const instance of ['', null]) {
			const error = await failure(gateway, method, { instance });
			expect(`${error.message} ${error.description}`).toMatch(/Choose an instance first/);
		}
		expect(gateway.calls).toEqual([]);
	});

	test.each<[Picker, string, RegExp]>([
		['searchGroups', 'absent', /"absent" instance does not exist/],
		['searchBots', 'absent', /"absent" instance does not exist/],
		['searchGroups', 'cloud', /not available on WhatsApp Business API/],
		['searchGroups', '..', /instance/],
	])('%s of the instance "%s"', async (method, instance, says) => {
		expect((await failure(await start(), method, { instance })).message).toMatch(says);
	});

	test('of bots says that bots are switched off, and that a gateway has none at all', async () => {
		const old = await failure(await start({ generation: '1.8' }), 'searchBots');
		expect(old.description).toContain('By ID');
		const gateway = await start({ generation: '2.3' });
		const message = ['Openai is disabled'];
		const body = { status: 400, error: 'Bad Request', response: { message } };
		gateway.replay({ response: { status: 400, contentType: JSON_TYPE, body } });
		expect((await failure(gateway, 'searchBots')).message).toContain('Openai is disabled');
	});
});

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
			return { error, paths: gateway.calls.map(({ path }) => path) };
		}

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
			const [group] = (await sent(groupParameters({ participants: '+447700900999' }), { at })).paths;
			expect(group?.split('?')[0]).toBe(`${kept}/group/updateParticipant/main`);
		});
	});

	test('for a base URL that is none are not made, and nothing of it is shown', async () => {
		const gateway = await start();
		for (const parameters of [getMany(), groupParameters({ participants: '+447700900999' }), getBot('b')]) {
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
