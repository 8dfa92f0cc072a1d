import { isRecord, textOf, type JsonRecord } from '../../common/json';

export interface Bot {
	/** As the gateway gives it. */
	record: JsonRecord;
	id: string;
	/** The instance that it belongs to. 2.3.6 gives its ID alone. */
	instanceName: string | undefined;
	instanceId: string | undefined;
}

/** Reads the reply to "find bot". @returns `null` for none (2.3.6); `undefined` if the reply is no bot */
export function readBot(reply: unknown): Bot | null | undefined {
	if (reply === undefined || reply === null || reply === '') return null;
	if (Array.isArray(reply)) return reply.length === 0 ? null : undefined;
	if (!isRecord(reply)) return undefined;
	if (Object.keys(reply).length === 0) return null;
	const id = textOf(reply.id);
	if (id === undefined) return undefined;
	const nested = [reply.Instance, reply.instance].find(isRecord);
	return {
		record: reply,
		id,
		instanceName: textOf(reply.instanceName) ?? textOf(nested?.instanceName) ?? textOf(nested?.name),
		instanceId: textOf(reply.instanceId),
	};
}

/** Whether a bot belongs to an instance; `undefined` if that can't be told. */
export function belongsTo(
	{ instanceName, instanceId }: Bot,
	instance: { name: string; instanceId?: string | undefined },
): boolean | undefined {
	if (instanceName !== undefined) return instanceName === instance.name;
	if (instanceId === undefined || instance.instanceId === undefined) return undefined;
	return instanceId === instance.instanceId;
}

/** Reads the reply to "list bots": a list, `null` for none (2.2.3). @returns `undefined` for anything else */
export function readBots(reply: unknown): Array<{ id: string; description?: string }> | undefined {
	if (reply === null) return [];
	if (!Array.isArray(reply)) return undefined;
	const bots = reply.filter(isRecord).flatMap((record) => {
		const id = textOf(record.id);
		const description = textOf(record.description);
		return id === undefined ? [] : [{ id, ...(description && { description }) }];
	});
	return bots.length > 0 || reply.length === 0 ? bots : undefined;
}
