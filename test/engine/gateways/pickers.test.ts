import type { INodeListSearchResult } from 'n8n-workflow';
import { GENERATIONS, type Gateway, type Generation } from '../../gateway/gateway';
import { JSON_TYPE } from '../../gateway/reply';
import { EngineError, type SerialisedError } from '../engine';
import { describeEachLine, locator, withGateways } from '../support';

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

	test('of groups tells a community and its announcements apart', async () => {
		const gateway = await start();
		const group = (id: string, subject: string, more: object = {}) => ({ id, subject, size: 5, ...more });
		const body = [
			group('1@g.us', 'Riverside', { isCommunity: true }),
			group('2@g.us', 'Riverside', { isCommunityAnnounce: true, linkedParent: '1@g.us' }),
			group('3@g.us', 'Parents', { linkedParent: '1@g.us' }),
			group('4@g.us', 'Shop', { isCommunityAnnounce: true, linkedParent: '9@g.us' }),
		];
		gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body } });
		const { results } = await pick(gateway, 'searchGroups');
		expect(results.map(({ name, description }) => `${name}: ${description}`)).toEqual([
			'Parents: 5 members',
			'Riverside (…1): 5 members, community',
			'Riverside (…2): 5 members, announcements of Riverside',
			'Shop: 5 members, announcements of a community',
		]);
	});

	test('of groups tells apart those of one name', async () => {
		const gateway = await start();
		const group = (id: string) => ({ id: `${id}@g.us`, subject: 'Buyers' });
		const body = [group('120363021345678901'), group('120363021345671234'), group('5511-1609')];
		gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body } });
		const { results } = await pick(gateway, 'searchGroups');
		expect(results.map(({ name }) => name)).toEqual([
			'Buyers (…1-1609)',
			'Buyers (…671234)',
			'Buyers (…678901)',
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
