import type { INodeExecutionData } from 'n8n-workflow';
import { nameOfRow, personOfRow, formatBadRow, formatBadRows } from '../common/badRows';
import { messageOf, MissingCountryCode, MissingValue, Problem } from '../common/problem';
import { capitalized, oneLine, uncapitalized, withoutPeriod } from '../common/text';
import type { ItemFailure } from '../groups/summary';
import { messageWithAdvice, toNodeError, type NodeFailure } from './nodeErrors';
import type { Run } from './operation';
import type { Parameters } from './parameters';

/** An item that failed. */
export interface FailedItem extends ItemFailure {
	item: number;
	error: NodeFailure;
}

/** An item that can't be read, and what is wrong with it. */
export interface BadItem {
	item: number;
	problem: unknown;
}

/** What a run needs to read its items. */
export type ItemRun = Omit<Run, 'client' | 'hints'>;

/**
 * Reads every item, before anything is sent.
 *
 * @param readItem reads one item. @throws Problem for a bad one
 * @returns what it gave for the others, in input order, and the bad ones as failed
 * @throws as {@link failBadItems}
 */
export async function readItems<T>(
	run: ItemRun,
	readItem: (parameters: Parameters, item: number) => T | Promise<T>,
): Promise<{ read: T[]; failed: FailedItem[] }> {
	const read: T[] = [];
	const bad: BadItem[] = [];
	for (let item = 0; item < run.context.getInputData().length; item++) {
		await run.eventLoop.yieldIfDue();
		try {
			read.push(await readItem(run.parameters.of(item), item));
		} catch (problem) {
			bad.push({ item, problem });
		}
	}
	return { read, failed: await failBadItems(run, bad) };
}

/**
 * Makes bad items fail before anything is sent.
 *
 * @param bad in input order
 * @throws one error about all of them, with what to do about the first, unless the node continues on fail
 */
export async function failBadItems(run: ItemRun, bad: readonly BadItem[]): Promise<FailedItem[]> {
	const { context, secrets, eventLoop } = run;
	const items = context.getInputData();
	const isAlone = items.length === 1;
	const errorOf = ({ item, problem }: BadItem, message: string, areFieldsNamed = false) => {
		const description = adviceOn(problem, areFieldsNamed ? undefined : items[item]);
		return toNodeError(context.getNode(), problem, secrets, item, { message, description });
	};
	const nameOf = ({ item, problem }: BadItem) => {
		const json = items[item]?.json ?? {};
		const isNamed = problem instanceof Problem && problem.brief !== undefined;
		return nameOfRow(json, item) + (isNamed ? '' : personOfRow(participantsOf(run, item), json));
	};
	const [first] = bad;
	if (first === undefined || context.continueOnFail())
		return await eventLoop.map(bad, (one) => {
			const said = messageOf(one.problem);
			const message = isAlone ? said : formatBadRow(nameOf(one), said);
			return {
				item: one.item,
				error: errorOf(one, message),
				reason: said,
				amount: 1,
				state: 'failed' as const,
			};
		});
	const rows = await eventLoop.map(bad, (one) => ({ name: nameOf(one), reason: reasonOf(one.problem) }));
	const said = isAlone ? uncapitalized(messageOf(first.problem)) : formatBadRows(rows, items.length);
	const lacksAll = bad.length === items.length && bad.every((one) => one.problem instanceof MissingValue);
	const fields = `${isAlone ? 'the item has' : 'the items have'} ${fieldsOf(items[first.item])}`;
	const error = errorOf(first, beforeSending(run, lacksAll ? `${said}; ${fields}` : said), lacksAll);
	error.description = await adviceOnAll(run, bad, withoutPeriod(error.description ?? ''));
	throw error;
}

/** Says what to do about several bad items. @param first the advice on the first of them */
async function adviceOnAll(run: ItemRun, bad: readonly BadItem[], first: string): Promise<string> {
	const { length } = run.context.getInputData();
	const lackCode = length > 1 && bad.some(isCodeMissing) && !(await haveCodes(run));
	const own = lackCode && bad.slice(0, 1).some(isCodeMissing) ? '' : first;
	return [lackCode && DEFAULT_CODE_ADVICE, own, bad.length < length && DO_OTHERS].filter(Boolean).join('. ');
}

const DO_OTHERS = 'Or set On Error to Continue (using error output) to process the others';
const DEFAULT_CODE_ADVICE =
	"None of the numbers has a +. If they have no country code, add the option 'Default Country Code'. If a number is right, write + in front of it";

function isCodeMissing({ problem }: BadItem): boolean {
	return problem instanceof MissingCountryCode;
}

/** Whether a participant of any item has a `+` in front. */
async function haveCodes(run: ItemRun): Promise<boolean> {
	for (const item of run.context.getInputData().keys()) {
		await run.eventLoop.yieldIfDue();
		if (/(?:^|[^\w.])\+/.test(String(participantsOf(run, item)))) return true;
	}
	return false;
}

/** The participants as an item gives them; `undefined` where the operation has none, or their expression fails. */
function participantsOf({ parameters }: ItemRun, item: number): unknown {
	try {
		return parameters.of(item).get('participants', '');
	} catch {
		return undefined;
	}
}

/** Says where to look for a value that an item doesn't give. @param item whose fields are to be named */
function adviceOn(problem: unknown, item?: INodeExecutionData): string | undefined {
	if (!(problem instanceof MissingValue)) return undefined;
	const fields = item === undefined ? '' : `This item has ${fieldsOf(item)}. `;
	return `${fields}If it's an expression, check the field name in it. ${problem.description}`;
}

/** A sentence about what fails before anything is sent. @param sentence begins with a small letter */
export function beforeSending(
	{ onlyReads, hasSentBefore }: Pick<Run, 'onlyReads' | 'hasSentBefore'>,
	sentence: string,
): string {
	if (onlyReads) return capitalized(sentence);
	return `Nothing ${hasSentBefore ? 'more ' : ''}was changed: ${sentence}`;
}

function reasonOf(problem: unknown): string {
	return (problem instanceof Problem && problem.brief) || uncapitalized(withoutPeriod(messageOf(problem)));
}

function fieldsOf(item: INodeExecutionData | undefined): string {
	const fields = Object.keys(item?.json ?? {});
	return fields.length === 0 ? 'no fields' : `the fields ${oneLine(fields.join(', '))}`;
}

/**
 * The item that stands for a failed one: what happened, and that with what to do. n8n sends it to the error output, with
 * the input item's fields, if its json holds nothing else; a property `error` beside that would make n8n leave them out.
 */
export function errorItem({ item, error }: Pick<FailedItem, 'item' | 'error'>): INodeExecutionData {
	return { json: { error: error.message, message: messageWithAdvice(error) }, pairedItem: { item } };
}

/** Puts output items in the order of the (first) input item that each is paired with; those of one item stay as they are. */
export function inInputOrder(outputs: INodeExecutionData[]): INodeExecutionData[] {
	return outputs.sort((a, b) => firstItemOf(a) - firstItemOf(b));
}

function firstItemOf({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : (first ?? 0);
}
