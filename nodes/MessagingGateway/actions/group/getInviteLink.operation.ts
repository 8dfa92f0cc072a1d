import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { readOptionsField } from '../../fields/options';
import type { Operation } from '../../run/operation';
import { runReads } from '../reads';

export const getInviteLink: Operation = {
	name: 'Get Invite Link',
	action: 'Get group invite link',
	description: 'Get the public link that lets people join a group',
	onlyReads: true,
	fields: [instanceLocator, groupLocator, readOptionsField],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters) => ({ asked: readGroup(parameters) }),
			ask: async (group, options) => await run.client.inviteLink(group, options),
			present: (link, { asked }) => [{ json: { ...asked, ...link } }],
		}),
};
