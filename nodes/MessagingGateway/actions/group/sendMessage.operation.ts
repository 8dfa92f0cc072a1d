import { groupBy } from '../../common/maps';
import { NothingSent } from '../../common/problem';
import { count } from '../../common/text';
import { batchInterval, dryRun } from '../../fields/groupOptions';
import { groupLocator, instanceLocator } from '../../fields/locators';
import { Options, type Field, type Switch } from '../../fields/options';
import { groupKey, type GroupRef } from '../../groups/change';
import { readText } from '../../input/values';
import type { Operation, Run } from '../../run/operation';
import { chosenGroupName, type Parameters } from '../../run/parameters';
import { ownRole, readFirst } from './readFirst';
import {
	keyOf,
	maximumOf,
	messageField,
	readWrites,
	sendWrites,
	writeOptionFields,
	type Write,
	type WriteRequest,
} from './writes';

const messageFields = {
	batchInterval: { ...batchInterval, default: 5000 },
	maxPerRun: maximumOf('Messages', 'If there are more, none is sent.'),
} satisfies Record<string, Field<number>>;

const mentionEveryone: Switch = {
	displayName: 'Mention Everyone',
	name: 'mentionEveryone',
	type: 'boolean',
	default: true,
	absent: false,
	description: 'Whether all members are notified, also those who muted the group',
};

export const sendMessage: Operation = {
	name: 'Send Message',
	isMessage: true,
	action: 'Send message to group',
	description:
		"Send a text to a group. It can't be taken back. The same text goes to a group once in an execution.",
	fields: [
		instanceLocator,
		groupLocator,
		messageField(
			'e.g. The course starts on Monday.',
			'The text to send. Items with the same text and group share one message.',
		),
		...writeOptionFields({
			limits: [messageFields.maxPerRun],
			options: [mentionEveryone],
			interval: messageFields.batchInterval,
		}),
	],
	async execute(run) {
		const { messages: once } = run.execution.written;
		const read = (parameters: Parameters, group: GroupRef) => [readMessage(run, parameters, group)];
		const items = await readWrites(run, read, messageFields);
		const keyed = items.read.flatMap((write) =>
			write.asked.map((request) => [keyOf(write, request), write] as const),
		);
		const different = new Map(keyed);
		const byGroup = groupBy(different.values(), groupKey);
		return await sendWrites(run, items, {
			limit: tooMany(new Set([...once.keys(), ...different.keys()]).size, items.read[0]),
			before: async (write) => await lookBefore(run, write, byGroup.get(groupKey(write))?.length ?? 1),
			once,
			noun: 'message',
			done: 'sent',
			outcome: 'sent',
			outputs: ['messageId'],
			messages: { done: 'The message was handed to the gateway.', planned: 'The message would be sent.' },
		});
	},
};

/** Reads the message of an item. A dry run shows its text. @throws Problem */
function readMessage({ client }: Run, parameters: Parameters, group: GroupRef): WriteRequest {
	const options = new Options(parameters);
	const text = readText(parameters.get('message', ''), 'The message', "Enter a 'Message'");
	const message = { text, mentionEveryone: options.boolean(mentionEveryone) };
	return {
		set: options.boolean(dryRun) ? { text } : {},
		sends: message,
		unknown: ["It's not known whether the message was sent", 'Look at the group'],
		send: async (requestOptions) => ({ messageId: await client.sendText(group, message, requestOptions) }),
	};
}

/** Refuses more than the maximum: the first groups would get every message, and the others none. */
function tooMany(messages: number, write: Write | undefined): NothingSent | undefined {
	const { maxPerRun = Infinity } = write?.options ?? {};
	if (messages <= maxPerRun) return undefined;
	const limit = `${messageFields.maxPerRun.displayName} is ${maxPerRun}`;
	return new NothingSent(
		`${count(messages, 'message')}, and ${limit}. Raise it if that is right`,
		'For one message with all names, put Summarize in front',
	);
}

/** Reads the group, and tells what may surprise. @param messages for it @throws why nothing is sent */
async function lookBefore(run: Run, write: Write, messages: number): Promise<void> {
	const group = await readFirst(run, write, write.options);
	const name = group?.subject ?? chosenGroupName(run.context.getNode()) ?? write.groupJid;
	if (messages > 1)
		run.hints.add(`${messages} messages to ${name}. For one message with all names, put Summarize in front`);
	if (group?.element.announce !== true) return;
	if ((await ownRole(run, write, group, write.options)) === 'member')
		throw new NothingSent(
			"only admins may write in this group, and the instance's account isn't one",
			'Make the account an admin of the group, or let everyone send messages',
		);
}
