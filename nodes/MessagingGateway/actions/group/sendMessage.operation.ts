import { batchInterval } from '../../fields/groupOptions';
import { groupLocator, instanceLocator } from '../../fields/locators';
import type { Field, Switch } from '../../fields/options';
import { readText } from '../../input/texts';
import type { Operation } from '../../run/operation';
import { runWrites, writeOptionFields } from './writes';

const messageFields = {
	batchInterval: { ...batchInterval, default: 5000 },
	maxPerRun: {
		displayName: 'Maximum Messages per Run',
		name: 'maxPerRun',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description: 'Messages to send in one run at most. The others are postponed.',
	},
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
	action: 'Send message to group',
	description:
		"Send a text to a group. It can't be taken back. The same text goes to a group once in an execution.",
	fields: [
		instanceLocator,
		groupLocator,
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			required: true,
			placeholder: 'e.g. The course starts on Monday.',
			description: 'The text to send. Items with the same text and group share one message.',
		},
		...writeOptionFields({
			limits: [messageFields.maxPerRun],
			options: [mentionEveryone],
			interval: messageFields.batchInterval,
		}),
	],
	execute: async (run) =>
		await runWrites(run, {
			read: (parameters, group, options) => {
				const text = readText(parameters.get('message', ''), 'The message', "Enter a 'Message'");
				const message = { text, mentionEveryone: options.boolean(mentionEveryone) };
				return [
					{
						set: {},
						sends: message,
						unknown: ["It's not known whether the message was sent", 'Look at the group'],
						send: async (options) => ({ messageId: await run.client.sendText(group, message, options) }),
					},
				];
			},
			fields: messageFields,
			once: run.execution.written.messages,
			noun: 'message',
			done: 'sent',
			outcome: 'sent',
			outputs: ['messageId'],
			messages: {
				done: 'The message was handed to the gateway.',
				planned: 'The message would be sent. Dry run: nothing was sent.',
			},
		}),
};
