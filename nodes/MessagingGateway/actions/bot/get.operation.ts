import type { INodeProperties } from 'n8n-workflow';
import { readBot } from '../../domain/records/bots';
import { readBotId, readInstanceName } from '../../domain/input/identifiers';
import { Problem } from '../../domain/failures/problem';
import { quote } from '../../domain/text/text';
import { botLocator, instanceLocator, readLocator } from '../locators';
import { runLookups, type Lookup } from '../lookups';
import type { Operation, Run } from '../operation';
import { lookupOptionsField, Options } from '../options';

const description: INodeProperties[] = [instanceLocator, botLocator, lookupOptionsField];

interface BotLookup extends Lookup {
	instance: string;
	bot: string;
}

async function execute(run: Run) {
	const { context, gateway } = run;
	return await runLookups<BotLookup>(run, {
		route: 'findBot',
		read: (item) => {
			const { retryOptions, includeSecrets } = new Options(context, item);
			const instance = readInstanceName(readLocator(context, 'instance', item));
			const bot = readBotId(readLocator(context, 'bot', item));
			return { values: { path: { instance, bot } }, retryOptions, includeSecrets, instance, bot };
		},
		present: (reply, { instance, bot }) => {
			const found = readBot(reply, instance);
			if (found === undefined) throw gateway.unexpectedShape(reply);
			if (found === null)
				throw new Problem(
					`The bot ${quote(bot)} was not found in the instance ${quote(instance)}`,
					"Choose it with 'From List', or check its ID and the instance",
				);
			return [found];
		},
	});
}

export const get: Operation = { description, execute };
