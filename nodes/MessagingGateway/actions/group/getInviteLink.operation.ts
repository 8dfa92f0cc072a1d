import type { INodeProperties } from 'n8n-workflow';
import type { GroupRef } from '../../groups/change';
import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { runReads, type Question } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import { Options, readOptionsField } from '../../fields/options';

const description: INodeProperties[] = [instanceLocator, groupLocator, readOptionsField];

async function execute(run: Run) {
	return await runReads(run, {
		read: (parameters): Question<GroupRef> => ({
			asked: readGroup(parameters),
			requestOptions: new Options(parameters).requestOptions,
		}),
		ask: async ({ asked, requestOptions }) => await run.client.inviteLink(asked, requestOptions),
		present: (link, { asked }) => [{ json: { ...asked, ...link } }],
	});
}

export const getInviteLink: Operation = { description, execute };
