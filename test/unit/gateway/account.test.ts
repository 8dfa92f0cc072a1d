import { Gateway, gatewayAt, type Account } from '../../../nodes/MessagingGateway/gateway/account';
import { failureOf } from '../support';
import { clock, useFakeClock } from './fakeClock';

useFakeClock();

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How long each request takes, in ms. */
const LATENCY = 100;

/** Runs that change accounts of one gateway: what was sent, and when, in ms since the start. */
function processOf() {
	const gateway = new Gateway();
	const sent: Array<[run: string, at: number]> = [];
	let underWay = 0;
	let most = 0;
	const start = (
		name: string,
		{ interval = SECOND, instance = 'main', like = gateway.executions.find(undefined) } = {},
	) => {
		const cancel = new AbortController();
		let isStopped = false;
		const send = async (to: Account = gateway.account(instance), isNeeded = true) => {
			let hasSent = false;
			const ticket = {
				execution: like,
				interval,
				isBlocked: () => isStopped || cancel.signal.aborted,
				hasSent: () => hasSent,
				cancelSignal: cancel.signal,
			};
			await to.turns.take(ticket, async () => {
				if (ticket.isBlocked() || !isNeeded) return;
				hasSent = true;
				sent.push([name, clock.elapsed()]);
				most = Math.max(most, ++underWay);
				await clock.sleep(LATENCY);
				underWay--;
			});
		};
		const sendAll = async (requests: number) => {
			for (let i = 0; i < requests; i++) await send();
		};
		return { send, sendAll, cancel: () => cancel.abort(), stop: () => (isStopped = true), execution: like };
	};
	/** What was sent, and when: `a 0, b 1100`. */
	const told = () => sent.map((one) => one.join(' ')).join(', ');
	return { gateway, start, sent, told, most: () => most };
}

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	let isOver = false;
	const over = () => (isOver = true);
	void promise.then(over, over);
	await clock.advance(0);
	return isOver;
}

describe('the changes of an account', () => {
	it('of one run keep its interval after each reply, and there is no wait after the last', async () => {
		const { start, told } = processOf();
		const sending = start('a').sendAll(3);
		await clock.advance(2300);
		expect(told()).toBe('a 0, a 1100, a 2200');
		expect(await isSettled(sending)).toBe(true);
	});

	it("don't wait after a turn in which nothing was sent", async () => {
		const { gateway, start, told } = processOf();
		const [a, b] = [start('a'), start('b')];
		void a.send(gateway.account('main'), false).then(async () => await a.send());
		void b.send(gateway.account('main'), false);
		await clock.advance(10 * SECOND);
		expect(told()).toBe('a 0');
	});

	it('of a run that waits for its interval keep nobody else waiting', async () => {
		const { start, told } = processOf();
		void start('slow', { interval: 30 * SECOND }).sendAll(2);
		void start('quick').sendAll(3);
		await clock.advance(MINUTE);
		expect(told()).toBe('slow 0, quick 1100, quick 2200, quick 3300, slow 30100');
	});

	it('of a run without an interval go past one that waits for the pause to others', async () => {
		const { start, told } = processOf();
		void start('a', { interval: 30 * SECOND }).sendAll(1);
		void start('b', { interval: 0 }).sendAll(2);
		void start('c', { interval: 20 * SECOND }).sendAll(1);
		await clock.advance(MINUTE);
		expect(told()).toBe('a 0, b 100, b 200, c 20100');
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

describe('a run that waits', () => {});

describe('a run that locks groups', () => {
	/** Runs of one process, and which of them have their groups, in order. */
	function lockers() {
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
		return { lock, readyNow, gateway };
	}

	it('waits for one that came before and waits itself, and goes on where that gives up', async () => {
		const { lock, readyNow } = lockers();
		lock('a', '1');
		const giveUp = lock('b', '1', '2');
		lock('c', '2');
		expect(await readyNow()).toBe('a');
		giveUp();
		expect(await readyNow()).toBe('a c');
	});

	it('gets none that is still locked by another after one between them gave up', async () => {
		const { lock, readyNow } = lockers();
		const release = lock('a', '1');
		const giveUp = lock('b', '1');
		lock('c', '1');
		giveUp();
		expect(await readyNow()).toBe('a');
		release();
		expect(await readyNow()).toMatch(/c$/);
	});
});

describe('a stop', () => {
	const limited = failureOf({ status: 429, message: 'slow down', body: { a: 1 } });

	it('says the same words and until when, and holds that long', async () => {
		const { gateway } = processOf();
		gateway.stop.begin(limited, 75 * MINUTE + 1);
		await clock.advance(75 * MINUTE);
		expect(gateway.stop.activeFailure).toMatchObject({
			message: `${limited.message}. Nothing more is sent until 2026-11-24 09:16 UTC`,
			description: limited.description,
		});
		await clock.advance(1);
		expect(gateway.stop.activeFailure).toBeUndefined();
	});

	it('is not made shorter by another one', async () => {
		const { gateway } = processOf();
		const { stop } = gateway.account('main');
		stop.begin(limited, HOUR);
		stop.begin(limited, MINUTE);
		await clock.advance(HOUR - 1);
		expect(stop.activeFailure).toBeDefined();
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

describe("what a run's execution has done, shared or not", () => {
	const [signal, other] = [new AbortController().signal, new AbortController().signal];
	const first = { id: '7', node: 'Sync', signal, runIndex: 0 };
	const hasRun = (node: string) => node === 'Sync';

	it.each([
		['another node', { ...first, node: 'Invite' }, true],
		['another node after a Wait node', { ...first, node: 'Invite', signal: other, hasRun }, true],
		['another execution with the same ID', { ...first, node: 'Invite', signal: other }, false],
		['another node in a later round', { ...first, node: 'Invite', runIndex: 2 }, true],
		['another execution', { ...first, id: '8', node: 'Invite' }, false],
		['another execution without an ID', { ...first, id: undefined, signal: other, node: 'Invite' }, false],
		['a first run of the same node with another signal', { ...first, signal: other }, false],
	])('with %s', (_, then, isSame) => {
		const { executions } = processOf().gateway;
		const { ledger } = executions.find(first);
		expect(executions.find(then).ledger === ledger).toBe(isSame);
	});

	it('goes by the signal where two runs under way have one ID', () => {
		const { executions } = processOf().gateway;
		const { ledger } = executions.find(first);
		executions.find({ ...first, signal: other });
		expect(executions.find({ ...first, runIndex: 1 }).ledger).toBe(ledger);
	});
});

describe('the execution that a run belongs to', () => {
	const signals = [new AbortController().signal, new AbortController().signal] as const;
	const [signal, other] = signals;
	const first = { id: '7', node: 'Sync', signal, runIndex: 0 };

	it.each([
		['a later run with the same signal', first, { ...first, runIndex: 3 }, true],
		['another try', first, first, true],
		['a round after a Wait node', first, { ...first, signal: other, runIndex: 1 }, true],
		['a first run with another signal', first, { ...first, signal: other }, false],
		['a run of another node', first, { ...first, node: 'Invite', runIndex: 1 }, false],
		['a run of another execution', first, { ...first, id: '8', runIndex: 1 }, false],
		['a run with the same signal and no ID', { ...first, id: undefined }, { ...first, id: undefined }, true],
		[
			'a round with another signal and no ID',
			{ ...first, id: undefined },
			{ ...first, id: undefined, signal: other, runIndex: 1 },
			false,
		],
		[
			'a run with neither signal nor ID',
			{ ...first, id: undefined, signal: undefined },
			{ ...first, id: undefined, signal: undefined },
			false,
		],
	])('of %s', (_, one, then, isSame) => {
		const { executions } = processOf().gateway;
		const execution = executions.find(one);
		expect(executions.find(then) === execution).toBe(isSame);
	});

	it('keeps its counts as long as it goes on, however long its rounds wait', async () => {
		const { gateway, start } = processOf();
		const execution = gateway.executions.find(first);
		void start('a', { like: execution }).sendAll(1);
		await clock.advance(36 * HOUR);
		expect(gateway.executions.find({ ...first, signal: other, runIndex: 1 })).toBe(execution);
	});

	it('says when it began, and that it has sent something', async () => {
		const { gateway, start } = processOf();
		const startedAt = clock.now();
		const execution = gateway.executions.find(first);
		expect(execution).toMatchObject({ startedAt, hasSent: false });
		void start('a', { like: execution }).sendAll(1);
		await clock.advance(SECOND);
		expect(execution).toMatchObject({ startedAt, hasSent: true, repliedAt: LATENCY });
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

describe('the invites of an account', () => {
	it('stop for a day after two refusals in a row, and after each further one', async () => {
		const { gateway } = processOf();
		const { invites } = gateway.account('main');
		invites.recordRefused();
		invites.endRefusals();
		invites.recordRefused();
		expect(invites.stoppedUntil).toBeUndefined();
		for (let i = 0; i < 2; i++) {
			invites.recordRefused();
			expect(invites.stoppedUntil).toBe(clock.now() + DAY);
			await clock.advance(DAY);
			expect(invites.stoppedUntil).toBeUndefined();
		}
	});
});

describe('what the process keeps', () => {
	it('is of 100 gateways: the one that is longest unused goes, but none that is in use', () => {
		const [locked, used, unused] = ['locked', 'used', 'unused'].map((url) => gatewayAt(url));
		locked?.locks.lock(['1']);
		for (let i = 0; i < 98; i++) {
			gatewayAt(`${i}`);
			gatewayAt('used');
		}
		expect([gatewayAt('locked'), gatewayAt('used')]).toEqual([locked, used]);
		expect(gatewayAt('unused')).not.toBe(unused);
	});

	it('is of 1,000 accounts of a gateway, but each that is stopped', () => {
		const { gateway } = processOf();
		const first = gateway.account('first');
		const stopped = gateway.account('stopped');
		stopped.stop.begin(failureOf({ status: 429 }), HOUR);
		for (let i = 0; i < 998; i++) gateway.account(`${i}`);
		expect(gateway.account('first')).toBe(first);
		for (let i = 0; i < 1000; i++) gateway.account(`${i}`);
		expect(gateway.account('first')).not.toBe(first);
		expect(gateway.account('stopped')).toBe(stopped);
	});
});
