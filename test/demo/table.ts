/**
 * Rows as text in aligned columns, headings first.
 *
 * @param rows the cells of each row, as many as there are headings
 */
export function table(headings: string[], rows: string[][]): string {
	const all = [headings, headings.map((heading) => '-'.repeat(heading.length)), ...rows];
	const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
	return all
		.map(
			(row) =>
				'  ' +
				row
					.map((cell, i) => cell.padEnd(widths[i] ?? 0))
					.join('  ')
					.trimEnd(),
		)
		.join('\n');
}
