import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { formatBadRows, nameOfRow, personOfRow, spellFields, type BadRow } from '../common/badRows';
import type { JsonRecord } from '../common/json';
import { groupBy } from '../common/maps';
import { attempt, messageOf, MissingValue, Problem, sayUnsent } from '../common/problem';
import { capitalized, quote, uncapitalized, withoutPeriod } from '../common/text';
import { keyRedactor } from '../gateway/redact/redactText';
import type { GroupRef } from '../groups/change';
import type { ItemFailure } from '../groups/summary';
import { messageWithAdvice, toNodeError, type NodeFailure } from './nodeErrors';
import type { Run } from './operation';
import { chosenGroupName, type Parameters } from './parameters';

export interface FailedItem extends ItemFailure {
	item: number;
	error: NodeFailure;
}

export interface BadItem {
	item: number;
	problem: unknown;
}

export async function readEach<T>(
	run: Run,
	readItem: (parameters: Parameters, item: number) => T | Promise<T>,
): Promise<{ read: T[]; bad: BadItem[] }> {
	const read: T[] = [];
	const bad: BadItem[] = [];
	for (let item = 0; item < run.context.getInputData().length; item++) {
		await run.giveWay();
		try {
			read.push(await readItem(run.parameters.of(item), item));
		} catch (problem) {
			bad.push({ item, problem });
		}
	}
	return { read, bad };
}

/** An item with options that have to be the same in all items. */
export interface SharingItem {
	item: number;
	options: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, { displayName: string }>>;

/** Reads every item, before anything is sent. @param findMisfits is left out once the run has to end */
export async function readItems<T extends SharingItem>(
	run: Run,
	readItem: (parameters: Parameters, item: number) => T | Promise<T>,
	fields: Fields,
	findMisfits: (run: Run, read: readonly T[]) => BadItem[] | Promise<BadItem[]> = () => [],
): Promise<{ read: T[]; failed: FailedItem[] }> {
	const { read, bad } = await readEach(run, readItem);
	const difference = differenceAmong(read, fields, 'run');
	if (difference !== undefined) return { read: [], failed: await failAll(run, bad, difference) };
	const misfits = bad.length > 0 && !run.context.continueOnFail() ? [] : await findMisfits(run, read);
	const isBad = new Set(misfits.map(({ item }) => item));
	const failed = await failBadItems(run, [...bad, ...misfits]);
	return { read: read.filter(({ item }) => !isBad.has(item)), failed };
}

/** Finds items of one group that name different instances. Names the item that differs from most. */
export function instancesThatDiffer(
	{ context }: Pick<Run, 'context'>,
	items: ReadonlyArray<GroupRef & { item: number }>,
): BadItem[] {
	return [...groupBy(items, ({ groupJid }) => groupJid).values()].flatMap((ofGroup) => {
		const byInstance = [...groupBy(ofGroup, ({ instance }) => instance)];
		const [[most] = [], [other, [{ item: odd }]] = [undefined, ofGroup]] = byInstance.sort(
			([, all], [, others]) => others.length - all.length,
		);
		if (other === undefined) return [];
		const row = nameOfRow(context.getInputData()[odd]?.json ?? {}, odd);
		const problem = new Problem(
			`Items of one group name different instances: ${row} has ${quote(other)}, and most have ${quote(most)}`,
			'Use one instance for each group',
		);
		return ofGroup.map(({ item }) => ({ item, problem }));
	});
}

/** Finds the items of a group whose options differ that have one value in it. */
export function optionsThatDiffer(
	items: ReadonlyArray<{ item: number; ofGroup: SharingItem['options'] }>,
	fields: Fields,
): BadItem[] {
	const sharing = items.map(({ item, ofGroup }) => ({ item, options: ofGroup }));
	const problem = differenceAmong(sharing, fields, 'group');
	return problem === undefined ? [] : items.map(({ item }) => ({ item, problem }));
}

/** Finds an option that differs: `'Dry Run' has to be the same in all items`. */
export function differenceAmong(
	items: readonly SharingItem[],
	fields: Fields,
	scope: 'run' | 'group',
): Problem | undefined {
	const [first] = items;
	const [name] = Object.keys(fields).filter((one) => {
		const text = JSON.stringify(first?.options[one]);
		const isOther = (value: unknown) => value !== first?.options[one] && JSON.stringify(value) !== text;
		return items.some(({ options }) => options !== first?.options && isOther(options[one]));
	});
	if (name === undefined) return undefined;
	return new Problem(
		`'${fields[name]?.displayName}' has to be the same in all items${scope === 'group' ? ' of a group' : ''}`,
		`Use a fixed value, or ${scope === 'run' ? 'one node for each value' : 'the same value in all items of the group'}`,
	);
}

/** Makes all items fail, the bad ones each for its own reason. @throws unless the node continues on fail */
export async function failAll(run: Run, bad: readonly BadItem[], problem: Problem): Promise<FailedItem[]> {
	const { context, secrets } = run;
	if (!context.continueOnFail()) {
		const message = sayUnsent(run, uncapitalized(problem.message));
		const error = toNodeError(context.getNode(), problem, secrets, undefined, { message });
		throw error;
	}
	const problems = new Map(bad.map((badItem) => [badItem.item, badItem.problem]));
	const items = [...context.getInputData().keys()];
	return await failBadItems(
		run,
		items.map((item) => ({ item, problem: problems.get(item) ?? problem })),
	);
}

/** Makes bad items fail, in input order. @throws one error about all, unless the node continues on fail */
export async function failBadItems(run: Run, all: readonly BadItem[]): Promise<FailedItem[]> {
	const { context, secrets } = run;
	const isAlone = context.getInputData().length === 1;
	const bad = [...all].sort((badItem, other) => badItem.item - other.item);
	if (bad.length > 0 && !context.continueOnFail()) throw await errorAboutAll(run, bad);
	const failed: FailedItem[] = [];
	for (const { item, problem } of bad) {
		await run.giveWay();
		const reason = messageOf(problem);
		const name = capitalized(nameOf(run, { item, problem }));
		const message = isAlone ? reason : `${name}: ${uncapitalized(reason)}`;
		const description = adviceOn(problem, `This item has ${fieldsOf(run, item)}. `);
		const error = toNodeError(context.getNode(), problem, secrets, item, { message, description });
		failed.push({ item, error, reason, state: 'failed' });
	}
	return failed;
}

async function errorAboutAll(run: Run, bad: readonly BadItem[]): Promise<NodeFailure> {
	const { context, secrets } = run;
	const { length } = context.getInputData();
	const rows: BadRow[] = [];
	for (const badItem of bad) {
		await run.giveWay();
		const { problem } = badItem;
		const isAboutValue = problem instanceof Problem && problem.about !== undefined;
		const reason = isAboutValue ? problem : uncapitalized(withoutPeriod(messageOf(problem)));
		rows.push({ name: nameOf(run, badItem), problem: reason });
	}
	const { item, problem } = bad[0] ?? { item: 0, problem: undefined };
	const said = length === 1 ? uncapitalized(messageOf(problem)) : formatBadRows(rows, length);
	const lacksAll = bad.length === length && bad.every((badItem) => badItem.problem instanceof MissingValue);
	const have = length === 1 ? 'the item has' : 'the items have';
	const message = sayUnsent(run, lacksAll ? `${said}; ${have} ${fieldsOf(run, item)}` : said);
	const fields = lacksAll ? '' : `This item has ${fieldsOf(run, item)}. `;
	const description = adviceOn(problem, fields);
	// n8n adds the item of the index to the message: of several rows it would be one, by another number.
	const index = bad.length === 1 ? item : undefined;
	const error = toNodeError(context.getNode(), problem, secrets, index, { message, description });
	const advice = [withoutPeriod(error.description ?? ''), ...(bad.length < length ? [DO_OTHERS] : [])];
	error.description = advice.filter(Boolean).join('. ');
	return error;
}

const DO_OTHERS = 'Or set On Error to Continue (using error output) to process the others';

/** Names a bad item, with its person unless the reason names one. */
function nameOf({ context, parameters }: Run, { item, problem }: BadItem): string {
	const json = context.getInputData()[item]?.json ?? {};
	const name = nameOfRow(json, item);
	if (problem instanceof Problem && problem.about !== undefined) return name;
	// An expression that n8n can't work out may be the problem.
	const participants = attempt(() => parameters.of(item).get('participants', ''));
	return name + personOfRow(participants, json);
}

/** Says where to look for a value that an item doesn't give. @param fields names the item's fields */
function adviceOn(problem: unknown, fields: string): string | undefined {
	if (!(problem instanceof MissingValue)) return undefined;
	return `${fields}If it's an expression, check the field name in it. ${problem.description}`;
}

function fieldsOf({ context }: Run, item: number): string {
	const fields = Object.keys(context.getInputData()[item]?.json ?? {});
	return fields.length === 0 ? 'no fields' : `the fields ${spellFields(fields)}`;
}

/** Makes the output item of a failed one. n8n adds the input's fields only to one without others, or `error`. */
export function errorItem({ item, error }: Pick<FailedItem, 'item' | 'error'>): INodeExecutionData {
	return { json: { error: error.message, message: messageWithAdvice(error) }, pairedItem: { item } };
}

/** Sorts output items by the first input item that each is paired with. */
export function inInputOrder(outputs: INodeExecutionData[]): INodeExecutionData[] {
	return outputs.sort((a, b) => firstItemOf(a) - firstItemOf(b));
}

function firstItemOf({ pairedItem }: INodeExecutionData): number {
	const first = (Array.isArray(pairedItem) ? pairedItem[0] : pairedItem) ?? 0;
	return typeof first === 'object' ? first.item : first;
}

/** Makes a function that finishes output items: it adds the group's name, and redacts the key everywhere. */
export function outputFinisher(node: INode, secrets: Iterable<string>): (json: JsonRecord) => IDataObject {
	const groupName = chosenGroupName(node);
	const redactKey = keyRedactor(secrets);
	return (json) => redactKey(withGroupName(json, groupName)) as IDataObject;
}

function withGroupName<T extends JsonRecord>(json: T, groupName: string | undefined): T | JsonRecord {
	if (groupName === undefined || !Object.hasOwn(json, 'groupJid')) return json;
	const others = Object.entries(json).filter(([field]) => field !== 'groupName');
	others.splice(1 + others.findIndex(([field]) => field === 'groupJid'), 0, ['groupName', groupName]);
	return Object.fromEntries(others);
}
