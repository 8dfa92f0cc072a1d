import { count } from '../../../common/text';
import { dryRun, participantsField } from '../../../fields/groupOptions';
import { groupLocator, instanceLocator } from '../../../fields/locators';
import { forN8n, notice } from '../../../fields/options';
import { BlockedCall } from '../../../gateway/failures/gatewayFailure';
import type { JournalEntry } from '../../../groups/change';
import { planInvites, type Invite, type InviteRow } from '../../../groups/invites';
import { estimateOf, tallyOf } from '../../../groups/summary';
import { readItems } from '../../../run/items';
import { isForgotten, NOT_KEPT } from '../../../run/memory';
import type { Operation, Run } from '../../../run/operation';
import { failItem, finishRun, reportItems, reportNone } from '../../../run/report';
import { findUnclear, peopleReader, readingHints } from '../numbers';
import { inviteOptionFields, readInviteItem, INVITE_FIELDS } from './readInvites';
import { InviteSender } from './sendInvites';

export const sendInvite: Operation = {
	name: 'Send Invite',
	action: 'Send group invite',
	description:
		"Send the group's public link in a message to people who can't be added. The first refusal of the network ends the run's invites.",
	fields: [
		instanceLocator,
		groupLocator,
		notice(
			'inviteNotice',
			"Only invite people who know this account: messages to strangers are today's quickest way to get an account restricted.",
		),
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
		forN8n(dryRun),
		...inviteOptionFields,
	],
	async execute(run) {
		const readPeople = peopleReader(run);
		const { read: items, failed } = await readItems(
			run,
			async (parameters, item) => await readInviteItem(readPeople, parameters, item),
			INVITE_FIELDS,
			async (read) => await findUnclear(run, read),
		);
		const options = items[0]?.options;
		if (options === undefined) return reportNone(run, failed);
		const rows = items.flatMap(({ asked }) => asked);
		const invites = planInvites(rows);
		const isUnkept = !options.dryRun && isForgotten(run);
		const sender = new InviteSender(run, options, rows);
		const due = await sortByTurn(run, sender, invites);
		const { remaining } = sender;
		try {
			await sendAll(run, sender, due);
		} finally {
			await sender.remember(invites);
		}
		const estimate: string[] = [];
		if (options.dryRun) {
			const { planned } = sender;
			if (due.length > remaining && planned === remaining)
				estimate.push(
					`'Maximum Invites per Run' lets ${planned} of ${count(due.length, 'message')} go out in one run`,
				);
			if (planned > 0) estimate.push(estimateOf(planned, options.batchInterval));
		}
		const entryOfRow = entriesByRow(invites);
		const report = await reportItems(run, items, entryOfRow, { failed, tried: sender.tried });
		const isNoted = report.results.some(({ outcome }) => outcome === 'sent' || outcome === 'unconfirmed');
		return finishRun(run, report, tallyOf(report.results), [
			...estimate,
			...(await readingHints(run, items)),
			...(isNoted && isUnkept ? [NOT_KEPT] : []),
		]);
	},
};

/** Picks the invites that are to be sent: people never tried first, then people tried longest ago. */
async function sortByTurn(run: Run, sender: InviteSender, invites: readonly Invite[]): Promise<Invite[]> {
	const due: Array<{ invite: Invite; triedAt: number }> = [];
	for (const invite of invites) {
		await run.giveWay();
		const decided = sender.decide(invite);
		if ('entry' in decided) invite.entry = decided.entry;
		else due.push({ invite, triedAt: decided.triedAt });
	}
	return due.sort((invite, other) => invite.triedAt - other.triedAt).map(({ invite }) => invite);
}

/** Sends invites. Unless the node continues on fail, the first that fails is the last. */
async function sendAll(run: Run, sender: InviteSender, invites: readonly Invite[]): Promise<void> {
	for (const invite of invites) {
		await run.giveWay();
		await sender.send(invite);
		const cause = invite.entry?.failure;
		if (cause === undefined || run.context.continueOnFail()) continue;
		// A run that ends before it has sent anything.
		if (sender.tried.length === 1 && cause instanceof BlockedCall)
			failItem(run, invite.rows[0], { cause, sentences: [cause.reason.message], unsent: 'run' });
		return;
	}
}

/** Makes a function that finds the entry of a row: all rows of a person share the one message. */
function entriesByRow(invites: readonly Invite[]): (row: InviteRow) => JournalEntry | undefined {
	const inviteOf = new Map(invites.flatMap((invite) => invite.rows.map((row) => [row, invite] as const)));
	return (row) => {
		const invite = inviteOf.get(row);
		const entry = invite?.entry;
		if (!invite || !entry?.result) return entry;
		return { result: { ...entry.result, participant: row.participant.given } };
	};
}
