import { groupBy } from './groupBy';
import { capitalized, uncapitalized } from './text';

/** More rows than that are counted, and not named. */
const MOST_NAMED = 5;

/** How people find an item: by the number of its row, which Google Sheets gives, or else as n8n counts. */
export function nameOfRow(rowNumber: unknown, item: number): string {
	const isNumber =
		typeof rowNumber === 'number' || (typeof rowNumber === 'string' && /^\d+$/.test(rowNumber));
	return isNumber ? `row ${rowNumber}` : `item ${item}`;
}

/**
 * What is wrong with rows, as a part of a sentence: `2 of 36 rows can't be read: row 5 ("ask Maria" has letters), row 9
 * ("4.91E+12": a spreadsheet changed it)`.
 *
 * @param bad in input order, at least one: each with its name, e.g. `row 5`, and a reason, e.g. `"ask Maria" has letters`
 * @param total how many rows there are
 * @returns at most five of them, each reason once, and first of all one row for each reason
 */
export function sayBadRows(bad: ReadonlyArray<{ name: string; reason: string }>, total: number): string {
	const reasons = groupBy(bad, ({ reason }) => reason);
	const [shared = ''] = reasons.keys();
	if (reasons.size === 1 && bad.length === total)
		return `none of the ${total.toLocaleString('en-US')} rows can be read: ${shared}`;
	const firstOfEach = [...reasons.values()].map(([first]) => first);
	const named = [...new Set([...firstOfEach, ...bad])].slice(0, MOST_NAMED);
	const parts = [...groupBy(named, ({ reason }) => reason)].map(
		([reason, rows]) => `${rows.map(({ name }) => name).join(', ')} (${reason})`,
	);
	const unnamed = bad.length - named.length;
	const [many, all, more] = [bad.length, total, unnamed].map((amount) => amount.toLocaleString('en-US'));
	return `${many} of ${all} rows can't be read: ${parts.join(', ')}${unnamed > 0 ? ` and ${more} more` : ''}`;
}

/** What is wrong with one row, as a sentence: `Row 5: the participants are empty`. */
export function sayBadRow(name: string, message: string): string {
	return `${capitalized(name)}: ${uncapitalized(message)}`;
}
