import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { itemResultOf, type EndedRequest, type ItemResult } from '../../../groups/itemResults';
import type { ChangeResult } from '../../../groups/requestResults';
import { requestWords, tallies } from '../../../groups/summary';
import { InviteMemory } from '../../../groups/invites/memory';
import { planInvites, type Invite } from '../../../groups/invites/plan';
import { inInputOrder } from '../../../run/items';
import { groupLocator, instanceLocator } from '../../../fields/locators';
import type { Operation, Run } from '../../../run/operation';
import { readMemory, writeMemory } from '../../../run/staticMemory';
import { participantsField } from '../../../fields/participants';
import { hintOf, outputsOf, outputsOfNone } from '../../../run/outputs';
import { inviteOptionsField } from './inviteOptions';
import { readInvites, type InviteItem } from './readInvites';
import { sendInvites } from './sendInvites';

const MEMORY = 'invited';

const description: INodeProperties[] = [
	instanceLocator,
	groupLocator,
	{
		displayName:
			"Only invite people who know this account: messages to strangers are today's quickest way to get an account restricted.",
		name: 'inviteNotice',
		type: 'notice',
		default: '',
	},
	participantsField,
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. Join our customers here:',
		description: "What the message says. The group's public link is put below it.",
	},
	inviteOptionsField,
];

async function execute(run: Run): Promise<INodeExecutionData[]> {
	const { context, hints } = run;
	const { items, failed } = await readInvites(run);
	const pace = items[0]?.pace;
	if (pace === undefined) return outputsOfNone(run, failed);
	const memory = new InviteMemory(readMemory(context, MEMORY));
	const invites = planInvites(items.flatMap(({ rows }) => rows));
	const results = await sendInvites(invites, {
		run,
		pace,
		memory,
		save: () => writeMemory(context, MEMORY, memory.toJson()),
		goesOn: context.continueOnFail(),
	});
	const itemResults = itemResultsOf(items, invites, results);
	const live = invites.filter(({ dryRun }) => !dryRun);
	const sent = live.flatMap((invite) => endedRequest(results.get(invite)));
	const { outputs, failed: allFailed } = await outputsOf(run, itemResults, failed, {
		sent,
		requests: live.length,
	});

	const all = itemResults.flatMap(({ results }) => results);
	hints.add(hintOf(tallies(all).join(', '), allFailed));
	const planned = invites.filter((invite) => outcomeOf(results.get(invite)) === 'planned').length;
	if (planned > 0) hints.add(requestWords(planned, pace.batchInterval));
	if (live.some(({ onlyOnce }) => onlyOnce) && context.getMode() === 'manual')
		hints.add(
			'Only in production runs does n8n remember who was invited, so the next run may invite them again',
		);
	return inInputOrder(outputs);
}

/** Whoever occurs twice got one message, and every item its outcome. */
function itemResultsOf(
	items: readonly InviteItem[],
	invites: readonly Invite[],
	results: ReadonlyMap<Invite, ChangeResult>,
): Array<ItemResult<InviteItem>> {
	const byRow = new Map(invites.flatMap((invite) => invite.rows.map((row) => [row, results.get(invite)])));
	return items.map((item) =>
		itemResultOf(
			item,
			item.rows.map((row) => {
				const one = byRow.get(row);
				return one && 'result' in one
					? { result: { ...one.result, participant: row.participant.given } }
					: one;
			}),
		),
	);
}

function outcomeOf(one: ChangeResult | undefined): string | undefined {
	return one && 'result' in one ? one.result.outcome : undefined;
}

/** Outcomes for which no request was made. */
const NOT_REQUESTED = new Set<string | undefined>(['alreadyInvited', 'postponed']);

/** What a run that ended early says of its requests. */
function endedRequest(one: ChangeResult | undefined): EndedRequest[] {
	if (one === undefined || NOT_REQUESTED.has(outcomeOf(one))) return [];
	return ['result' in one ? { results: [one.result] } : one];
}

export const sendInvite: Operation = { description, execute };
