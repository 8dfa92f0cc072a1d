import { GatewayConnection } from '../../../nodes/MessagingGateway/gateway/connection';
import type { GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { LiveStates } from '../../../nodes/MessagingGateway/gateway/liveState';
import { Sender } from '../../../nodes/MessagingGateway/gateway/sender';
import { allRecordings, load } from '../../recordings';
import { CREDENTIAL } from '../support';

/** With the state that is asked for when a call took too long. */
class OpenConnection extends GatewayConnection {
	override async whyNotOpen(instance: string): Promise<GatewayFailure | undefined> {
		return await super.whyNotOpen(instance);
	}
}

/** All that were made with the right key, of an instance that there is, have a state; but one. */
const names = allRecordings.filter((name) => /__connectionState(__|-)/.test(name));

/** The state that a recorded reply holds. */
function stateIn(body: unknown): unknown {
	const { instance }: { instance?: { state?: unknown } } = Object(body);
	return instance?.state;
}

describe('the live state of an instance', () => {
	it.each(names)(
		'is what a recorded gateway said, but open where it refused the question: %s',
		async (name) => {
			const { status, body } = load(name).response;
			const asked: string[] = [];
			const connection = new OpenConnection(CREDENTIAL, async ({ method, url }) => {
				asked.push(`${method} ${url}`);
				return await Promise.resolve({
					status: status ?? 0,
					headers: {},
					text: JSON.stringify(body),
					elapsed: 5,
				});
			});

			const state = status === 200 ? (stateIn(body) ?? 'unknown') : 'open';
			expect((await connection.whyNotOpen('second one/ü'))?.call.state ?? 'open').toBe(state);
			expect(asked).toEqual([
				'GET https://gateway.example.com/instance/connectionState/second%20one%2F%C3%BC',
			]);
		},
	);

	it('is known of most of them', () => {
		const states = names.map((name) => stateIn(load(name).response.body));

		expect(new Set(states)).toEqual(new Set(['open', 'close', 'connecting', undefined]));
	});

	it('that is open ends a doubt, but not one that came up while it was asked', async () => {
		const text = JSON.stringify({ instance: { instanceName: 'main', state: 'open' } });
		let whileAsked = () => {};
		const http = async () => {
			whileAsked();
			return await Promise.resolve({ status: 200, headers: {}, text, elapsed: 5 });
		};
		const states = new LiveStates(new Sender(CREDENTIAL, http, {}));
		whileAsked = () => states.doubt('main');
		await states.ask('main');
		expect(states.waitsFor('main')).not.toEqual([]);
		await states.ask('main');
		expect(states.waitsFor('main')).toEqual([]);
	});
});
