import { groupLocator, instanceLocator } from '../../fields/locators';
import { notice } from '../../fields/options';
import type { Operation } from '../../run/operation';
import { runWrites, writeOptionFields } from './writes';

export const leaveGroup: Operation = {
	name: 'Leave',
	action: 'Leave group',
	description:
		"Take the instance's account out of a group. It can't be taken back: only an admin of the group can add the account again.",
	fields: [
		instanceLocator,
		groupLocator,
		notice(
			'leaveNotice',
			"It can't be taken back: only an admin of the group can add this account again. If it's the only admin, promote somebody else first.",
		),
		...writeOptionFields(),
	],
	execute: async (run) =>
		await runWrites(run, {
			read: (_, group) => [{ set: {}, send: async (options) => await run.client.leaveGroup(group, options) }],
			noun: 'group',
			done: 'left',
			outputs: [],
			messages: {
				done: 'The account left the group. Only an admin can add it again.',
				planned: 'The account would leave the group. Dry run: nothing was sent.',
			},
		}),
};
