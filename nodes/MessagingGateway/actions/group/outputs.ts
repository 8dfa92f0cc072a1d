import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ItemResult } from '../../domain/group/itemResults';
import type { ParticipantResult } from '../../domain/group/results';
import { failedWords, tallies } from '../../domain/group/summary';
import { isRecord } from '../../domain/records/json';
import { hideSecrets } from '../../domain/text/secrets';
import type { FailedItem } from '../items';
import type { SentRequest } from './applyChanges';

/**
 * The fields of a result, and after them the input item's if they are wanted; the result's own win.
 *
 * @param input the input item; nothing if its fields aren't wanted
 */
export function withInputFields(result: IDataObject, input: INodeExecutionData | undefined): IDataObject {
	return input === undefined ? result : { ...result, ...input.json, ...result };
}

/** One output item for each participant; without `simplify` only for those of a dry run, which have no reply. */
export function resultItems(
	{ requested, results }: ItemResult<{ item: number; includeInputFields: boolean }>,
	simplify: boolean,
	inputs: INodeExecutionData[],
): INodeExecutionData[] {
	const { item, includeInputFields } = requested;
	const shown = simplify ? results : results.filter(({ outcome }) => outcome === 'planned');
	return shown.map((result) => ({
		json: withInputFields(result, includeInputFields ? inputs[item] : undefined),
		pairedItem: { item },
	}));
}

/** The gateway's reply as it came, but for secrets, paired with every item that took part. */
export function replyItems(sent: SentRequest): INodeExecutionData[] {
	if ('failure' in sent) return [];
	const items = new Set(sent.request.changes.flatMap(({ item }) => item ?? []));
	const reply = hideSecrets(sent.reply ?? null);
	const json = (isRecord(reply) ? reply : { reply }) as IDataObject;
	return [{ json, pairedItem: [...items].map((item) => ({ item })) }];
}

/** What a person reads at a glance after a run: `3 added, 1 needs an invite; 2 failed: …`. */
export function hintOf(results: readonly ParticipantResult[], failed: readonly FailedItem[]): string {
	const parts = [tallies(results).join(', '), ...failedWords(failed.map(({ error }) => error.message))];
	return parts.filter((part) => part !== '').join('; ');
}
