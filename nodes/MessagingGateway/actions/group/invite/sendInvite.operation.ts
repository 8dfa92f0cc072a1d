import { count } from '../../../common/text';
import { participantsField } from '../../../fields/groupOptions';
import { groupLocator, instanceLocator } from '../../../fields/locators';
import { notice } from '../../../fields/options';
import { InviteMemory, type InviteStore } from '../../../groups/invites/memory';
import { planInvites, type InviteRow } from '../../../groups/invites/plan';
import { notRememberedHint, rowHints } from '../../../groups/memory/hints';
import type { Outcome } from '../../../groups/outcomes';
import { estimateOf, tallies } from '../../../groups/summary';
import { describeWithoutPlus } from '../../../input/participants';
import { executionMemory } from '../../../run/executionMemory';
import { inInputOrder } from '../../../run/items';
import type { Operation } from '../../../run/operation';
import { hintOf, reportItems, reportNone } from '../../../run/report';
import { isRemembered, openStaticMemory } from '../../../run/staticMemory';
import { Writer } from '../../../run/writer';
import { inviteOptionsField } from './inviteOptions';
import { readInvites, type InviteOptions } from './readInvites';
import { sendInvites } from './sendInvites';

const MEMORY = 'invited';

export const sendInvite: Operation = {
	name: 'Send Invite',
	action: 'Send group invite',
	description:
		"Send the group's public link in a message to people who can't be added. Nobody is invited twice, as far as n8n remembers. Messages to people who don't know the account can get it restricted.",
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
		inviteOptionsField,
	],
	async execute(run) {
		const { context, hints, eventLoop } = run;
		const { read: items, failed } = await readInvites(run);
		const options = items[0]?.options;
		if (options === undefined) return reportNone(run, failed);
		const asked = items.flatMap((one) => one.asked);
		const ofNode = executionMemory(context);
		const ofExecution: InviteStore = {
			read: () => ofNode.invited,
			write: (invited) => {
				ofNode.invited = invited;
			},
		};
		const inExecution = new InviteMemory(ofExecution);
		const memory = new InviteMemory(openStaticMemory(context, MEMORY), inExecution);
		await eventLoop.map(asked, (row) => memory.addRow(row));
		const invites = await eventLoop.finish(planInvites(asked));
		const live = invites.flatMap(([row]) => (row.dryRun ? [] : [row]));
		const writer = new Writer(run, options, live);
		const sent = await sendInvites(run, writer, invites, options, memory);
		const { journal, tried, due, planned, placesLeft } = sent;
		await eventLoop.map(journal, ([row, entry]) => {
			const text = memory.textAfter(row);
			if ('result' in entry && text !== undefined) entry.result.memory = text;
		});
		const progress = { tried, requests: due };
		const report = await reportItems(run, items, journal, { failed, progress });

		const tally = await eventLoop.finish(tallies(report.results));
		hints.add(hintOf(tally.join(', '), report.failed));
		for (const hint of dryRunHints(planned, placesLeft, options)) hints.add(hint);
		for (const hint of describeWithoutPlus(asked.filter(({ dryRun }) => dryRun))) hints.add(hint);
		for (const hint of await eventLoop.finish(rowHints(asked, false))) hints.add(hint);
		await eventLoop.yieldIfDue();
		const isDryRun = live.length === 0;
		const noted: Outcome[] = isDryRun ? ['planned'] : ['sent', 'unconfirmed'];
		const isNoted = report.results.some(({ outcome }) => noted.includes(outcome));
		const isKept = ({ onlyOnce, memoryText }: InviteRow) => onlyOnce && memoryText === undefined;
		if (isNoted && (isDryRun ? asked : live).some(isKept) && !isRemembered(context))
			hints.add(notRememberedHint('was invited', 'may invite them again', isDryRun));
		return inInputOrder(report.outputs);
	},
};

/** What is said of the messages that a dry run would send: first the limit that would hold some of them back. */
function dryRunHints(messages: number, placesLeft: number, { batchInterval }: InviteOptions): string[] {
	const sent = Math.min(messages, placesLeft);
	const limit = `'Maximum Invites per Run' lets ${placesLeft} of ${count(messages, 'message')} go out in one run`;
	return [...(messages > sent ? [limit] : []), ...(sent > 0 ? [estimateOf(sent, batchInterval)] : [])];
}
