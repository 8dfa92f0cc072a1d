import { describeEachLine, runNode } from '../support';
import { getMany } from './parameters';
import { withServers } from './server';

/** Timers may be early by this much, in ms. */
const CLOCK = 20;

describeEachLine('a gateway that asks to wait', (engine) => {
	const start = withServers();

	test.each<[what: string, header: () => string, atLeast: number]>([['a second', () => '1', 1_000]])(
		'is asked again after %s',
		async (_what, header, atLeast) => {
			const times: number[] = [];
			const server = await start(() => {
				times.push(performance.now());
				if (times.length > 1) return { status: 200, body: [] };
				return { status: 429, body: {}, headers: { 'retry-after': header() } };
			});
			const credentials = { url: server.url, apiKey: 'TEST-KEY' };
			const { error } = await runNode(engine(), credentials, getMany(), [{}]);
			expect(error).toBeUndefined();
			const [first = NaN, second = NaN] = times;
			expect(second - first).toBeGreaterThanOrEqual(atLeast - CLOCK);
		},
	);

	test('is not asked again where that would take more than a minute', async () => {
		const server = await start(() => ({ status: 429, body: {}, headers: { 'retry-after': '61' } }));
		const credentials = { url: server.url, apiKey: 'TEST-KEY' };
		const { error } = await runNode(engine(), credentials, getMany(), [{}]);
		expect(server.calls).toHaveLength(1);
		expect(error?.message).toContain('asks to wait 61 seconds');
	});
});
