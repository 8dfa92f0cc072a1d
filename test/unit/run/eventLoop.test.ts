import { setTimeout as nextTurn } from 'node:timers/promises';
import { EventLoop } from '../../../nodes/MessagingGateway/run/eventLoop';

/** Does 100 items, in one of the ways that give way. */
type Way = (loop: EventLoop, one: () => void) => Promise<unknown>;

const HUNDRED = Array.from({ length: 100 });
const byMap: Way = async (loop, one) => await loop.map(HUNDRED, one);
const byFinish: Way = async (loop, one) =>
	await loop.finish(
		(function* () {
			for (let i = 0; i < HUNDRED.length; i++) {
				yield;
				one();
			}
		})(),
	);

/** How many items are done before somebody else has had a turn, if each takes so many ms. */
async function doneBeforeOthers(ms: number, way: Way): Promise<number> {
	const clock = jest.spyOn(Date, 'now');
	let now = 0;
	clock.mockImplementation(() => now);
	let done = 0;
	let doneThen: number | undefined;
	const others = nextTurn(0).then(() => (doneThen = done));
	await way(new EventLoop(), () => {
		now += ms;
		done++;
	});
	await others;
	clock.mockRestore();
	return doneThen ?? 0;
}

describe('work on many items', () => {
	it('gives the results in order', async () => {
		expect(await new EventLoop().map([1, 2, 3], (one) => one * 2)).toEqual([2, 4, 6]);
	});

	it.each([
		['each of a list', byMap],
		['work in parts', byFinish],
	])('%s gives way before it has taken 50 ms, and goes on at once if it takes no time', async (_, way) => {
		expect(await doneBeforeOthers(1, way)).toBeLessThan(50);
		expect(await doneBeforeOthers(24, way)).toBeLessThanOrEqual(2);
		expect(await doneBeforeOthers(0, way)).toBe(100);
	});

	it('in parts gives what it came to', async () => {
		const work = (function* () {
			yield;
			return 'done';
		})();

		expect(await new EventLoop().finish(work)).toBe('done');
	});

	it('ends with the first that fails', async () => {
		const work = new EventLoop().map([1, 2, 3], (one) => {
			if (one === 2) throw new Error('Bad value');
			return one;
		});

		await expect(work).rejects.toThrow('Bad value');
	});
});
