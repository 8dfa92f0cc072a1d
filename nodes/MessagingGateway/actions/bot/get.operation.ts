import type { INodeProperties } from 'n8n-workflow';
import { Problem } from '../../common/problem';
import { readBotId } from '../../input/identifiers';
import { belongsTo, readBot, type Bot } from '../../gateway/replies/bots';
import { instanceIdOf, readInstances } from '../../gateway/replies/instances';
import { quote } from '../../common/text';
import { botLocator, instanceLocator, readInstance } from '../../fields/locators';
import { runLookups, type Lookup } from '../../run/reads';
import type { Operation, Run } from '../../run/operation';
import { lookupOptionsField, Options } from '../../fields/options';

const description: INodeProperties[] = [instanceLocator, botLocator, lookupOptionsField];

interface BotLookup extends Lookup {
	instance: string;
	bot: string;
}

interface FoundBot {
	bot: Bot | null;
	/** The instance's own ID, if it is needed and can be known. */
	instanceId: string | undefined;
}

async function execute(run: Run) {
	const instanceIds = new Map<string, Promise<string | undefined>>();
	return await runLookups(run, {
		read: (parameters): BotLookup => {
			const { retryOptions, includeSecrets } = new Options(parameters);
			const instance = readInstance(parameters);
			const bot = readBotId(parameters.getLocator('bot'));
			return { values: { path: { instance, bot } }, retryOptions, includeSecrets, instance, bot };
		},
		ask: async (lookup): Promise<FoundBot> => {
			const { values, retryOptions, instance } = lookup;
			const { bot } = await run.gateway.read('findBot', values, retryOptions, { read: readBot });
			if (bot === null || belongsTo(bot, { name: instance }) !== undefined)
				return { bot, instanceId: undefined };
			const asked = instanceIds.get(instance) ?? instanceIdFor(run, lookup);
			instanceIds.set(instance, asked);
			return { bot, instanceId: await asked };
		},
		present: ({ bot, instanceId }, { instance, bot: id }) => {
			const belongs = bot !== null && belongsTo(bot, { name: instance, instanceId });
			if (bot === null || bot.id !== id || belongs === false)
				throw new Problem(
					`The bot ${quote(id)} couldn't be found in the instance ${quote(instance)}`,
					"Choose it with 'From List', or check its ID and the instance",
				);
			if (belongs === undefined && bot.instanceId !== undefined)
				run.hints.add(
					`Not checked: whether the bot ${quote(id)} belongs to the instance ${quote(instance)}, since this API key may not list instances`,
				);
			return [{ json: bot.record }];
		},
	});
}

/** The instance's own ID; nothing if the key may not list instances. */
async function instanceIdFor(
	{ gateway }: Run,
	{ instance, retryOptions }: BotLookup,
): Promise<string | undefined> {
	const values = { query: { instanceName: instance } };
	try {
		const all = await gateway.read('listInstances', values, retryOptions, { read: readInstances });
		const own = all.find(({ name }) => name === instance);
		return own && instanceIdOf(own);
	} catch {
		return undefined;
	}
}

export const get: Operation = { description, execute };
