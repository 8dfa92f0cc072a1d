import { lines } from '../thorough';
import { startEngine, type Engine } from './engine';

const credentials = { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' };

describe.each(lines)('the built package on n8n %i.x', (line) => {
	let engine: Engine;
	beforeAll(async () => {
		engine = await startEngine(line);
	});
	afterAll(() => engine.stop());

	it('is loaded by n8n, node and credential', () => {
		const { node, credential } = engine.describe();
		expect(node.name).toBe('messagingGateway');
		expect(credential.name).toBe('messagingGatewayApi');
	});

	it('gets the pinned items of the node before it', async () => {
		const result = await engine.run(
			{
				nodes: [
					node('Start', 'n8n-nodes-base.manualTrigger'),
					node('Update', 'n8n-nodes-messaging-gateway.messagingGateway', {
						resource: 'group',
						operation: 'updateParticipants',
						instance: { __rl: true, mode: 'name', value: 'main' },
						group: { __rl: true, mode: 'id', value: '120363043211234567@g.us' },
						action: 'add',
						participants: '={{ $json.phone }}',
						options: { dryRun: true },
					}),
				],
				connections: { Start: { main: [[{ node: 'Update', type: 'main', index: 0 }]] } },
			},
			{ credentials, items: { Start: [{ phone: '+49 151 2345 6789' }, { phone: '5511987654321' }] } },
		);
		expect(result.error).toBeUndefined();
		expect(result.outputs.Update?.[0]?.map(({ json, pairedItem }) => [json.participant, pairedItem])).toEqual(
			[
				['+49 151 2345 6789', { item: 0 }],
				['5511987654321', { item: 1 }],
			],
		);
	});
});

function node(name: string, type: string, parameters = {}) {
	return {
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { messagingGatewayApi: { id: '1', name: 'Gateway' } },
	};
}
