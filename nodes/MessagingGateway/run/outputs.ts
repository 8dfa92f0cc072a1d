import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ItemResult } from '../groups/itemResults';
import { failedWords } from '../groups/summary';
import { isRecord } from '../common/json';
import { hideSecrets } from '../gateway/redact/secretFields';
import { joinParts } from '../common/text';
import { errorItem, type FailedItem } from './items';
import type { Run } from './operation';
import type { SentRequest } from './applyChanges';
import { itemErrorsOf, type EndedRun, type RequestingItem } from './itemErrors';

/** An item that asked for something about people, and wants it shown. */
interface ShownItem extends RequestingItem {
	includeInputFields: boolean;
}

/**
 * The items of a run: an error item for each item that failed, and otherwise one for each participant.
 *
 * @param failed those that could not be read or were stopped
 * @param ended what the error of a run that ends says of it
 * @param simplify without it, only the participants of a dry run are shown, who have no reply
 * @returns the output items in any order, and all items that failed
 * @throws the first failed item's error, unless the node continues on fail
 */
export async function outputsOf(
	run: Run,
	itemResults: ReadonlyArray<ItemResult<ShownItem>>,
	failed: readonly FailedItem[],
	ended: EndedRun,
	simplify = true,
): Promise<{ outputs: INodeExecutionData[]; failed: FailedItem[] }> {
	const errors = await itemErrorsOf(run, itemResults, ended);
	const allFailed = [...failed, ...errors];
	const withError = new Set(errors.map(({ item }) => item));
	const inputs = run.context.getInputData();
	const shown = await run.breather.map(itemResults, (itemResult) =>
		withError.has(itemResult.requested.item) ? [] : resultItems(itemResult, simplify, inputs),
	);
	return { outputs: [...allFailed.map(errorItem), ...shown.flat()], failed: allFailed };
}

/** The items of a run in which no item can be read, in input order. */
export function outputsOfNone({ hints }: Run, failed: readonly FailedItem[]): INodeExecutionData[] {
	hints.add(hintOf('', failed));
	return failed.map(errorItem);
}

function resultItems(
	{ requested, results }: ItemResult<ShownItem>,
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

/**
 * The fields of a result, and after them the input item's if they are wanted; the result's own win.
 *
 * @param input the input item; nothing if its fields aren't wanted
 */
function withInputFields(result: IDataObject, input: INodeExecutionData | undefined): IDataObject {
	return input === undefined ? result : { ...result, ...input.json, ...result };
}

/** The gateway's reply as it came, but for secrets, paired with every item that took part. */
export function replyItems(sent: SentRequest): INodeExecutionData[] {
	if ('failure' in sent) return [];
	const items = new Set(sent.request.changes.flatMap(({ item }) => item ?? []));
	const reply = hideSecrets(sent.reply ?? null);
	const json = (isRecord(reply) ? reply : { reply }) as IDataObject;
	return [{ json, pairedItem: [...items].map((item) => ({ item })) }];
}

/**
 * What a person reads at a glance after a run: `3 added, 1 needs an invite; 2 failed: …`.
 *
 * @param summary what came of those that didn't fail; empty if there are none
 */
export function hintOf(summary: string, failed: readonly FailedItem[]): string {
	return joinParts([summary, ...failedWords(failed.map(({ error }) => error.message))]);
}
