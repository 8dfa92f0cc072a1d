import type { Generation, Seed, SeedBot, SeedGroup, SeedInstance } from './gateway';

const account = '5511999990000';
const mainGroup = '120363021345678901@g.us';

/** A generation that was recorded. */
export type RecordedGeneration = Exclude<Generation, 'published'>;

/** The keys of the recorded servers. */
const globalKeys: Readonly<Record<RecordedGeneration, string>> = {
	'1.8': 'TEST-GLOBAL-KEY-0001',
	'2.2': 'TEST-GLOBAL-KEY-0002',
	'2.3': 'TEST-GLOBAL-KEY-0002',
};

/** The ids of `alpha`, and of its two bots. */
const ids: Readonly<Record<RecordedGeneration, { alpha: string; bots: string[] }>> = {
	'1.8': { alpha: 'd009a6c2-dd0d-4151-8d42-c6c45647d8b2', bots: [] },
	'2.2': {
		alpha: 'd6dc3a0d-e20a-40cc-b8c4-be2e6ded2e68',
		bots: ['cmwp776r50007jp7dcond8hhp', 'cmwp776rw0008jp7dfwbwfltq'],
	},
	'2.3': {
		alpha: '7b8678a7-1e77-4075-89fd-4fd0a8102ba3',
		bots: ['cmwp6ssul0006k87d5mppfmei', 'cmwp6ssve0007k87dg807o4hm'],
	},
};

/** What was set on a server between the recordings, by a part of the recording's name. */
export interface Circumstances {
	/** Members of the main group, besides the account. */
	members?: string[];
	maxMembers?: number;
	lid?: boolean;
	betaConnecting?: boolean;
	noBots?: boolean;
	botsDisabled?: boolean;
}

const circumstances: ReadonlyArray<readonly [part: string, Circumstances]> = [
	['remove-ok', { members: ['5511999990001'] }],
	['promote-ok', { members: ['5511999990001'] }],
	['demote-ok', { members: ['5511999990001'] }],
	['add-mixed', { members: ['5511999990409'], maxMembers: 3 }],
	['add-lid-group', { lid: true }],
	['valid-connecting', { betaConnecting: true }],
	['find-none', { noBots: true }],
	['disabled', { botsDisabled: true }],
];

function group(jid: string, more: Partial<SeedGroup> = {}): SeedGroup {
	return { jid, subject: 'Recorded', members: [account], admins: [account], ...more };
}

function mainGroupOf({ members = [], maxMembers, lid }: Circumstances): SeedGroup {
	return group(mainGroup, {
		members: [account, ...members],
		...(maxMembers === undefined ? {} : { maxMembers }),
		...(lid === undefined ? {} : { lid }),
	});
}

function groupsOf(now: Circumstances): SeedGroup[] {
	return [
		mainGroupOf(now),
		group('true@g.us'),
		group('1203630213450000400@g.us', { refuses: 'bad-request' }),
		group('1203630213450000401@g.us', { refuses: 'not-authorized' }),
		group('1203630213450000429@g.us', { refuses: 'rate-overlimit' }),
		group('1203630213450000999@g.us', { silent: true }),
	];
}

function instancesOf(generation: RecordedGeneration, now: Circumstances): SeedInstance[] {
	return [
		{
			instanceName: 'alpha',
			instanceId: ids[generation].alpha,
			apikey: 'TEST-INSTANCE-TOKEN-ALPHA',
			status: 'close',
			groups: [],
		},
		{
			instanceName: 'beta',
			instanceId: 'b103b7e8-0f89-49bc-8aab-700a43f5ea0c',
			apikey: 'TEST-INSTANCE-TOKEN-BETA',
			status: 'close',
			integration: 'WHATSAPP-BAILEYS',
			...(now.betaConnecting === true ? { connection: 'connecting' } : {}),
			groups: [],
		},
		{
			instanceName: 'Cloud Três',
			instanceId: 'a44128a6-67a2-4d18-99cd-399bb86c1d13',
			apikey: 'TEST-INSTANCE-TOKEN-CLOUD',
			status: 'open',
			integration: 'WHATSAPP-BUSINESS',
			number: '100000000000001',
			extra: { businessId: '200000000000002' },
			groups: [],
		},
		{
			instanceName: 'sim',
			instanceId: 'f1ff826b-0675-4823-a992-1571f98c8fdf',
			apikey: 'TEST-INSTANCE-TOKEN-SIM',
			// Generation 2 lists the last status that it stored, which here is stale.
			status: generation === '1.8' ? 'connecting' : 'close',
			connection: 'open',
			integration: 'WHATSAPP-BAILEYS',
			owner: account,
			extra: { ownerJid: null },
			groups: groupsOf(now),
		},
		{
			instanceName: 'seed-open',
			instanceId: '11111111-1111-4111-8111-111111111111',
			apikey: 'TEST-INSTANCE-TOKEN-OPEN',
			status: 'open',
			owner: '5511999990001@s.whatsapp.net',
			profileName: 'Lab Profile',
			profilePictureUrl: 'https://pps.whatsapp.net/v/t61.24694-24/000000000_n.jpg',
			number: '5511999990001',
			extra: { Setting: null },
			groups: [],
		},
		{
			instanceName: 'seed-loggedout',
			instanceId: '22222222-2222-4222-8222-222222222222',
			apikey: 'TEST-INSTANCE-TOKEN-OUT',
			status: 'close',
			owner: '5511999990002@s.whatsapp.net',
			profileName: 'Lab Profile 2',
			extra: {
				Setting: null,
				disconnectionReasonCode: 401,
				disconnectionObject: '{"date": "2026-11-20T16:00:00.000Z"}',
				disconnectionAt: '2026-11-20T16:31:01.622Z',
			},
			groups: [],
		},
	];
}

/** The instances of each recorded server: a list shows all that were there. */
const servers: ReadonlyArray<readonly [label: string, names: string[]]> = [
	['-SIM__', ['sim']],
	['-SEED__', ['seed-open', 'seed-loggedout']],
	['__', ['alpha', 'beta', 'Cloud Três']],
];

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
	ignoreJids: [mainGroup],
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

function botsOf(generation: RecordedGeneration): SeedBot[] {
	return [chatBot, assistantBot].flatMap((bot, index) => {
		const id = ids[generation].bots[index];
		return id === undefined ? [] : [{ instance: 'alpha', record: { id, ...bot, ...botFields } }];
	});
}

/**
 * The state that a recorded server was in, as far as the recordings show it.
 * @param name the recording's name, which says what server it was and what had been done before.
 */
export function recordedSeed(generation: RecordedGeneration, name: string): Seed {
	const now = circumstances.find(([part]) => name.includes(part))?.[1] ?? {};
	const there = servers.find(([label]) => name.includes(label))?.[1] ?? [];
	return {
		apiKey: globalKeys[generation],
		instances: instancesOf(generation, now).filter(({ instanceName }) => there.includes(instanceName)),
		botsEnabled: now.botsDisabled !== true,
		bots: now.noBots === true ? [] : botsOf(generation),
		people: {
			'5511999990401': 'blocked',
			'5511999990403': 'inviteOnly',
			'5511999990404': 'notOnNetwork',
			'5511999990408': 'recentlyLeft',
		},
		...(generation === '1.8' ? {} : { silenceMs: 50 }),
	};
}
