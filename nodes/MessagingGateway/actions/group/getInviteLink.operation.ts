import type { INodeProperties } from 'n8n-workflow';
import { readInviteLink } from '../../gateway/replies/inviteLink';
import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { runLookups, type Lookup } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import { Options, readOptionsField } from '../../fields/options';

const description: INodeProperties[] = [instanceLocator, groupLocator, readOptionsField];

interface LinkLookup extends Lookup {
	instance: string;
	groupJid: string;
}

async function execute(run: Run) {
	return await runLookups(run, {
		read: (parameters): LinkLookup => {
			const { instance, groupJid } = readGroup(parameters);
			const { retryOptions } = new Options(parameters);
			return { values: { path: { instance }, query: { groupJid } }, retryOptions, instance, groupJid };
		},
		ask: async ({ values, retryOptions }) =>
			await run.gateway.read('inviteCode', values, retryOptions, {
				read: readInviteLink,
				isEmpty: ({ link }) => link === null,
			}),
		present: ({ link }, { instance, groupJid }) => [{ json: { instance, groupJid, ...link } }],
	});
}

export const getInviteLink: Operation = { description, execute };
