import { lines } from '../../thorough';
import type { Gateway } from '../../gateway/gateway';
import { ERROR_OUTPUT, groupParameters, locator, withEngine, withGateways } from '../support';
import { NEWCOMERS, openPicker, runOnce } from './attempts';
import { canariesIn, canary, canarySeed } from './canaries';
import { BOT } from '../../gateway/seed';

/** A name, and the one segment of a path that it may become. */
const names: Array<[name: string, segment: string]> = [
	['a/b', 'a%2Fb'],
	['../main', '..%2Fmain'],
	['%2e%2e%2fmain', '%252e%252e%252fmain'],
	['a\r\nX: y', 'a%0D%0AX%3A%20y'],
	['x?instanceName=other', 'x%3FinstanceName%3Dother'],
	['x#fragment', 'x%23fragment'],
	['//other.example', '%2F%2Fother.example'],
	['__proto__', '__proto__'],
	['constructor', 'constructor'],
];
const refused = ['..', '.', '', '  '];

describe.each(lines)('names and paths (n8n %i.x)', (line) => {
	const engine = withEngine(line);
	const start = withGateways();
	const run = async (gateway: Gateway, parameters: object, items: object[] = [{}]) =>
		await runOnce(
			engine(),
			{ baseUrl: gateway.url, apiKey: gateway.apiKey },
			parameters,
			items,
			ERROR_OUTPUT,
		);
	const get = (name: string) => ({ resource: 'instance', operation: 'get', instance: locator(name, 'name') });
	const getAll = (instanceName: string) => ({
		resource: 'instance',
		operation: 'getAll',
		filters: instanceName === '' ? {} : { instanceName },
	});
	const getBot = (instance: string, bot: string) => ({
		resource: 'bot',
		operation: 'get',
		instance: locator(instance, 'name'),
		bot: locator(bot, 'id'),
	});
	const change = (instance: string) => groupParameters({ instance, participants: `+${NEWCOMERS[0]}` });

	describe.each(names)('%j', (name, segment) => {
		const query = `/instance/fetchInstances?instanceName=${segment}`;

		it.each<[string, object, string]>([
			['the instance of get', get(name), query],
			['the filter of getAll', getAll(name), query],
			['the instance of a bot', getBot(name, BOT), `/openai/find/${BOT}/${segment}`],
			['the bot', getBot('main', name), `/openai/find/${segment}/main`],
			[
				'the instance of a change',
				change(name),
				`/group/updateParticipant/${segment}?groupJid=120363000000000001%40g.us`,
			],
		])('as %s stays in its place', async (_, parameters, path) => {
			const gateway = await start();
			const before = gateway.snapshot();
			const tried = await run(gateway, parameters);
			expect(gateway.calls.map((call) => call.path)).toEqual([path]);
			expect(gateway.calls[0]?.headers).not.toHaveProperty('x');
			expect(gateway.snapshot()).toEqual(before);
			expect(tried.items).toEqual([]);
		});

		it.each(['1.8', '2.3'] as const)('gives no other instance on %s', async (generation) => {
			const gateway = await start({ generation });
			expect((await run(gateway, get(name))).items).toEqual([]);
			expect((await run(gateway, getAll(name))).items).toEqual([]);
		});

		it.each(['searchGroups', 'searchBots'])('stays in its place in %s', async (method) => {
			const gateway = await start();
			const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
			const opened = await openPicker(engine(), credentials, method, name);
			expect(opened.errors).toHaveLength(1);
			expect(gateway.calls.map(({ path }) => path.split('?')[0]?.split('/').at(-1))).toEqual([segment]);
			expect(gateway.calls[0]?.path).not.toContain('instanceName=');
		});
	});

	it.each(refused)('%j is refused before anything is sent', async (text) => {
		const name = `={{ ${JSON.stringify(text)} }}`; // what is empty as it stands, n8n itself refuses
		const gateway = await start();
		const all = [get(name), getBot(name, BOT), getBot('main', name), change(name)];
		for (const parameters of all) {
			const { items, errors } = await run(gateway, parameters);
			expect(items).toEqual([]);
			expect(errors).toHaveLength(1);
			expect(errors[0]?.message).toMatch(/empty|isn't valid/);
			expect(errors[0]?.description).toMatch(/'From List'/);
		}
		expect(gateway.calls).toEqual([]);
	});

	it.each(['120363000000000001@g.us&instanceName=closed', '1/2', '..', '1?x=1@g.us', 'constructor'])(
		'%j is no group',
		async (group) => {
			const gateway = await start();
			const { errors } = await run(gateway, groupParameters({ group, participants: NEWCOMERS[0] }));
			expect(errors).toHaveLength(1);
			expect(gateway.calls).toEqual([]);
		},
	);

	it('takes several such names in one run, each for itself', async () => {
		const gateway = await start();
		const items = ['__proto__', 'main', 'constructor', 'toString'].map((name) => ({ name }));
		const tried = await run(gateway, get('={{ $json.name }}'), items);
		expect(tried.items.map(({ json, pairedItem }) => [json.instanceName, pairedItem])).toEqual([
			['main', { item: 1 }],
		]);
		expect(tried.failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }, { item: 3 }]);
	});

	it('changes groups of such names, each for itself', async () => {
		const gateway = await start();
		const items = ['__proto__', 'main', 'constructor'].map((name) => ({ name, phone: NEWCOMERS[0] }));
		const parameters = groupParameters({ instance: '={{ $json.name }}' });
		const tried = await run(gateway, parameters, items);
		expect(tried.items.map(({ json, pairedItem }) => [json.instance, json.outcome, pairedItem])).toEqual([
			['main', 'done', { item: 1 }],
		]);
		expect(tried.failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	});

	describe('a reply with fields named __proto__ and constructor', () => {
		/** As `JSON.parse` gives it: a field of that name, not a prototype. */
		const evil = (more: object): unknown => {
			const harm = `"__proto__":{"polluted":"yes","token":"${canary('proto')}"},`;
			const nested = `"constructor":{"prototype":{"polluted":"yes"}},"deep":{${harm}"x":1},`;
			return JSON.parse(`{${harm}${nested}${JSON.stringify(more).slice(1)}`);
		};
		const replies: Array<[string, object, unknown]> = [
			['instance getAll', getAll(''), [evil({ instance: { instanceName: 'main', status: 'open' } })]],
			['instance get', get('main'), [evil({ name: 'main', connectionStatus: 'open' })]],
			['bot get', getBot('main', BOT), evil({ id: BOT })],
			[
				'group updateParticipants',
				change('main'),
				evil({ updateParticipants: [evil({ status: '200', jid: `${NEWCOMERS[0]}@s.whatsapp.net` })] }),
			],
		];

		it.each(replies)('does no harm to %s', async (_, parameters, body) => {
			const gateway = await start({ seed: canarySeed() });
			for (const simplify of [true, false]) {
				for (const includeSecrets of [false, true]) {
					gateway.replay({ response: { status: 200, contentType: 'application/json', body } });
					const tried = await run(gateway, { ...parameters, simplify, options: { includeSecrets } });
					expect(tried.errors).toEqual([]);
					expect(tried.items).toHaveLength(1);
					expect(canariesIn(includeSecrets ? tried.told : tried.everything)).toEqual([]);
					gateway.replay(undefined);

					// An expression tells whether the engine's own objects are still clean.
					const calls = gateway.calls.length;
					await run(gateway, getAll('={{ ({}).polluted ?? "clean" }}'));
					expect(gateway.calls[calls]?.path).toBe('/instance/fetchInstances?instanceName=clean');
				}
			}
		});

		it('is an error like any other', async () => {
			const gateway = await start({ seed: canarySeed() });
			gateway.fault({ kind: '403', body: evil({ response: { message: `No ${canary('proto')}` } }) });
			const { errors, everything } = await run(gateway, get('main'));
			expect(errors[0]?.message).toMatch(/No /);
			expect(canariesIn(everything)).toEqual([]);
		});
	});
});
