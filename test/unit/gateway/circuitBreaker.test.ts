import { Gateways } from '../../../nodes/MessagingGateway/gateway/account';
import { CircuitBreaker } from '../../../nodes/MessagingGateway/gateway/circuitBreaker';
import { failureOf } from '../support';

const KEY_REFUSED = failureOf({ status: 401 });
const KEY_REFUSED_TOO = failureOf({ status: 401 });
const ACCOUNT_LIMITED = failureOf({ status: 400, message: 'rate-overlimit' });
const GATEWAY_AWAY = failureOf({ network: 'ECONNREFUSED' });

const clock = { elapsed: () => 0, now: () => 0, sleep: async () => {} };
const newBreaker = () => {
	const gateway = new Gateways(clock).at('https://gateway.example.com');
	return new CircuitBreaker(() => gateway);
};

type Failed = [failure: Parameters<CircuitBreaker['record']>[0], instance: string | undefined];

function after(...failures: Failed[]): CircuitBreaker {
	const breaker = newBreaker();
	for (const [failure, instance] of failures)
		breaker.record(failure, { instance, groupJid: undefined, changes: true });
	return breaker;
}

describe('what nothing is sent to any more', () => {
	it('is nothing at first, and after a failure that is about one request', () => {
		expect(after().blockedBy('a')).toBeUndefined();
		expect(after([failureOf({ status: 404 }), 'a']).blockedBy('a')).toBeUndefined();
	});

	it.each([
		['a refused key', KEY_REFUSED],
		['a rate limit of the network', ACCOUNT_LIMITED],
	])('is the instance after %s, and no other', (_, failure) => {
		const breaker = after([failure, 'a']);

		expect(breaker.blockedBy('a')).toBe(failure);
		expect(breaker.blockedBy('b')).toBeUndefined();
		expect(breaker.blockedBy(undefined)).toBeUndefined();
	});

	it('is the gateway after it is away, for whomever it was called', () => {
		for (const instance of ['a', undefined]) {
			const breaker = after([GATEWAY_AWAY, instance]);

			expect(breaker.blockedBy('b')).toBe(GATEWAY_AWAY);
			expect(breaker.blockedBy(undefined)).toBe(GATEWAY_AWAY);
		}
	});

	it('is the gateway after a second instance refused the key', () => {
		const breaker = after([KEY_REFUSED, 'a'], [KEY_REFUSED_TOO, 'b']);

		expect(breaker.blockedBy('c')).toBe(KEY_REFUSED_TOO);
		expect(breaker.blockedBy(undefined)).toBe(KEY_REFUSED_TOO);
	});

	it('is not the gateway after the same instance refused the key twice, or two are limited', () => {
		expect(after([KEY_REFUSED, 'a'], [KEY_REFUSED_TOO, 'a']).blockedBy('b')).toBeUndefined();
		expect(after([ACCOUNT_LIMITED, 'a'], [ACCOUNT_LIMITED, 'b']).blockedBy('c')).toBeUndefined();
	});

	it('has the first reason there was', () => {
		expect(after([KEY_REFUSED, 'a'], [ACCOUNT_LIMITED, 'a']).blockedBy('a')).toBe(KEY_REFUSED);
		expect(after([GATEWAY_AWAY, 'a'], [failureOf({ status: 429 }), 'a']).blockedBy('b')).toBe(GATEWAY_AWAY);
	});

	it('is changes of a group by the instance that was refused there', () => {
		const refused = failureOf({ status: 400, message: 'Error updating participants, Error: forbidden' });
		const breaker = newBreaker();
		breaker.record(refused, { instance: 'a', groupJid: '1@g.us', changes: true });

		expect(breaker.blockedBy('a', '1@g.us')).toBe(refused);
		for (const [instance, group] of [['a'], ['a', '2@g.us'], ['b', '1@g.us']])
			expect(breaker.blockedBy(instance, group)).toBeUndefined();
	});

	it('is an instance after two changes in a row that ended unknown', () => {
		const unknown = failureOf({ network: 'ECONNRESET' });
		const breaker = newBreaker();
		breaker.countChange('a', unknown);
		breaker.countChange('a', undefined);
		breaker.countChange('a', unknown);
		expect(breaker.blockedBy('a')).toBeUndefined();

		breaker.countChange('a', unknown);
		expect(breaker.blockedBy('a')?.message).toContain('Two requests in a row ended without a known result');
		expect(breaker.blockedBy('b')).toBeUndefined();
	});
});
