import { CircuitBreaker } from '../../../nodes/MessagingGateway/gateway/circuitBreaker';
import { Gateway } from '../../../nodes/MessagingGateway/gateway/account';
import type { GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { failureOf, testExamples } from '../support';
import { clock, useFakeClock } from './fakeClock';

useFakeClock();

const KEY_REFUSED = failureOf({ status: 401 });
const ACCOUNT_LIMITED = failureOf({ status: 400, message: 'rate-overlimit' });
const GATEWAY_AWAY = failureOf({ network: 'ECONNREFUSED' });
const FORBIDDEN = failureOf({ status: 400, message: 'Error updating participants, Error: forbidden' });
const FAILURES: Record<string, GatewayFailure> = {
	...{ key: KEY_REFUSED, limited: ACCOUNT_LIMITED, away: GATEWAY_AWAY, forbidden: FORBIDDEN },
	missing: failureOf({ status: 404 }),
};

/** Breakers of runs at one gateway. */
function runsAt() {
	const gateway = new Gateway();
	return () => new CircuitBreaker(() => gateway);
}

describe('what nothing is sent to any more', () => {
	// What an instance (and its group) met: what is stopped → what isn't; `*` is the gateway.
	testExamples(
		{
			'is nothing after a failure of one request': 'missing a:  → a, *',
			'is the instance after a refused key': 'key a: a → b, *',
			'is the instance after a rate limit of the network': 'limited a: a → b, *',
			'is the gateway after it is away': 'away a: b, * → ',
			'is the gateway after it is away, of no instance': 'away *: b, * → ',
			'is the gateway after two refused the key': 'key a, key b: c, * → ',
			'is one instance that refused it twice': 'key a, key a: a → b',
			'are two that are limited': 'limited a, limited b: a, b → c',
			'is a group by that instance': 'forbidden a/1: a/1 → a, a/2, b/1',
		},
		/: | → /,
		([met = '', blocked = '', open = '']) => {
			const breaker = runsAt()();
			const subjectsIn = (list: string) => list.split(', ').filter((one) => one !== '');
			const placeOf = (subject = '*') => (subject === '*' ? [undefined] : subject.split('/'));
			let last = '';
			for (const [name = '', subject] of met.split(', ').map((one) => one.split(' '))) {
				const failure = FAILURES[name] ?? KEY_REFUSED;
				const [instance, group] = placeOf(subject);
				breaker.stop(failure, instance, group);
				last = failure.message;
			}
			const reasonFor = (subject: string) => {
				const [instance, group] = placeOf(subject);
				return breaker.blockedBy(instance, group)?.message;
			};
			for (const subject of subjectsIn(blocked)) expect(reasonFor(subject)).toContain(last);
			expect(subjectsIn(open).map(reasonFor)).toEqual(subjectsIn(open).map(() => undefined));
		},
	);

	it('is remembered with nothing of a reply', () => {
		const breaker = runsAt()();
		breaker.stop(failureOf({ status: 401, body: { page: 'long' }, errorText: 'page' }), 'a');
		expect(breaker.blockedBy('a')?.call).toMatchObject({ status: 401, body: undefined, errorText: '' });
	});

	it('has the first reason there was', () => {
		const breaker = runsAt()();
		for (const failure of [KEY_REFUSED, ACCOUNT_LIMITED]) breaker.stop(failure, 'a');
		expect(breaker.blockedBy('a')?.message).toBe(KEY_REFUSED.message);
	});
});

describe('a stop without an end', () => {
	const MINUTE = 60_000;

	it.each([
		['the gateway', GATEWAY_AWAY],
		['an instance', KEY_REFUSED],
		['a group', FORBIDDEN],
	])('of %s holds for its round, and in later ones until 5 minutes have gone by', async (_, failure) => {
		const breaker = runsAt()();
		breaker.stop(failure, 'a', '1');
		const isStopped = () => breaker.blockedBy('a', '1') !== undefined;
		await clock.advance(4 * MINUTE);
		breaker.startRound();
		expect(isStopped()).toBe(true);
		await clock.advance(MINUTE);
		expect(isStopped()).toBe(false);

		breaker.stop(failure, 'a', '1');
		await clock.advance(60 * MINUTE);
		expect(isStopped()).toBe(true);
		breaker.startRound();
		expect(isStopped()).toBe(false);
	});
});

describe('two requests in a row whose result is not known', () => {
	const unknown = failureOf({ status: 500 });

	it('stop the instance, with the words of the last one', () => {
		const breaker = runsAt()();
		breaker.countChange('a', failureOf({ status: 502 }));
		expect(breaker.blockedBy('a')).toBeUndefined();
		breaker.countChange('a', unknown);
		expect(breaker.blockedBy('a')?.message).toBe(
			`${unknown.message}. Two requests in a row ended without a known result, so nothing more is sent`,
		);
		expect(breaker.blockedBy('b')).toBeUndefined();
	});

	it('are none with a known one between them, or of two instances', () => {
		const breaker = runsAt()();
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
		met.stop(failure, 'a', undefined, call);
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
		met.stop(ACCOUNT_LIMITED, 'a');
		expect(changing.blockedBy('a')?.message).toContain('Nothing more is sent until 2026-11-24 09:00 UTC');
		for (const breaker of [elsewhere, reading]) expect(breaker.blockedBy('a')).toBeUndefined();
		expect(elsewhere.blockedBy('b')).toBeUndefined();
	});

	it.each([
		['429 of a read', limited, read, 5],
		['429 of a change', limited, change, 5],
		['a rate limit', ACCOUNT_LIMITED, read, 60],
	])('stops the run that has met it as long, with the same words: %s', async (_, failure, call, minutes) => {
		const breaker = runsAt()();
		if (call === change) breaker.joinStops('a');
		breaker.stop(failure, 'a', undefined, call);
		await clock.advance(minutes * MINUTE - 1);
		expect(breaker.blockedBy('a')?.message).toContain('Nothing more is sent until 2026-11-24 ');
		await clock.advance(1);
		expect(breaker.blockedBy('a')).toBeUndefined();
	});
});
