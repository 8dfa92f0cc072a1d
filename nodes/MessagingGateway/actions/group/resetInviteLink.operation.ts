import { groupLocator, instanceLocator } from '../../fields/locators';
import { notice } from '../../fields/options';
import type { Operation } from '../../run/operation';
import { readWrites, sendWrites, writeOptionFields } from './writes';

export const resetInviteLink: Operation = {
	name: 'Reset Invite Link',
	action: 'Reset group invite link',
	description: 'Make a new public link for a group. The old link stops working for everyone who has it.',
	fields: [
		instanceLocator,
		groupLocator,
		notice(
			'resetNotice',
			"The group's old link stops working for everyone who has it, and can't be restored.",
		),
		...writeOptionFields(),
	],
	async execute(run) {
		const items = await readWrites(run, (_, group) => [
			{
				set: {},
				send: async (options) => await run.client.resetInviteLink(group, options),
				unknown: [
					"It's not known whether the old link still works",
					"Use 'Get Invite Link' to see whether it does",
				],
			},
		]);
		return await sendWrites(run, items, {
			noun: 'link',
			hint: 'Links in earlier invites no longer work',
			done: 'reset',
			outputs: ['inviteUrl', 'inviteCode'],
			messages: { done: 'The group has a new link.', planned: 'The group would get a new link.' },
		});
	},
};
