import { nextStep } from '../../../nodes/MessagingGateway/gateway/connection';
import { readRetryAfter } from '../../../nodes/MessagingGateway/gateway/sender';
import { failureOf } from '../support';

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
