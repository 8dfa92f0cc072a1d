import { JSON_TYPE } from '../../gateway/reply';
import { describeOnEngine, runNode, withGateways } from '../support';
import { getBot } from './parameters';

describeOnEngine('what is given', (engine) => {
	const start = withGateways();

	describe('a bot', () => {
		async function bot(body: unknown, more: object = {}) {
			const gateway = await start();
			gateway.replay({ response: { status: 200, contentType: JSON_TYPE, body } });
			const { main, error } = await runNode(engine(), gateway, getBot('b1', 'main', more), [{}]);
			return { output: main.map(({ json }) => json), error };
		}

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
	});
});
