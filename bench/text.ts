import type { Spread } from './statistics';

/** A number with as many digits as say something. */
export function numberOf(value: number): string {
	const maximumFractionDigits = value < 0.1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
	return value.toLocaleString('en-US', { maximumFractionDigits });
}

/** A median, with the smallest and the largest where they differ: `1.3 (1.2–1.5)`. */
export function rangeOf({ median, min, max }: Spread): string {
	if (Number.isNaN(median)) return '–';
	const range = min === max ? '' : ` (${numberOf(min)}–${numberOf(max)})`;
	return numberOf(median) + range;
}

/** A Markdown table. */
export function markdownTable(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [headings, headings.map(() => '---'), ...rows].map(line).join('\n');
}
