import type { Rules } from './generations';
import { json, refusal, type Reply } from './reply';
import type { SeedInstance } from './seed';
import { withInstance, type Target } from './target';

type BotRules = NonNullable<Rules['bots']>;
type Bot = Record<string, unknown>;

function withBots(target: Target, goOn: (bots: Bot[], instance: SeedInstance) => Reply): Reply {
	const { bots, instances } = target.backend.seed;
	const ids = new Map(instances.map(({ instanceName, instanceId }) => [instanceName, instanceId]));
	const all = bots.map(({ instance, record }) => ({ ...record, instanceId: ids.get(instance) }));
	return withInstance(target, (instance) => goOn(all, instance));
}

/** `/openai/find/{instance}`: the instance's bots. */
export function listBots(target: Target, { none }: BotRules): Reply {
	return withBots(target, (bots, { instanceId }) => {
		const own = bots.filter((bot) => bot['instanceId'] === instanceId);
		return json(200, own.length > 0 ? own : none);
	});
}

/** `/openai/find/{bot}/{instance}`, or `fetch`: the bot, where the generation lets this instance see it. */
export function findBot(target: Target, { unknown, foreign }: BotRules): Reply {
	return withBots(target, (bots, { instanceId }) => {
		const found = bots.find(({ id }) => id === target.parameter(':bot'));
		const visible = found !== undefined && (foreign === 'returned' || found['instanceId'] === instanceId);
		if (visible) return json(200, found);
		return unknown === 'null' ? json(200, null) : refusal(500, 'Openai Bot not found');
	});
}
