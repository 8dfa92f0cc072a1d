import { GENERATIONS, type Generation, type Recording, kindsSeed, type Gateway } from '../../gateway/gateway';
import { untilThereAre } from '../../gateway/hold';
import { load, recordings } from '../../recordings';
import {
	describeOnEngine,
	ERROR_OUTPUT,
	REGULAR_OUTPUT,
	runNode,
	seedWith,
	withGateways,
	describeEachLine,
	skipPauses,
	type NodeRun,
} from '../support';
import { thorough } from '../../thorough';
import { getBot, getInstance, getMany, getQrCode } from './parameters';
import { field, routeOf } from './recorded';
import { withServers, type Answer } from './server';

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

		test('says where it could not check whose a bot is', async () => {
			const server = await startServer(({ path }) =>
				path.startsWith('/openai/')
					? { status: 200, body: { id: 'b1', instanceId: 'id-of-one' } }
					: { status: 401, body: { message: 'Unauthorized' } },
			);
			const credential = { url: server.url, apiKey: 'KEY-0000' };
			const { main, hints } = await runNode(engine(), credential, getBot('b1'), [{}]);
			expect(main.map(({ json: { id } }) => id)).toEqual(['b1']);
			expect(hints).toEqual([expect.stringMatching(/^Couldn't check that the bot "b1" belongs to .*"main"/)]);
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

		test.each([
			['absent', 'absent', Infinity],
			['..', '..', 0],
		])(
			'names the item that stops the run, "%s", and asks for nothing where it is not valid',
			async (bad, says, most) => {
				const gateway = await start({ seed: many });
				const { main, error } = await runNode(engine(), gateway, byItem, items(['n0', 'n1', bad, 'n2']));
				expect(main).toEqual([]);
				expect(error).toMatchObject({ itemIndex: 2, message: expect.stringContaining(says) });
				expect(gateway.calls.length).toBeLessThanOrEqual(most);
			},
		);

		test.each([
			['the instance', '={{ $json.name }}', 'main', 5],
			['all instances, after two refused the key', 'b1', '={{ $json.name }}', 6],
		])('asks %s for nothing more after it refused the key', async (_, bot, instance, most) => {
			const gateway = await start({ seed: many, latency: 20 });
			const credential = { url: gateway.url, apiKey: 'WRONG-KEY-0000' };
			const bots = getBot(bot, instance);
			const { failed } = await runNode(engine(), credential, bots, items(twelve), ERROR_OUTPUT);
			expect(failed.map(({ json: { error } }) => error)).toEqual(
				twelve.map(() => expect.stringMatching(/Unauthorized/)),
			);
			expect(failed.at(-1)?.json.error).toMatch(/^The bot couldn't be read: /);
			expect(gateway.calls.length).toBeLessThanOrEqual(most);
			expect(JSON.stringify(failed)).not.toContain('WRONG-KEY-0000');
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

		test.each(GENERATIONS)(
			'goes on with the other items after a name that is not there: %s',
			async (generation) => {
				const gateway = await start({ generation });
				const parameters = getMany({ filters: { instanceName: '={{ $json.name }}' } });
				const { main, error } = await runNode(engine(), gateway, parameters, items(['absent', ...all]));
				expect(error).toBeUndefined();
				expect(main.map(({ json: { instanceName } }) => instanceName)).toEqual(all);
			},
		);

		test('gives 50 at most unless told otherwise, and says how many there are', async () => {
			const gateway = await start();
			gateway.replay(json(Array.from({ length: 70 }, (_, i) => wrapped(`n${i}`))));
			const { main, hints } = await runNode(engine(), gateway, getMany(), [{}]);
			expect([main.length, hints]).toEqual([50, ['50 of 70 instances; turn on Return All']]);
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

const PNG = 'iVBORw0KGgo=';
const withPicture = { pairingCode: null, code: '2@x', base64: `data:image/png;base64,${PNG}`, count: 1 };

const ok = (body: unknown): Answer => ({ status: 200, body });

/** The kindsSeed, with an instance of which there was a first code already. */
const seed = structuredClone(kindsSeed);
for (const instance of seed.instances) if (instance.instanceName === 'fresh') instance.qrCodes = 1;

/** The bytes of a picture that the node gave. */
function bytesOf({ main }: NodeRun, field = 'data'): Buffer {
	return Buffer.from(main[0]?.binary?.[field]?.data ?? '', 'base64');
}

describeEachLine('a QR code', (engine) => {
	const start = withGateways();
	const startServer = withServers();

	test('comes in the field that the option names, for each item in its own', async () => {
		const gateway = await start({ seed });
		const options = { binaryPropertyName: '={{ $json.field }}' };
		const items = [{ field: 'one' }, { field: 'two' }];
		const { main } = await runNode(engine(), gateway, getQrCode('fresh', { options }), items);
		expect(main.map(({ binary, pairedItem }) => [Object.keys(binary ?? {}), pairedItem])).toEqual([
			[['one'], { item: 0 }],
			[['two'], { item: 1 }],
		]);
		expect(gateway.calls).toHaveLength(1);
	});

	test('is given for those that have one, the others go to the error output', async () => {
		const gateway = await start({ seed });
		const items = ['nobody', 'fresh', 'keeper'].map((instance) => ({ instance }));
		const { main, failed } = await runNode(
			engine(),
			gateway,
			getQrCode('={{ $json.instance }}'),
			items,
			ERROR_OUTPUT,
		);
		expect(main.map(({ json, binary, pairedItem }) => [json, binary !== undefined, pairedItem])).toEqual([
			[{ instance: 'fresh', status: 'connecting' }, true, { item: 1 }],
			[{ instance: 'keeper', status: 'open' }, false, { item: 2 }],
		]);
		expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringMatching(/instance couldn't be found/), { item: 0 }],
		]);
	});

	test('is not asked for again when the execution is canceled', async () => {
		let cancel = () => {};
		const server = await startServer(() => {
			setTimeout(() => cancel(), 200);
			return ok({ count: 0 });
		});
		cancel = () => engine().cancel();
		const credential = { url: server.url, apiKey: 'TEST-KEY' };
		const { run } = await runNode(engine(), credential, getQrCode('main'), [{}]);
		expect(run.status).toBe('canceled');
		expect(server.calls).toHaveLength(1);
	});

	test('is what n8n keeps from being shown, as far as that is text', () => {
		expect(engine().describe().node.sensitiveOutputFields).toContain('pairingCode');
	});
});

describeOnEngine('for a connection', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	const startServer = withServers();

	/** Runs the node against a gateway that answers "connect" as told, in order; the last answer stays. */
	async function answered(answers: Answer[], options: object = {}) {
		const [last] = answers.slice(-1);
		const server = await startServer(() => answers.shift() ?? last ?? { status: 500, body: null });
		const parameters = getQrCode('main', { options });
		const result = await runNode(engine(), { url: server.url, apiKey: 'TEST-KEY' }, parameters, [{}]);
		return { ...result, calls: server.calls, result };
	}

	test.each(GENERATIONS)(
		'every generation gives a QR code, or says that it is open: %s',
		async (generation) => {
			const gateway = await start({ generation, seed });
			const asked = async (instance: string) => await runNode(engine(), gateway, getQrCode(instance), [{}]);
			const fresh = await asked('fresh');
			expect(fresh.main).toMatchObject([
				{ json: { instance: 'fresh', status: 'connecting' }, pairedItem: { item: 0 } },
			]);
			expect(fresh.main[0]?.binary).toMatchObject({
				data: { mimeType: 'image/png', fileName: 'qr-code.png' },
			});
			expect(bytesOf(fresh).subarray(1, 4).toString()).toBe('PNG');
			const open = await asked('keeper');
			expect(open.main).toStrictEqual([
				{ json: { instance: 'keeper', status: 'open' }, pairedItem: { item: 0 } },
			]);
			expect(gateway.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
				'GET /instance/connect/fresh',
				'GET /instance/connect/keeper',
			]);
		},
	);

	test('the pairing code is given where there is one', async () => {
		const { main, result } = await answered([ok({ ...withPicture, pairingCode: 'ABCD1234' })]);
		expect(main[0]?.json).toStrictEqual({ instance: 'main', status: 'connecting', pairingCode: 'ABCD1234' });
		expect(bytesOf(result).toString('base64')).toBe(PNG);
	});

	test('it is asked again, 2 s apart, as long as there is no picture', async () => {
		const gateway = await start({ seed: kindsSeed });
		const { main, run } = await runNode(engine(), gateway, getQrCode('fresh'), [{}]);
		expect(main[0]?.binary).toBeDefined();
		expect(gateway.calls).toHaveLength(2);
		expect(run.elapsedMs).toBeGreaterThanOrEqual(2_000);
	});

	test('that is open by the time it is asked again there is no picture', async () => {
		const open = { instance: { instanceName: 'main', state: 'open' } };
		const { main } = await answered([ok({ count: 0 }), ok(open)]);
		expect(main).toMatchObject([{ json: { instance: 'main', status: 'open' } }]);
		expect(main[0]?.binary).toBeUndefined();
	});

	test('it is a failure after five more tries', async () => {
		const { main, error, calls } = await answered([ok({ count: 0 })]);
		expect(main).toEqual([]);
		expect(error?.message).toMatch(/gave no QR code for the instance .main./);
		expect(error?.description).toMatch(/again in a minute/);
		expect(calls).toHaveLength(6);
	});

	test('an empty field name is refused before anything is sent', async () => {
		const { error, calls } = await answered([ok(withPicture)], { binaryPropertyName: '={{ "" }}' });
		expect(error?.message).toMatch(/'Put Output in Field' must be text/);
		expect(calls).toEqual([]);
	});
});

/** The usual seed, with a secret wherever a generation has one. */
const tokens = seedWith(({ instances }) => {
	for (const { extra } of instances) if (extra) extra['Setting'] = { wavoipToken: 'TEST-WAVOIP-TOKEN' };
});

/** The recorded replies that hold instances or a bot. */
const answered = recordings.filter((name) => {
	const recorded = load(name);
	const isRead = ['instance/fetchInstances', 'openai/fetch'].includes(routeOf(recorded));
	return isRead && recorded.response.status === 200 && recorded.response.body !== null;
});

/** The paths, as n8n writes them, at which two values differ. */
function differences(a: unknown, b: unknown, path = ''): string[] {
	if (a === b) return [];
	if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [path];
	return Object.keys(a).flatMap((name) => {
		const inside = Array.isArray(a) ? `${path}[*]` : path === '' ? name : `${path}.${name}`;
		return differences(Reflect.get(a, name), Reflect.get(b, name), inside);
	});
}

const lists = [true, false].map((simplify) => ({ simplify }));

describeEachLine('fields that n8n keeps from being shown', (engine) => {
	const start = withGateways();

	/** But for what links an account, which is always given: Get QR Code has nothing else to say. */
	function declared(): string[] {
		const fields = engine().describe().node.sensitiveOutputFields ?? [];
		return fields.filter((field) => field !== 'pairingCode');
	}

	/** Where what the node gives with Include Secrets on differs from what it gives without; each path once, sorted. */
	async function secretPaths(
		gateway: Gateway,
		all: object[],
		parameters: object = getMany(),
	): Promise<string[]> {
		const found = new Set<string>();
		for (const options of all) {
			const run = async (includeSecrets: boolean) =>
				await runNode(engine(), gateway, { ...parameters, options: { ...options, includeSecrets } }, [{}]);
			const open = await run(true);
			const hidden = await run(false);
			expect([open.error, hidden.error]).toEqual([undefined, undefined]);
			open.main
				.flatMap(({ json }, i) => differences(json, hidden.main[i]?.json))
				.forEach((path) => found.add(path));
		}
		return [...found].sort();
	}

	test("are those in which some generation has an instance's secrets, no more and no less", async () => {
		const found = new Set<string>();
		for (const generation of GENERATIONS)
			for (const path of await secretPaths(await start({ generation, seed: tokens }), lists)) found.add(path);
		expect([...found].sort()).toEqual([...declared()].sort());
	});

	// Each is a run of its own; all of them are tried before a version.
	test.each(thorough ? answered : answered.slice(0, 4))(
		'cover every secret that a recorded gateway gave: %s',
		async (name) => {
			const recorded = load(name);
			const gateway = await start();
			gateway.replay(recorded);
			const isBot = routeOf(recorded).startsWith('openai/');
			const bot = getBot(field(recorded.response.body, 'id'));
			const found = await (isBot ? secretPaths(gateway, [{}], bot) : secretPaths(gateway, lists));
			expect(found.filter((path) => !declared().includes(path))).toEqual([]);
		},
	);
});
