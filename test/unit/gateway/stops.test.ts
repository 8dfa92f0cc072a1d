import { type Account, Gateway, gatewayAt } from '../../../nodes/MessagingGateway/gateway/account';
import { CircuitBreaker, Stop } from '../../../nodes/MessagingGateway/gateway/circuitBreaker';
import { nextStep } from '../../../nodes/MessagingGateway/gateway/connection';
import type { ExecutionRef } from '../../../nodes/MessagingGateway/gateway/execution';
import type { GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { readRetryAfter } from '../../../nodes/MessagingGateway/gateway/sender';
import { failureOf, testExamples } from '../support';
import { clock, useFakeClock } from './fakeClock';

describe('account', () => {
	useFakeClock();

	const SECOND = 1000;
	const MINUTE = 60 * SECOND;
	const HOUR = 60 * MINUTE;
	/** How long each request takes, in ms. */
	const LATENCY = 100;

	/** Runs that change accounts of one gateway: what was sent, and when, in ms since the start. */
	function processOf() {
		const gateway = new Gateway();
		const sent: string[] = [];
		const start = (name: string, interval = SECOND, part = gateway.executions.find(undefined)) => {
			const send = async (to: Account = gateway.account('main'), isNeeded = true) => {
				let hasSent = false;
				const ticket = { part, interval, isBlocked: () => false, hasSent: () => hasSent };
				await to.turns.take(ticket, async () => {
					if (!isNeeded) return;
					hasSent = true;
					sent.push(`${name} ${clock.elapsed()}`);
					await clock.sleep(LATENCY);
				});
			};
			const sendAll = async (requests: number) => {
				for (let i = 0; i < requests; i++) await send();
			};
			return { send, sendAll };
		};
		return { gateway, start, told: () => sent.join(', ') };
	}

	describe('the changes of an account', () => {
		// Runs with the interval and the number of their requests → what is sent when.
		testExamples(
			{
				'of one run keep its interval after each reply': 'a 1000 3 → a 0, a 1100, a 2200',
				'of a run that waits for its interval keep nobody else waiting':
					'slow 30000 2, quick 1000 3 → slow 0, quick 1100, quick 2200, quick 3300, slow 30100',
				'of a run without an interval go past one that waits for the pause to others':
					'a 30000 1, b 0 2, c 20000 1 → a 0, b 100, b 200, c 20100',
			},
			' → ',
			async ([runs = '', expected]) => {
				const { start, told } = processOf();
				const ends = runs.split(', ').map((run) => {
					const [name = '', interval, requests] = run.split(' ');
					return start(name, Number(interval)).sendAll(Number(requests));
				});
				await clock.advance(MINUTE);
				expect(told()).toBe(expected);
				await Promise.all(ends);
			},
		);

		it('end without a wait after the last, and do not wait for a turn in which nothing was sent', async () => {
			const { gateway, start, told } = processOf();
			const [a, b] = [start('a'), start('b')];
			const ends = a.send(gateway.account('main'), false).then(async () => await a.send());
			void b.send(gateway.account('main'), false);
			await clock.advance(LATENCY);
			await ends;
			expect(told()).toBe('a 0');
		});

		it('of one run keep its interval also from one account to the next', async () => {
			const { gateway, start, told } = processOf();
			const a = start('a');
			void a.send().then(async () => await a.send(gateway.account('other')));
			await clock.advance(10 * SECOND);
			expect(told()).toBe('a 0, a 1100');
		});

		it.each([HOUR, -HOUR])('keep their pauses where the time of day is set by %d ms', async (shift) => {
			const { start, told } = processOf();
			void start('a').sendAll(2);
			await clock.advance(LATENCY);
			jest.setSystemTime(Date.now() + shift);
			void start('b').sendAll(1);
			await clock.advance(10 * SECOND);
			expect(told()).toBe('a 0, a 1100, b 2200');
		});
	});

	it('a run that waits for locked groups gets them once all that came before have ended or given up', async () => {
		const { gateway } = processOf();
		const ready: string[] = [];
		const lock = (name: string, ...groups: string[]) => {
			const { ready: isReady, release } = gateway.locks.lock(groups);
			void isReady.then(() => ready.push(name));
			return release;
		};
		const readyNow = async () => {
			await clock.advance(0);
			return ready.join(' ');
		};
		const release = lock('a', '1');
		const giveUp = lock('b', '1', '2');
		lock('c', '2');
		lock('d', '1');
		expect(await readyNow()).toBe('a');
		giveUp();
		expect(await readyNow()).toBe('a c');
		release();
		expect(await readyNow()).toMatch(/d$/);
	});

	describe('a stop', () => {
		const limited = failureOf({ status: 429, message: 'slow down', body: { a: 1 } });

		it('says the same words and until when, and holds that long', async () => {
			const { gateway } = processOf();
			gateway.stop.begin((end) => limited.remembered(end), 75 * MINUTE + 1);
			await clock.advance(75 * MINUTE);
			expect(gateway.stop.active).toMatchObject({
				message: `${limited.message}. Nothing more is sent until 2026-11-24 09:16 UTC`,
				description: limited.description,
			});
			await clock.advance(1);
			expect(gateway.stop.active).toBeUndefined();
		});

		it('is not made shorter by another one', async () => {
			const { gateway } = processOf();
			const { stop } = gateway.account('main');
			for (const ms of [HOUR, MINUTE]) stop.begin((end) => limited.remembered(end), ms);
			await clock.advance(HOUR - 1);
			expect(stop.active).toBeDefined();
		});

		it('keeps its reason where another one is as long', () => {
			const stop = new Stop<string>();
			for (const reason of ['first', 'second']) stop.begin(() => reason);
			expect(stop.active).toBe('first');
		});
	});

	describe('a doubt about the connection', () => {
		it('has it checked twice, 5 s apart, of which an answer of a moment ago is the first', async () => {
			const { gateway } = processOf();
			const account = gateway.account('main');
			expect(account.waitsToCheck).toEqual([]);
			account.suspect();
			expect(account.waitsToCheck).toEqual([0, 5 * SECOND]);
			account.startCheck()(false);
			await clock.advance(2 * SECOND);
			account.suspect();
			expect(account.waitsToCheck).toEqual([3 * SECOND]);
			await clock.advance(3 * SECOND);
			expect(account.waitsToCheck).toEqual([0, 5 * SECOND]);
		});

		it('ends with any other answer, unless it came up while that was on its way', () => {
			const account = processOf().gateway.account('main');
			account.suspect();
			const note = account.startCheck();
			account.suspect();
			note(true);
			expect(account.waitsToCheck).toHaveLength(2);
			account.startCheck()(true);
			expect(account.waitsToCheck).toEqual([]);
		});
	});

	describe('the execution that a run belongs to', () => {
		const first = { id: '7', node: 'Sync', runIndex: 0 };

		/** Whether it's the same node's part, or another node's in the same execution, or neither. */
		it.each<[string, ExecutionRef, 'same' | 'shared' | 'other']>([
			['a later round, also after a Wait node', { ...first, runIndex: 3 }, 'same'],
			['another try', first, 'same'],
			['another node', { ...first, node: 'Invite' }, 'shared'],
			['another execution', { ...first, id: '8', runIndex: 1 }, 'other'],
			['a run without an ID', { ...first, id: undefined }, 'other'],
		])('is known by its ID: %s', (_, then, expected) => {
			const { executions } = processOf().gateway;
			const [before, now] = [executions.find(first), executions.find(then)];
			const isShared = before.execution === now.execution;
			expect(before === now ? 'same' : isShared ? 'shared' : 'other').toBe(expected);
		});

		it('is none without an ID', () => {
			const { executions } = processOf().gateway;
			const ref = { ...first, id: undefined };
			expect(executions.find(ref)).not.toBe(executions.find(ref));
		});

		it('says when it began and that it has sent something, in rounds that wait for less than six hours', async () => {
			const { gateway, start } = processOf();
			const startedAt = clock.now();
			const part = gateway.executions.find(first);
			expect(part).toMatchObject({ execution: { startedAt }, repliedAt: -Infinity });
			void start('a', SECOND, part).sendAll(1);
			await clock.advance(5 * HOUR);
			expect(part).toMatchObject({ execution: { startedAt }, repliedAt: LATENCY });
			expect(gateway.executions.find({ ...first, node: 'Invite' }).execution).toMatchObject({ startedAt });
			await clock.advance(6 * HOUR);
			expect(gateway.executions.find(first).execution.startedAt).toBeGreaterThan(startedAt);
		});

		it('is forgotten for 1,000 others, unless it is used', () => {
			const { executions } = processOf().gateway;
			const [used, unused] = ['used', 'unused'].map((id) => ({ ...first, id }));
			const known = [used, unused].map((ref) => executions.find(ref));
			for (let i = 0; i < 999; i++) {
				executions.find({ ...first, id: `${i}` });
				executions.find(used);
			}
			expect([used, unused].map((ref) => executions.find(ref)).map((one, i) => one === known[i])).toEqual([
				true,
				false,
			]);
		});
	});

	describe('what the process keeps', () => {
		it.each<[string, number, (key: string) => object]>([
			['100 gateways', 100, gatewayAt],
			[
				'1,000 accounts of a gateway',
				1000,
				(
					(gateway) => (key) =>
						gateway.account(key)
				)(new Gateway()),
			],
		])('is of %s: the one that is longest unused goes', (_, most, find) => {
			const [used, unused] = [find('used'), find('unused')];
			for (let i = 0; i < most - 1; i++) find(`${i}${find('used') === used ? '' : 'lost'}`);
			expect(find('used')).toBe(used);
			expect(find('unused')).not.toBe(unused);
		});
	});
});

describe('circuitBreaker', () => {
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
		])(
			'stops the run that has met it as long, with the same words: %s',
			async (_, failure, call, minutes) => {
				const breaker = runsAt()();
				if (call === change) breaker.joinStops('a');
				breaker.stop(failure, 'a', undefined, call);
				await clock.advance(minutes * MINUTE - 1);
				expect(breaker.blockedBy('a')?.message).toContain('Nothing more is sent until 2026-11-24 ');
				await clock.advance(1);
				expect(breaker.blockedBy('a')).toBeUndefined();
			},
		);
	});
});

const options = { timeout: 1000, maxRetries: 2 };
const BUSY = failureOf({ status: 502 });
const LIMITED = failureOf({ status: 429 });
const REFUSED = failureOf({ status: 401 });
const LATE = failureOf({ network: 'ETIMEDOUT' });
const LOST = failureOf({ status: 404, message: 'No participants, 1006' });
const SILENT = failureOf({ status: 200, unreadable: 'empty', elapsed: 60_000 });
const SILENTLY_REFUSED = failureOf({ status: 500, elapsed: 60_000 });

type Attempt = Parameters<typeof nextStep>[1];
const READ: Attempt = {
	route: 'listGroups',
	changes: false,
	instance: 'main',
	retries: 0,
	wasChecked: false,
	wasUp: false,
	caller: undefined,
	options,
};
const CHANGE: Attempt = { ...READ, route: 'updateParticipants', changes: true };

describe('after a failure', () => {
	const repeat = { repeatAfter: 500 };
	const check = (...checkAfter: number[]) => ({ repeatAfter: 2000, checkAfter });
	const giveUp = { explain: false };
	const explain = { explain: true };

	it.each([
		['a read that is refused', REFUSED, READ, giveUp],
		['a read after trouble at the gateway', BUSY, READ, repeat],
		['a read after a rate limit', LIMITED, READ, repeat],
		['a change that may have been carried out', BUSY, CHANGE, giveUp],
		['a change after a rate limit', LIMITED, CHANGE, repeat],
		['a read so often', BUSY, { ...READ, retries: 1 }, { repeatAfter: 1000 }],
		['a read no more often', BUSY, { ...READ, retries: 2 }, giveUp],
		['a read that timed out', LATE, READ, check(0)],
		['a read that lost its connection', LOST, READ, check(1000, 4000)],
		['that once more, whatever the retries', LOST, { ...READ, retries: 9 }, check(1000, 4000)],
		['that a second time', LOST, { ...READ, retries: 1, wasChecked: true }, giveUp],
		['that where it is about no instance', LOST, { ...READ, instance: undefined }, giveUp],
		['that of the live state', LOST, { ...READ, route: 'connectionState' }, giveUp],
		['that of a trigger', LOST, { ...READ, caller: 'trigger' }, giveUp],
		['that of the editor', LOST, { ...READ, caller: 'editor' }, giveUp],
		['a change that lost its connection', LOST, CHANGE, giveUp],
		['a read after a minute of silence', SILENT, READ, explain],
		['that of the editor', SILENT, { ...READ, caller: 'editor' }, explain],
		['that of a trigger', SILENT, { ...READ, caller: 'trigger' }, giveUp],
		['a change that succeeded in silence', SILENT, CHANGE, explain],
		['a change that failed in silence', SILENTLY_REFUSED, CHANGE, giveUp],
	] satisfies Array<[string, unknown, Attempt, unknown]>)('%s', (_, failure, attempt, expected) => {
		expect({ explain: false, ...nextStep(failure, attempt, 0) }).toEqual({ explain: false, ...expected });
	});
});

describe('the wait before a request is repeated', () => {
	const wait = (retries: number, random: number, shortestWait = 0) =>
		nextStep(BUSY, { ...READ, retries, options: { ...options, maxRetries: 99, shortestWait } }, random)
			.repeatAfter;

	it('doubles each time, up to a minute', () => {
		expect([0, 1, 2, 6, 50].map((retries) => wait(retries, 0))).toEqual([500, 1000, 2000, 30_000, 30_000]);
	});

	it('differs from node to node by half', () => {
		expect([0, 0.5, 0.999].map((random) => wait(0, random))).toEqual([500, 750, 999.5]);
	});

	it('is no shorter than the interval between requests', () => {
		expect(wait(0, 0, 5000)).toBe(5000);
	});

	it.each([
		[0, 0, 0],
		[7, 0, 7000],
		[7, 9000, 9000],
		[60, 0, 60_000],
		[61, 0, undefined],
	])(
		'is what the gateway asks for: %d s, not shorter than %d ms → %p',
		(retryAfter, shortestWait, expected) => {
			const failure = failureOf({ status: 429, retryAfter });

			expect(nextStep(failure, { ...CHANGE, options: { ...options, shortestWait } }, 0.5).repeatAfter).toBe(
				expected,
			);
		},
	);
});

describe('the header Retry-After', () => {
	const now = Date.parse('2026-11-21T12:00:00Z');

	it.each([
		['5', 5],
		[' 5 ', 5],
		['0', 0],
		['1.2', 2],
		['Sat, 21 Nov 2026 12:00:30 GMT', 30],
		['Sat, 21 Nov 2026 11:00:00 GMT', 0],
		['soon', undefined],
		['-5', undefined],
		['2026', 2026],
		['3601', 3600],
		['Sat, 21 Nov 2026 14:00:00 GMT', 3600],
		['1e3', undefined],
		['', undefined],
		[undefined, undefined],
	])('%p is %p seconds', (header, expected) => {
		expect(readRetryAfter(header, now)).toBe(expected);
	});
});
