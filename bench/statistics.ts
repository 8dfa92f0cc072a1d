/** What several rounds came to. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** Median, smallest and largest of some numbers; NaN, which stands for a round that failed, doesn't count. */
export function spreadOf(values: readonly number[]): Spread {
	const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
	const at = (index: number) => sorted[index] ?? NaN;
	const middle = (sorted.length - 1) / 2;
	return {
		median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
		min: at(0),
		max: at(sorted.length - 1),
	};
}

/** How many times as much: round by round, since those of a case take place one after the other. */
export function ratioOf(values: readonly number[], base: readonly number[]): Spread {
	const pairs = Math.min(values.length, base.length);
	return spreadOf(values.slice(0, pairs).map((value, round) => value / (base[round] ?? NaN)));
}

/** All of them together. */
export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
