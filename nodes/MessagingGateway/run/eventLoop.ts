import { sleep } from 'n8n-workflow';
import { mapInSteps, type Steps } from '../common/steps';

/** Longest hold of n8n's thread, in ms: everybody else's workflows wait as long. */
const LONGEST_HOLD = 25;

/** Lets the long work of a run on many items give way to others now and then. */
export class EventLoop {
	private started = Date.now();

	/** To be awaited between two items: nearly always it goes on at once. */
	async yieldIfDue(): Promise<void> {
		if (!this.isDue) return;
		await sleep(0);
		this.started = Date.now();
	}

	/** Does work that halts between its parts, and gives way there. @returns what it came to */
	async finish<T>(work: Steps<T>): Promise<T> {
		for (;;) {
			// To await what isn't due would cost each part more than many do.
			if (this.isDue) await this.yieldIfDue();
			const { done, value } = work.next();
			if (done === true) return value;
		}
	}

	/** Does the same with each of a list, in order, and gives way in between. @returns what came of each */
	async map<T, R>(all: Iterable<T>, work: (one: T) => R): Promise<R[]> {
		return await this.finish(mapInSteps(all, work));
	}

	private get isDue(): boolean {
		return Date.now() - this.started >= LONGEST_HOLD;
	}
}
