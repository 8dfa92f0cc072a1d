import type { SeedBot } from './gateway';
import type { RecordedGeneration } from './recorded-instances';

/** The ids of the bots of each instance: by turns a chat bot and an assistant. */
const ids: Readonly<Record<RecordedGeneration, { alpha: string[]; main: string[] }>> = {
	'1.8': { alpha: [], main: [] },
	'1.8.6': { alpha: [], main: [] },
	'2.2': {
		alpha: ['cmwp776r50007jp7dcond8hhp', 'cmwp776rw0008jp7dfwbwfltq'],
		main: ['cmwqoymdv0004qd7dwmfry210'],
	},
	'2.3': {
		alpha: ['cmwp6ssul0006k87d5mppfmei', 'cmwp6ssve0007k87dg807o4hm'],
		main: ['cmwqogf7o0003qa7ddkntbfbo'],
	},
};

const botFields = {
	expire: 20,
	keywordFinish: '#EXIT',
	delayMessage: 1000,
	unknownMessage: 'Not understood',
	listeningFromMe: false,
	stopBotFromMe: false,
	keepOpen: false,
	debounceTime: 10,
	splitMessages: false,
	timePerChar: 50,
	ignoreJids: ['120363021345678901@g.us'],
	createdAt: '2026-11-20T16:22:00.717Z',
	updatedAt: '2026-11-20T16:22:00.717Z',
	openaiCredsId: 'cmwp6ssso0004k87dzchgau1r',
};

const chatBot = {
	enabled: true,
	description: 'Lab bot',
	botType: 'chatCompletion',
	assistantId: null,
	functionUrl: null,
	model: 'gpt-4o',
	systemMessages: ['You are a test bot.'],
	assistantMessages: ['Hi, how can I help?'],
	userMessages: ['Hello'],
	maxTokens: 300,
	triggerType: 'keyword',
	triggerOperator: 'contains',
	triggerValue: 'help',
};

const assistantBot = {
	enabled: false,
	description: null,
	botType: 'assistant',
	assistantId: 'asst_TEST0001',
	functionUrl: 'http://127.0.0.1:9/fn',
	model: null,
	systemMessages: null,
	assistantMessages: null,
	userMessages: null,
	maxTokens: null,
	triggerType: 'none',
	triggerOperator: null,
	triggerValue: null,
};

/** Those of `main` were given fewer values. */
const fewer = { alpha: {}, main: { assistantMessages: [], userMessages: [], ignoreJids: [] } };

/** The bots of the recorded servers. */
export function recordedBots(generation: RecordedGeneration): SeedBot[] {
	return (['alpha', 'main'] as const).flatMap((instance) =>
		ids[generation][instance].map((id, index) => {
			const bot =
				index % 2 === 0
					? { ...chatBot, ...botFields, ...fewer[instance] }
					: { ...assistantBot, ...botFields };
			return { instance, record: { id, ...bot } };
		}),
	);
}
