import { GENERATIONS, type Generation } from '../../gateway/gateway';
import { JSON_TYPE } from '../../gateway/reply';
import { describeOnEngine, runNode, withGateways } from '../support';
import { getBot, getInstance, getMany } from './parameters';

const including = { options: { includeSecrets: true } };

describeOnEngine('what is given', (engine) => {
	describe('a bot', () => {
		const start = withGateways();

		async function bot(body: unknown, more: object = {}) {
			const gateway = await start();
			gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body } });
			const { main, error } = await runNode(engine(), gateway, getBot('b1', 'main', more), [{}]);
			return { output: main.map(({ json }) => json), error };
		}

		test('is given as the gateway gives it', async () => {
			const record = {
				id: 'b1',
				enabled: false,
				description: null,
				maxTokens: 300,
				systemMessages: ['a', 'b'],
			};
			expect((await bot(record)).output).toEqual([record]);
		});

		test.each<[string, object]>([
			['instanceName', { instanceName: 'other' }],
			['instance.instanceName', { instance: { instanceName: 'other' } }],
			['Instance.name', { Instance: { id: '1', name: 'other' } }],
			['the same name in upper case', { instanceName: 'MAIN' }],
		])('of another instance is not handed over: %s', async (_what, owner) => {
			const { output, error } = await bot({ id: 'b1', enabled: true, ...owner });
			expect(output).toEqual([]);
			expect(error?.message).toMatch(/b1.*couldn't be found.*main/);
		});

		test.each<[string, object]>([
			['instanceName', { instanceName: 'main' }],
			['Instance.name', { Instance: { id: '1', name: 'main' } }],
			['an id only', { instanceId: '0a6f4f0e-0000-4000-8000-000000000001' }],
		])('of this instance is handed over: %s', async (_what, owner) => {
			expect((await bot({ id: 'b1', ...owner })).output).toEqual([{ id: 'b1', ...owner }]);
		});

		test('has its secrets hidden unless they are asked for', async () => {
			const record = {
				id: 'b1',
				openaiCreds: { name: 'main', apiKey: 'sk-SECRET-1' },
				webhook: { auth_token: 'SECRET-2', headers: [{ jwtSecret: 'SECRET-3' }] },
				maxTokens: 300,
				token: null,
				password: '',
			};
			const { output } = await bot(record);
			expect(output).toEqual([
				{
					...record,
					openaiCreds: { name: 'main', apiKey: '**hidden**' },
					webhook: { auth_token: '**hidden**', headers: [{ jwtSecret: '**hidden**' }] },
				},
			]);
			expect((await bot(record, including)).output).toEqual([record]);
		});

		test.each<Generation>(['published', '2.2', '2.3'])(
			'that does not exist is not found: %s',
			async (generation) => {
				const gateway = await start({ generation });
				const { main, error } = await runNode(engine(), gateway, getBot('cmabsent'), [{}]);
				expect(main).toEqual([]);
				expect(error).toMatchObject({ message: expect.stringMatching(/couldn't be found/), itemIndex: 0 });
			},
		);
	});

	describe('an instance', () => {
		const start = withGateways();

		async function mainOf(generation: Generation, more: object) {
			const gateway = await start({ generation });
			const { main, run } = await runNode(engine(), gateway, getInstance('main', more), [{}]);
			return { json: main[0]?.json ?? {}, everything: JSON.stringify(run) };
		}

		test.each<Generation>(['published', '1.8'])(
			'comes as it is where it is not simplified: %s',
			async (generation) => {
				const { json, everything } = await mainOf(generation, { simplify: false });
				expect(json).toMatchObject({ instance: { instanceName: 'main', apikey: '**hidden**' } });
				expect(Object.keys(json)).toEqual(['instance']);
				expect(everything).not.toMatch(/TEST-(GLOBAL|INSTANCE)-KEY/);
				const open = await mainOf(generation, { simplify: false, ...including });
				expect(open.json).toMatchObject({ instance: { apikey: 'TEST-INSTANCE-KEY-MAIN' } });
			},
		);

		test.each<Generation>(['2.2', '2.3'])(
			'comes as it is where it is not simplified: %s',
			async (generation) => {
				const { json, everything } = await mainOf(generation, { simplify: false });
				expect(json).toMatchObject({
					name: 'main',
					connectionStatus: 'open',
					number: '5511990000001',
					businessId: null,
					token: '**hidden**',
					Chatwoot: { accountId: '1', token: '**hidden**', url: 'https://chat.example' },
					Proxy: { host: 'proxy.example', password: '**hidden**' },
					Setting: { wavoipToken: '' },
					_count: { Message: 0 },
				});
				expect(everything).not.toMatch(/TEST-[A-Z-]*(KEY|TOKEN|PASSWORD)/);
				const open = await mainOf(generation, { simplify: false, ...including });
				expect(open.json).toMatchObject({
					token: 'TEST-INSTANCE-KEY-MAIN',
					Chatwoot: { token: 'TEST-CHATWOOT-TOKEN' },
					Proxy: { password: 'TEST-PROXY-PASSWORD' },
				});
			},
		);

		test.each(GENERATIONS)('has only published fields: %s', async (generation) => {
			const { json, everything } = await mainOf(generation, {});
			const published = [
				'instanceName',
				'instanceId',
				'status',
				'owner',
				'profileName',
				'profilePictureUrl',
				'profileStatus',
				'serverUrl',
				'apikey',
				'integration',
			];
			expect(Object.keys(json).filter((name) => !published.includes(name))).toEqual([]);
			expect(json.apikey).toBe('**hidden**');
			expect(everything).not.toMatch(/TEST-(GLOBAL|INSTANCE)-KEY/);
			expect((await mainOf(generation, including)).json.apikey).toBe('TEST-INSTANCE-KEY-MAIN');
		});

		test('has every kind of secret hidden, at any depth, and nothing else', async () => {
			const gateway = await start();
			const secrets = {
				wavoipToken: 'S-1',
				access_token_wa_business: 'S-2',
				APIKEY: 'S-3',
				api_key: 'S-4',
				'x-api-key': 'S-5',
				clientSecret: 'S-6',
				passwordHash: 'S-7',
				jwt: 'S-8',
			};
			const open = {
				maxTokens: 300,
				token: null,
				tokens: 'some',
				hashtag: '#x',
				apiVersion: '2',
				enabled: true,
			};
			const instance = { instanceName: 'deep', status: 'open', list: [{ ...secrets, ...open }] };
			gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body: [{ instance }] } });
			const { main } = await runNode(engine(), gateway, getMany({ simplify: false }), [{}]);
			const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, '**hidden**']));
			expect(main[0]?.json).toEqual({ instance: { ...instance, list: [{ ...hidden, ...open }] } });
		});

		test('with its secrets included has none in an error', async () => {
			const gateway = await start();
			const message = [`Key ${gateway.apiKey} is not that of the instance`, 'token=SECRET-IN-WORDS'];
			const body = { status: 400, error: 'Bad Request', apikey: 'SECRET-BESIDE', response: { message } };
			gateway.replay({ response: { status: 400, contentType: JSON_TYPE, body } });
			const { error, run } = await runNode(engine(), gateway, getInstance('main', including), [{}]);
			expect(error?.message).toContain('is not that of the instance');
			expect(JSON.stringify(run)).not.toMatch(/TEST-GLOBAL-KEY|SECRET-IN-WORDS|SECRET-BESIDE/);
		});

		test.each(['\n', ' '])('has no key in an error that was copied with %j after it', async (end) => {
			const gateway = await start();
			const { url, apiKey } = gateway;
			const body = { response: { message: `"${apiKey}" is not known` } };
			gateway.replay({ response: { status: 401, contentType: JSON_TYPE, body } });
			const { error, run } = await runNode(engine(), { url, apiKey: apiKey + end }, getInstance('main'), [
				{},
			]);
			expect(error?.message).toContain('is not known');
			expect(JSON.stringify(run).includes(apiKey)).toBe(false);
		});

		test.each([
			['the key', '[{"instance":{"apikey":"SECRET-1","instanceName":"ma'],
			['a token with more words', '[{"access_token_wa_business":"SECRET-1","name":"ma'],
			['a word in camel case', '[{"tokenOfWebhook":"SECRET-1","name":"ma'],
			['a password with spaces', '[{"Proxy":{"password":"open SECRET-1 please"},"name":"ma'],
			['a password with a quote', '[{"Proxy":{"password":"a\\"SECRET-1"},"name":"ma'],
		])('that was cut off in transit shows no secret: %s', async (_what, body) => {
			const gateway = await start();
			gateway.replay({ response: { status: 200, contentType: 'text/plain', body } });
			const { error, run } = await runNode(engine(), gateway, getInstance('main'), [{}]);
			expect(error?.message).toContain("isn't JSON");
			expect(JSON.stringify(run).includes('SECRET-1')).toBe(false);
		});
	});
});
