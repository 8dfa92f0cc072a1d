import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { ICredentialTestFunctions } from 'n8n-workflow';
import { say } from '../../../nodes/MessagingGateway/common/problem';
import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import { readBaseUrl, readCredential } from '../../../nodes/MessagingGateway/gateway/credential';
import { BlockedCall, GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import {
	ConnectionFailure,
	credentialTestHttp,
	type HttpReply,
} from '../../../nodes/MessagingGateway/gateway/http';
import { bodyOf, type RouteForm, ROUTES, urlOf } from '../../../nodes/MessagingGateway/gateway/routes';
import { redirectTarget } from '../../../nodes/MessagingGateway/gateway/sender';
import type { ChangeRequest } from '../../../nodes/MessagingGateway/groups/change';
import { wordsOf } from '../../engine/gateways/recorded';
import { shownFields } from '../../../nodes/MessagingGateway/gateway/replies/groups';
import { allRecordings, load } from '../../recordings';
import { CREDENTIAL, isSettled, person, problemOf, rejectionOf, testExamples } from '../support';

describe('the base URL', () => {
	testExamples(
		{
			'stays as it is': 'https://gateway.example.com → https://gateway.example.com',
			'may be http': 'http://localhost:8080 → http://localhost:8080',
			'may be an IPv6 address': 'http://[::1]:8080 → http://[::1]:8080',
			'loses a trailing slash': 'https://gateway.example.com/ → https://gateway.example.com',
			'loses several trailing slashes': 'https://gateway.example.com/// → https://gateway.example.com',
			'loses a trailing /manager': 'https://gateway.example.com/manager → https://gateway.example.com',
			'loses a trailing /manager/': 'https://gateway.example.com/manager/ → https://gateway.example.com',
			'keeps a sub-path': 'https://example.com/tools/gateway/ → https://example.com/tools/gateway',
			'keeps a sub-path before /manager': 'https://example.com/gateway/manager → https://example.com/gateway',
			'loses the slashes before /manager too':
				'https://example.com/gateway//manager → https://example.com/gateway',
			'keeps a path that only ends like it': 'https://example.com/mymanager → https://example.com/mymanager',
			'loses what comes after /manager': 'https://example.com/manager/login?x#y → https://example.com',
			'keeps a host of that name': 'http://manager:8080/manager/ → http://manager:8080',
			'loses its query, too': 'https://example.com/a/manager/x?apikey=k3y#y → https://example.com/a',
			'loses it after a #': 'https://example.com/#/manager → https://example.com',
			'keeps a sub-path before #/manager': 'https://example.com/a/#/manager/login?x → https://example.com/a',
			'loses both': 'https://example.com/manager/#/manager → https://example.com',
			'keeps a path that only begins like it': 'https://example.com/managers → https://example.com/managers',
			'is trimmed': '  https://gateway.example.com\n → https://gateway.example.com',
			'may shout': 'HTTPS://Gateway.Example.COM → https://gateway.example.com',
		},
		' → ',
		([value = '', expected]) => {
			expect(readBaseUrl(value)).toBe(expected);
		},
	);

	it.each([[undefined], [null], [''], ['  \n'], [0], [true], [{}], [['https://gateway.example.com']]])(
		'is asked for where it is %p',
		(value) => {
			const problem = problemOf(() => readBaseUrl(value));

			expect(problem.message).toBe('The base URL is empty');
			expect(problem.description).toContain('https://gateway.example.com');
		},
	);

	it.each([
		...['gateway.example.com', 'localhost:8080', '//gateway.example.com'],
		...['ftp://gateway.example.com', 'ftp://gateway.example.com/https://gateway.example.com'],
		...['file:///etc/passwd', 'javascript:alert(1)', 'http:/gateway.example.com'],
		...['http:gateway.example.com', 'https://', 'https://exa mple.com'],
		'https://gateway.example.com:99999',
	])('is refused where it is %s', (value) => {
		expect(problemOf(() => readBaseUrl(value)).message).toBe(
			`The base URL "${value}" isn't a valid http or https address`,
		);
	});

	it.each([
		...['https://gateway.example.com/?apikey=k3y', 'https://gateway.example.com/#/k3y'],
		...['https://gateway.example.com/?k3y#/manager', 'https://gateway.example.com/?k3y=/manager'],
		...['https://gateway.example.com/#/managers', 'https://gateway.example.com/#/k3y#/manager'],
	])('is refused with a query or fragment, which is not shown: %s', (value) => {
		const { message, description } = problemOf(() => readBaseUrl(value));

		expect(message).toBe('The base URL "https://gateway.example.com/" has a query or fragment');
		expect(description).toMatch(/^Remove everything from the "\?" or "#" on\. Set 'Base URL'/);
	});

	it.each([
		['https://user:p4ss@gateway.example.com'],
		['https://p4ss@gateway.example.com'],
		['https://:p4ss@gateway.example.com'],
	])('is refused with a user name or password, which is not shown: %s', (value) => {
		const { message, description } = problemOf(() => readBaseUrl(value));

		expect(message).toBe('The base URL contains a username or password');
		expect(description).toMatch(/^Remove them\. Set 'Base URL'/);
	});

	it.each([
		['https://user:p4ss/word@gateway.example.com'],
		['ftp://user:p4ss@gateway.example.com'],
		['user:p4ss@gateway.example.com'],
	])('is not shown where it may hold a password and is no address: %s', (value) => {
		expect(problemOf(() => readBaseUrl(value)).message).toBe(
			"The base URL isn't a valid http or https address",
		);
	});

	it('is read in one go however long it is', () => {
		const slashes = '/'.repeat(20_000);

		expect(readBaseUrl(`https://example.com${slashes}a${slashes}`)).toBe(`https://example.com${slashes}a`);
	});
});

describe('the base URL to set after a redirect', () => {
	const requested = 'http://gateway.example.com/api/instance/fetchInstances?instanceName=a';
	const baseUrl = 'http://gateway.example.com/api';

	testExamples(
		{
			'keeps what stands before the route':
				'https://other.example.com/v2/instance/fetchInstances?instanceName=a → https://other.example.com/v2',
			'is the origin where the route is gone': 'https://other.example.com/login → https://other.example.com',
			'is read from a header without an origin':
				'/v2/instance/fetchInstances → http://gateway.example.com/v2',
			'is read from a header without a scheme':
				'//other.example.com/instance/fetchInstances → http://other.example.com',
			'leaves out what may hold secrets':
				'https://user:p4ss@other.example.com/x?apikey=k3y#k3y → https://other.example.com',
		},
		' → ',
		([location = '', expected]) => {
			expect(redirectTarget(location, requested, baseUrl)).toBe(expected);
		},
	);

	it('is found where the base URL has no path', () => {
		expect(
			redirectTarget(
				'https://b.example.com/x/instance/all',
				'http://a.example.com/instance/all',
				'http://a.example.com',
			),
		).toBe('https://b.example.com/x');
	});

	it.each([['/;token=abc'], ['/a%20b'], ['/key=abc']])(
		'is the origin where the path may hold a secret: %s',
		(path) => {
			expect(
				redirectTarget(
					`https://b.example.com${path}/instance/all`,
					'http://a.example.com/instance/all',
					'http://a.example.com',
				),
			).toBe('https://b.example.com');
		},
	);

	it.each([['/login'], ['/api/login'], ['/api/instance/fetchInstances?instanceName=b'], [requested]])(
		'is not known where the gateway redirects to itself: %s',
		(location) => {
			expect(redirectTarget(location, requested, baseUrl)).toBeUndefined();
		},
	);

	it.each([[''], ['http://'], ['ftp://other.example.com'], ['javascript:alert(1)'], ['data:,x']])(
		'is not known from the header %p',
		(location) => {
			expect(redirectTarget(location, requested, baseUrl)).toBeUndefined();
		},
	);
});

const dataWith = (apiKey: unknown) => ({ baseUrl: 'https://x.example.com', apiKey });

const UNSENT = "an invisible character, or one that can't be sent";

describe('the API key', () => {
	it.each([
		['TEST-KEY-0001', 'TEST-KEY-0001'],
		[' \tTEST-KEY-0001\r\n', 'TEST-KEY-0001'],
		['TEST KEY', 'TEST KEY'],
		['"schlüssel" «a» b', '"schlüssel" «a» b'],
	])('%j is sent as %j', (entered, sent) => {
		expect(readCredential(dataWith(entered)).apiKey).toBe(sent);
	});

	it.each([
		['\u200bTEST-KEY', UNSENT],
		['TEST\u200dKEY', UNSENT],
		['TEST-KEY\ufeff', UNSENT],
		['TEST-KEY\u00a0', UNSENT],
		['TEST\u00adKEY', UNSENT],
		['TEST\u2028KEY', UNSENT],
		['TEST\u3000KEY', UNSENT],
		['TEST\u2800KEY', UNSENT],
		['“TEST-KEY”', 'typographic quotes'],
		['«TEST-KEY»', 'typographic quotes'],
		['TEST-KEY’', 'typographic quotes'],
		['TEST\nKEY', UNSENT],
		['TEST\tKEY', UNSENT],
		['TEST\u0000KEY', UNSENT],
		['TEST\u0085KEY', UNSENT],
		['ключ-0000', UNSENT],
		['TEST–KEY', UNSENT],
		['TEST-KEY-😀', UNSENT],
	])('%j is refused for %s', (entered, what) => {
		const { message, description } = problemOf(() => readCredential(dataWith(entered)));

		expect(message).toBe(`The API key contains ${what}`);
		expect(description).toMatch(/^Enter it again in the credential/);
	});

	it.each([[''], [' \r\n\t'], [undefined], [null], [5]])('%j is none', (entered) => {
		expect(problemOf(() => readCredential(dataWith(entered))).message).toBe('The API key is empty');
	});

	it.each([['key'], [' 1234567 ']])('%j is refused as none', (entered) => {
		expect(problemOf(() => readCredential(dataWith(entered))).message).toBe('The API key is too short');
	});

	it('is trimmed in one go however much space is in it', () => {
		const key = `TEST${' '.repeat(200_000)}KEY`;

		expect(readCredential(dataWith(`${key} `)).apiKey).toBe(key);
	});
});

const FOREVER = 2_000_000_000;

/** Reads a reply whose body is this, which comes when `head` is there. */
async function read(body: unknown, timeout: number, head: Promise<unknown> = Promise.resolve()) {
	const request = async () => {
		await head;
		return { statusCode: 200, headers: { a: 'b' }, body };
	};
	const helpers = { request } as unknown as ICredentialTestFunctions['helpers'];
	const http = credentialTestHttp({ helpers } as ICredentialTestFunctions, {
		apiKey: 'KEY-0000',
		allowUnauthorizedCerts: false,
	});
	return await http({ method: 'GET', url: 'http://127.0.0.1', timeout });
}

const refused = { code: 'ECONNREFUSED' };

it.each([
	['ECONNREFUSED', { cause: { cause: refused } }],
	['ECONNREFUSED', { httpCode: null, errorResponse: refused }],
	['SSRF_BLOCKED', { cause: { name: 'SsrfBlockedIpError' } }],
	['UNKNOWN', { code: 'no code', message: 'ECONNREFUSED' }],
])('a connection fails with the code %s, however n8n has wrapped it: %j', async (code, thrown) => {
	await expect(read('', FOREVER, Promise.reject(thrown))).rejects.toMatchObject({ code });
});

describe('a body', () => {
	it('is read whole, also where a character is in two pieces', async () => {
		const bytes = Buffer.from('["é"]');

		expect(await read(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]), FOREVER)).toMatchObject({
			status: 200,
			headers: { a: 'b' },
			text: '["é"]',
		});
	});

	it('that stays away ends at the timeout, also where its stream does not end when it is closed', async () => {
		let isClosed = false;
		const next = async () => await new Promise<never>(() => undefined);
		const body = { [Symbol.asyncIterator]: () => ({ next }), destroy: () => (isClosed = true) };

		await expect(read(body, 50)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		expect(isClosed).toBe(true);
	});

	it('that comes after the timeout is closed', async () => {
		const body = new PassThrough();
		let come = (_: unknown) => {};
		const head = new Promise((resolve) => (come = resolve));

		await expect(read(body, 50, head)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		const closed = once(body, 'close');
		come(undefined);
		await closed;
	});
});

const BASE = 'https://gateway.example.com/api';

describe('the address of a call', () => {
	const [change] = ROUTES.updateParticipants.forms;
	const [findBot] = ROUTES.findBot.forms;
	const [list] = ROUTES.listInstances.forms;

	it.each<[string, RouteForm, Parameters<typeof urlOf>[2], string]>([
		['has nothing where nothing is asked', list, {}, '/instance/fetchInstances'],
		['has the query', list, { instanceName: 'main' }, '/instance/fetchInstances?instanceName=main'],
		[
			'has every pair of the query',
			list,
			{ groupJid: '1', bot: '2' },
			'/instance/fetchInstances?groupJid=1&bot=2',
		],
		[
			'is the published one of a group change',
			change,
			{ instance: 'main', groupJid: '120363021345678901@g.us' },
			'/group/updateParticipant/main?groupJid=120363021345678901%40g.us',
		],
		['has values in the order of the path', findBot, { instance: 'main', bot: 'b1' }, '/openai/find/b1/main'],
		[
			'leaves a value that looks like a place for another alone',
			findBot,
			{ bot: '{instance}', instance: '$&' },
			'/openai/find/%7Binstance%7D/%24%26',
		],
	])('%s', (_, form, values, expected) => {
		expect(urlOf(BASE, form, values)).toBe(BASE + expected);
	});
});

describe('the body of a call', () => {
	const [put, post] = ROUTES.revokeInviteCode.forms;
	const values = { instance: 'main', groupJid: '1@g.us' };

	it.each<[string, RouteForm | undefined, object, object | undefined]>([
		[
			'has the group in a POST',
			post,
			{ ...values, body: { action: 'add' } },
			{ action: 'add', groupJid: '1@g.us' },
		],
		['has nothing but the group in a POST of nothing', post, values, { groupJid: '1@g.us' }],
		['is as published in a PUT', put, { ...values, body: { action: 'add' } }, { action: 'add' }],
		['is none in a PUT of nothing', put, values, undefined],
		['is as it is where no group is named', post, { body: { numbers: ['1'] } }, { numbers: ['1'] }],
	])('%s', (_, form, given, expected) => {
		expect(form && bodyOf(form, given)).toEqual(expected);
	});
});

describe('client', () => {
	const GROUP = { instance: 'main', groupJid: '1@g.us' };
	const ONCE = { timeout: 120_000, maxRetries: 0 };
	/** A reply that is one to each call of these tests. */
	const LINK = { inviteUrl: 'https://x/AbC', inviteCode: 'AbC' };
	const WELL = { revoked: true, ...LINK, id: 'b', name: 'main' };

	type Answer = HttpReply | ConnectionFailure;

	/**
	 * Reads an answer: `ok`, `empty`, `page`, `state close`, `404 some words`, `recorded name`, JSON of a success, or the code of
	 * a connection that fails; with `in 60 s` at its end the time it took.
	 */
	function answerOf(line: string): Answer {
		const [, text = '', seconds = '0.005'] = /^(.*?)(?: in ([\d.]+) s)?$/.exec(line) ?? [];
		const elapsed = Number(seconds) * 1000;
		const [first = '', ...rest] = text.split(' ');
		const words = rest.join(' ');
		const reply = (body: unknown, status = 200, headers = {}): HttpReply => ({
			...{ status, headers, elapsed },
			text: typeof body === 'string' ? body : JSON.stringify(body),
		});
		if (/^[A-Z_]{5,}$/.test(text)) return new ConnectionFailure(text, elapsed);
		if (text === 'ok') return reply(WELL);
		if (text === 'empty') return reply('');
		if (text === 'page') return reply('<p>Welcome</p>');
		if (first === 'recorded') {
			const { status, body } = load(words).response;
			return reply(body, status ?? 504);
		}
		if (first === 'state') return reply({ instance: { instanceName: 'main', state: words || undefined } });
		if (text === '302') return reply('', 302, { location: 'https://other.example.com/' });
		if (text === '503') return reply({ code: 'LICENSE_REQUIRED' }, 503);
		if (/^\d{3}$/.test(first))
			return reply(words === '' ? '' : { message: words.split(', ') }, Number(first));
		return reply(text);
	}

	const ROUTES = {
		...{ inviteCode: 'read', fetchAllGroups: 'groups', fetchInstances: 'all', connectionState: 'state' },
		...{ updateSetting: 'set', findGroupInfos: 'group', updateParticipant: 'add', sendInvite: 'invite' },
	};
	/** What is asked for, in a word: the method of a new link, the route of a bot. */
	function wordOf(method: string, url: string): string {
		const [, room, route = ''] = new URL(url).pathname.split('/');
		if (route === 'revokeInviteCode') return method;
		return room === 'openai' ? route : (new Map(Object.entries(ROUTES)).get(route) ?? route);
	}

	let gateways = 0;

	/** A gateway that answers as told, in order, and then that all is well; and what it was asked. */
	function gatewayThat(...answers: Answer[]) {
		// What is known of one gateway lasts as long as the process.
		const credential = { ...CREDENTIAL, baseUrl: `https://gateway-${++gateways}.example.com` };
		const asked: string[] = [];
		const connect = (settings: ConstructorParameters<typeof GatewayClient>[2] = {}) =>
			new GatewayClient(
				credential,
				async ({ method, url }) => {
					asked.push(wordOf(method, url));
					const answer = answers.shift() ?? answerOf('ok');
					if (answer instanceof ConnectionFailure) throw answer;
					return await Promise.resolve(answer);
				},
				settings,
			);
		return { connect, asked };
	}

	const CHANGE = { ...GROUP, item: 0, action: 'add' as const, participant: person('4915200000001') };
	const REQUEST: ChangeRequest = {
		...{ ...GROUP, action: 'add' },
		...{ changes: [CHANGE], participants: [person('4915200000001')] },
	};

	/** How a call is made, by its word. */
	const CALLS: Record<string, (client: GatewayClient) => Promise<unknown>> = {
		link: async (client) => await client.resetInviteLink(GROUP, ONCE),
		bot: async (client) => await client.bot('main', 'b', ONCE),
		groups: async (client) => await client.groups('main', ONCE),
		all: async (client) => await client.allInstances(ONCE),
		read: async (client) => await client.inviteLink(GROUP, { ...ONCE, maxRetries: 1 }),
		readOnce: async (client) => await client.inviteLink(GROUP, ONCE),
		readOften: async (client) => await client.inviteLink(GROUP, { ...ONCE, maxRetries: 5 }),
		change: async (client) =>
			await client.session.inTurn(
				GROUP,
				ONCE,
				async (options) => await client.resetInviteLink(GROUP, options),
			),
		changeOften: async (client) => {
			const often = { ...ONCE, maxRetries: 2 };
			return await client.session.inTurn(
				GROUP,
				often,
				async (options) => await client.resetInviteLink(GROUP, options),
			);
		},
		nothing: async (client) => await client.session.inTurn(GROUP, ONCE, async () => await Promise.resolve()),
		add: async (client) =>
			await client.session.inTurn(
				GROUP,
				ONCE,
				async (options) => await client.changeParticipants(REQUEST, options),
			),
		invite: async (client) =>
			await client.session.inTurn(
				GROUP,
				ONCE,
				async (options) => await client.sendInvite(GROUP, { message: 'Join us', sentAs: '1' }, options),
			),
		own: async (client) => {
			const owner = (await client.ownAccounts(['main'], ONCE.timeout)).get('main');
			throw new Error(owner?.digits ?? 'unknown');
		},
		setting: async (client) =>
			await client.session.inTurn(
				GROUP,
				ONCE,
				async (options) => await client.updateGroup(GROUP, 'editInfo', 'admins', options),
			),
	};

	/** Makes the calls of some runs (`call, call / call`), and tells how each ended: `ok`, `ok after 5 s`, its message. */
	async function endsOf(runs: string, connect: () => GatewayClient): Promise<string[]> {
		const ends: string[] = [];
		for (const run of runs.split(' / ')) {
			const client = connect();
			for (const word of run.split(', ')) {
				const started = Date.now();
				const after = () => (Date.now() === started ? '' : ` after ${(Date.now() - started) / 1000} s`);
				const call = CALLS[word];
				if (call === undefined) throw new Error(`There is no call "${word}"`);
				const end = call(client).then(
					() => `ok${after()}`,
					(failure: Error) =>
						failure instanceof BlockedCall
							? say({ what: [failure.message], unsent: failure.unsent }) + after()
							: failure.message,
				);
				let isOver = false;
				void end.then(() => (isOver = true));
				for (let ms = 0; !isOver; ms = 500) await jest.advanceTimersByTimeAsync(ms);
				ends.push(await end);
			}
		}
		return ends;
	}

	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	/** Makes a test of each line: the calls | the answers | what was asked | how the last calls ended, by how that begins. */
	function testCalls(sentence: string, table: string): void {
		it.each(table.trim().split(/\n\s*/))(`${sentence}: %s`, async (line) => {
			const [calls = '', answers = '', expected, ends = ''] = line.split(' | ');
			const { connect, asked } = gatewayThat(...answers.split('; ').map(answerOf));
			const told = await endsOf(calls, connect);
			expect(asked.join(' ')).toBe(expected);
			const last = ends.split(' & ');
			for (const [i, end] of told.slice(-last.length).entries())
				if (last[i]?.startsWith('ok')) expect(end).toBe(last[i]);
				else expect(end).toMatch(new RegExp(`^${last[i]}`));
		});
	}

	testCalls(
		'the forms of a route are tried in order, and the known one is kept until another generation is there',
		`link, link | 404 Cannot PUT /x | PUT POST POST | ok
	bot, bot | 404 Cannot GET /x; 404 Cannot GET /x; 404 Cannot GET /x; 404 Cannot GET /x | find fetch find fetch | The gateway doesn't have this function
	link, link | ECONNRESET; 404 Cannot PUT /x | PUT PUT POST | ok
	link, bot / link, bot | 404 Cannot PUT /x; ok; 404 Cannot GET /x | PUT POST find fetch POST fetch | ok
	link / link, link, link | 404 Cannot PUT /x; ok; 404 Cannot POST /x; ok; ok; 404 Cannot PUT /x | PUT POST POST PUT PUT PUT POST | ok
	link / link | 404 Cannot PUT /x; ECONNRESET | PUT POST POST | ok
	bot / bot | 404 Cannot GET /x; 404 Cannot GET /x; 404 Cannot GET /x | find fetch find fetch | ok`,
	);

	testCalls(
		'after most of a minute of silence the live state is asked once, and only a closed one counts',
		`groups | empty in 55 s; state close | groups state | The instance isn't connected
	groups | ETIMEDOUT in 60 s; state close | groups state | The instance isn't connected
	groups | 404 in 60 s; state close | groups state | The instance isn't connected
	groups | empty in 60 s; state open | groups state | The messaging network didn't answer the gateway
	groups | empty in 60 s; state | groups state | The messaging network didn't answer the gateway
	groups | empty in 60 s; 500 | groups state | The messaging network didn't answer the gateway
	groups | empty in 54.999 s | groups | The gateway gave no list of groups
	all | empty in 60 s | all | The
	groups | [{"id":"1@g.us"}] in 90 s | groups | ok`,
	);

	testCalls(
		'after a change that may have cost the connection the next change asks the live state, and no other',
		`change | 500 no | PUT | The gateway answered with status 500
	change, change, change | 500 no; state open | PUT state PUT PUT | ok & ok
	change, change, change | ETIMEDOUT in 60 s; state open | PUT state PUT PUT | ok & ok
	change, change, change | 400 Error updating participants, 1006; state open | PUT state PUT PUT | ok & ok
	change, change, change | 400 Error, Connection Closed; state open | PUT state PUT PUT | ok & ok
	change, change, change | 400 Cannot read properties of undefined (reading 'groupParticipantsUpdate'); state open | PUT state PUT PUT | ok & ok
	change, change | ok | PUT PUT | ok
	change, change | 400 Error, Error: not-acceptable | PUT PUT | ok`,
	);

	testCalls(
		'two changes in a row that end unknown stop the instance, also with a turn between them that sends nothing',
		`change, change, change | 500 no; state open; 500 no | PUT state PUT | .*Two requests in a row
	change, nothing, change, change | 500 no; state open; 500 no | PUT state PUT | .*Two requests in a row
	change, change, change, change | 500 no; state open; ok; 500 no; state open | PUT state PUT PUT state PUT | ok`,
	);

	testCalls(
		'a gateway that does not tell the state is sent the change',
		['404 Cannot GET /x', '401', '403', 'state', 'state paired', 'page', '302', '500']
			.map((answer) => `change, change, change | 500 no; ${answer} | PUT state PUT PUT | ok & ok`)
			.join('\n'),
	);

	testCalls(
		'an instance that is away is asked once more after 5 s, and without any answer stopped for this run',
		`change, change | 500 no; state close; state open | PUT state state PUT | ok after 5 s
	change, change | 500 no; state connecting; state open | PUT state state PUT | ok after 5 s
	change, change | 500 no; state CLOSE; state open | PUT state state PUT | ok after 5 s
	change, change / change | 500 no; ETIMEDOUT | PUT state PUT | Nothing was sent: the gateway doesn't answer \\(no response in time\\)$ & ok
	change, change | 500 no; ECONNREFUSED; 502; ECONNRESET | PUT state state state | Nothing was sent: the gateway doesn't answer \\(connection closed\\)
	change, change | 500 no; ECONNREFUSED; 521; state open | PUT state state state PUT | ok after 40 s
	change, change | 500 no; ENOTFOUND; EAI_AGAIN; state open | PUT state state state PUT | ok after 40 s
	change, change | 500 no; 502; 502; EAI_AGAIN | PUT state state state | Nothing was sent: the gateway doesn't answer \\(the host name couldn't be found\\)`,
	);

	testCalls(
		'a change that a gateway refuses to connect for waits as long as a restart takes, once the gateway was there',
		`change, changeOften | ok; ECONNREFUSED; ECONNREFUSED | PUT PUT PUT PUT | ok after 40 s
	change, changeOften, change | ok; ECONNREFUSED; ECONNREFUSED; ECONNREFUSED | PUT PUT PUT PUT | Couldn't connect to .*: connection refused & .*Couldn't connect
	changeOften | ECONNREFUSED; ECONNREFUSED; ECONNREFUSED | PUT PUT PUT | Couldn't connect to .*: connection refused`,
	);

	const recorded = 'recorded whatsmiau-1.0__updateParticipant__POST-';
	/** Failures of a connection that may be away, and how often its state is looked up before that counts. */
	const AWAY: Array<[answer: string, looks: 1 | 2]> = [
		['404 No participants, Connection Closed', 1],
		['ETIMEDOUT', 1],
		['404 No participants, Timed Out', 1],
		[`${recorded}silence`, 1],
		['404 No participants, 1006', 2],
		['500 Connection Terminated', 2],
		[`${recorded}stream-error-515`, 2],
	];
	testCalls(
		'a read that may not have reached the instance is repeated once if that is open, whatever the retries',
		AWAY.map(([answer, looks]) => {
			const [closed, states] = [`; state close`.repeat(looks), ' state'.repeat(looks)];
			return `readOnce | ${answer}; state open; ${answer} | read state read | The
		readOften | ${answer}; state open; ${answer} | read state read | The
		read, read | ${answer}${closed} | read${states} | The instance isn't connected($|[^,]) & .*The instance isn't connected
		read, read | ${answer}; ETIMEDOUT | read state | The gateway doesn't answer & .*The gateway doesn't answer`;
		})
			.concat(
				`read | 404 instance is not connected, client is nil; 404 instance not found | read state | The instance couldn't be found`,
				// 2.4 waits 3 s before it connects.
				`read | 404 No participants, 1006; state connecting | read state state read | ok after 7 s`,
				`read | 404 No participants, 1006 | read state read | ok after 3 s`,
			)
			.join('\n'),
	);

	const [ADDED, SENT] = ['{"updateParticipants":[]}', '{"send":true,"inviteUrl":"https://x/undefined"}'];
	testCalls(
		'after a success with nothing in it that took a minute, an instance that is away twice is sent nothing more',
		[
			`add | ${ADDED} | add`,
			`setting | {} | set`,
			`change | {"revoked":true} | PUT`,
			`invite | ${SENT} | invite`,
		]
			.map((write) => write.split(' | '))
			.map(
				([call, body, route]) =>
					`${call}, ${call} | ${body} in 60 s; state connecting; state connecting | ${route} state state | Nothing was sent: the instance isn't connected`,
			)
			.concat(
				`add, add | ${ADDED}; ${ADDED} | add add | ok`,
				`add, add | ${ADDED} in 60 s; state open; ${ADDED} in 60 s; state open | add state add state | ok`,
			)
			.join('\n'),
	);

	testCalls(
		'own accounts are what the list of instances says, and unknown where there is none, which stops nothing',
		`own | [{"name":"main","id":"1","ownerJid":"4915200000001@s.whatsapp.net"}] | all | 4915200000001
	own, read | [{"name":"other","id":"1","ownerJid":"4915200000001@s.whatsapp.net"}] | all read | unknown & ok
	own, read | ECONNREFUSED | all read | unknown & ok
	own, read | 429 | all read | unknown & ok
	own, read | 503 | all read | unknown & ok
	own, read | 302 | all read | unknown & ok
	own, read | 401 | all read | unknown & ok
	own, read | 404 Instance "main" not found | all read | unknown & ok`,
	);

	it('a success with nothing in it of a closed instance says so, and the advice to check comes last, where Sync can leave it out', async () => {
		const { connect } = gatewayThat(answerOf(`${ADDED} in 60 s`), answerOf('state close'));
		const { results } = await connect().changeParticipants(REQUEST, ONCE);
		expect(results).toMatchObject([
			{ applied: null, message: expect.stringMatching(/isn't connected\. Check the group[^.]*\.$/) },
		]);
	});

	it.each(allRecordings.filter((name) => name.includes('__findGroupInfos__')))(
		'a recorded group shows what can be set of it, or nothing, or why it is refused: %s',
		async (name) => {
			const { status, body } = load(name).response;
			const reply = { status: status ?? 504, headers: {}, text: JSON.stringify(body), elapsed: 5 };
			const { subject, desc = '', announce } = Object(body);
			const isRefused = status !== 200 && !/^Cannot /.test(wordsOf(body)[0] ?? '');
			const reading = gatewayThat(reply, answerOf('state open'), reply).connect().groupBefore(GROUP, ONCE);
			const shown = reading.then((group) => group && shownFields(group)).catch((failure: unknown) => failure);
			await jest.advanceTimersByTimeAsync(10_000);
			if (isRefused) expect(await shown).toBeInstanceOf(GatewayFailure);
			else if (status !== 200 || body === null) expect(await shown).toBe(null);
			else {
				const sendMessages = announce === true ? 'admins' : 'everyone';
				expect(await shown).toMatchObject({ subject, description: desc, sendMessages });
			}
		},
	);

	it.each(allRecordings.filter((name) => /__connectionState(__|-)/.test(name)))(
		'an instance is not connected only where a recorded gateway says so: %s',
		async (name) => {
			const { status, body } = load(name).response;
			const state = { status: status ?? 0, headers: {}, text: JSON.stringify(body), elapsed: 5 };
			const { connect } = gatewayThat(answerOf('empty in 60 s'), state);
			const [end] = await endsOf('groups', connect);
			const isClosed = status === 200 && /"(close|closed|connecting)"/.test(JSON.stringify(body));
			expect(end).toMatch(
				isClosed ? /^The instance isn't connected/ : /^The messaging network didn't answer/,
			);
		},
	);

	it.each(['trigger', 'editor'] as const)('nobody who is a %s waits for the live state', async (caller) => {
		const { connect, asked } = gatewayThat(answerOf('404 No participants, Connection Closed'));
		await endsOf('read', () => connect({ caller }));
		expect(asked).toEqual(['read']);
	});

	it.each([200, 400])(
		"a reply that isn't understood is read as far as errors are long: %d",
		async (status) => {
			const error = (length: number): HttpReply => ({
				...{ status, headers: {}, elapsed: 5 },
				text: JSON.stringify({ message: 'Bad value', more: 'a'.repeat(length) }),
			});
			const client = gatewayThat(error(999_000), error(1_000_000)).connect();
			expect(await rejectionOf(client.allInstances(ONCE))).toMatchObject({ call: { message: 'Bad value' } });
			expect(await rejectionOf(client.allInstances(ONCE))).toMatchObject({
				call: { status, message: '', body: undefined },
			});
		},
	);

	it('a call that another stop ends before its repeat is told by its own failure: it was sent', async () => {
		const { connect, asked } = gatewayThat(answerOf('429'), answerOf('401'));
		const [client, other] = [connect(), connect()];
		client.session.startChanges([GROUP], 0);
		const ending = rejectionOf(client.resetInviteLink(GROUP, { ...ONCE, maxRetries: 1 }));
		await jest.advanceTimersByTimeAsync(100);
		const failure = await rejectionOf(other.resetInviteLink(GROUP, ONCE));
		client.session.account(GROUP.instance).stop.begin(() => failure as GatewayFailure);
		await jest.advanceTimersByTimeAsync(1000);
		expect(await ending).toMatchObject({ call: { status: 429 } });
		expect(asked).toEqual(['PUT', 'PUT']);
	});

	describe('an execution that is canceled', () => {
		it('waits no longer, and leaves no timer that takes over a second', async () => {
			const cancel = new AbortController();
			const pause = gatewayThat().connect({ cancelSignal: cancel.signal }).session.pause(60_000);
			await jest.advanceTimersByTimeAsync(5500);
			cancel.abort();
			expect(await isSettled(pause)).toBe(true);
			await jest.advanceTimersByTimeAsync(1000);
			expect(jest.getTimerCount()).toBe(0);
		});

		it('while it waits to send again what was refused says so, and leaves the wait to other runs', async () => {
			const cancel = new AbortController();
			const { connect, asked } = gatewayThat(answerOf('429'));
			const client = connect({ cancelSignal: cancel.signal });
			client.session.startChanges([GROUP], 0);
			const ending = rejectionOf(client.resetInviteLink(GROUP, { ...ONCE, maxRetries: 1 }));
			await jest.advanceTimersByTimeAsync(100);
			cancel.abort();
			await jest.advanceTimersByTimeAsync(1000);
			expect(await ending).toMatchObject({ message: 'The execution was canceled', unsent: 'item' });
			expect(asked).toEqual(['PUT']);
			const next = connect();
			next.session.startChanges([GROUP], 0);
			expect(next.session.blockedBy(GROUP.instance)?.message).toContain('Nothing more is sent until');
		});

		it('while a change is under way has the next one ask, and stops nobody', async () => {
			const { connect, asked } = gatewayThat(answerOf('ERR_CANCELED'), answerOf('state open'));
			const changes = [connect(), connect()].map(async (client) => await endsOf('change', () => client));
			expect((await Promise.all(changes)).flat()).toEqual([expect.stringContaining('canceled'), 'ok']);
			expect(asked).toEqual(['PUT', 'state', 'PUT']);
		});

		it('says so where that comes before the live state, and asks for no own account', async () => {
			const cancel = new AbortController();
			const settings = { cancelSignal: cancel.signal };
			const closed = answerOf('404 No participants, Connection Closed');
			const { connect, asked } = gatewayThat(closed, answerOf('ERR_CANCELED'));
			const failing = rejectionOf(connect(settings).inviteLink(GROUP, { ...ONCE, maxRetries: 1 }));
			cancel.abort();
			expect(await failing).toMatchObject({ message: expect.stringContaining('canceled') });
			const before = asked.length;
			expect(await connect(settings).ownAccounts(['main'], ONCE.timeout)).toEqual(
				new Map([['main', undefined]]),
			);
			expect(asked).toHaveLength(before);
		});
	});
});
