import { Problem } from '../../common/problem';
import { groupLocator, instanceLocator } from '../../fields/locators';
import type { RequestOptions } from '../../gateway/retry';
import { readChoice } from '../../input/choices';
import type { Operation } from '../../run/operation';
import { runWrites, writeOptionFields } from './writes';

const LABELS = { sendMessages: 'Send Messages', editInfo: 'Edit Group Info' } as const;
const SETTINGS = ['sendMessages', 'editInfo'] as const;

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
	async execute(run) {
		return await runWrites(run, {
			read: (parameters) => {
				const settings: { [Name in (typeof SETTINGS)[number]]?: 'everyone' | 'admins' } = {};
				for (const name of SETTINGS) {
					const value = parameters.get(name, 'unchanged');
					const who = readChoice(value, ['unchanged', 'everyone', 'admins'], LABELS[name]);
					if (who !== 'unchanged') settings[name] = who;
				}
				if (Object.keys(settings).length > 0) return settings;
				throw new Problem('Both settings are Unchanged', 'Choose Admins or Everyone for at least one');
			},
			requests: (group, settings) =>
				SETTINGS.flatMap((name) => {
					const who = settings[name];
					if (who === undefined) return [];
					const send = async (options: RequestOptions) => {
						await run.client.updateSetting(group, name, who, options);
						return { [name]: who };
					};
					return [{ label: LABELS[name], send }];
				}),
			noun: 'group',
			done: 'updated',
			messages: {
				done: 'The settings of the group are as asked.',
				planned: 'The settings would be set. Dry run: nothing was sent.',
			},
		});
	},
};
