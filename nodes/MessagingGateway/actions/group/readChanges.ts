import { MissingValue, Problem } from '../../common/problem';
import type { RequestedItem } from '../../groups/itemResults';
import { ACTIONS, type Action } from '../../groups/outcomes';
import type { Change } from '../../groups/batching/plan';
import { readParticipants } from '../../input/participants';
import { quote } from '../../common/text';
import { readValidItems, type FailedItem } from '../../run/items';
import { readGroup } from '../../fields/locators';
import type { Run } from '../../run/operation';
import { Options } from '../../fields/options';
import type { Parameters } from '../../run/parameters';
import type { Pacing } from '../../run/applyChanges';
import {
	batchInterval,
	batchSize,
	combineItems,
	dryRun,
	failOnRejected,
	includeInputFields,
	readNumberOptions,
} from '../../fields/groupOptions';

/** What one item asks for, and what it wants done with the result. */
export interface RequestedChanges extends RequestedItem {
	failOnRejected: boolean;
	dryRun: boolean;
	includeInputFields: boolean;
}

/** What the items ask for, all of them checked. */
interface ReadChanges {
	items: RequestedChanges[];
	/** Those of all items, by place. */
	changes: Change[];
	failed: FailedItem[];
	/** How requests are put together and paced: one decision for the run, that of the first item that can be read. */
	pacing: Pacing;
}

/** Without an item that can be read nothing is sent. */
const NO_PACING: Pacing = { combineItems: true, batchSize: 1, batchInterval: 0, timeout: 0, maxRetries: 0 };

/**
 * Reads and checks every item.
 *
 * @throws the first bad item's failure, unless the node continues on fail
 */
export async function readChanges(run: Run): Promise<ReadChanges> {
	let pacing: Pacing | undefined;
	const changes: Change[] = [];
	const { read, failed } = await readValidItems(run, (parameters, item) => {
		const options = new Options(parameters);
		const ofItem = readPacing(options);
		const requested: RequestedChanges = {
			item,
			changes: readItemChanges(parameters, options, item, changes.length),
			failOnRejected: options.flag(failOnRejected),
			dryRun: options.flag(dryRun),
			includeInputFields: options.flag(includeInputFields),
		};
		pacing ??= ofItem;
		changes.push(...requested.changes);
		return requested;
	});
	return { items: read, changes, failed, pacing: pacing ?? NO_PACING };
}

/** @throws Problem that says what is wrong with the item */
function readItemChanges(
	parameters: Parameters,
	options: Options,
	item: number,
	firstPlace: number,
): Change[] {
	const { instance, groupJid } = readGroup(parameters);
	const action = readAction(parameters.get('action'));
	const participants = readParticipants(parameters.get('participants'), readNumberOptions(options));
	return participants.map(({ given, sentAs }, i) => ({
		place: firstPlace + i,
		item,
		instance,
		groupJid,
		action,
		participant: given,
		sentAs,
	}));
}

/** @throws Problem that says which option is wrong */
function readPacing(options: Options): Pacing {
	// Spread, they would leave more garbage for each row than all else that is read of it.
	const { timeout, maxRetries } = options.retryOptions;
	return {
		timeout,
		maxRetries,
		combineItems: options.flag(combineItems),
		batchSize: options.wholeNumber(batchSize),
		batchInterval: options.wholeNumber(batchInterval),
	};
}

function readAction(value: unknown): Action {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const action = ACTIONS.find((one) => one === text);
	if (action !== undefined) return action;
	const isEmpty = text === undefined || text === null || text === '';
	const expected = `Use one of ${ACTIONS.join(', ')}`;
	throw isEmpty
		? new MissingValue('The action is empty', expected)
		: new Problem(`The action ${quote(value)} isn't valid`, expected);
}
