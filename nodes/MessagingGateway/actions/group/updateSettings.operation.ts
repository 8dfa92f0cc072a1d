import { Problem } from '../../common/problem';
import { groupLocator, instanceLocator } from '../../fields/locators';
import type { RequestOptions } from '../../gateway/retry';
import { readChoice } from '../../input/choices';
import type { Operation } from '../../run/operation';
import { runWrites, writeOptionFields, type WriteRequest } from './writes';

const LABELS = { sendMessages: 'Send Messages', editInfo: 'Edit Group Info' } as const;
const SETTINGS = ['sendMessages', 'editInfo'] as const;
const WHO = ['unchanged', 'everyone', 'admins'] as const;

const fieldOf = (name: (typeof SETTINGS)[number]) => ({
	displayName: LABELS[name],
	name,
	type: 'options' as const,
	default: 'unchanged',
	description: `Who may ${LABELS[name].toLowerCase()}`,
	options: [
		{ name: 'Admins', value: 'admins', description: 'Only admins of the group' },
		{ name: 'Everyone', value: 'everyone', description: 'All members of the group' },
		{ name: 'Unchanged', value: 'unchanged', description: 'As it is now' },
	],
});

export const updateSettings: Operation = {
	name: 'Update Settings',
	action: 'Update group settings',
	description: 'Set who may send messages to a group, and who may edit its info',
	fields: [instanceLocator, groupLocator, fieldOf('sendMessages'), fieldOf('editInfo'), ...writeOptionFields],
	execute: async (run) =>
		await runWrites(run, {
			read: (parameters, group) => {
				const requests = SETTINGS.flatMap((name): WriteRequest[] => {
					const label = LABELS[name];
					const who = readChoice(parameters.get(name, 'unchanged'), WHO, label);
					if (who === 'unchanged') return [];
					const send = async (options: RequestOptions) =>
						await run.client.updateSetting(group, name, who, options);
					return [{ label, set: { [name]: who }, send }];
				});
				if (requests.length > 0) return requests;
				throw new Problem('Both settings are Unchanged', 'Choose Admins or Everyone for at least one');
			},
			noun: 'group',
			done: 'updated',
			messages: {
				done: 'The settings of the group are as requested.',
				planned: 'The settings would be set. Dry run: nothing was sent.',
			},
		}),
};
