import { AccountTurns } from '../../../nodes/MessagingGateway/gateway/accountQueue';
import { CREDENTIAL, failureOf, isSettled } from '../support';

/** How long each request takes, in ms. */
const LATENCY = 100;

type Accounts = ConstructorParameters<typeof AccountTurns>[3] & object;

/** Runs of one process: what was sent, and when, in ms since the start. */
function processOf(accounts: Accounts = { queues: new Map(), stops: new Map() }) {
	const started = Date.now();
	const sent: Array<[run: string, at: number]> = [];
	let underWay = 0;
	let most = 0;
	const start = (name: string, { credential = CREDENTIAL, instance = 'main', interval = 1000 } = {}) => {
		const cancel = new AbortController();
		let stoppedBy: unknown;
		const turns = new AccountTurns(credential, (failure) => (stoppedBy ??= failure), cancel.signal, accounts);
		turns.interval = interval;
		const isBlocked = () => stoppedBy !== undefined || cancel.signal.aborted;
		const send = async (to = instance, isNeeded = true) => {
			let hasSent = false;
			await turns.take({ instance: to, isBlocked, hasSent: () => hasSent }, async () => {
				if (isBlocked() || !isNeeded) return;
				hasSent = true;
				sent.push([name, Date.now() - started]);
				most = Math.max(most, ++underWay);
				await new Promise((resolve) => setTimeout(resolve, LATENCY));
				underWay--;
			});
		};
		const sendAll = async (requests: number) => {
			for (let i = 0; i < requests; i++) await send();
			turns.end();
		};
		return { turns, cancel, send, sendAll, stoppedBy: () => stoppedBy };
	};
	/** What was sent, and when: `a 0, b 1100`. */
	const told = () => sent.map((one) => one.join(' ')).join(', ');
	return { start, sent, told, most: () => most, queues: accounts.queues };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the changes of an account', () => {
	it("don't wait after a turn in which nothing was sent", async () => {
		const { start, told } = processOf();
		const [a, b] = [start('a'), start('b')];
		void a.send('main', false).then(async () => await a.send());
		void b.send('main', false);
		await jest.advanceTimersByTimeAsync(10_000);
		expect(told()).toBe('a 0');
	});

	it('of one run keep its interval after each reply', async () => {
		const { start, told } = processOf();
		void start('a').sendAll(3);
		await jest.advanceTimersByTimeAsync(10_000);
		expect(told()).toBe('a 0, a 1100, a 2200');
	});

	it('of many runs go one at a time, in order of arrival', async () => {
		const { start, sent, most } = processOf();
		for (const name of ['a', 'b', 'c']) void start(name).sendAll(2);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(sent.map(([run]) => run)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
		expect(most()).toBe(1);
	});

	it('of many runs set no timers while another one is sent', async () => {
		const { start } = processOf();
		for (let i = 0; i < 20; i++) void start(`run ${i}`).sendAll(1);
		await jest.advanceTimersByTimeAsync(LATENCY / 2);
		// That of the request.
		expect(jest.getTimerCount()).toBe(1);
	});

	it('of a run that comes in the interval of another go first', async () => {
		const { start, sent } = processOf();
		void start('a').sendAll(2);
		await jest.advanceTimersByTimeAsync(500);
		void start('b').sendAll(1);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(sent.map(([run]) => run)).toEqual(['a', 'b', 'a']);
	});

	it('of two runs lie the shorter interval apart, and those of each run its own', async () => {
		const { start, told } = processOf();
		void start('slow', { interval: 30_000 }).sendAll(2);
		void start('quick', { interval: 1000 }).sendAll(3);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(told()).toBe('slow 0, quick 1100, quick 2200, quick 3300, slow 30100');
	});

	it('of a quick run wait for those of a slow one that lined up before', async () => {
		const { start, told } = processOf();
		void start('a', { interval: 30_000 }).sendAll(1);
		const b = start('b', { interval: 0 });
		void b.sendAll(2);
		void start('c', { interval: 20_000 }).sendAll(1);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(told()).toBe('a 0, b 100, c 20100, b 20200');
	});

	it('wait for a run that has ended only if they waited already', async () => {
		const { start, told } = processOf();
		void start('a').sendAll(1);
		void start('b').sendAll(1);
		await jest.advanceTimersByTimeAsync(LATENCY);
		void start('late', { interval: 5000 }).sendAll(1);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(told()).toBe('a 0, b 1100, late 2200');
	});

	it('of a run that comes after all others go at once', async () => {
		const { start, told } = processOf();
		await Promise.all([start('a').sendAll(1), jest.advanceTimersByTimeAsync(LATENCY)]);
		await Promise.all([start('b').sendAll(1), jest.advanceTimersByTimeAsync(LATENCY)]);
		expect(told()).toBe(`a 0, b ${LATENCY}`);
	});

	it.each([
		['instance', { instance: 'other' }],
		['base URL', { credential: { ...CREDENTIAL, baseUrl: 'https://h.example.com' } }],
	])('wait for nobody who changes another one: %s', async (_, other) => {
		const { start, told } = processOf();
		void start('a').sendAll(1);
		void start('b', other).sendAll(1);
		await jest.advanceTimersByTimeAsync(LATENCY);
		expect(told()).toBe('a 0, b 0');
	});

	it('of runs that take the same two accounts in different order all go on', async () => {
		const { start, sent } = processOf();
		const [a, b] = [start('a'), start('b')];
		void a.send('main').then(async () => await a.send('other'));
		void b.send('other').then(async () => await b.send('main'));
		await jest.advanceTimersByTimeAsync(10_000);
		expect(sent.map(([run]) => run)).toEqual(['a', 'b', 'a', 'b']);
	});

	it('go on in their time where the clock is set back meanwhile', async () => {
		const { start, sent } = processOf();
		void start('a').sendAll(2);
		void start('b').sendAll(1);
		await jest.advanceTimersByTimeAsync(LATENCY);
		jest.setSystemTime(Date.now() - 3_600_000);
		await jest.advanceTimersByTimeAsync(10_000);
		expect(sent.map(([run]) => run)).toEqual(['a', 'b', 'a']);
	});

	it('of one run keep its interval also from one account to the next', async () => {
		const { start, sent } = processOf();
		const a = start('a');
		void a.send('main').then(async () => await a.send('other'));
		await jest.advanceTimersByTimeAsync(10_000);
		expect(sent.map(([, at]) => at)).toEqual([0, 1100]);
	});
});

describe('a run that waits', () => {
	it('for its turn leaves when it is canceled', async () => {
		const { start, sent } = processOf();
		const [a, b, c] = [start('a'), start('b'), start('c')];
		void a.send();
		const waiting = b.send();
		void c.send();
		await jest.advanceTimersByTimeAsync(LATENCY / 2);
		b.cancel.abort();
		expect(await isSettled(waiting)).toBe(true);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(sent.map(([run]) => run)).toEqual(['a', 'c']);
	});

	it('for its interval leaves when it is canceled', async () => {
		const { start, sent } = processOf();
		const [a, b] = [start('a', { interval: 30_000 }), start('b')];
		const waiting = a.send().then(async () => await a.send());
		await jest.advanceTimersByTimeAsync(5000);
		a.cancel.abort();
		expect(await isSettled(waiting)).toBe(true);
		void b.send();
		await jest.advanceTimersByTimeAsync(60_000);
		expect(sent.map(([run]) => run)).toEqual(['a', 'b']);
	});

	it('for its turn or its interval is stopped with the others, at once', async () => {
		const { start } = processOf();
		const [a, b, c] = [start('a'), start('b', { interval: 30_000 }), start('c')];
		const inInterval = b.send().then(async () => await b.send());
		await jest.advanceTimersByTimeAsync(5000);
		void a.send();
		const inLine = c.send();
		await jest.advanceTimersByTimeAsync(LATENCY / 2);
		const limited = failureOf({ status: 400, message: 'rate-overlimit' });
		a.turns.stopOthers(limited, 'main');
		expect([await isSettled(inInterval), await isSettled(inLine)]).toEqual([true, true]);
		expect([b.stoppedBy(), c.stoppedBy(), a.stoppedBy()]).toEqual([limited, limited, undefined]);
	});

	it('for another account is stopped, too, if it changes this one as well', async () => {
		const { start } = processOf();
		const [a, b] = [start('a'), start('b', { interval: 30_000 })];
		void b.send('main').then(async () => await b.send('other'));
		await jest.advanceTimersByTimeAsync(5000);
		void a.send();
		a.turns.stopOthers(failureOf({ network: 'ECONNREFUSED' }), 'main');
		expect(b.stoppedBy()).toBeDefined();
	});

	it.each([
		['the same key', {}, true],
		['another key', { apiKey: 'KEY-1111' }, false],
	])('is stopped by a refused key if it has %s', async (_, own, isStopped) => {
		const { start } = processOf();
		const [a, b] = [start('a'), start('b', { credential: { ...CREDENTIAL, ...own } })];
		void a.send();
		void b.send();
		a.turns.stopOthers(failureOf({ status: 401 }), 'main');
		expect(b.stoppedBy() !== undefined).toBe(isStopped);
	});

	it.each([
		['the instance that is missing', { status: 404, message: 'Instance "main" not found', body: {} }],
		['a redirect', { status: 302 }],
	])('is stopped by %s, whatever key it has', (_, call) => {
		const { start } = processOf();
		const [a, b] = [start('a'), start('b', { credential: { ...CREDENTIAL, apiKey: 'KEY-1111' } })];
		void a.send();
		void b.send();
		a.turns.stopOthers(failureOf(call), 'main');
		expect(b.stoppedBy()).toBeDefined();
	});

	it('for an answer before its first change is stopped with the others', () => {
		const { start } = processOf();
		const [a, b] = [start('a'), start('b')];
		void a.send();
		b.turns.join('main');
		const restricted = failureOf({ status: 400, message: 'account_reachout_restricted' });
		a.turns.stopOthers(restricted, 'main');
		expect(b.stoppedBy()).toBe(restricted);
	});

	it('is not stopped by what ended before it came', async () => {
		const { start, sent } = processOf();
		const a = start('a');
		void a.send();
		a.turns.stopOthers(failureOf({ network: 'ECONNREFUSED' }), 'main');
		void start('b').sendAll(1);
		await jest.advanceTimersByTimeAsync(10_000);
		expect(sent.map(([run]) => run)).toEqual(['a', 'b']);
	});
});

describe('a run that was still reading its items', () => {
	it.each([
		['is stopped by what stopped the account meanwhile', true],
		["isn't stopped by what stopped the account before it began", false],
	])('%s', async (_, isReading) => {
		const { start } = processOf();
		const limited = failureOf({ network: 'ECONNREFUSED' });
		const reading = isReading ? start('b') : undefined;
		await jest.advanceTimersByTimeAsync(1);
		const a = start('a');
		a.turns.join('main');
		a.turns.stopOthers(limited, 'main');
		a.turns.end();
		await jest.advanceTimersByTimeAsync(1);
		const b = reading ?? start('b');
		b.turns.join('main');
		expect(b.stoppedBy()).toBe(isReading ? limited : undefined);
	});
});

describe('after its runs', () => {
	it('nothing is left of an account, however they ended', async () => {
		const { start, queues } = processOf();
		const [done, canceled, failed] = [start('done'), start('canceled'), start('failed')];
		const ended = [
			done.sendAll(2),
			canceled.sendAll(2),
			failed.turns
				.take({ instance: 'main', isBlocked: () => false, hasSent: () => false }, async () => {
					await Promise.reject(new Error('no'));
				})
				.catch(() => failed.turns.end()),
		];
		expect(queues.size).toBe(1);
		canceled.cancel.abort();
		await jest.advanceTimersByTimeAsync(60_000);
		await Promise.all(ended);
		expect(queues.size).toBe(0);
		expect(jest.getTimerCount()).toBe(0);
	});
});
