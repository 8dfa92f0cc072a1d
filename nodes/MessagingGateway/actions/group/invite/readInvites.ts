import { MissingValue } from '../../../common/problem';
import { readParticipants } from '../../../input/participants';
import type { InviteRow } from '../../../groups/invites/plan';
import { readValidItems, type FailedItem } from '../../../run/items';
import { readGroup } from '../../../fields/locators';
import type { Run } from '../../../run/operation';
import { Options, timeout } from '../../../fields/options';
import { dryRun, includeInputFields, readNumberOptions } from '../../../fields/groupOptions';
import { batchInterval, maxPerRun, onlyOnce } from './inviteOptions';

/** One item, checked. */
export interface InviteItem {
	item: number;
	rows: InviteRow[];
	includeInputFields: boolean;
	failOnRejected: false;
	/** How the run is paced, if this is its first item. */
	pace: InvitePace;
}

/** What is the same for the whole run. */
export interface InvitePace {
	/** Time from a reply to the next message, in ms. */
	batchInterval: number;
	/** Most messages in a run. */
	maxPerRun: number;
	/** Time for one reply, in ms. */
	timeout: number;
}

/**
 * Reads and checks every item.
 *
 * @throws the first bad item's failure, unless the node continues on fail
 */
export async function readInvites(run: Run): Promise<{ items: InviteItem[]; failed: FailedItem[] }> {
	const { read, failed } = await readValidItems<InviteItem>(run, (parameters, item) => {
		const options = new Options(parameters);
		const shared = {
			item,
			...readGroup(parameters),
			message: readMessage(parameters.get('message')),
			onlyOnce: options.flag(onlyOnce),
			dryRun: options.flag(dryRun),
		};
		const participants = readParticipants(parameters.get('participants'), readNumberOptions(options));
		return {
			item,
			rows: participants.map((participant) => ({ ...shared, participant })),
			includeInputFields: options.flag(includeInputFields),
			failOnRejected: false,
			pace: {
				batchInterval: options.wholeNumber(batchInterval),
				maxPerRun: options.wholeNumber(maxPerRun),
				timeout: options.wholeNumber(timeout),
			},
		};
	});
	return { items: read, failed };
}

function readMessage(value: unknown): string {
	const message = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (message !== '') return message;
	throw new MissingValue('The message is empty', "Enter a 'Message'. The group's link is put below it");
}
