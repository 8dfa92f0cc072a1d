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
	text: string,
	groupJid: string,
	[participant, ...others]: readonly Participant[],
): RowMemory | undefined {
	if (participant === undefined || others.length > 0) return undefined;
	return readRowText(text, groupJid, participant.identity, startedAt);
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

/**
 * Says in how many rows the memory is somebody else's, or can't be read, and what stands there if that's all.
 *
 * @param losses hints that n8n forgets what runs note, for lists without a memory
 */
export function memoryHints(
	rows: ReadonlyArray<{ memory?: RowMemory | undefined }>,
	losses: readonly string[],
): string[] {
	const memories = rows.flatMap(({ memory }) => memory ?? []);
	const hasText = memories.some(({ text }) => text.trim() !== '');
	if (!hasText) return [...losses];
	const foreign = memories.filter(({ isForeign }) => isForeign);
	const unreadable = memories.filter(({ isUnreadable }) => isUnreadable);
	const isReadInPart = memories.some(({ facts, isForeign }) => isForeign || hasFacts(facts));
	const [first] = unreadable;
	const hints: string[] = [];
	if (foreign.length > 0)
		hints.push(
			`The memory of ${count(foreign.length, 'row')} belongs to other numbers or another group, and didn't count`,
		);
	if (first === undefined) return hints;
	const amount = count(unreadable.length, 'row');
	hints.push(
		isReadInPart
			? `The memory of ${amount} couldn't be read in part, so that part didn't count`
			: `Row Memory reads ${quote(first.text)} in ${amount}: choose the column 'memory'`,
	);
	return hints;
}
