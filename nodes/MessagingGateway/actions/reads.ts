import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../common/json';
import { messageOf } from '../common/problem';
import { count } from '../common/text';
import { createdFirst } from '../fields/locators';
import { includeSecrets, Options, requestFields } from '../fields/options';
import { secretRedactor } from '../gateway/redact/secretFields';
import type { RequestOptions } from '../gateway/sender';
import { isUnmade, type GroupRef } from '../groups/change';
import { errorItem, failBadItems, inInputOrder, readEach } from '../run/items';
import type { Run } from '../run/operation';
import type { Parameters } from '../run/parameters';
import { failItem } from '../run/report';

/** Most requests under way at once. */
const AT_ONCE = 5;

/** Whether an AI agent's model reads the output. */
export function isTool({ context }: Run): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Makes the outputs of a list up to the limit. A hint says if there are more. @param show makes the json */
export function limited<T>(
	{ hints }: Run,
	all: readonly T[],
	{ limit, noun }: { limit: number; noun: string },
	show: (element: T) => readonly JsonRecord[],
): Array<{ json: JsonRecord }> {
	if (all.length > limit) hints.add(`${limit} of ${count(all.length, noun)}; turn on Return All`);
	return all.slice(0, limit).flatMap((element) => show(element).map((json) => ({ json })));
}

/**
 * Serves all items of an operation that reads, and asks once for each different thing.
 *
 * @param operation reads the question of an item: what it asks for, and what to show of the answer
 * @throws unless the node continues on fail
 */
export async function runReads<Q extends { asked: { [Field in keyof GroupRef]?: string | undefined } }, A>(
	run: Run,
	operation: {
		read: (parameters: Parameters, options: Options) => Q;
		ask: (asked: Q['asked'], options: RequestOptions) => Promise<A>;
		present: (
			answer: A,
			question: Q,
		) => ReadonlyArray<{ json: JsonRecord } & Pick<INodeExecutionData, 'binary'>>;
	},
): Promise<INodeExecutionData[]> {
	const { read, bad } = await readEach(run, (parameters, item) => {
		const options = new Options(parameters);
		const question = operation.read(parameters, options);
		if (isUnmade(question.asked)) throw createdFirst();
		const requestOptions = options.values(requestFields);
		const key = JSON.stringify([question.asked, requestOptions]);
		return { item, question, key, requestOptions, isOpen: options.boolean(includeSecrets) };
	});
	const outputs = (await failBadItems(run, bad)).map(errorItem);
	const answers = await askEach(run, read, operation.ask);
	const redactSecrets = secretRedactor();
	for (const { item, question, key, isOpen } of read) {
		const answer = answers.get(key);
		// Only after an item whose failure ends the run.
		if (answer === undefined) continue;
		try {
			if ('failure' in answer) throw answer.failure;
			// A copy in any case, since several items may share an answer.
			const copyOf = isOpen ? structuredClone<unknown> : redactSecrets;
			for (const output of operation.present(answer.value, question)) {
				await run.giveWay();
				outputs.push({ pairedItem: { item }, ...output, json: copyOf(output.json) as IDataObject });
			}
		} catch (problem) {
			const { instance = '', groupJid = '' } = question.asked;
			const sentences = [messageOf(problem)];
			outputs.push(errorItem(failItem(run, { item, instance, groupJid }, { cause: problem, sentences })));
		}
	}
	return inInputOrder(outputs);
}

/** Asks for each different thing, a few at once, until one fails and the run ends with it. */
async function askEach<Asked, A>(
	run: Run,
	read: ReadonlyArray<{ key: string; question: { asked: Asked }; requestOptions: RequestOptions }>,
	ask: (asked: Asked, options: RequestOptions) => Promise<A>,
): Promise<Map<string, { value: A } | { failure: unknown }>> {
	const answers = new Map<string, { value: A } | { failure: unknown }>();
	const different = new Map(read.map((item) => [item.key, item])).values();
	let hasFailed = false;
	const work = async () => {
		for (const { key, question, requestOptions } of different) {
			if (hasFailed && !run.context.continueOnFail()) return;
			try {
				answers.set(key, { value: await ask(question.asked, requestOptions) });
			} catch (failure) {
				hasFailed = true;
				answers.set(key, { failure });
			}
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return answers;
}
