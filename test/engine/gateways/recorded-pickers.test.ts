import { load, recordings, type Recorded } from '../../recordings';
import { EngineError } from '../engine';
import { describeEachLine, locator } from '../support';
import { acceptable, type Ask } from './asked';
import { expectNoSecret } from './expected';
import { field, isBotList, listOf, routeOf, wordsOf } from './recorded';
import { played } from './replay';
import { withServers, type AnsweringServer } from './server';

describeEachLine('a recorded list is shown by its picker', (engine) => {
	const start = withServers();
	const replay = async (recorded: Recorded) => await start(played(recorded));

	describe('bots', () => {
		test.each(recordings.filter((name) => isBotList(load(name))))('%s', async (name) => {
			const recorded = load(name);
			const ask = acceptable(name, recorded);
			const server = await replay(recorded);
			const list = await pick(server, ask, 'searchBots', { instance: locator(ask.instance, 'name') });
			expectNoSecret(list, recorded, ask);
			expectPicked(recorded, list, (bot) => field(bot, 'description') ?? field(bot, 'id'));
			expect(server.calls.map(({ path }) => path)).toEqual([
				`/openai/find/${encodeURIComponent(String(ask.instance))}`,
			]);
		});
	});

	describe('instances', () => {
		const isWholeList = (name: string) =>
			routeOf(load(name)) === 'instance/fetchInstances' && !load(name).request.path.includes('instanceName=');
		test.each(recordings.filter(isWholeList))('%s', async (name) => {
			const recorded = load(name);
			const ask = acceptable(name, recorded);
			const server = await replay(recorded);
			const list = await pick(server, ask, 'searchInstances', {});
			expectNoSecret(list, recorded, ask);
			if (recorded.response.status === 204) {
				expect(list).toMatchObject({ message: expect.stringMatching(/response is empty/) });
				return;
			}
			expectPicked(recorded, list, (element) => {
				const record = field(element, 'instance') ?? element;
				return field(record, 'instanceName') ?? field(record, 'name');
			});
		});
	});

	async function pick(
		server: AnsweringServer,
		ask: Ask,
		method: string,
		parameters: object,
	): Promise<unknown> {
		const credentials = { baseUrl: server.url, apiKey: ask.apiKey };
		try {
			return await engine().search(method, { parameters, credentials });
		} catch (error) {
			if (error instanceof EngineError) return error.error;
			throw error;
		}
	}

	function expectPicked({ response }: Recorded, list: unknown, nameOf: (element: unknown) => unknown): void {
		if (response.status === 200) {
			expect(list).toHaveProperty('results');
			const names = listOf(field(list, 'results')).map((entry) => field(entry, 'name'));
			expect(names.sort()).toEqual(listOf(response.body).map(nameOf).sort());
			return;
		}
		for (const words of wordsOf(response.body)) {
			// A route that is not there has words of the node's own: what to do instead.
			if (words.startsWith('Cannot GET') || words.startsWith('Cannot POST'))
				expect(list).toMatchObject({ description: expect.stringContaining('By ') });
			else expect(list).toMatchObject({ message: expect.stringContaining(words) });
		}
	}
});
