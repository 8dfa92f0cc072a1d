import type { JsonRecord } from './json';
import { groupBy } from './maps';
import type { Fault, Problem } from './problem';
import { amountOf, isBlank, oneLine, quote } from './text';

/** Maximum number of rows that a message names. Further rows are counted. */
const MOST_NAMED = 5;

const READABLE_ID = /^[^\s\p{Cc}\p{Cf}]{1,40}$/u;

/** Names an item by its row number, which Google Sheets gives, by its ID, or else by n8n's count. */
export function nameOfRow({ row_number: row, id }: JsonRecord, item: number): string {
	if (typeof row === 'number' || (typeof row === 'string' && /^\d+$/.test(row))) return `row ${row}`;
	const isReadable = typeof id === 'number' || (typeof id === 'string' && READABLE_ID.test(id));
	return isReadable ? `the row with id ${id}` : `item ${item}`;
}

/** A time names nobody: a data table has one in each row. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:/;

/** Gives a row's participants, or else its first text, with a space in front; empty if there is neither. */
export function personOfRow(participants: unknown, json: JsonRecord): string {
	const given = Array.isArray(participants) ? participants.join(', ') : participants;
	const fields = Object.keys(json).filter((name) => name !== 'id' && name !== 'row_number');
	const texts = [typeof given === 'number' ? String(given) : given, ...fields.map((name) => json[name])];
	const person = texts.find((text) => typeof text === 'string' && !isBlank(text) && !TIME.test(text));
	return person === undefined ? '' : ` ${quote(person)}`;
}

/** Spells fields for people who look for one that seems to be there: marks and spaces can't be seen. */
export function spellFields(names: readonly string[]): string {
	const spelled = names.map((name) => {
		const plain = name.replace(/\p{Cf}/gu, '');
		if (plain !== name)
			return `${plain} with an invisible mark ${name.endsWith(plain) ? 'in front' : 'in it'}`;
		return name === name.trim() ? name : `"${name}"`;
	});
	return oneLine(spelled.join(', '));
}

/** A row that can't be read: its name such as `row 5`, and the problem or its words. */
export interface BadRow {
	readonly name: string;
	readonly problem: Problem | string;
}

/**
 * Describes bad rows as part of a sentence: `2 of 36 rows can't be read: row 5 ("ask Maria" has letters), row
 * 9 ("4.91E+12": a spreadsheet changed it)`. Names at most five, one for each reason first.
 */
export function formatBadRows(bad: readonly BadRow[], total: number): string {
	const byReason = (rows: readonly BadRow[]) => [...groupBy(rows, (row) => reasonOfMany(row)[0])];
	const firstOfEach = byReason(bad).map(([, [first]]) => first);
	if (firstOfEach.length === 1 && bad.length === total)
		return `none of the ${amountOf(total)} rows can be read: ${firstOfEach.flatMap(reasonOfMany).join('. ')}`;
	const named = [...new Set([...firstOfEach, ...bad])].slice(0, MOST_NAMED);
	const parts = byReason(named).map(([reason, rows]) => {
		const [{ name, problem }, ...others] = rows;
		if (typeof problem !== 'string' && others.length === 0) return `${name} (${problem.brief ?? reason})`;
		return `${rows.map(nameWithValue).join(', ')} (${reason})`;
	});
	const unnamed = bad.length - named.length;
	const [many, all, more] = [bad.length, total, unnamed].map(amountOf);
	return `${many} of ${all} rows can't be read: ${parts.join(', ')}${unnamed > 0 ? ` and ${more} more` : ''}`;
}

const nameWithValue = ({ name, problem }: BadRow): string =>
	typeof problem === 'string' || !problem.about ? name : `${name} ${quote(problem.about.value)}`;

/** Gives the reason that rows share, `each has letters`, and advice. */
function reasonOfMany({ problem }: BadRow): Fault {
	if (typeof problem === 'string') return [problem];
	const [said, more = ''] = problem.about?.fault ?? ['', problem.message];
	return problem.about?.ofMany ?? [said ? `each ${said}` : more];
}
