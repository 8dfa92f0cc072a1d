import { Problem } from '../../common/problem';
import { readWriteOptions, WRITE_LABELS, writeOptionFields } from '../../fields/groupOptions';
import { groupLocator, instanceLocator, readGroup } from '../../fields/locators';
import { readChoice } from '../../input/choices';
import type { Operation } from '../../run/operation';
import { runWrites } from '../../run/writes';

const LABELS = { sendMessages: 'Send Messages', editInfo: 'Edit Group Info' } as const;

const fieldOf = (name: keyof typeof LABELS) => ({
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
	async execute(run) {
		return await runWrites(run, {
			read: (parameters) => {
				const settings = (['sendMessages', 'editInfo'] as const).flatMap((name) => {
					const value = parameters.get(name, 'unchanged');
					const who = readChoice(value, ['unchanged', 'everyone', 'admins'], LABELS[name]);
					return who === 'unchanged' ? [] : [[name, who] as const];
				});
				if (settings.length === 0)
					throw new Problem('Both settings are Unchanged', 'Choose Admins or Everyone for at least one');
				return { ...readGroup(parameters), ...readWriteOptions(parameters), settings };
			},
			requests: ({ settings, ...group }) =>
				settings.map(([name, who]) => ({
					label: LABELS[name],
					send: async (options) => {
						await run.client.updateSetting(group, name, who, options);
						return { [name]: who };
					},
				})),
			labels: WRITE_LABELS,
			plan: ({ settings }) => Object.fromEntries(settings),
			noun: 'group',
			done: 'updated',
			messages: {
				done: 'The settings of the group are as asked.',
				planned: 'The settings would be set. Dry run: nothing was sent.',
			},
		});
	},
};
