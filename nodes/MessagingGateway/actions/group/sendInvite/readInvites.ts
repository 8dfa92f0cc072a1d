import { MissingValue, Problem } from '../../../common/problem';
import { isBlank, quote } from '../../../common/text';
import { dryRun, includeInputFields, readMemoryText, readNumberOptions } from '../../../fields/groupOptions';
import { readGroup } from '../../../fields/locators';
import { Options, timeout } from '../../../fields/options';
import type { InviteRow } from '../../../groups/invites';
import { readParticipants } from '../../../input/participants';
import { readItems, type FailedItem, type ItemRun, type SharingItem } from '../../../run/items';
import type { Parameters } from '../../../run/parameters';
import type { ReportedItem } from '../../../run/report';
import { readRowMemory, refuseWithoutContinue } from '../../../run/rowMemory';
import type { RunOptions } from '../../../run/writer';
import { inviteFields } from './fields';

/** Options that are the same for the whole run. */
export interface InviteOptions extends RunOptions {
	/** Most messages in an execution. */
	maxPerRun: number;
	/** Days that people wait whose invite was refused. */
	retryRefusedAfter: number;
	dryRun: boolean;
}

/** One item, checked. */
interface InviteItem extends ReportedItem<InviteRow>, SharingItem {
	options: InviteOptions;
}

const { batchInterval, maxPerRun, onlyOnce, retryRefusedAfter } = inviteFields;
const OF_RUN = [timeout, batchInterval, maxPerRun, retryRefusedAfter, dryRun];
const RUN_LABELS = OF_RUN.map(({ displayName }) => displayName);

/** Reads and checks every item. @throws why nothing is sent, unless the node continues on fail */
export async function readInvites(run: ItemRun): Promise<{ read: InviteItem[]; failed: FailedItem[] }> {
	const items = await readItems<InviteItem>(
		run,
		(parameters, item) => readInviteItem(run, parameters, item),
		RUN_LABELS,
	);
	refuseWithoutContinue(
		run,
		items.read.flatMap(({ asked }) => asked),
	);
	return items;
}

/** @throws Problem that says what is wrong with the item */
function readInviteItem(run: ItemRun, parameters: Parameters, item: number): InviteItem {
	const options = new Options(parameters);
	const group = readGroup(parameters);
	const message = readMessage(parameters.get('message'));
	const isOnlyOnce = options.boolean(onlyOnce);
	const participants = readParticipants(parameters.get('participants'), readNumberOptions(options));
	const memory = readRowMemory(
		run,
		readMemoryText(options, participants.length),
		group.groupJid,
		participants,
	);
	return {
		item,
		...group,
		asked: participants.map((participant) => ({
			item,
			...group,
			participant,
			message,
			onlyOnce: isOnlyOnce,
			memory,
		})),
		includeInputFields: options.boolean(includeInputFields),
		options: {
			timeout: options.wholeNumber(timeout),
			// A message is never repeated.
			maxRetries: 0,
			batchInterval: options.wholeNumber(batchInterval),
			maxPerRun: options.wholeNumber(maxPerRun),
			retryRefusedAfter: options.wholeNumber(retryRefusedAfter),
			dryRun: options.boolean(dryRun),
		},
		shared: options.valuesOf(OF_RUN),
	};
}

const ENTER_MESSAGE = "Enter a 'Message'. The group's link is put below it";

function readMessage(value: unknown): string {
	const message = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (message !== '') return message;
	if (!isBlank(value)) throw new Problem(`The message must be text, but it's ${quote(value)}`, ENTER_MESSAGE);
	throw new MissingValue('The message is empty', ENTER_MESSAGE);
}
