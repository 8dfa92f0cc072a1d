import { holdGroups } from '../../../nodes/MessagingGateway/gateway/groupHolds';

type Holds = NonNullable<Parameters<typeof holdGroups>[1]>;

/** Holds of one process, and which of them are ready, in order. */
function processOf() {
	const holds: Holds = new Set();
	const ready: string[] = [];
	const hold = (name: string, ...groups: string[]) => {
		const { ready: isReady, release } = holdGroups(groups, holds);
		void isReady.then(() => ready.push(name));
		return release;
	};
	const readyNow = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		return ready;
	};
	return { hold, readyNow, holds };
}

describe('a run that wants groups', () => {
	it('has them at once where nobody holds one', async () => {
		const { hold, readyNow } = processOf();
		hold('a', '1', '2');
		hold('b', '3');
		expect(await readyNow()).toEqual(['a', 'b']);
	});

	it('waits for all of its own until others have let go of those that they share', async () => {
		const { hold, readyNow } = processOf();
		const [release1, release2] = [hold('a', '1'), hold('b', '2')];
		hold('c', '1', '2', '3');
		release1();
		expect(await readyNow()).toEqual(['a', 'b']);
		release2();
		expect(await readyNow()).toEqual(['a', 'b', 'c']);
	});

	it('waits for one that came before and waits itself', async () => {
		const { hold, readyNow } = processOf();
		const release = hold('a', '1');
		hold('b', '1', '2');
		hold('c', '2');
		expect(await readyNow()).toEqual(['a']);
		release();
		expect(await readyNow()).toEqual(['a', 'b']);
	});

	it('goes on where one that came before gave up', async () => {
		const { hold, readyNow } = processOf();
		hold('a', '1');
		const giveUp = hold('b', '1', '2');
		hold('c', '2');
		giveUp();
		expect(await readyNow()).toEqual(['a', 'c']);
	});

	it('leaves nothing behind', () => {
		const { hold, holds } = processOf();
		for (const release of [hold('a', '1'), hold('b', '1', '2')]) release();
		expect(holds.size).toBe(0);
	});
});
