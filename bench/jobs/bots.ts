import { getBot } from '../../test/engine/gateways/parameters';
import { upTo } from '../../test/engine/group/people';
import type { Job } from './job';
import { INSTANCE, seedOf } from './seed';

const botId = (number: number) => `clbot${String(number).padStart(20, '0')}`;
const pathOf = (bot: string) => `/openai/find/${bot}/${INSTANCE}`;

/** How many rows, and how many bots they name. */
export interface Lookups {
	lookups: number;
	bots: number;
}

/** Rows of which each names a bot to look up, the bots in turn. */
export function botsJob({ lookups, bots }: Lookups): Job {
	const ids = upTo(bots).map(botId);
	return {
		seed: seedOf((seed) => {
			seed.bots = ids.map((id) => ({
				instance: INSTANCE,
				record: { id, enabled: true, botType: 'assistant', maxTokens: 300, apiKey: `sk-${id}` },
			}));
		}),
		items: upTo(lookups).map((row) => ({ row, bot: botId(row % bots) })),
		parameters: { ...getBot('={{ $json.bot }}') },
		perItem: { method: 'GET', path: pathOf('{{ $json.bot }}') },
		fewest: () => ids.map((id) => ({ method: 'GET', path: pathOf(id) })),
		outputs: upTo(lookups).map((row) => botId(row % bots)),
		answersIn: (reply) => [reply],
		subjectOf: (answer) => Object(answer).id,
		isDone: () => true,
	};
}
