import { Sender } from '../../../nodes/MessagingGateway/gateway/sender';
import { allRecordings, load } from '../../recordings';
import { CREDENTIAL } from '../support';

/** The state that a recorded reply holds. */
function stateIn(body: unknown): unknown {
	const { instance }: { instance?: { state?: unknown } } = Object(body);
	return instance?.state === 'closed' ? 'close' : instance?.state;
}

it.each(allRecordings.filter((name) => /__connectionState(__|-)/.test(name)))(
	'an instance is not connected only where a recorded gateway says so: %s',
	async (name) => {
		const { status, body } = load(name).response;
		const asked: string[] = [];
		const sender = new Sender(
			CREDENTIAL,
			async ({ method, url }) => {
				asked.push(`${method} ${url}`);
				const text = JSON.stringify(body);
				return await Promise.resolve({ status: status ?? 0, headers: {}, text, elapsed: 5 });
			},
			{},
		);
		const unconnected = await sender.askWhetherOpen('second one/ü');
		const state = status === 200 ? stateIn(body) : undefined;
		expect(unconnected?.closedState).toBe(state === 'close' || state === 'connecting' ? state : undefined);
		expect(asked).toEqual(['GET https://gateway.example.com/instance/connectionState/second%20one%2F%C3%BC']);
	},
);
