import { Problem } from '../common/problem';
import { count } from '../common/text';
import type { Participant } from '../groups/change';
import { readRowText, type RowMemory } from '../groups/memory/text';
import { errorItem } from './items';
import { toNodeError } from './nodeErrors';
import type { Run } from './operation';
import type { Parameters } from './parameters';
import { sayUnsent } from './said';

/** Reads the memory of a row. @throws Problem if it can't be this row's */
export function readRowMemory(
	{ startedAt }: Pick<Run, 'startedAt'>,
	text: string | undefined,
	groupJid: string,
	participants: readonly Participant[],
): RowMemory | undefined {
	if (text === undefined) return undefined;
	const [participant, ...others] = participants;
	if (participant === undefined || others.length > 0)
		throw new Problem(
			'Row Memory needs a row for each person',
			'Split the item into items with one participant each',
		);
	const memory = readRowText(text, groupJid, participant.identity, startedAt);
	if (!memory.isForeign) return memory;
	throw new Problem(
		'This memory belongs to another number or group',
		'If you corrected the number, empty its memory. Use one column for each group',
	);
}

/** A row with its memory; `undefined` without Row Memory. */
interface RememberingRow {
	readonly item: number;
	readonly memory?: RowMemory | undefined;
}

/** Refuses rows with memories if a failure would end the run, since that gives no memories back. @throws NodeOperationError */
export function refuseWithoutContinue(run: Run, rows: readonly RememberingRow[]): void {
	const first = rows.find((row) => hasText([row]));
	if (first === undefined || run.context.continueOnFail()) return;
	const problem = new Problem(
		'Row Memory needs Settings > On Error: Continue (using error output)',
		"A run that stops partway gives no memories. Set On Error in the node's settings, then run this again",
	);
	const message = sayUnsent(run, problem.message);
	const error = toNodeError(run.context.getNode(), problem, run.secrets, first.item, { message });
	throw error;
}

/** Whether any row has a memory: then n8n's own is neither read nor written. */
export function hasText(rows: readonly RememberingRow[]): boolean {
	return rows.some(({ memory }) => memory !== undefined && memory.text.trim() !== '');
}

/** Makes the error items of rows. Those that stay among the others keep the row's memory: n8n adds none of their fields. */
export function rowErrorItem(
	{ context, parameters }: Pick<Run, 'context' | 'parameters'>,
	read: (parameters: Parameters) => string | undefined,
): typeof errorItem {
	if (context.getNode().onError !== 'continueRegularOutput') return errorItem;
	return (failed) => {
		const output = errorItem(failed);
		try {
			const memory = read(parameters.of(failed.item));
			if (memory !== undefined) output.json.memory = memory;
		} catch {
			// An expression that n8n can't work out is why the row failed.
		}
		return output;
	};
}

/** Says if memories aren't written back, or can't be read. @param hasMembers whether a person of the list is a member */
export function memoryHints(rows: readonly RememberingRow[], hasMembers: boolean): string[] {
	const memories = rows.flatMap(({ memory }) => memory ?? []);
	const isEmpty = memories.length > 0 && !hasText(rows);
	const unreadable = memories.filter(({ isUnreadable }) => isUnreadable).length;
	return [
		...(isEmpty && hasMembers ? [NOT_WRITTEN_BACK] : []),
		...(unreadable > 0
			? [`The memory of ${count(unreadable, 'row')} couldn't be read in part, so that part didn't count`]
			: []),
	];
}

const NOT_WRITTEN_BACK =
	"The memory of all rows is empty, and some people are members already. If this isn't the first run, write the output field 'memory' back to the column that 'Row Memory' reads.";
