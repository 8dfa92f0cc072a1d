import { MissingValue, Problem } from '../../../common/problem';
import { isBlank, quote } from '../../../common/text';
import { dryRun, includeInputFields, readNumberOptions, readRowMemory } from '../../../fields/groupOptions';
import { readGroup } from '../../../fields/locators';
import { Options, timeout } from '../../../fields/options';
import type { InviteRow } from '../../../groups/invites/plan';
import { memoryOf } from '../../../groups/memory/rowText';
import { readParticipants } from '../../../input/participants';
import { readItems, type FailedItem } from '../../../run/items';
import type { Run } from '../../../run/operation';
import type { ReportedItem } from '../../../run/report';
import type { RunOptions } from '../../../run/writer';
import { inviteFields } from './inviteOptions';

/** What is the same for the whole run. */
export interface InviteOptions extends RunOptions {
	/** Most messages in a run. */
	maxPerRun: number;
}

/** One item, checked. */
interface InviteItem extends ReportedItem<InviteRow> {
	options: InviteOptions;
}

/** Reads and checks every item. @throws the first bad item's failure, unless the node continues on fail */
export async function readInvites(run: Run): Promise<{ read: InviteItem[]; failed: FailedItem[] }> {
	return await readItems<InviteItem>(run, async (parameters, item) => {
		const options = new Options(parameters);
		const group = readGroup(parameters);
		const shared = {
			item,
			...group,
			message: readMessage(parameters.get('message')),
			onlyOnce: options.boolean(inviteFields.onlyOnce),
			dryRun: options.boolean(dryRun),
		};
		const memoryText = readRowMemory(options);
		const participants = await run.eventLoop.finish(
			readParticipants(parameters.get('participants'), readNumberOptions(options)),
		);
		const isAlone = participants.length === 1;
		return {
			item,
			...group,
			asked: await run.eventLoop.map(participants, (participant) => ({
				...shared,
				participant,
				...memoryOf(memoryText, isAlone, group.groupJid, participant.identity, run.startedAt),
			})),
			includeInputFields: options.boolean(includeInputFields),
			options: {
				batchInterval: options.wholeNumber(inviteFields.batchInterval),
				maxPerRun: options.wholeNumber(inviteFields.maxPerRun),
				timeout: options.wholeNumber(timeout),
				// A message is never repeated.
				maxRetries: 0,
			},
		};
	});
}

const ENTER_MESSAGE = "Enter a 'Message'. The group's link is put below it";

function readMessage(value: unknown): string {
	const message = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (message !== '') return message;
	if (!isBlank(value)) throw new Problem(`The message must be text, but it's ${quote(value)}`, ENTER_MESSAGE);
	throw new MissingValue('The message is empty', ENTER_MESSAGE);
}
