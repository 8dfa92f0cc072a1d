import type { IExecuteFunctions } from 'n8n-workflow';
import { readGroupJid, readInstanceName } from '../../domain/input/identifiers';
import { ACTIONS, type Action } from '../../domain/group/outcomes';
import { readParticipants } from '../../domain/input/participants';
import type { GroupChange } from '../../domain/group/plan';
import { Problem } from '../../domain/failures/problem';
import { quote } from '../../domain/text/text';
import { readLocator } from '../locators';
import { readItems, type FailedItem } from '../items';
import type { Run } from '../operation';
import { Options } from '../options';
import { batchInterval, batchSize, combineItems, dryRun, exactNumbers, failOnRejected } from './groupOptions';
import type { Pacing } from './sendRequests';

/** What one item asks for, and what it wants done with the result. */
export interface RequestedChange extends GroupChange {
	failOnRejected: boolean;
	dryRun: boolean;
}

/** What the items ask for, all of them checked. */
interface ReadChanges {
	changes: RequestedChange[];
	failed: FailedItem[];
	/** How requests are put together and paced: one decision for the run, that of the first item that can be read. */
	pacing: Pacing;
}

/** Without an item that can be read nothing is sent. */
const NO_PACING: Pacing = { combineItems: true, batchSize: 1, batchInterval: 0, timeout: 0, maxRetries: 0 };

/**
 * Reads and checks every item.
 *
 * @throws the first failure, with the item in its message, unless the node continues on fail
 */
export function readChanges({ context, secrets }: Run): ReadChanges {
	let pacing: Pacing | undefined;
	const { read, failed } = readItems(context, secrets, (item) => {
		const options = new Options(context, item);
		const change = readChange(context, options, item);
		const ofItem = readPacing(options);
		pacing ??= ofItem;
		return change;
	});
	return { changes: read, failed, pacing: pacing ?? NO_PACING };
}

/** @throws Problem that says what is wrong with the item */
function readChange(context: IExecuteFunctions, options: Options, item: number): RequestedChange {
	return {
		item,
		instance: readInstanceName(readLocator(context, 'instance', item)),
		groupJid: readGroupJid(readLocator(context, 'group', item)),
		action: readAction(context.getNodeParameter('action', item)),
		participants: readParticipants(
			context.getNodeParameter('participants', item),
			options.flag(exactNumbers),
		),
		failOnRejected: options.flag(failOnRejected),
		dryRun: options.flag(dryRun),
	};
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
	const what = isEmpty ? 'The action is empty' : `The action ${quote(value)} is not valid`;
	throw new Problem(what, `Use one of ${ACTIONS.join(', ')}`);
}
