import { toGatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import type { CallFailure } from '../../../nodes/MessagingGateway/gateway/failures/callFailure';
import { CircuitBreaker } from '../../../nodes/MessagingGateway/gateway/circuitBreaker';

const failureOf = (observed: Partial<CallFailure>) =>
	toGatewayFailure({ baseUrl: 'https://gateway.example.com', timeout: 1000, words: '', ...observed });

const KEY_REFUSED = failureOf({ status: 401 });
const KEY_REFUSED_TOO = failureOf({ status: 401 });
const ACCOUNT_LIMITED = failureOf({ status: 400, words: 'rate-overlimit' });
const GATEWAY_AWAY = failureOf({ network: 'ECONNREFUSED' });

function after(...notes: Array<Parameters<CircuitBreaker['note']>>): CircuitBreaker {
	const stops = new CircuitBreaker();
	for (const note of notes) stops.note(...note);
	return stops;
}

describe('what nothing is sent to any more', () => {
	it('is nothing at first, and after a failure that is about one request', () => {
		expect(after().reasonFor('a')).toBeUndefined();
		expect(after([failureOf({ status: 404 }), 'a']).reasonFor('a')).toBeUndefined();
	});

	it.each([
		['a refused key', KEY_REFUSED],
		['a rate limit of the network', ACCOUNT_LIMITED],
	])('is the instance after %s, and no other', (_, failure) => {
		const stops = after([failure, 'a']);

		expect(stops.reasonFor('a')).toBe(failure);
		expect(stops.reasonFor('b')).toBeUndefined();
		expect(stops.reasonFor(undefined)).toBeUndefined();
	});

	it('is the gateway after it is away, for whomever it was called', () => {
		for (const instance of ['a', undefined]) {
			const stops = after([GATEWAY_AWAY, instance]);

			expect(stops.reasonFor('b')).toBe(GATEWAY_AWAY);
			expect(stops.reasonFor(undefined)).toBe(GATEWAY_AWAY);
		}
	});

	it('is the gateway after a second instance refused the key', () => {
		const stops = after([KEY_REFUSED, 'a'], [KEY_REFUSED_TOO, 'b']);

		expect(stops.reasonFor('c')).toBe(KEY_REFUSED_TOO);
		expect(stops.reasonFor(undefined)).toBe(KEY_REFUSED_TOO);
	});

	it('is not the gateway after the same instance refused the key twice, or two are limited', () => {
		expect(after([KEY_REFUSED, 'a'], [KEY_REFUSED_TOO, 'a']).reasonFor('b')).toBeUndefined();
		expect(after([ACCOUNT_LIMITED, 'a'], [ACCOUNT_LIMITED, 'b']).reasonFor('c')).toBeUndefined();
	});

	it('has the first reason there was', () => {
		expect(after([KEY_REFUSED, 'a'], [ACCOUNT_LIMITED, 'a']).reasonFor('a')).toBe(KEY_REFUSED);
		expect(after([GATEWAY_AWAY, 'a'], [failureOf({ status: 429 }), 'a']).reasonFor('b')).toBe(GATEWAY_AWAY);
	});
});
