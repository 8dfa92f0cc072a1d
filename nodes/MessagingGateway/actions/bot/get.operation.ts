import { findOrMake } from '../../common/maps';
import { Problem } from '../../common/problem';
import { quote } from '../../common/text';
import { botLocator, instanceLocator, readInstance } from '../../fields/locators';
import { lookupOptionsField } from '../../fields/options';
import { belongsTo } from '../../gateway/replies/bots';
import type { RequestOptions } from '../../gateway/sender';
import { readBotId } from '../../input/identifiers';
import type { Operation } from '../../run/operation';
import { runReads } from '../reads';

export const getBot: Operation = {
	name: 'Get',
	action: 'Get bot',
	description: 'Get the configuration of a bot',
	onlyReads: true,
	fields: [instanceLocator, botLocator, lookupOptionsField],
	async execute(run) {
		const instanceIds = new Map<string, Promise<string | undefined>>();
		// It isn't known if the key may not list instances.
		const instanceIdOf = async (instance: string, requestOptions: RequestOptions) => {
			const all = await run.client.instances(requestOptions, { name: instance }).catch(() => []);
			return all.find(({ name }) => name === instance)?.id;
		};
		return await runReads(run, {
			read: (parameters) => {
				const instance = readInstance(parameters);
				return { asked: { instance, bot: readBotId(parameters.getLocator('bot')) } };
			},
			ask: async ({ instance, bot: id }, requestOptions) => {
				const bot = await run.client.bot(instance, id, requestOptions);
				if (bot === null || belongsTo(bot, { name: instance }) !== undefined)
					return { bot, instanceId: undefined };
				const asked = findOrMake(instanceIds, instance, () => instanceIdOf(instance, requestOptions));
				return { bot, instanceId: await asked };
			},
			present: ({ bot, instanceId }, { asked: { instance, bot: id } }) => {
				const belongs = bot !== null && belongsTo(bot, { name: instance, instanceId });
				if (bot === null || bot.id !== id || belongs === false)
					throw new Problem(
						`The bot ${quote(id)} couldn't be found`,
						"Choose it with 'From List', or check its ID and the instance",
					);
				if (belongs === undefined && bot.instanceId !== undefined)
					run.hints.add(
						`Couldn't check that the bot ${quote(id)} belongs to the instance ${quote(instance)}, since this API key can't list instances`,
					);
				return [{ json: bot.record }];
			},
		});
	},
};
