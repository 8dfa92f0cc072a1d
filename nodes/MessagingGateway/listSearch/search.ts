import { groupBy } from '../common/groupBy';
import { Problem } from '../common/problem';
import { count } from '../common/text';
import { STATUS_OPTIONS } from '../input/identifiers';
import { picker } from './picker';

/** Fills the Instance picker: `main`, and beside it `Open`. n8n keeps the name of what is chosen with the workflow. */
export const searchInstances = picker(
	async (client, options) => {
		const instances = await client.instances(options);
		return instances.map(({ name, status }) => {
			const label = STATUS_OPTIONS.find(({ value }) => value === status)?.name ?? status;
			return { name, value: name, ...(label !== undefined && { description: label }) };
		});
	},
	new Problem(
		'There is no gateway that can list its instances at this address',
		"Check 'Base URL' in the credential and the version of the gateway, or choose 'By Name'",
	),
);

/**
 * Fills the Group picker: `Customers`, and beside it `48 members`, which n8n doesn't show. Groups of one name have the end
 * of their ID in it, since a change of the wrong one can't be taken back: `Customers (…678901)`.
 */
export const searchGroups = picker(
	async (client, options, chosenInstance) => {
		const groups = await client.groups(chosenInstance(), options);
		const namesakes = groupBy(groups, ({ id, subject = id }) => subject);
		return groups.map(({ id, subject = id, size }) => {
			const isUnique = namesakes.get(subject)?.length === 1;
			return {
				name: isUnique ? subject : `${subject} (…${id.replace(/@.*/, '').slice(-6)})`,
				value: id,
				...(size !== undefined && { description: count(size, 'member') }),
			};
		});
	},
	new Problem("This gateway can't list groups", "Choose 'By ID' and enter the ID of the group"),
);

/** Fills the Bot picker: the bots' descriptions, or their IDs where they have none. */
export const searchBots = picker(
	async (client, options, chosenInstance) => {
		const bots = await client.bots(chosenInstance(), options);
		return bots.map(({ id, description = id }) => ({ name: description, value: id }));
	},
	new Problem(
		"This gateway can't list bots",
		"Evolution API has bots from version 2 on. If it is one, choose 'By ID' and enter the ID of the bot",
	),
);
