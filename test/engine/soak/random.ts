/** Numbers from 0 to below 1 that look random and are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** What is drawn by chance, the same for the same seeds. */
export class Random {
	/** From 0 to below 1. */
	readonly next: () => number;

	constructor(...seeds: number[]) {
		const mix = (state: number, seed: number) => Math.imul(state ^ seed, 0x9e3779b1) ^ (seed >>> 15);
		this.next = randomFrom(seeds.reduce(mix, 0x51f15e));
		this.next();
	}

	chance(share: number): boolean {
		return this.next() < share;
	}

	/** A whole number, both ends included. */
	from(least: number, most: number): number {
		return least + Math.floor(this.next() * (most - least + 1));
	}

	of<T>(all: readonly T[]): T {
		const one = all[this.from(0, all.length - 1)];
		if (one === undefined) throw new Error('There is nothing to choose from');
		return one;
	}

	shuffled<T>(all: readonly T[]): T[] {
		return all
			.map((one) => ({ one, at: this.next() }))
			.sort((a, b) => a.at - b.at)
			.map(({ one }) => one);
	}
}
