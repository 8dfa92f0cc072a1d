import { isErrorBody } from '../failures/observed';
import { isRecord, textOf, type JsonRecord } from './json';

/**
 * Reads the reply to "find bot".
 *
 * @returns the bot as the gateway gives it; `null` where there is none (`null` or empty, seen on 2.3.6), or
 * where the reply says that it belongs to another instance; nothing where the reply is not a bot
 */
export function readBot(reply: unknown, instance: string): JsonRecord | null | undefined {
	if (reply === undefined || reply === null || reply === '') return null;
	if (Array.isArray(reply)) return reply.length === 0 ? null : undefined;
	if (!isRecord(reply)) return undefined;
	if (Object.keys(reply).length === 0) return null;
	if (reply.id === undefined && isErrorBody(reply)) return undefined;
	const owner = ownerOf(reply);
	return owner === undefined || owner === instance ? reply : null;
}

/** Name of the instance that a bot belongs to, where its record holds it. */
function ownerOf(bot: JsonRecord): string | undefined {
	const nested = [bot.Instance, bot.instance].find(isRecord);
	return textOf(bot.instanceName) ?? textOf(nested?.instanceName) ?? textOf(nested?.name);
}
