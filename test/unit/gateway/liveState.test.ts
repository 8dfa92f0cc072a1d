import { ConnectionFailure, type Http } from '../../../nodes/MessagingGateway/gateway/http';
import { Sender } from '../../../nodes/MessagingGateway/gateway/sender';
import { allRecordings, load } from '../../recordings';
import { CREDENTIAL } from '../support';

const names = allRecordings.filter((name) => /__connectionState(__|-)/.test(name));

/** Asks a gateway that answers so. */
async function ask(answer: () => { status: number; text: string }) {
	const asked: string[] = [];
	const http: Http = async ({ method, url }) => {
		asked.push(`${method} ${url}`);
		return await Promise.resolve({ headers: {}, elapsed: 5, ...answer() });
	};
	const unconnected = await new Sender(CREDENTIAL, http, {}).askWhetherOpen('second one/ü');
	return { unconnected, asked };
}

/** The state that a recorded reply holds. */
function stateIn(body: unknown): unknown {
	const { instance }: { instance?: { state?: unknown } } = Object(body);
	return instance?.state;
}

describe('an instance', () => {
	it.each(names)('is not connected only where a recorded gateway says so: %s', async (name) => {
		const { status, body } = load(name).response;
		const { unconnected, asked } = await ask(() => ({ status: status ?? 0, text: JSON.stringify(body) }));
		const state = status === 200 ? stateIn(body) : undefined;
		const isClosed = state === 'close' || state === 'connecting';
		expect(unconnected?.closedState).toBe(isClosed ? state : undefined);
		expect(asked).toEqual(['GET https://gateway.example.com/instance/connectionState/second%20one%2F%C3%BC']);
	});

	it.each([
		['close', 200, '{"instance":{"state":"CLOSE"}}', true],
		['connecting', 200, '{"instance":{"state":"Connecting"}}', true],
		['another state', 200, '{"instance":{"state":"paired"}}', false],
		['no state', 200, '{"instance":{}}', false],
		['nothing', 200, '', false],
		['another shape', 200, '["close"]', false],
		['a page', 200, '<p>close</p>', false],
		['an error of its own', 500, '{"message":"close"}', false],
		['a redirect', 302, '', false],
		['a license gate', 503, '{"error":"service not activated","code":"LICENSE_REQUIRED"}', false],
	])('is taken for unconnected: %s, %d %s → %p', async (_, status, text, expected) => {
		expect((await ask(() => ({ status, text }))).unconnected !== undefined).toBe(expected);
	});

	it.each([
		['ETIMEDOUT', "The instance isn't connected, or the gateway doesn't say whether it is"],
		['ECONNRESET', "The instance isn't connected, or the gateway doesn't say whether it is"],
		['ECONNREFUSED', "Couldn't connect to https://gateway.example.com: connection refused"],
	])('whose gateway gives no answer at all: %s', async (network, message) => {
		const { unconnected } = await ask(() => {
			throw new ConnectionFailure(network);
		});
		expect(unconnected).toMatchObject({ message, closedState: undefined });
	});
});
