import { join } from 'node:path';
import type { Engine } from '../engine/engine';
import {
	createGroup,
	getBot,
	getGroup,
	getGroups,
	getInstance,
	getInviteLink,
	getMany,
	getMembers,
	getQrCode,
	leaveGroup,
	resetInviteLink,
	sendMessage,
	updateGroup,
} from '../engine/gateways/parameters';
import { routeOf } from '../engine/gateways/recorded';
import { groupParameters, inviteParameters, runNode, syncParameters } from '../engine/support';
import { BOT } from '../gateway/seed';
import {
	defaultSeed,
	GENERATIONS,
	KINDS,
	kindsSeed,
	startGateway,
	type Generation,
	type Recording,
	type Seed,
} from '../gateway/gateway';
import { load, recordings } from '../recordings';
import { schemaOf, type Schema } from './schema';

/**
 * Where n8n looks for the output schemas of version 1 of the node, at `<resource>/<operation>.json` in the case of
 * the parameters (`resolveSchema` of 1.123.81, `resolveOutputSchemaPath` of 2.41.1).
 */
export const SCHEMA_FOLDER = join(__dirname, '../../nodes/MessagingGateway/__schema__/v1.0.0');

/** An output schema as n8n's own nodes have them. */
export interface OutputSchema extends Schema {
	version: number;
}

/** A gateway that samples are taken of. */
interface Source {
	generation?: Generation;
	/** The usual one if left out. */
	seed?: Seed;
	/** What it replies, whatever it is asked. */
	recording?: Recording;
}

/** How to have an operation give all that it can give by default. */
interface Sampling {
	sources: Source[];
	/** The parameters of each run. */
	parameters: object[];
	items: object[];
}

const everyGeneration: Source[] = GENERATIONS.map((generation) => ({ generation }));

const everyKind: Source[] = GENERATIONS.map((generation) => ({ generation, seed: kindsSeed }));

/** The recorded connection with a pairing code, and one that is open. */
const connections: Source[] = ['connect-number', 'connect-open'].map((what) => ({
	recording: load(`v2.3.6-SIM__instance__${what}`),
}));

/** What a bot has is up to the gateway, and those of the seed are made up. */
const realBots: Source[] = recordings
	.map(load)
	.filter((recorded) => routeOf(recorded) === 'openai/fetch' && recorded.response.status === 200)
	.filter(({ response }) => response.body !== null)
	.map(({ response }) => ({
		recording: { response: { ...response, body: { ...Object(response.body), id: BOT } } },
	}));

const MEMBER = '5511990000002';
const STRANGER = '5511990000999';

const OPERATIONS: Record<string, Sampling> = {
	'bot/get': { sources: realBots, parameters: [getBot(BOT)], items: [{}] },
	'group/updateParticipants': {
		sources: everyGeneration,
		parameters: [groupParameters(), groupParameters({ options: { dryRun: true } })],
		items: [...Object.keys(defaultSeed.people), MEMBER, STRANGER].map((phone) => ({ phone })),
	},
	'group/getAll': { sources: everyKind, parameters: [getGroups()], items: [{}] },
	'group/getInviteLink': { sources: everyKind, parameters: [getInviteLink(KINDS.numbers)], items: [{}] },
	'group/getParticipants': {
		sources: everyKind,
		parameters: Object.values(KINDS).map((group) => getMembers(group)),
		items: [{}],
	},
	'group/resetInviteLink': {
		sources: everyKind,
		parameters: [false, true].map((dryRun) =>
			resetInviteLink(KINDS.numbers, 'keeper', { options: { dryRun } }),
		),
		items: [{}],
	},
	'group/get': { sources: everyKind, parameters: [getGroup(KINDS.numbers)], items: [{}] },
	'group/create': {
		sources: everyKind,
		parameters: [{ dryRun: true }, {}, {}].map((more) => createGroup('Course', 'keeper', more)),
		items: [...Object.keys(kindsSeed.people), STRANGER].map((phone) => ({ phone })),
	},
	'group/leave': { sources: everyKind, parameters: [leaveGroup(KINDS.numbers, 'keeper')], items: [{}] },
	'group/sendMessage': {
		sources: everyKind,
		parameters: [true, false].map((dryRun) =>
			sendMessage('={{ $json.text }}', KINDS.numbers, 'keeper', { dryRun }),
		),
		items: [{ text: 'Hi' }, { text: 'Hello' }],
	},
	'group/update': {
		sources: everyKind,
		parameters: [true, false, false].map((dryRun) =>
			updateGroup(
				{
					...{ subject: 'Course', description: 'About', picture: 'https://example.com/picture.jpg' },
					...{ sendMessages: 'admins', editInfo: 'admins', disappearingMessages: 'week' },
				},
				KINDS.numbers,
				'keeper',
				{ dryRun, options: { batchInterval: 0 } },
			),
		),
		items: [{}],
	},
	'group/sendInvite': {
		sources: everyKind,
		// After the first run, some wait.
		parameters: [true, false, true].map((dryRun) => inviteParameters({ options: { dryRun } })),
		items: [...Object.keys(kindsSeed.people), STRANGER].map((phone) => ({ phone })),
	},
	'group/syncParticipants': {
		sources: everyKind,
		parameters: ['={{ true }}', '={{ false }}'].flatMap((shouldBeMember) =>
			// In the last one, some wait until a time.
			[true, false, true].map((dryRun) => syncParameters({ shouldBeMember, options: { dryRun } })),
		),
		items: [...Object.keys(kindsSeed.people), MEMBER, STRANGER].map((phone) => ({ phone })),
	},
	'instance/getQrCode': { sources: connections, parameters: [getQrCode('main')], items: [{}] },
	'instance/get': {
		sources: everyGeneration,
		parameters: [getInstance('={{ $json.instanceName }}')],
		items: defaultSeed.instances.map(({ instanceName }) => ({ instanceName })),
	},
	'instance/getAll': { sources: everyGeneration, parameters: [getMany()], items: [{}] },
};

/**
 * Takes the output schema of every operation from what it gives on n8n's engine with its default settings.
 *
 * @param generations those of the gateways that are asked
 * @returns the schemas by their path in {@link SCHEMA_FOLDER}
 * @throws where a run fails
 */
export async function takeSchemas(
	engine: Engine,
	generations: readonly Generation[] = GENERATIONS,
): Promise<Record<string, OutputSchema>> {
	const schemas: Record<string, OutputSchema> = {};
	for (const [operation, { sources, ...sampling }] of Object.entries(OPERATIONS)) {
		const some = sources.filter(({ generation }) => !generation || generations.includes(generation));
		const samples = await takeSamples(engine, { ...sampling, sources: some });
		schemas[`${operation}.json`] = { ...schemaOf(samples), version: 1 };
	}
	return schemas;
}

/** The parameters with the group as it is saved when it is chosen from the list. */
function withNamedGroup(parameters: object): object {
	const group: unknown = 'group' in parameters ? parameters.group : undefined;
	return group === undefined
		? parameters
		: { ...parameters, group: { ...Object(group), cachedResultName: 'Sample' } };
}

async function takeSamples(engine: Engine, { sources, parameters, items }: Sampling): Promise<object[]> {
	const samples: object[] = [];
	for (const { recording, ...options } of sources) {
		const gateway = await startGateway(options);
		gateway.replay(recording);
		for (const ofRun of parameters.map(withNamedGroup)) {
			const { main, error } = await runNode(engine, gateway, ofRun, items);
			if (error) throw new Error(error.message);
			samples.push(...main.map(({ json }) => json));
		}
		await gateway.close();
	}
	return samples;
}
