import type { INodeExecutionData } from 'n8n-workflow';
import { load, recordings } from '../../recordings';
import { groupParameters, inviteParameters, withPatience, type NodeRun } from '../support';
import { acceptable, askOf, refused, withoutRefused, type Ask } from './asked';
import {
	expectedGroups,
	expectedLink,
	expectedNewLink,
	expectedSetting,
	expectedMembers,
	expectedQrCode,
	expectedRows,
	expectGatewaysWords,
	expectNoSecret,
	expectRejected,
	instancesIn,
	isRefusedAlone,
	simplified,
	withoutNullPicture,
} from './expected';
import {
	getBot,
	getGroups,
	getInstance,
	getInviteLink,
	getMany,
	getMembers,
	getQrCode,
	resetInviteLink,
	updateSettings,
} from './parameters';
import { field, isBotList, isNoRoute, listOf, routeOf, wordsOf } from './recorded';
import { played } from './replay';
import type { Answer, Asked } from './server';

/** What each recording is about. */
export const routes = new Map(recordings.map((name) => [name, routeOf(load(name))]));

/** For a setting: who may do it after the action that was asked for. */
const settingOf = (admins: string, everyone: string): string =>
	`={{ { ${admins}: 'admins', ${everyone}: 'everyone' }[$json.action] ?? 'unchanged' }}`;

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

/** Tests that recorded replies come out right: all of them, or so many of each route. */
export function testReplies<Server extends Played>(
	{ start, run: runOn }: Host<Server>,
	most = Infinity,
): void {
	const ofRoute = (route: string) => recordings.filter((name) => routes.get(name) === route).slice(0, most);
	const run = async (server: Server, { apiKey, ...item }: Ask, parameters: object) =>
		await runOn(server, apiKey, parameters, item);

	const changeParameters = (options: object = {}) =>
		groupParameters({
			instance: '={{ $json.instance }}',
			group: '={{ $json.group }}',
			action: '={{ $json.action }}',
			participants: '={{ $json.participants }}',
			options,
		});

	/** How each call that changes something is asked for, and what is to come of a success. */
	const changes: Record<
		string,
		{ parameters: (options: object) => object; check: (ask: Ask, result: Result, body: unknown) => void }
	> = {
		'group/updateParticipant': {
			parameters: changeParameters,
			check: (ask, { main }, body) => expect(main.map(({ json }) => json)).toEqual(expectedRows(ask, body)),
		},
		'group/updateSetting': {
			parameters: (options) =>
				updateSettings('={{ $json.group }}', '={{ $json.instance }}', {
					sendMessages: settingOf('announcement', 'not_announcement'),
					editInfo: settingOf('locked', 'unlocked'),
					options,
				}),
			check: (ask, { main }) => expect(main.map(({ json }) => json)).toEqual([expectedSetting(ask)]),
		},
		'group/revokeInviteCode': {
			parameters: (options) => resetInviteLink('={{ $json.group }}', '={{ $json.instance }}', { options }),
			check: (ask, { main, error }, body) => {
				const isReset = field(body, 'inviteCode') !== undefined;
				expect(main.map(({ json }) => json)).toEqual(isReset ? [expectedNewLink(ask, body)] : []);
				if (!isReset)
					expect(error?.message).toMatch(/no new link.*not known whether the old link still works/);
			},
		},
	};

	describe.each(Object.entries(changes))('of %s', (route, { parameters, check }) => {
		test.each(ofRoute(route))('%s', async (name) => {
			const recorded = withoutRefused(name, load(name));
			const ask = acceptable(name, recorded);
			const { status, body } = recorded.response;
			const both = recorded.request.method === 'POST' || isNoRoute(body);
			const attempt = async (options: object) => {
				const server = await start(played(recorded));
				return { server, result: await run(server, ask, parameters(options)) };
			};
			const { server, result } =
				status === null
					? await withPatience(
							async (timeout) => await attempt({ timeout }),
							(tried) => tried.server.calls.length === (both ? 2 : 1),
						)
					: await attempt({});

			expectNoSecret(result, recorded, ask);
			// A setting that lost the connection is looked up, which gets the same answer here.
			const changing = server.calls.filter(({ method }) => method !== 'GET');
			expect(changing.map(({ method }) => method)).toEqual(both ? ['PUT', 'POST'] : ['PUT']);
			if (status === null) {
				expect(result.error?.message).toMatch(/didn't answer within [\d.]+ seconds?.*not known whether/);
				return;
			}
			if (isRefusedAlone(body)) return expectRejected(result, ask);
			if (status >= 400) return expectGatewaysWords(result, body);
			if (result.main.length > 0) expect(result.error).toBeUndefined();
			check(ask, result, body);
		});
	});

	describe('of a list of instances', () => {
		test.each(ofRoute('instance/fetchInstances'))('%s', async (name) => {
			const recorded = load(name);
			const ask = acceptable(name, recorded);
			const { status, body } = recorded.response;
			const server = await start(played(recorded));
			const wanted = String(ask.instance);
			const filters = wanted === '' ? {} : { instanceName: wanted };

			const many = await run(server, ask, getMany({ returnAll: true, filters }));
			const one = await run(server, ask, getInstance(wanted === '' ? 'alpha' : wanted));
			expectNoSecret([many, one], recorded, ask);
			const isStatusMissing = /^whatsmiau.*(by-name|logged-out)/.test(name);
			expect(server.calls.map(({ method, path, key }) => [method, path.split(/[/?]/)[2], key])).toEqual([
				['GET', 'fetchInstances', ask.apiKey],
				['GET', 'fetchInstances', ask.apiKey],
				...(isStatusMissing ? [['GET', 'connectionState', ask.apiKey]] : []),
			]);

			if (status === 204) {
				expect(many.error?.message).toMatch(/response is empty/);
				expect(one.error?.message).toMatch(/response is empty/);
				return;
			}
			if (status !== 200) {
				// Versions 1.8.4 to 1.8.6 say it with a 500.
				const isUnknownName = (status === 404 || status === 500) && wanted !== '';
				if (isUnknownName) expect([many.error, many.main]).toEqual([undefined, []]);
				else expectGatewaysWords(many, body);
				return expectGatewaysWords(one, body);
			}
			const all = instancesIn(body);
			const found = all.filter((instance) => wanted === '' || instance.name === wanted);
			expect(many.main.map(({ json }) => withoutNullPicture(json))).toEqual(
				found.map(({ record }) => simplified(record)),
			);
			const right = all.find((instance) => instance.name === (wanted === '' ? 'alpha' : wanted));
			expect(one.main.map(({ json }) => withoutNullPicture(json))).toEqual(
				right === undefined ? [] : [simplified(right.record)],
			);
			if (right === undefined) expect(one.error?.message).toMatch(/couldn't be found/);

			const whole = { simplify: false, returnAll: true, filters, options: { includeSecrets: true } };
			const raw = await run(server, ask, getMany(whole));
			// The credential's own key is shown to nobody.
			const elements = JSON.stringify(found.map(({ element }) => element));
			expect(raw.main.map(({ json }) => json)).toEqual(
				JSON.parse(ask.apiKey === '' ? elements : elements.replaceAll(ask.apiKey, '**hidden**')),
			);
		});
	});

	describe('of a bot', () => {
		test.each(['openai/find', 'openai/fetch'].flatMap(ofRoute).filter((name) => !isBotList(load(name))))(
			'%s',
			async (name) => {
				const recorded = load(name);
				const ask = acceptable(name, recorded);
				const { status, body } = recorded.response;
				const server = await start(played(recorded));
				const result = await run(server, ask, getBot('={{ $json.bot }}', '={{ $json.instance }}'));

				expectNoSecret(result, recorded, ask);
				const both = routeOf(recorded) === 'openai/fetch' || isNoRoute(body);
				const ofBots = server.calls.filter(({ path }) => path.startsWith('/openai/'));
				expect(ofBots.map(({ path }) => path.split('/')[2])).toEqual(both ? ['find', 'fetch'] : ['find']);
				if (status !== 200) return expectGatewaysWords(result, body);
				// Where the reply has no more than the id of the bot's instance, it does not tell which one that is.
				expect(result.main.map(({ json }) => json)).toEqual(body === null ? [] : [body]);
				if (body === null) expect(result.error?.message).toMatch(/bot .* couldn't be found/);
			},
		);
	});

	const isNotConnected = ({ error }: Result) => error?.message.includes("isn't connected") === true;

	/** How each call that only reads is asked for, and what is to come of a success. */
	const reads: Record<
		string,
		{ parameters: (options: object) => object; check: (ask: Ask, result: Result, body: unknown) => void }
	> = {
		'group/participants': {
			parameters: (options) => getMembers('={{ $json.group }}', '={{ $json.instance }}', { options }),
			check: (ask, { main }, body) =>
				expect(main.map(({ json }) => json)).toEqual(expectedMembers(ask, body)),
		},
		'group/fetchAllGroups': {
			parameters: (options) => getGroups('={{ $json.instance }}', { options }),
			check: (ask, { main, error }, body) => {
				expect(main.map(({ json }) => json)).toEqual(expectedGroups(ask, body));
				if (body === null) expect(error?.message).toMatch(/set to ignore groups/);
				else expect(error).toBeUndefined();
			},
		},
		'group/inviteCode': {
			parameters: (options) => getInviteLink('={{ $json.group }}', '={{ $json.instance }}', { options }),
			check: (ask, { main }, body) => expect(main.map(({ json }) => json)).toEqual([expectedLink(ask, body)]),
		},
		'instance/connect': {
			parameters: (options) => getQrCode('={{ $json.instance }}', { options }),
			check: (ask, { main }, body) => {
				const { json, picture } = expectedQrCode(ask, body);
				expect(main.map((item) => [item.json, item.binary?.data?.data])).toEqual([[json, picture]]);
			},
		},
	};

	describe.each(Object.entries(reads))('of %s', (route, { parameters, check }) => {
		test.each(ofRoute(route))('%s', async (name) => {
			const recorded = load(name);
			const ask = acceptable(name, recorded);
			const server = await start(played(recorded));
			const isSilent = recorded.response.status === null;
			const result = await run(server, ask, parameters({ maxRetries: 0, ...(isSilent && { timeout: 500 }) }));
			const { status, body } = recorded.response;

			expectNoSecret(result, recorded, ask);
			// The live state is asked before a read is repeated, and a gateway without that route counts as open.
			const isLost = /didn't answer the gateway|lost its connection/.test(result.error?.message ?? '');
			const mayBeAway = status === null || isLost || isNotConnected(result);
			const isRepeated = route !== 'instance/connect' && mayBeAway;
			const asked = isRepeated ? [route, 'instance/connectionState', route] : [route];
			expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(
				asked.map((one) => expect.stringMatching(`^GET /${one}/`)),
			);
			if (status === null) expect(result.error?.message).toMatch(/didn't answer within/);
			else if (status >= 400) expectGatewaysWords(result, body);
			else check(ask, result, body);
		});
	});

	describe('of an invite', () => {
		test.each(ofRoute('group/sendInvite'))('%s', async (name) => {
			const recorded = load(name);
			const { status, body } = recorded.response;
			const [first] = listOf(acceptable(name, recorded).participants);
			const ask = { ...acceptable(name, recorded), participants: [first] };
			const link = { inviteUrl: 'https://chat.whatsapp.com/Abc', inviteCode: 'Abc' };
			const number = { exists: false, jid: '1@s.whatsapp.net' };
			const others = new Map<string | undefined, Answer>([
				['inviteCode', { status: 200, body: link }],
				['whatsappNumbers', { status: 200, body: [number] }],
			]);
			const play = played(recorded);
			const server = await start((asked) => others.get(asked.path.split('/')[2]) ?? play(asked));
			const parameters = inviteParameters({
				instance: '={{ $json.instance }}',
				group: '={{ $json.group }}',
				participants: '={{ $json.participants }}',
				message: '={{ $json.message }}',
				options: { batchInterval: 0, ...(status === null && { timeout: 500 }) },
			});
			const result = await run(server, ask, parameters);

			expectNoSecret(result, recorded, ask);
			const unexplained = wordsOf(body).join() === 'No send invite';
			const isAboutNumbers = wordsOf(body).some((words) => words.startsWith('numbers'));
			const isSent = status !== null && status < 400;
			// A message that was sent is looked up.
			const last = unexplained ? ['whatsappNumbers'] : isSent ? ['findMessages'] : [];
			expect(server.calls.map(({ path }) => path.split('/')[2])).toEqual([
				'inviteCode',
				'sendInvite',
				...last,
			]);
			if (status !== null && !isSent && !unexplained && !isAboutNumbers)
				return expectGatewaysWords(result, body);
			const refused = isAboutNumbers ? 'rejected' : unexplained ? 'notFound' : 'unconfirmed';
			const outcome = isSent ? 'sent' : refused;
			expect(result.main.map(({ json }) => [json.participant, json.outcome])).toEqual([[first, outcome]]);
		});
	});

	describe('or the node refuses what was asked, before any request', () => {
		const cases = refused.flatMap(([what, reason, says]) =>
			recordings
				.filter((name) => what.test(name))
				.slice(0, most)
				.map((name) => ({ name, reason, says })),
		);
		const others: Record<string, object> = {
			'group/sendInvite': inviteParameters({
				group: '={{ $json.group }}',
				participants: '={{ $json.participants }}',
				message: '={{ $json.message }}',
			}),
			'openai/find': getBot('={{ $json.bot }}', '={{ "" }}'),
			'openai/fetch': getBot('={{ $json.bot }}', '={{ "" }}'),
		};
		test.each(cases)('$name: $reason', async ({ name, says }) => {
			const recorded = load(name);
			const ask = askOf(recorded);
			const server = await start(played(recorded));
			const call = routeOf(recorded);
			const parameters = { ...reads, ...changes }[call]?.parameters({}) ?? others[call] ?? getMany();
			const result = await run(server, ask, parameters);
			expect(result.error?.message).toMatch(says);
			expect(result.main).toEqual([]);
			expect(server.calls).toEqual([]);
		});
	});
}
