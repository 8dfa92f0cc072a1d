/** What several rounds came to. */
export type Spread = Record<'min' | 'median' | 'max', number>;

/** Smallest, median (of two in the middle the smaller one) and largest of some numbers; NaN if there are none. */
export function spreadOf(values: readonly number[]): Spread {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
	return { min: at(0), median: at(0.5), max: at(1) };
}

/**
 * How many times as much each is as the smallest of others, since a busy machine only ever adds to a time.
 *
 * @param size how many times as much there was to do
 */
export function ratios(values: readonly number[], base: readonly number[], size = 1): number[] {
	const { min } = spreadOf(base);
	return values.map((value) => value / size / min);
}
