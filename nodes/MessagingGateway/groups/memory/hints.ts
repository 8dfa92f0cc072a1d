import type { Steps } from '../../common/steps';
import { count } from '../../common/text';
import type { RememberingRow, RowMemory } from './rowText';

/** What is said of rows whose memory doesn't count. */
const NOT_COUNTED: ReadonlyArray<{
	is: (memory: RowMemory | undefined) => boolean | undefined;
	what: string;
}> = [
	{
		is: (memory) => memory?.isForeign,
		what: "was for another number or group, so it didn't count. Use one column for each group.",
	},
	{ is: (memory) => memory?.isUnreadable, what: "couldn't be read in part, so that part didn't count." },
	{
		is: (memory) => memory === undefined,
		what: 'is of an item with several participants, so it was left as it is. Use a row for each person.',
	},
];

/**
 * What the memories of rows leave to say after a run.
 *
 * @param hasMembers whether some of them are members already, whom an earlier run would have noted
 */
export function* rowHints(rows: readonly RememberingRow[], hasMembers: boolean): Steps<string[]> {
	const hints = NOT_COUNTED.map((one) => ({ ...one, items: new Set<number>() }));
	let areEmpty: boolean | undefined;
	for (const { item, memory, memoryText } of rows) {
		yield;
		if (memoryText === undefined) continue;
		areEmpty = areEmpty !== false && memoryText.trim() === '';
		for (const { is, items } of hints) if (is(memory)) items.add(item);
	}
	return [
		...(areEmpty && hasMembers ? [NOT_WRITTEN_BACK] : []),
		...hints.flatMap(({ items, what }) =>
			items.size === 0 ? [] : [`The memory of ${count(items.size, 'row')} ${what}`],
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
