import { GENERATIONS } from '../../gateway/gateway';
import { untilThereAre } from '../../gateway/hold';
import type { OutputItem } from '../engine';
import {
	describeOnEngine,
	groupParameters,
	nodeOf,
	NODE_CREDENTIALS,
	NODE_TYPE,
	runNode,
	seedWith,
	tell,
	withGateways,
} from '../support';
import { getBot, getInstance, getMany } from './parameters';
import { BOT } from '../../gateway/seed';

/** One saved workflow with all three resources. */
function wholeWorkflow() {
	const parameters: Record<string, object> = {
		List: getMany({ returnAll: true }),
		One: getInstance('main'),
		Group: groupParameters({ participants: '447700900999, 5511990000002, 5511990000404' }),
		Bot: getBot(BOT),
	};
	const onError = 'continueRegularOutput';
	const nodes = [
		nodeOf('Items', 'n8n-nodes-base.manualTrigger'),
		...Object.entries(parameters).map(([name, own]) =>
			nodeOf(name, NODE_TYPE, { parameters: own, credentials: NODE_CREDENTIALS, onError }),
		),
	];
	const connections = {
		Items: { main: [Object.keys(parameters).map((node) => ({ node, type: 'main', index: 0 }))] },
	};
	return { nodes, connections, settings: { executionOrder: 'v1' } };
}

/** Of an instance, what every generation has. */
function common({ json }: OutputItem): object {
	const { integration } = json;
	const fields = /^(instanceName|instanceId|status|owner|profileName|profilePictureUrl|apikey)$/;
	return {
		...Object.fromEntries(Object.entries(json).filter(([name]) => fields.test(name))),
		kind: typeof integration === 'object' ? Reflect.get(Object(integration), 'integration') : integration,
	};
}

const main = {
	instanceName: 'main',
	instanceId: '0a6f4f0e-0000-4000-8000-000000000001',
	status: 'open',
	owner: '5511990000001@s.whatsapp.net',
	profileName: 'Example Shop',
	profilePictureUrl: 'https://pictures.example/main.jpg',
	apikey: '**hidden**',
	kind: 'WHATSAPP-BAILEYS',
};

describeOnEngine('every generation of gateways', (engine) => {
	const start = withGateways();

	test.each(GENERATIONS)('gives the same output from one saved workflow: %s', async (generation) => {
		const gateway = await start({ generation });
		const { outputs } = await engine().run(wholeWorkflow(), {
			credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey },
			items: { Items: [{}] },
		});
		const output = (node: string) => outputs[node]?.[0] ?? [];

		expect(output('One').map(common)).toEqual([main]);
		expect(output('List').slice(0, 2).map(common)).toEqual([
			main,
			{
				instanceName: 'second one/ü',
				instanceId: '0a6f4f0e-0000-4000-8000-000000000002',
				status: 'open',
				owner: '4915110000001@s.whatsapp.net',
				profileName: 'Zweiter Laden',
				profilePictureUrl: null,
				apikey: '**hidden**',
				kind: 'WHATSAPP-BAILEYS',
			},
		]);
		const closed = { instanceName: 'closed', status: 'close', apikey: '**hidden**' };
		expect(output('List')[2]?.json).toMatchObject(closed);
		for (const absent of [
			'owner',
			'profileName',
			'profilePictureUrl',
			'name',
			'id',
			'connectionStatus',
			'token',
		])
			expect(output('List')[2]?.json).not.toHaveProperty(absent);
		expect(tell(output('List'), 'status')).toBe('open, open, close, connecting, open');
		expect(tell(output('Group'), 'participant', 'outcome', 'applied')).toBe(
			'447700900999 done true, 5511990000002 unchanged true, 5511990000404 notFound null',
		);
		const [bot] = output('Bot');
		if (generation === '1.8')
			expect(bot?.json).toMatchObject({ error: expect.stringContaining('Cannot GET /openai/') });
		else expect(bot?.json).toMatchObject({ id: BOT, description: 'Answers questions', maxTokens: 300 });
	});

	describe('costs one call more at most', () => {
		const ids = Array.from({ length: 10 }, (_, i) => `cmtestbot00000000000000${10 + i}`);
		const seed = seedWith(({ bots }) =>
			bots.push(...ids.map((id) => ({ instance: 'main', record: { id } }))),
		);

		test.each(GENERATIONS.filter((one) => one !== '1.8'))(
			'for ten bots, five at once: %s',
			async (generation) => {
				// The first bot alone finds out which form of the route there is.
				const hold = untilThereAre(5, { after: generation === 'published' ? 1 : 2 });
				const gateway = await start({ generation, seed, latency: 40, hold });
				const items = ids.map((id) => ({ id }));
				const { main: output } = await runNode(engine(), gateway, getBot('={{ $json.id }}'), items);
				expect(output.map(({ json }) => json.id)).toEqual(ids);
				const called = (what: string) => gateway.calls.filter(({ path }) => path.startsWith(what));
				expect(called('/openai/')).toHaveLength(generation === 'published' ? 10 : 11);
				// Asked once for all, to know that the bots are the instance's.
				expect(called('/instance/')).toHaveLength(1);
				expect(gateway.maxConcurrent).toBe(5);
			},
		);
	});
});
