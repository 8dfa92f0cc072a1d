import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../common/json';
import { messageOf } from '../common/problem';
import { count } from '../common/text';
import { secretRedactor } from '../gateway/redact/secretFields';
import type { RequestOptions } from '../gateway/retry';
import type { GroupRef } from '../groups/change';
import { errorItem, failBadItems, inInputOrder, readEach } from './items';
import type { Run } from './operation';
import type { Parameters } from './parameters';
import { failItem } from './report';

/** Most requests under way at once. */
const AT_ONCE = 5;

/** One item, checked. Operations add what they show of the answer. */
export interface Question {
	/** Items with the same share an answer. */
	asked: { readonly [Field in keyof GroupRef]?: GroupRef[Field] | undefined };
	requestOptions: RequestOptions;
	/** Whether to output secrets as they are; not if left out. */
	includeSecrets?: boolean;
}

/** Makes outputs of a list, as many as the limit allows. A hint says if it cuts some off. @param show makes the json */
export function limited<T>(
	{ hints }: Run,
	all: readonly T[],
	{ limit, noun }: { limit: number; noun: string },
	show: (one: T) => readonly JsonRecord[],
): Array<{ json: JsonRecord }> {
	if (all.length > limit) hints.add(`${limit} of ${count(all.length, noun)}; turn on Return All`);
	return all.slice(0, limit).flatMap((one) => show(one).map((json) => ({ json })));
}

/**
 * Serves all items of an operation that reads: checks every item, and asks the gateway once for each different thing.
 *
 * @returns the output in input order
 * @throws the failure of the first item that has one, unless the node continues on fail
 */
export async function runReads<Q extends Question, A>(
	run: Run,
	operation: {
		read: (parameters: Parameters) => Q;
		ask: (question: Q) => Promise<A>;
		present: (
			answer: A,
			question: Q,
		) => ReadonlyArray<{ json: JsonRecord } & Pick<INodeExecutionData, 'binary'>>;
	},
): Promise<INodeExecutionData[]> {
	const { context } = run;
	const items = await readEach(run, (parameters, item) => {
		const question = operation.read(parameters);
		return { item, question, key: JSON.stringify([question.asked, question.requestOptions]) };
	});
	const failed = await failBadItems(run, items.bad);
	const different = new Map(items.read.map(({ key, question }) => [key, question] as const));
	const answers = new Map<string, { value: A } | { failure: unknown }>();
	let hasFailed = false;
	await eachAtMost(AT_ONCE, different, async ([key, question]) => {
		if (hasFailed && !context.continueOnFail()) return;
		try {
			answers.set(key, { value: await operation.ask(question) });
		} catch (failure) {
			hasFailed = true;
			answers.set(key, { failure });
		}
	});

	const outputs: INodeExecutionData[] = [];
	const redactSecrets = secretRedactor();
	for (const { item, question, key } of items.read) {
		const answer = answers.get(key);
		// Only after an item whose failure ends the run.
		if (answer === undefined) continue;
		try {
			if ('failure' in answer) throw answer.failure;
			// A copy in any case, since several items may share an answer.
			const copyOf = question.includeSecrets ? structuredClone<unknown> : redactSecrets;
			for (const output of operation.present(answer.value, question)) {
				await run.giveWay();
				outputs.push({ ...output, json: copyOf(output.json) as IDataObject, pairedItem: { item } });
			}
		} catch (problem) {
			const { instance = '', groupJid = '' } = question.asked;
			const sentences = [messageOf(problem)];
			const failed = failItem(run, { item, instance, groupJid }, { cause: problem, sentences });
			outputs.push(errorItem(failed));
		}
	}
	return inInputOrder([...failed.map(errorItem), ...outputs]);
}

async function eachAtMost<T>(most: number, all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
	const rest = all[Symbol.iterator]();
	const worker = async () => {
		for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
	};
	await Promise.all(Array.from({ length: most }, worker));
}
