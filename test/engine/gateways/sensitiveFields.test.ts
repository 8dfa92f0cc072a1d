import { GENERATIONS, type Gateway } from '../../gateway/gateway';
import { load, recordings } from '../../recordings';
import { describeEachLine, runNode, seedWith, withGateways } from '../support';
import { getBot, getMany } from './parameters';
import { field, routeOf } from './recorded';

/** The usual seed, with a secret wherever a generation has one. */
const seed = seedWith(({ instances }) => {
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

const lists = [true, false].map((simplify) => getMany({ simplify }));

describeEachLine('fields that n8n keeps from being shown', (engine) => {
	const start = withGateways();

	/** But for what links an account, which is always given: Get QR Code has nothing else to say. */
	function declared(): string[] {
		const fields = engine().describe().node.sensitiveOutputFields ?? [];
		return fields.filter((field) => field !== 'pairingCode');
	}

	/** Where what the node gives with Include Secrets on differs from what it gives without; each path once, sorted. */
	async function secretPaths(gateway: Gateway, parametersOfRuns: object[]): Promise<string[]> {
		const found = new Set<string>();
		for (const parameters of parametersOfRuns) {
			const run = async (includeSecrets: boolean) =>
				await runNode(engine(), gateway, { ...parameters, options: { includeSecrets } }, [{}]);
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
			for (const path of await secretPaths(await start({ generation, seed }), lists)) found.add(path);
		expect([...found].sort()).toEqual([...declared()].sort());
	});

	test.each(answered)('cover every secret that a recorded gateway gave: %s', async (name) => {
		const recorded = load(name);
		const gateway = await start();
		gateway.replay(recorded);
		const isBot = routeOf(recorded).startsWith('openai/');
		const found = await secretPaths(gateway, isBot ? [getBot(field(recorded.response.body, 'id'))] : lists);
		expect(found.filter((path) => !declared().includes(path))).toEqual([]);
	});
});
