import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { Options, readOptionsField } from '../../fields/options';
import type { Operation } from '../../run/operation';
import { runReads } from '../../run/reads';

export const getInviteLink: Operation = {
	name: 'Get Invite Link',
	action: 'Get group invite link',
	description: 'Get the public link that lets people join a group',
	onlyReads: true,
	fields: [instanceLocator, groupLocator, readOptionsField],
	async execute(run) {
		return await runReads(run, {
			read: (parameters) => ({
				asked: readGroup(parameters),
				requestOptions: new Options(parameters).requestOptions,
			}),
			ask: async ({ asked, requestOptions }) => await run.client.inviteLink(asked, requestOptions),
			present: (link, { asked }) => [{ json: { ...asked, ...link } }],
		});
	},
};
