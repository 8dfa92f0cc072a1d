import { nextStep, readRetryAfter, type RequestOptions } from '../../../nodes/MessagingGateway/gateway/retry';
import { failureOf } from '../support';

const options = { timeout: 1000, maxRetries: 2 };
const BUSY = failureOf({ status: 502 });
const LIMITED = failureOf({ status: 429 });
const REFUSED = failureOf({ status: 401 });

const ATTEMPT = { hasInstance: true, wasChecked: false, asker: undefined, retries: 0 };

function waitBeforeRetry(
	{ failure, changes, retries }: { failure: ReturnType<typeof failureOf>; changes: boolean; retries: number },
	how: RequestOptions,
	random: number,
): number | undefined {
	const route = changes ? 'updateParticipants' : 'listGroups';
	return nextStep(failure, { ...ATTEMPT, route, retries }, how, random).repeatAfter;
}

describe('a request that failed', () => {
	it.each([
		['a read that is refused', REFUSED, false, false],
		['a read after trouble at the gateway', BUSY, false, true],
		['a read after a rate limit', LIMITED, false, true],
		['a change that may have been carried out', BUSY, true, false],
		['a change after a rate limit', LIMITED, true, true],
	])('%s is sent again: %p, %p → %p', (_, failure, changes, expected) => {
		expect(waitBeforeRetry({ failure, changes, retries: 0 }, options, 0) !== undefined).toBe(expected);
	});

	it('is sent again only so often', () => {
		const failed = { failure: BUSY, changes: false };

		expect(waitBeforeRetry({ ...failed, retries: 1 }, options, 0)).toBeDefined();
		expect(waitBeforeRetry({ ...failed, retries: 2 }, options, 0)).toBeUndefined();
		expect(waitBeforeRetry({ ...failed, retries: 0 }, { ...options, maxRetries: 0 }, 0)).toBeUndefined();
	});
});

describe('the wait before it', () => {
	const wait = (retries: number, random: number, shortestWait = 0) =>
		waitBeforeRetry(
			{ failure: BUSY, changes: false, retries },
			{ ...options, maxRetries: 99, shortestWait },
			random,
		);

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
			const failed = { failure: failureOf({ status: 429, retryAfter }), changes: true, retries: 0 };

			expect(waitBeforeRetry(failed, { ...options, shortestWait }, 0.5)).toBe(expected);
		},
	);
});

describe('a read that lost its connection', () => {
	const LOST = failureOf({ status: 404, message: 'No participants, 1006' });
	const step = (more: object) =>
		nextStep(LOST, { ...ATTEMPT, route: 'listParticipants', ...more }, { timeout: 1, maxRetries: 0 }, 0);

	it('is repeated once after the live state was asked a second later, whatever the retries are', () => {
		expect(step({})).toEqual({ repeatAfter: 2000, checkAfter: 1000 });
		expect(step({ wasChecked: true }).repeatAfter).toBeUndefined();
	});

	it.each(['trigger', 'editor'] as const)('is not repeated by the %s', (asker) => {
		expect(step({ asker }).repeatAfter).toBeUndefined();
	});
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
		['1e3', undefined],
		['', undefined],
		[undefined, undefined],
	])('%p is %p seconds', (header, expected) => {
		expect(readRetryAfter(header, now)).toBe(expected);
	});
});
