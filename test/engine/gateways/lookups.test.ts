import { untilThereAre } from '../../gateway/hold';
import { GENERATIONS, type Generation, type Recording } from '../../gateway/gateway';
import { describeOnEngine, ERROR_OUTPUT, REGULAR_OUTPUT, runNode, seedWith, withGateways } from '../support';
import { getBot, getInstance, getMany } from './parameters';
import { withServers } from './server';

const byItem = getInstance('={{ $json.name }}', { options: { maxRetries: 0 } });

function items(names: string[]): object[] {
	return names.map((name) => ({ name }));
}

function json(body: unknown, status = 200): Recording {
	return { response: { status, contentType: 'application/json; charset=utf-8', body } };
}

const wrapped = (name: string) => ({ instance: { instanceName: name, status: 'open', apikey: 'KEY-OF-IT' } });
const flat = (name: string) => ({ id: `id-${name}`, name, connectionStatus: 'open', token: 'KEY-OF-IT' });

describeOnEngine('what is looked up', (engine) => {
	const start = withGateways();

	describe('looking up for many items', () => {
		const startServer = withServers();
		const many = seedWith(({ instances }) => {
			for (let i = 0; i < 12; i++)
				instances.push({
					instanceName: `n${i}`,
					instanceId: `id-${i}`,
					apikey: `KEY-OF-${i}`,
					status: 'open',
					groups: [],
				});
		});
		const twelve = Array.from({ length: 12 }, (_, i) => `n${i}`);

		test('asks once for the same thing', async () => {
			const gateway = await start();
			const names = ['main', 'closed', 'main', 'main', 'closed'];
			const { main } = await runNode(engine(), gateway, byItem, items(names));
			expect(main.map(({ json: { instanceName }, pairedItem }) => [instanceName, pairedItem])).toEqual(
				names.map((name, item) => [name, { item }]),
			);
			expect(gateway.calls).toHaveLength(2);

			const list = await runNode(engine(), gateway, getMany({ returnAll: true }), items(names));
			expect(list.main).toHaveLength(25);
			expect(list.main.at(-1)?.pairedItem).toEqual({ item: 4 });
			expect(gateway.calls).toHaveLength(3);
		});

		test('asks once for the same bot, and again for that id in another instance', async () => {
			const gateway = await start();
			const bot = 'cmtestbot0000000000000001';
			const parameters = getBot(bot, '={{ $json.name }}');
			const names = items(['main', 'closed', 'main', 'closed']);
			const { main, failed } = await runNode(engine(), gateway, parameters, names, ERROR_OUTPUT);
			expect(main.map(({ json: { id }, pairedItem }) => [id, pairedItem])).toEqual([
				[bot, { item: 0 }],
				[bot, { item: 2 }],
			]);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
			expect(gateway.calls.map(({ path }) => path).sort()).toEqual([
				'/instance/fetchInstances?instanceName=main',
				`/openai/find/${bot}/closed`,
				`/openai/find/${bot}/main`,
			]);
		});

		test("asks again with other options: the timeout of one item is nobody else's", async () => {
			const gateway = await start();
			gateway.fault({ kind: 'hang', times: 1 });
			const timeout = '={{ $json.timeout }}';
			const { main, failed } = await runNode(
				engine(),
				gateway,
				getInstance('main', { options: { timeout, maxRetries: 0 } }),
				[{ timeout: 200 }, { timeout: 120_000 }],
				ERROR_OUTPUT,
			);
			expect(failed.map(({ json: { error }, pairedItem }) => [error, pairedItem])).toEqual([
				[expect.stringContaining("didn't answer within 0.2 seconds"), { item: 0 }],
			]);
			expect(main.map(({ json: { instanceName }, pairedItem }) => [instanceName, pairedItem])).toEqual([
				['main', { item: 1 }],
			]);
			expect(gateway.calls).toHaveLength(2);
		});

		test('asks for five different things at once, at most', async () => {
			// The first one alone finds out which form of the route there is.
			const gateway = await start({ seed: many, latency: 60, hold: untilThereAre(5, { after: 1 }) });
			const { main } = await runNode(engine(), gateway, byItem, items(twelve));
			expect(main.map(({ json: { instanceName } }) => instanceName)).toEqual(twelve);
			expect(gateway.calls).toHaveLength(12);
			expect(gateway.maxConcurrent).toBe(5);
		});

		test('gives its output in input order, whatever order the replies have', async () => {
			const slowFirst = [0, 200, 160, 120, 80, 40, 0, 0];
			const server = await startServer(({ path }) => {
				const name = new URL(path, 'http://gateway').searchParams.get('instanceName') ?? '';
				return { status: 200, body: [wrapped(name)], after: slowFirst[Number(name.slice(1))] ?? 0 };
			});
			const names = twelve.slice(0, 8);
			const credential = { url: server.url, apiKey: 'KEY-0000' };
			const { main } = await runNode(engine(), credential, byItem, items(names));
			expect(main.map(({ json: { instanceName }, pairedItem }) => [instanceName, pairedItem])).toEqual(
				names.map((name, item) => [name, { item }]),
			);
		});

		test('leaves each failure on its own item', async () => {
			const gateway = await start({ seed: many, generation: '2.3' });
			const names = ['n0', 'absent', 'n1', '..', 'absent', 'n2'];
			const { main, failed, run } = await runNode(engine(), gateway, byItem, items(names), ERROR_OUTPUT);
			expect(main.map(({ json: { instanceName }, pairedItem }) => [instanceName, pairedItem])).toEqual([
				['n0', { item: 0 }],
				['n1', { item: 2 }],
				['n2', { item: 5 }],
			]);
			expect(failed.map(({ json: { error }, pairedItem }) => [error, pairedItem])).toEqual([
				[expect.stringContaining('Instance "absent" not found'), { item: 1 }],
				[expect.stringContaining('..'), { item: 3 }],
				[expect.stringContaining('Instance "absent" not found'), { item: 4 }],
			]);
			const itemIndexes = run.outputs.Gateway?.[1]?.map(({ error }) => error?.itemIndex);
			expect(itemIndexes).toEqual([1, 3, 4]);
			expect(gateway.calls).toHaveLength(4);

			const mixed = await runNode(engine(), gateway, byItem, items(names), REGULAR_OUTPUT);
			expect(mixed.main.map(({ pairedItem }) => pairedItem)).toEqual(names.map((_, item) => ({ item })));
		});

		test('names the item that fails where it stops the run', async () => {
			const gateway = await start({ seed: many });
			const { main, error } = await runNode(engine(), gateway, byItem, items(['n0', 'n1', 'absent', 'n2']));
			expect(main).toEqual([]);
			expect(error).toMatchObject({ itemIndex: 2, message: expect.stringContaining('absent') });
		});

		test('asks for nothing where an item is not valid, unless it continues on fail', async () => {
			const gateway = await start({ seed: many });
			const { error } = await runNode(engine(), gateway, byItem, items(['n0', 'n1', '..']));
			expect(error?.itemIndex).toBe(2);
			expect(gateway.calls).toEqual([]);
		});

		test('asks an instance for nothing more after it refused the key', async () => {
			const gateway = await start({ latency: 20 });
			const credential = { url: gateway.url, apiKey: 'WRONG-KEY-0000' };
			const bots = getBot('={{ $json.name }}');
			const { failed } = await runNode(engine(), credential, bots, items(twelve), ERROR_OUTPUT);
			expect(failed.map(({ json: { error } }) => error)).toEqual(
				twelve.map(() => expect.stringMatching(/Unauthorized/)),
			);
			expect(failed.at(-1)?.json.error).toMatch(/^The bot couldn't be read: /);
			expect(gateway.calls.length).toBeLessThanOrEqual(5);
			expect(JSON.stringify(failed)).not.toContain('WRONG-KEY-0000');
		});

		test('asks no instance for anything more after two refused the key', async () => {
			const gateway = await start({ seed: many, latency: 20 });
			const credential = { url: gateway.url, apiKey: 'WRONG-KEY-0000' };
			const bots = getBot('b1', '={{ $json.name }}');
			const { failed } = await runNode(engine(), credential, bots, items(twelve), ERROR_OUTPUT);
			expect(failed.at(-1)?.json.error).toMatch(/^The bot couldn't be read: .*Unauthorized/);
			expect(gateway.calls.length).toBeLessThanOrEqual(6);
		});
	});

	describe('Instance → Get', () => {
		test.each<[string, unknown]>([
			['a list of other ones', [wrapped('other'), wrapped('main2'), wrapped(' main')]],
			['a flat list of other ones', [flat('other'), flat('mainz')]],
			['another one alone', wrapped('other')],
			['a flat one alone', flat('other')],
			['the same name in upper case', [wrapped('Main'), flat('MAIN')]],
			['the name as an id', [{ ...flat('other'), id: 'main' }]],
			['an empty list', []],
			['null', null],
		])('never hands over another instance: %s', async (_what, body) => {
			const gateway = await start();
			gateway.replay(json(body));
			const { main, error } = await runNode(engine(), gateway, getInstance('main'), [{}]);
			expect(main).toEqual([]);
			expect(error).toMatchObject({
				message: expect.stringMatching(/main.*couldn't be found/),
				itemIndex: 0,
			});
			expect(error?.description).toMatch(/name/);
		});
	});

	describe('Instance → Get Many', () => {
		async function names(generation: Generation, parameters: object): Promise<unknown[]> {
			const gateway = await start({ generation });
			const { main, error } = await runNode(engine(), gateway, getMany(parameters), [{}]);
			expect(error).toBeUndefined();
			return main.map(({ json: { instanceName } }) => instanceName);
		}

		const all = ['main', 'second one/ü', 'closed', 'connecting', 'cloud'];

		test.each(GENERATIONS)('filters and limits: %s', async (generation) => {
			expect(await names(generation, {})).toEqual(all);
			expect(await names(generation, { returnAll: true, limit: 1 })).toEqual(all);
			expect(await names(generation, { limit: 2 })).toEqual(all.slice(0, 2));
			expect(await names(generation, { filters: { status: 'close' } })).toEqual(['closed']);
			expect(await names(generation, { filters: { status: 'connecting' } })).toEqual(['connecting']);
			// The limit is for what is left after the filter.
			expect(await names(generation, { limit: 3, filters: { status: 'open' } })).toEqual([
				'main',
				'second one/ü',
				'cloud',
			]);
			expect(await names(generation, { filters: { instanceName: 'closed' } })).toEqual(['closed']);
			expect(await names(generation, { filters: { instanceName: 'closed', status: 'open' } })).toEqual([]);
		});

		test('says how many there are where the limit cuts some off', async () => {
			const { hints } = await runNode(engine(), await start(), getMany({ limit: 2 }), [{}]);
			expect(hints).toEqual(['2 of 5 instances; turn on Return All']);
		});

		test.each(GENERATIONS)('goes on with the other items after such a name: %s', async (generation) => {
			const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
			const some = seedWith(({ instances }) => {
				const own = { instanceId: 'id', apikey: 'KEY-OF-IT', status: 'open', groups: [] } as const;
				instances.push(...names.map((instanceName) => ({ ...own, instanceName, groups: [] })));
			});
			const gateway = await start({ generation, seed: some, latency: 20 });
			const parameters = getMany({ filters: { instanceName: '={{ $json.name }}' } });
			const { main, error } = await runNode(engine(), gateway, parameters, items(['absent', ...names]));
			expect(error).toBeUndefined();
			expect(main.map(({ json: { instanceName } }) => instanceName)).toEqual(names);
		});

		test('gives 50 at most unless told otherwise', async () => {
			const gateway = await start();
			gateway.replay(json(Array.from({ length: 70 }, (_, i) => wrapped(`n${i}`))));
			expect((await runNode(engine(), gateway, getMany(), [{}])).main).toHaveLength(50);
			expect((await runNode(engine(), gateway, getMany({ returnAll: true }), [{}])).main).toHaveLength(70);
		});

		test('a 404 that is not about the name is a failure, also with a name', async () => {
			const gateway = await start();
			gateway.replay({ response: { status: 404, contentType: 'text/html', body: '<h1>404 Not Found</h1>' } });
			const parameters = getMany({ filters: { instanceName: 'main' } });
			const { error } = await runNode(engine(), gateway, parameters, [{}]);
			expect(error?.message).toContain('404 Not Found');
		});
	});
});
