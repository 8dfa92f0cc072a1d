import { Gateway, gatewayAt, type Account } from '../../../nodes/MessagingGateway/gateway/account';
import type { ExecutionRef } from '../../../nodes/MessagingGateway/gateway/execution';
import { failureOf, testExamples } from '../support';
import { clock, useFakeClock } from './fakeClock';

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

	it('says when it began and that it has sent something, however long its rounds wait', async () => {
		const { gateway, start } = processOf();
		const startedAt = clock.now();
		const part = gateway.executions.find(first);
		expect(part).toMatchObject({ execution: { startedAt }, repliedAt: -Infinity });
		void start('a', SECOND, part).sendAll(1);
		await clock.advance(36 * HOUR);
		expect(part).toMatchObject({ execution: { startedAt }, repliedAt: LATENCY });
		expect(gateway.executions.find({ ...first, node: 'Invite' }).execution).toMatchObject({ startedAt });
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
