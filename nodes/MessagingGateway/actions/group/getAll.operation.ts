import type { INodeProperties } from 'n8n-workflow';
import { simplifyGroup } from '../../gateway/replies/groups';
import { instanceLocator, readInstance } from '../../fields/locators';
import { runReads, type Question } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import {
	limitField,
	Options,
	readBooleanField,
	readLimit,
	readOptionsField,
	returnAllField,
	simplifyField,
} from '../../fields/options';

const description: INodeProperties[] = [
	instanceLocator,
	returnAllField,
	{
		...limitField,
		description:
			"Max number of results to return. The gateway gives all groups in any case, so a lower limit doesn't make this faster.",
	},
	simplifyField,
	readOptionsField,
];

interface GroupsQuestion extends Question<{ instance: string }> {
	limit: number;
	simplify: boolean;
}

async function execute(run: Run) {
	return await runReads(run, {
		read: (parameters): GroupsQuestion => ({
			asked: { instance: readInstance(parameters) },
			requestOptions: new Options(parameters).requestOptions,
			limit: readLimit(parameters),
			simplify: readBooleanField(parameters, simplifyField),
		}),
		ask: async ({ asked: { instance }, requestOptions }) => await run.client.groups(instance, requestOptions),
		present: (groups, { asked: { instance }, limit, simplify }) =>
			groups
				.slice(0, limit)
				.map((group) => ({ json: simplify ? simplifyGroup(group, instance) : group.element })),
	});
}

export const getAll: Operation = { description, execute };
