import { count } from '../../common/text';
import type { RememberingRow } from './rowText';

/**
 * What the memories of rows leave to say after a run.
 *
 * @param hasMembers whether some of them are members already, whom an earlier run would have noted
 */
export function rowHints(rows: readonly RememberingRow[], hasMembers: boolean): string[] {
	const remembering = rows.filter(({ memoryText }) => memoryText !== undefined);
	const isUnused = remembering.length > 0 && remembering.every(({ memoryText }) => memoryText?.trim() === '');
	const itemsWith = (is: (row: RememberingRow) => boolean | undefined) =>
		new Set(remembering.filter(is).map(({ item }) => item)).size;
	const counted = [
		{
			amount: itemsWith(({ memory }) => memory?.isForeign),
			what: "was for another number or group, so it didn't count. Use one column for each group.",
		},
		{
			amount: itemsWith(({ memory }) => memory?.isUnreadable),
			what: "couldn't be read in part, so that part didn't count.",
		},
		{
			amount: itemsWith(({ memory }) => memory === undefined),
			what: 'is of an item with several participants, so it was left as it is. Use a row for each person.',
		},
	];
	return [
		...(isUnused && hasMembers ? [NOT_WRITTEN_BACK] : []),
		...counted.flatMap(({ amount, what }) =>
			amount === 0 ? [] : [`The memory of ${count(amount, 'row')} ${what}`],
		),
	];
}

/**
 * What a run leaves to say that n8n doesn't remember: who `was invited`, so the next one `may invite them again`.
 *
 * @param isDryRun whether nobody was so far
 */
export function notRememberedHint(what: string, nextRun: string, isDryRun = false): string {
	const memory = isDryRun
		? `n8n wouldn't remember who ${what} in such a run`
		: `n8n doesn't remember who ${what} in this run`;
	return `${memory}, so the next one ${nextRun}. To always remember them, add the option 'Row Memory'.`;
}

const NOT_WRITTEN_BACK =
	"The memory of all rows is empty, and some people are members already. If this isn't the first run, write the output field 'memory' back to the column that 'Row Memory' reads.";
