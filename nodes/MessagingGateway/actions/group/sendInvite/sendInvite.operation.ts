import { count } from '../../../common/text';
import { dryRun, participantsField } from '../../../fields/groupOptions';
import { groupLocator, instanceLocator } from '../../../fields/locators';
import { forN8n, notice } from '../../../fields/options';
import { BlockedCall } from '../../../gateway/failures/gatewayFailure';
import type { JournalEntry } from '../../../groups/change';
import { inviteEntry, planInvites, type Invite, type InviteRow } from '../../../groups/invites';
import { estimateOf, tallyOf } from '../../../groups/summary';
import { readItems } from '../../../run/items';
import { isForgotten, NOT_KEPT } from '../../../run/memory';
import { startChanges, type Operation, type Run } from '../../../run/operation';
import { failItem, finishRun, reportItems, reportNone } from '../../../run/report';
import { findUnclear, readingHints } from '../numbers';
import { messageField } from '../writes';
import { inviteOptionFields, inviteReader, INVITE_FIELDS } from './readInvites';
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
		messageField(
			'e.g. Join our customers here:',
			"What the message says. The group's public link is put below it.",
		),
		forN8n(dryRun),
		...inviteOptionFields,
	],
	async execute(run) {
		const { read: items, failed } = await readItems(run, inviteReader(run), INVITE_FIELDS, findUnclear);
		const options = items[0]?.options;
		if (options === undefined) return reportNone(run, failed);
		const rows = items.flatMap(({ asked }) => asked);
		const invites = planInvites(rows);
		const isUnkept = !options.dryRun && isForgotten(run);
		startChanges(run, options, rows);
		const sender = new InviteSender(run, options);
		const due = await sortByTurn(run, sender, invites);
		const { remaining } = sender;
		try {
			await sendAll(run, sender, due);
		} finally {
			await sender.remember(invites);
		}
		const inviteOf = new Map(invites.flatMap((invite) => invite.rows.map((row) => [row, invite] as const)));
		const entryOfRow = (row: InviteRow) => entryFor(inviteOf.get(row)?.entry, row);
		const report = await reportItems(run, items, entryOfRow, { failed, tried: sender.tried });
		const isNoted = report.results.some(({ outcome }) => outcome === 'sent' || outcome === 'unconfirmed');
		const planned = remaining - sender.remaining;
		const isCut = due.length > remaining && planned === remaining;
		const messages = count(due.length, 'message');
		const plan = [
			isCut && `'Maximum Invites per Run' lets ${planned} of ${messages} go out in one run`,
			estimateOf(planned, options.batchInterval),
		].filter((hint) => hint !== false);
		return finishRun(run, report, tallyOf(report.results), [
			...(options.dryRun ? plan : []),
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
		if ('outcome' in decided) invite.entry = inviteEntry(invite, decided);
		else due.push({ invite, ...decided });
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

/** Gives the entry of a row: all rows of a person share the one message. */
function entryFor(entry: JournalEntry | undefined, { participant }: InviteRow): JournalEntry | undefined {
	return entry?.result ? { result: { ...entry.result, participant: participant.given } } : entry;
}
