import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';
import { load, recordings, type Recorded } from '../../recordings';
import { groupParameters, inviteParameters, withPatience, type NodeRun } from '../support';
import {
	createGroup,
	getBot,
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
} from './parameters';
import { askOf, field, isNoRoute, listOf, routeOf, secretsOf, wordsOf, type Ask } from './recorded';
import { played } from './replay';
import type { Answer, Asked } from './server';

/** What comes of a recorded reply. */
export interface Expected {
	/** Of the recording. One that the node doesn't ask for as it was has two lines: it's `refused`, and `instead` is asked. */
	name: string;
	/** Words of the refusal, before any request. */
	refused?: string;
	instead?: Partial<Ask>;
	/** Places of participants that are refused, and of their rows. */
	without?: number[];
	/** Requests, as `PUT group/updateParticipant`. */
	calls?: string[];
	/** The items but for their messages; of a list of instances those of Get Many, then those of Get. */
	gives?: object[][];
	/** Words of the error that ends the last run, or of the only item; besides the gateway's own. */
	says?: string;
}

export const EXPECTED: readonly Expected[] = readFileSync(
	join(__dirname, '../../fixtures/expected.jsonl'),
	'utf8',
)
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as Expected);

/** What each recording is about. */
export const routes = new Map(recordings.map((name) => [name, routeOf(load(name))]));

/** The settings, by the actions that are asked for. */
const SETTINGS = new Map<unknown, object>([
	['announcement', { sendMessages: 'admins' }],
	['not_announcement', { sendMessages: 'everyone' }],
	['locked', { editInfo: 'admins' }],
	['unlocked', { editInfo: 'everyone' }],
]);

const [INSTANCE, GROUP, PARTICIPANTS] = [
	'={{ $json.instance }}',
	'={{ $json.group }}',
	'={{ $json.participants }}',
];
const PICTURE = 'https://example.com/a.jpg';
const bot = () => [getBot('={{ $json.bot }}', INSTANCE)];

/** The parameters with which the node makes the call of a route. */
const CALLS: Record<string, (options: object, ask: Ask) => object[]> = {
	'group/updateParticipant': (options) => [
		groupParameters({
			...{ instance: INSTANCE, group: GROUP, participants: PARTICIPANTS, options },
			action: '={{ $json.action }}',
		}),
	],
	'group/updateSetting': (options, { action }) => [
		updateGroup(SETTINGS.get(action) ?? {}, GROUP, INSTANCE, { options }),
	],
	'group/updateGroupSubject': (options, { subject }) => [
		updateGroup({ subject }, GROUP, INSTANCE, { options }),
	],
	'group/updateGroupDescription': (options, { message: description }) => [
		updateGroup({ description }, GROUP, INSTANCE, { options }),
	],
	'group/updateGroupPicture': (options, { image }) => [
		// A file is recorded as its beginning.
		updateGroup({ picture: String(image).startsWith('http') ? image : PICTURE }, GROUP, INSTANCE, {
			options,
		}),
	],
	'group/toggleEphemeral': (options, { expiration }) => [
		updateGroup({ disappearingMessages: expiration === 86_400 ? 'day' : 'week' }, GROUP, INSTANCE, {
			options,
		}),
	],
	'group/leaveGroup': (options) => [leaveGroup(GROUP, INSTANCE, { options })],
	'group/create': (options) => [
		createGroup('={{ $json.subject }}', INSTANCE, {
			options: { ...options, onlyIfMissing: false },
			participants: PARTICIPANTS,
		}),
	],
	'message/sendText': (options) => [sendMessage('={{ $json.message }}', GROUP, INSTANCE, { options })],
	'group/revokeInviteCode': (options) => [resetInviteLink(GROUP, INSTANCE, { options })],
	'group/participants': (options) => [getMembers(GROUP, INSTANCE, { options })],
	'group/fetchAllGroups': (options) => [getGroups(INSTANCE, { options })],
	'group/inviteCode': (options) => [getInviteLink(GROUP, INSTANCE, { options })],
	'group/sendInvite': (options) => [
		inviteParameters({
			...{ instance: INSTANCE, group: GROUP, participants: PARTICIPANTS, options },
			message: '={{ $json.message }}',
		}),
	],
	'instance/connect': (options) => [getQrCode(INSTANCE, { options })],
	'instance/fetchInstances': (_, { instance }) => [
		getMany({ returnAll: true, filters: instance === '' ? {} : { instanceName: instance } }),
		getInstance(instance === '' ? 'alpha' : instance),
	],
	'openai/find': bot,
	'openai/fetch': bot,
};

/** What a gateway that plays a recording was asked. */
interface Played {
	calls: Asked[];
}

/** What the node gave, and the error that ended it. */
export interface Result {
	main: Array<Pick<INodeExecutionData, 'json' | 'binary'>>;
	error: Pick<NonNullable<NodeRun['error']>, 'name' | 'message' | 'description'> | undefined;
}

/** Where the node runs: on n8n's engine with a real server, or on stand-ins for both. */
export interface Host<Server extends Played> {
	start: (answer: (asked: Asked) => Answer) => Promise<Server>;
	run: (server: Server, apiKey: string, parameters: object, item: object) => Promise<Result>;
}

const link = { inviteUrl: 'https://chat.whatsapp.com/Abc', inviteCode: 'Abc' };
/** What a gateway says to the look-ups around an invite. */
const AROUND_INVITES = new Map<string | undefined, Answer>([
	['inviteCode', { status: 200, body: link }],
	['whatsappNumbers', { status: 200, body: [{ exists: false, jid: '1@s.whatsapp.net' }] }],
]);

/** Without places of a list. */
const without = (list: unknown, places: readonly number[]) =>
	listOf(list).filter((_, place) => !places.includes(place));

/** What the node is asked, and what the gateway says to that. */
function playOf({ name, instead, without: places = [] }: Expected): { ask: Ask; recorded: Recorded } {
	const recorded = load(name);
	const ask = { ...askOf(recorded), ...instead };
	if (places.length === 0) return { ask, recorded };
	const updateParticipants = without(field(recorded.response.body, 'updateParticipants'), places);
	return {
		ask: { ...ask, participants: without(ask.participants, places) },
		recorded: { ...recorded, response: { ...recorded.response, body: { updateParticipants } } },
	};
}

/** Plays a recording to the node. */
export async function play<Server extends Played>({ start, run }: Host<Server>, expected: Expected) {
	const { ask, recorded } = playOf(expected);
	const route = routeOf(recorded);
	const isInvite = route === 'group/sendInvite';
	const isChange = /update|revoke|toggle|leave|create|sendText/.test(route);
	const { apiKey, ...given } = ask;
	// One person is invited per request.
	const item = isInvite ? { ...given, participants: listOf(given.participants).slice(0, 1) } : given;
	const attempt = async (options: object) => {
		const plays = played(recorded);
		const server = await start(
			(asked) => (isInvite && AROUND_INVITES.get(asked.path.split('/')[2])) || plays(asked),
		);
		const results: Result[] = [];
		for (const parameters of CALLS[route]?.(options, ask) ?? [])
			results.push(await run(server, apiKey, parameters, item));
		const calls = server.calls.map(
			({ method, path }) => `${method} ${path.split(/[/?]/, 3).slice(1).join('/')}`,
		);
		return { results, calls, keys: new Set(server.calls.map(({ key }) => key)) };
	};
	const options = isChange ? {} : isInvite ? { batchInterval: 0 } : { maxRetries: 0 };
	const tried =
		recorded.response.status === null
			? await withPatience(
					async (timeout) => await attempt({ ...options, timeout }),
					({ calls }) => calls.join() === expected.calls?.join(),
				)
			: await attempt(options);
	return { ...tried, ask, recorded };
}

/** What the node gave, as the table has it: without words. */
export function given({ main }: Result): object[] {
	return main.map(({ json: { message: _m, ...json }, binary }) => ({
		...json,
		...(binary && { binary: binary.data?.data?.slice(0, 20) }),
	}));
}

/** A run that failed gives advice, and says what the gateway said: of a missing route the last form that was tried. */
function expectReason({ error, main }: Result, { status, body }: Recorded['response']): void {
	if (main.length > 0 || error === undefined) return;
	expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
	expect(error.description).toMatch(/\w/);
	const words =
		(status ?? 0) < 400 ? [] : isNoRoute(body) ? [/Cannot (GET|PUT|POST) \/|Not Found/] : wordsOf(body);
	for (const one of words)
		expect(error.message).toEqual(
			typeof one === 'string' ? expect.stringContaining(one) : expect.stringMatching(one),
		);
}

/** Tests that recorded replies come out right: all of them, or so many of each route. */
export function testReplies<Server extends Played>(host: Host<Server>, most = Infinity): void {
	const first = (lines: readonly Expected[]) => lines.slice(0, most);
	describe.each([...new Set(routes.values())])('of %s', (route) => {
		const lines = EXPECTED.filter(({ name }) => routes.get(name) === route);
		const asked = first(lines.filter(({ refused }) => refused === undefined));
		test.each(asked.map((line) => [line.name, line] as const))('%s', async (_, line) => {
			const { results, calls, keys, ask, recorded } = await play(host, line);
			const text = JSON.stringify(results);
			expect([...secretsOf(recorded), ask.apiKey].filter((secret) => text.includes(secret))).toEqual([]);
			expect([calls, [...keys]]).toEqual([line.calls, [ask.apiKey]]);
			expect(results.map(given)).toEqual(line.gives);
			const [last] = results.slice(-1);
			expect(last?.error?.message ?? last?.main[0]?.json.message ?? '').toContain(line.says ?? '');
			for (const result of results) expectReason(result, recorded.response);
		});
	});

	const refusals = first(EXPECTED.filter(({ refused }) => refused !== undefined));
	test.each(refusals)('$name is refused before any request: $refused', async (line) => {
		const { results, calls } = await play(host, line);
		expect(results.map(({ main }) => main)).toEqual(results.map(() => []));
		expect(results.at(-1)?.error?.message).toContain(line.refused);
		expect(calls).toEqual([]);
	});
}
