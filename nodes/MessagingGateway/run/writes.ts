import type { INodeExecutionData } from 'n8n-workflow';
import type { JsonRecord } from '../common/json';
import { count } from '../common/text';
import type { RequestOptions } from '../gateway/retry';
import type { GroupRef } from '../groups/change';
import { NOTHING_BEFORE, requestsBefore } from '../groups/progress';
import { estimateOf } from '../groups/summary';
import { errorItem, inInputOrder, readItems, type FailedItem } from './items';
import type { Run } from './operation';
import type { Parameters } from './parameters';
import { failItem, hintOf, outputItem, problemOf, reportNone, type Unknown } from './report';
import { Writer, type RunOptions } from './writer';

/** What one item asks for, checked. Operations add what they send. */
export interface Write extends GroupRef {
	/** Those of the first item that can be read count for the run. */
	options: RunOptions;
	dryRun: boolean;
	includeInputFields: boolean;
}

/** How an operation changes something of a group, once for each item. */
interface WriteOperation<W extends Write> {
	/** Reads an item. @throws Problem */
	read: (parameters: Parameters) => W;
	/** The requests of an item, in order; each gives the fields that it adds to the item's output. @throws GatewayFailure */
	requests: (write: W) => Array<(options: RequestOptions) => Promise<JsonRecord>>;
	/** What to say where a request may have been carried out although it failed, if it is more than that. */
	unknown?: Unknown;
	/** The fields that a dry run shows. */
	plan: (write: W) => JsonRecord;
	/** What a person reads after a run: `2 groups updated`. */
	noun: string;
	/** The participle. */
	done: string;
}

/**
 * Serves all items of an operation that writes: checks every item, then sends their requests in order, one at a time
 * and with pauses, and gives one output item for each. What was just done to a group isn't done again: a second new link
 * would only end the first one. After a request that failed, the others of its item aren't sent.
 *
 * @throws the failure of the first item that has one, with what was applied before, unless the node continues on fail
 */
export async function runWrites<W extends Write>(
	run: Run,
	operation: WriteOperation<W>,
): Promise<INodeExecutionData[]> {
	const { read, failed } = await readItems(run, (parameters, item) => ({
		...operation.read(parameters),
		item,
	}));
	const [first] = read;
	if (first === undefined) return reportNone(run, failed);
	const { options } = first;
	const dry = read.filter(({ dryRun }) => dryRun);
	const live = read.filter(({ dryRun }) => !dryRun);
	const writer = new Writer(run.client, options, live);
	/** What was last done to each group. */
	const last = new Map<string, { asked: string; set: JsonRecord }>();
	const countOf = (some: W[]) => some.reduce((sum, one) => sum + operation.requests(one).length, 0);
	let done = 0;
	let succeeded = 0;
	const outputs: INodeExecutionData[] = [];
	const errors: FailedItem[] = [];
	for (const one of read) {
		const { instance, groupJid } = one;
		const group = JSON.stringify([instance, groupJid]);
		const asked = JSON.stringify(operation.plan(one));
		const before = last.get(group);
		const set: JsonRecord = {};
		try {
			if (one.dryRun) Object.assign(set, operation.plan(one), { outcome: 'planned' });
			else if (before?.asked === asked) Object.assign(set, before.set);
			else {
				last.delete(group);
				for (const request of operation.requests(one)) {
					Object.assign(set, await writer.send(one, request));
					done++;
				}
				last.set(group, { asked, set });
				succeeded++;
			}
			outputs.push(outputItem(run, one, { instance, groupJid, ...set }));
		} catch (failure) {
			const part = Object.entries(set).map(
				([field, value]) => `'${field}' was set to ${String(value)} before this`,
			);
			const progress = (isKnown: boolean) => [...part, ...progressOfRun(done, countOf(live), isKnown)];
			const problem = problemOf([], [failure], false, operation.unknown);
			if (problem !== undefined) errors.push(failItem(run, one, problem, progress, part));
		}
	}
	const say = (some: number, verb: string) => (some > 0 ? [`${count(some, operation.noun)} ${verb}`] : []);
	const tally = [...say(succeeded, operation.done), ...say(dry.length, `would be ${operation.done}`)];
	run.hints.add(hintOf(tally.join(', '), [...failed, ...errors]));
	if (dry.length > 0) run.hints.add(estimateOf(countOf(dry), options.batchInterval));
	return inInputOrder([...[...failed, ...errors].map(errorItem), ...outputs]);
}

/** What had become of a run when it ended early; left out where it goes without saying, since it isn't known either. */
function progressOfRun(done: number, total: number, isKnown: boolean): string[] {
	if (done > 0) return [requestsBefore(done, total)];
	return isKnown ? [NOTHING_BEFORE] : [];
}
