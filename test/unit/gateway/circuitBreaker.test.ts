import { CircuitBreaker } from '../../../nodes/MessagingGateway/gateway/circuitBreaker';
import { Gateway } from '../../../nodes/MessagingGateway/gateway/account';
import { failureOf } from '../support';
import { clock, useFakeClock } from './fakeClock';

useFakeClock();

const KEY_REFUSED = failureOf({ status: 401 });
const KEY_REFUSED_TOO = failureOf({ status: 401 });
const ACCOUNT_LIMITED = failureOf({ status: 400, message: 'rate-overlimit' });
const GATEWAY_AWAY = failureOf({ network: 'ECONNREFUSED' });

/** Breakers of runs at one gateway. */
function runsAt() {
	const gateway = new Gateway();
	return () => new CircuitBreaker(() => gateway);
}

function after(...failures: Array<Parameters<CircuitBreaker['stop']>>): CircuitBreaker {
	const breaker = runsAt()();
	for (const failure of failures) breaker.stop(...failure);
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
		const breaker = after([refused, 'a', '1@g.us']);

		expect(breaker.blockedBy('a', '1@g.us')).toBe(refused);
		for (const [instance, group] of [['a'], ['a', '2@g.us'], ['b', '1@g.us']])
			expect(breaker.blockedBy(instance, group)).toBeUndefined();
	});
});

describe('two requests in a row whose result is not known', () => {
	const unknown = failureOf({ status: 500 });

	it('stop the instance, with the words of the last one', () => {
		const breaker = after();
		breaker.countChange('a', failureOf({ status: 502 }));
		expect(breaker.blockedBy('a')).toBeUndefined();
		breaker.countChange('a', unknown);
		expect(breaker.blockedBy('a')?.message).toBe(
			`${unknown.message}. Two requests in a row ended without a known result, so nothing more is sent`,
		);
		expect(breaker.blockedBy('b')).toBeUndefined();
	});

	it('are none with a known one between them, or of two instances', () => {
		const breaker = after();
		for (const [instance, failure] of [
			['a', unknown],
			['a', undefined],
			['a', unknown],
			['b', unknown],
		] as const)
			breaker.countChange(instance, failure);
		expect([breaker.blockedBy('a'), breaker.blockedBy('b')]).toEqual([undefined, undefined]);
	});
});

describe('a failure that stops all runs', () => {
	const MINUTE = 60_000;
	const [change, read] = [true, false];
	const limited = failureOf({ status: 429 });
	const restricted = failureOf({ status: 400, message: 'account_reachout_restricted' });

	it.each([
		['429 of a change', limited, change, 'gateway', 5],
		['429 of a change, with a time', failureOf({ status: 429, retryAfter: 120 }), change, 'gateway', 2],
		['429 with a long time', failureOf({ status: 429, retryAfter: 9e9 }), change, 'gateway', 24 * 60],
		['429 of a read', limited, read, 'nothing', 0],
		['a rate limit of a change', ACCOUNT_LIMITED, change, 'instance', 60],
		['a rate limit of a read', ACCOUNT_LIMITED, read, 'instance', 60],
		['a restriction', restricted, change, 'instance', 24 * 60],
		['a refused key', KEY_REFUSED, change, 'nothing', 0],
		['a gateway that is away', GATEWAY_AWAY, change, 'nothing', 0],
	] as const)('%s', async (_, failure, call, stopped, minutes) => {
		const start = runsAt();
		const met = start();
		met.joinStops('a');
		met.stopAll(failure, 'a', call);
		const later = () => {
			const breaker = start();
			for (const instance of ['a', 'b']) breaker.joinStops(instance);
			return [breaker.blockedBy('a'), breaker.blockedBy('b')].map((one) => one !== undefined);
		};
		await clock.advance(Math.max(0, minutes * MINUTE - 1));
		expect(later()).toEqual([stopped !== 'nothing', stopped === 'gateway']);
		await clock.advance(1);
		expect(later()).toEqual([false, false]);
	});

	it('stops a run that changes something through that account, also for its reads, and no other', () => {
		const start = runsAt();
		const [met, changing, elsewhere, reading] = [start(), start(), start(), start()];
		changing.joinStops('a');
		elsewhere.joinStops('b');
		met.stopAll(ACCOUNT_LIMITED, 'a', read);
		expect(changing.blockedBy('a')?.message).toContain('Nothing more is sent until 2026-11-24 09:00 UTC');
		for (const breaker of [elsewhere, reading]) expect(breaker.blockedBy('a')).toBeUndefined();
		expect(elsewhere.blockedBy('b')).toBeUndefined();
	});

	it('keeps a run stopped that has met it, also once it is over', async () => {
		const breaker = runsAt()();
		breaker.joinStops('a');
		breaker.stopAll(limited, 'a', change);
		const met = breaker.blockedBy('a');
		await clock.advance(60 * MINUTE);
		expect(breaker.blockedBy('b')).toBe(met);
	});
});
