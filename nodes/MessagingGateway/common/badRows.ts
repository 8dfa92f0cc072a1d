import { groupBy } from './groupBy';
import type { JsonRecord } from './json';
import { capitalized, isBlank, quote, uncapitalized } from './text';

/** More rows than that are counted, and not named. */
const MOST_NAMED = 5;

/** IDs that are longer are of no use to people. */
const READABLE_ID = /^[^\s\p{Cc}\p{Cf}]{1,40}$/u;

/**
 * Names an item as people find it: by the number of its row, which Google Sheets gives, by its ID, or else as n8n counts.
 */
export function nameOfRow({ row_number: row, id }: JsonRecord, item: number): string {
	if (typeof row === 'number' || (typeof row === 'string' && /^\d+$/.test(row))) return `row ${row}`;
	const isReadable = typeof id === 'number' || (typeof id === 'string' && READABLE_ID.test(id));
	return isReadable ? `the row with id ${id}` : `item ${item}`;
}

/**
 * Says whom a row is about, for a reason that doesn't.
 *
 * @param participants as the item gave them
 * @returns them, or else the first text in the item's fields, with a space in front; nothing where there is neither
 */
export function personOfRow(participants: unknown, json: JsonRecord): string {
	const given = Array.isArray(participants) ? participants.join(', ') : participants;
	const fields = Object.keys(json).filter((name) => name !== 'id' && name !== 'row_number');
	const texts = [typeof given === 'number' ? String(given) : given, ...fields.map((name) => json[name])];
	const person = texts.find((one) => typeof one === 'string' && !isBlank(one));
	return person === undefined ? '' : ` ${quote(person)}`;
}

/**
 * Says what is wrong with rows, as a part of a sentence: `2 of 36 rows can't be read: row 5 ("ask Maria" has letters), row 9
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

/** Says what is wrong with one row: `Row 5 "Ana": the participants are empty`. */
export function sayBadRow(name: string, message: string): string {
	return `${capitalized(name)}: ${uncapitalized(message)}`;
}
