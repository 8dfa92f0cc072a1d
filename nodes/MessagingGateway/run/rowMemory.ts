import { Problem } from '../common/problem';
import { count, quote } from '../common/text';
import type { Participant } from '../groups/change';
import { hasFacts } from '../groups/memory/fact';
import { readRowText, type RowMemory } from '../groups/memory/text';
import { errorItem } from './items';
import type { Run } from './operation';
import type { Parameters } from './parameters';

/** Reads the memory of a row; an item with several participants has none. */
export function readRowMemory(
	{ startedAt }: Pick<Run, 'startedAt'>,
	text: string | undefined,
	groupJid: string,
	[participant, ...others]: readonly Participant[],
): RowMemory | undefined {
	if (participant === undefined || others.length > 0) return undefined;
	return readRowText(text ?? '', groupJid, participant.identity, startedAt);
}

export const FOREIGN_MEMORY = new Problem(
	'This memory belongs to another number or group',
	'If you corrected the number, empty its memory. Use one column for each group',
);

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

export function hasText(rows: ReadonlyArray<{ memory?: RowMemory | undefined }>): boolean {
	return rows.some(({ memory }) => memory !== undefined && memory.text.trim() !== '');
}

/** Says in how many rows the memory can't be read, and what stands there if that's all. */
export function memoryHints(rows: ReadonlyArray<{ memory?: RowMemory | undefined }>): string[] {
	const unreadable = rows.flatMap(({ memory }) => (memory?.isUnreadable ? memory : []));
	const [first] = unreadable;
	if (first === undefined) return [];
	const amount = count(unreadable.length, 'row');
	if (rows.some(({ memory }) => memory && hasFacts(memory.facts)))
		return [`The memory of ${amount} couldn't be read in part, so that part didn't count`];
	return [`Row Memory reads ${quote(first.text)} in ${amount}: choose the column 'memory'`];
}
