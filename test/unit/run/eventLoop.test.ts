import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventLoop } from '../../../nodes/MessagingGateway/run/eventLoop';

/** How many items are done before somebody else has had a turn, if each takes so many ms. */
async function doneBeforeOthers(ms: number): Promise<number> {
	const clock = jest.spyOn(Date, 'now');
	let now = 0;
	clock.mockImplementation(() => now);
	let done = 0;
	let doneThen: number | undefined;
	const others = nextTurn().then(() => (doneThen = done));
	await new EventLoop().map(Array.from({ length: 100 }).keys(), () => {
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

	it('gives way before it has taken 50 ms', async () => {
		expect(await doneBeforeOthers(1)).toBeLessThan(50);
		expect(await doneBeforeOthers(24)).toBeLessThanOrEqual(2);
	});

	it('goes on at once if it takes no time', async () => {
		expect(await doneBeforeOthers(0)).toBe(100);
	});

	it('ends with the first that fails', async () => {
		const work = new EventLoop().map([1, 2, 3], (one) => {
			if (one === 2) throw new Error('Bad value');
			return one;
		});

		await expect(work).rejects.toThrow('Bad value');
	});
});
