import { Gateways, type Gateway } from '../../../nodes/MessagingGateway/gateway/account';
import type { Execution } from '../../../nodes/MessagingGateway/gateway/execution';
import { failureOf } from '../support';

/** A clock that only moves where a test says so, or where somebody sleeps. */
function fakeClock() {
	let time = 0;
	return {
		elapsed: () => time,
		now: () => time,
		sleep: async (ms: number) => {
			await new Promise(setImmediate);
			time += ms;
		},
		advance: (ms: number) => (time += ms),
	};
}

const LIMITED = failureOf({ status: 400, message: 'rate-overlimit' });
const HOUR = 3_600_000;

let clock: ReturnType<typeof fakeClock>;
let gateway: Gateway;
beforeEach(() => {
	clock = fakeClock();
	gateway = new Gateways(clock).at('https://a.example.com');
});

const execution = (id: string, signal = new AbortController().signal, runIndex = 0) =>
	gateway.executions.find({ id, node: 'Sync', signal, runIndex });

describe('the turns of an account', () => {
	const log: string[] = [];
	beforeEach(() => {
		log.length = 0;
	});

	async function change(
		run: Execution,
		name: string,
		interval: number,
		isBlocked = () => false,
	): Promise<void> {
		await gateway
			.account('main')
			.turns.take({ execution: run, interval, isBlocked, hasSent: () => !isBlocked() }, async () => {
				log.push(`${name} ${clock.elapsed()}`);
				await clock.sleep(0);
			});
	}

	it('keep the own interval over all rounds of a loop, and the shorter one between two runs', async () => {
		const [one, other] = [execution('1'), execution('2')];
		await change(one, 'one', 5000);
		await change(one, 'one', 5000);
		await change(other, 'other', 2000);

		expect(log).toEqual(['one 0', 'one 5000', 'other 7000']);
	});

	it('go to a later run that is due while an earlier one waits for its interval', async () => {
		const [slow, quick] = [execution('1'), execution('2')];
		await change(slow, 'slow', 30_000);
		await Promise.all([change(slow, 'slow', 30_000), change(quick, 'quick', 1000)]);

		expect(log.map((line) => line.split(' ')[0])).toEqual(['slow', 'quick', 'slow']);
	});

	it('are left by a run that is blocked, and kept by nobody', async () => {
		await change(execution('1'), 'blocked', 1000, () => true);

		expect(gateway.account('main').turns.isIdle).toBe(true);
	});
});

describe('an execution', () => {
	it('is the same for all rounds of a loop and all tries, also after a Wait node', () => {
		const { signal } = new AbortController();
		const first = execution('7', signal);

		expect(execution('7', signal, 1)).toBe(first);
		expect(execution('7', new AbortController().signal, 2)).toBe(first);
	});

	it('is another one for another ID, and for the same ID begun anew', () => {
		const first = execution('7');

		expect(execution('8')).not.toBe(first);
		expect(execution('7')).not.toBe(first);
	});

	it('begins anew after an hour without a request', () => {
		const { signal } = new AbortController();
		const first = execution('7', signal);
		clock.advance(HOUR + 1);

		expect(execution('7', signal, 1)).not.toBe(first);
	});
});

it("a stop of an account ends by itself, says when, and is no other account's", () => {
	gateway.account('main').stop.begin(LIMITED, HOUR);

	expect(gateway.account('main').stop.failure?.message).toContain('1970-01-01 01:00 UTC');
	expect(gateway.account('other').stop.failure).toBeUndefined();
	clock.advance(HOUR);
	expect(gateway.account('main').stop.failure).toBeUndefined();
});

it('a person who got an invite is known for a day, and two refusals in a row stop invites for a day', () => {
	const { invites } = gateway.account('main');
	invites.note('ana');
	invites.noteRefused();
	expect([invites.wasInvited('ana'), invites.stoppedUntil]).toEqual([true, undefined]);

	invites.noteRefused();
	expect(invites.stoppedUntil).toBe(24 * HOUR);
	clock.advance(24 * HOUR);
	expect([invites.wasInvited('ana'), invites.stoppedUntil]).toEqual([false, undefined]);
});

it('groups that a run has locked are waited for, and nobody waits for a stranger', async () => {
	const first = gateway.locks.lock(['a', 'b']);
	const second = gateway.locks.lock(['b']);
	let isReady = false;
	void second.ready.then(() => (isReady = true));
	await gateway.locks.lock(['c']).ready;
	expect(isReady).toBe(false);

	first.release();
	await second.ready;
	expect(isReady).toBe(true);
});
