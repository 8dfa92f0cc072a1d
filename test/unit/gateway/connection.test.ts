import { BlockedCall, GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import {
	ConnectionFailure,
	type Http,
	type HttpReply,
	type HttpRequest,
} from '../../../nodes/MessagingGateway/gateway/http';
import { load } from '../../recordings';
import { CREDENTIAL, isSettled, rejectionOf } from '../support';

const GROUP = { instance: 'main', groupJid: '1@g.us' };
const ONCE = { timeout: 120_000, maxRetries: 0 };
const TWICE = { timeout: 120_000, maxRetries: 1 };
/** A reply that is one to each call of these tests. */
const LINK = { inviteUrl: 'https://x/AbC', inviteCode: 'AbC' };
const WELL = { revoked: true, ...LINK, id: 'b', name: 'main' };

type Answer = Partial<HttpReply> & { body?: unknown };

function replyOf({ body = WELL, status = 200, headers = {}, elapsed = 5, ...rest }: Answer): HttpReply {
	return { status, headers, elapsed, text: JSON.stringify(body), ...rest };
}

const missing = (method: string): Answer => ({ status: 404, body: { message: [`Cannot ${method} /x`] } });

/** The live state of the instance, as the gateway says it. */
const state = (text?: string): Answer => ({ body: { instance: { instanceName: 'main', state: text } } });

let gateways = 0;

/** A gateway that answers as told, in order, and then that all is well; and what it was asked. */
function gatewayThat(...answers: Array<Answer | ConnectionFailure>) {
	// What is known of one gateway lasts as long as the process.
	const credential = { ...CREDENTIAL, baseUrl: `https://gateway-${++gateways}.example.com` };
	const asked: HttpRequest[] = [];
	const routes: string[] = [];
	const http: Http = async (request) => {
		asked.push(request);
		routes.push(new URL(request.url).pathname.split('/')[2] ?? '');
		const answer = answers.shift() ?? {};
		if (answer instanceof ConnectionFailure) throw answer;
		return await Promise.resolve(replyOf(answer));
	};
	const cancel = new AbortController();
	const connect = (
		options: ConstructorParameters<typeof GatewayClient>[2] = { cancelSignal: cancel.signal },
	) => new GatewayClient(credential, http, options);
	const connection = connect();
	const called = () => asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
	return { connection, connect, asked, routes, called, cancel };
}

describe('a reply', () => {
	it.each([200, 400])("that isn't understood is read as far as errors are long: %d", async (status) => {
		const error = (length: number): Answer => ({
			status,
			text: JSON.stringify({ message: 'Bad value', more: 'a'.repeat(length) }),
		});
		const { connection } = gatewayThat(error(999_000), error(1_000_000));
		const messageOf = async () => await rejectionOf(connection.allInstances(ONCE));

		expect(await messageOf()).toMatchObject({ call: { message: 'Bad value' } });
		expect(await messageOf()).toMatchObject({ call: { status, message: '', body: undefined } });
	});
});

describe('the forms of a route', () => {
	const [noPut, noPost, noGet] = [missing('PUT'), missing('POST'), missing('GET')];
	const lost = new ConnectionFailure('ECONNRESET');

	// Calls for a new link and for a bot, in runs.
	it.each<[string, string, Array<Answer | ConnectionFailure>, string]>([
		['are tried in order, and the known one is kept', 'link link', [noPut], 'PUT POST POST'],
		['are not all tried again where there is none', 'bot bot', [noGet, noGet, noGet], 'find fetch fetch'],
		['are found out after a call without a reply, too', 'link link', [lost, noPut], 'PUT PUT POST'],
		[
			'begin in a later run with the known one',
			'link bot | link bot',
			[noPut, {}, noGet],
			'PUT POST find fetch POST fetch',
		],
		[
			'are found again where another generation has taken its place, at any time',
			'link | link link link',
			[noPut, {}, noPost, {}, {}, noPut],
			'PUT POST POST PUT PUT PUT POST',
		],
		['begin with the next one where that got no reply', 'link | link', [noPut, lost], 'PUT POST POST'],
		['are all tried in a later run', 'bot | bot', [noGet, noGet, noGet], 'find fetch find fetch'],
	])('%s', async (_, calls, answers, expected) => {
		const { connect, asked } = gatewayThat(...answers);
		for (const run of calls.split(' | ')) {
			const client = connect();
			for (const call of run.split(' ')) {
				const calling = call === 'bot' ? client.bot('main', 'b', ONCE) : client.resetInviteLink(GROUP, ONCE);
				await calling.catch(() => {});
			}
		}
		const forms = asked.map(({ method, url }) => (method === 'GET' ? url.split('/')[4] : method));
		expect(forms.join(' ')).toBe(expected);
	});
});

describe('a network that was silent for most of a minute', () => {
	const silentAnswers: Array<[string, Answer | ConnectionFailure]> = [
		['an empty success', { text: '', elapsed: 55_000 }],
		['no reply', new ConnectionFailure('ETIMEDOUT', 60_000)],
		['a refusal', { status: 404, elapsed: 60_000 }],
	];

	it.each(silentAnswers)(
		"has the instance's state asked once, which says that it isn't connected: %s",
		async (_, silent) => {
			const { connection, called } = gatewayThat(silent, state('close'));
			const failure = await rejectionOf(connection.groups('main', ONCE));

			expect(failure).toMatchObject({
				message: "The instance isn't connected",
				policy: { certainlyNotApplied: false },
			});
			expect(called()).toEqual(['GET /group/fetchAllGroups/main', 'GET /instance/connectionState/main']);
		},
	);

	it.each([
		['is open', state('open')],
		['is not given', state()],
		["can't be asked for", { status: 500 }],
	])('is told as it was where the state %s', async (_, answer) => {
		const { connection, asked } = gatewayThat({ text: '', elapsed: 60_000 }, answer);
		const failure = await rejectionOf(connection.groups('main', ONCE));

		expect(failure).toMatchObject({ message: "The messaging network didn't answer the gateway" });
		expect(asked).toHaveLength(2);
	});

	it.each<[string, Answer]>([
		['it was a little faster', { text: '', elapsed: 54_999 }],
		['it is about no instance', { text: '', elapsed: 60_000 }],
	])('is not looked into where %s', async (what, answer) => {
		const { connection, asked } = gatewayThat(answer);
		await rejectionOf(
			what.includes('no instance') ? connection.allInstances(ONCE) : connection.groups('main', ONCE),
		);

		expect(asked).toHaveLength(1);
	});

	it('is not looked into where a slow reply is an answer', async () => {
		const { connection, asked } = gatewayThat({ body: [{ id: '1@g.us' }], elapsed: 90_000 });
		await connection.groups('main', ONCE);

		expect(asked).toHaveLength(1);
	});
});

describe('waits', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('end when the execution is canceled, and leave no timer that takes over a second', async () => {
		const { connection, cancel } = gatewayThat();
		const pause = connection.pause(60_000);
		await jest.advanceTimersByTimeAsync(5500);
		cancel.abort();

		expect(await isSettled(pause)).toBe(true);
		await jest.advanceTimersByTimeAsync(1000);
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe('an execution that is canceled', () => {
	it('while it waits to send again what was refused says so, and leaves the wait to other runs', async () => {
		const cancel = new AbortController();
		let sent = 0;
		const http: Http = async () => {
			sent++;
			queueMicrotask(() => cancel.abort());
			return await Promise.resolve(replyOf({ status: 429 }));
		};
		const credential = { ...CREDENTIAL, baseUrl: 'http://canceled.example' };
		const connection = new GatewayClient(credential, http, { cancelSignal: cancel.signal });
		connection.startChanges([GROUP], 0);
		const failure = await rejectionOf(connection.resetInviteLink(GROUP, TWICE));

		expect(failure).toBeInstanceOf(GatewayFailure);
		expect(failure).toMatchObject({
			message: 'The execution was canceled before the request was sent again',
			policy: { certainlyNotApplied: true },
		});
		expect(sent).toBe(1);
		const next = new GatewayClient(credential, http);
		next.startChanges([GROUP], 0);
		expect(next.blockedBy(GROUP.instance)?.message).toContain('Nothing more is sent until');
	});
});

describe('after a change that may have cost the account its connection', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const unknown: Answer = { status: 500, body: { message: 'no' } };

	/** Runs at one gateway of their own, which answers in order; and what it was asked, by the last word of the route. */
	function runsAt(...answers: Array<Answer | ConnectionFailure>) {
		const { connect, routes: asked } = gatewayThat(...answers);
		const start = () => {
			const cancel = new AbortController();
			const connection = connect({ cancelSignal: cancel.signal });
			/** Changes the group, and gives how that ended and after what time, in ms. */
			const change = async (group = GROUP): Promise<[ended: unknown, after: number]> => {
				const started = Date.now();
				const changing = connection.inTurn(group, async () => {
					await connection.resetInviteLink(group, ONCE);
					return 'done';
				});
				const ended = changing
					.catch((failure: unknown) => failure)
					.then((end) => [end, Date.now() - started]);
				await jest.advanceTimersByTimeAsync(60_000);
				return (await ended) as [unknown, number];
			};
			return { connection, change, cancel };
		};
		return { start, asked };
	}

	const [CHANGE_CALL, QUESTION] = ['revokeInviteCode', 'connectionState'];

	it.each<[string, Answer | ConnectionFailure]>([
		['an outcome that is not known', unknown],
		['no answer', new ConnectionFailure('ETIMEDOUT', 60_000)],
		['a lost connection', { status: 400, body: { message: ['Error updating participants', '1006'] } }],
		['"Connection Closed"', { status: 400, body: { message: ['Error', 'Connection Closed'] } }],
		[
			'an instance that was never connected',
			{
				status: 400,
				body: { message: "Cannot read properties of undefined (reading 'groupParticipantsUpdate')" },
			},
		],
	])('the next one asks the live state, and no other does: %s', async (_, answer) => {
		const { start, asked } = runsAt(answer, state('open'));
		const { change } = start();
		await change();
		expect(asked).toEqual([CHANGE_CALL]);
		expect(await change()).toEqual(['done', 0]);
		await change();
		expect(asked).toEqual([CHANGE_CALL, QUESTION, CHANGE_CALL, CHANGE_CALL]);
	});

	it.each<[string, Answer]>([
		['it was done', {}],
		['it was refused', { status: 400, body: { message: ['Error', 'Error: not-acceptable'] } }],
	])('it is not asked where %s', async (_, answer) => {
		const { start, asked } = runsAt(answer);
		const { change } = start();
		await change();
		await change();
		expect(asked).toEqual([CHANGE_CALL, CHANGE_CALL]);
	});

	it.each<[string, Answer]>([
		['lacks that route', missing('GET')],
		['refuses it', { status: 401 }],
		['forbids it', { status: 403 }],
		['is in trouble', { status: 502 }],
		['gives no state', state()],
		['gives another state', state('paired')],
		['answers with a page', { text: '<p>Welcome</p>' }],
		['redirects', { status: 302, headers: { location: 'https://other.example.com/' } }],
		['asks for a license', { status: 503, body: { code: 'LICENSE_REQUIRED' } }],
	])(
		'a gateway that %s says nothing: the change is sent, and the next one does not ask',
		async (_, answer) => {
			const { start, asked } = runsAt(unknown, answer);
			const { change } = start();
			await change();
			expect(await change()).toEqual(['done', 0]);
			expect(await change()).toEqual(['done', 0]);
			expect(asked).toEqual([CHANGE_CALL, QUESTION, CHANGE_CALL, CHANGE_CALL]);
		},
	);

	it.each(['close', 'connecting', 'CLOSE'])(
		'an instance that is %s is asked once more after 5 s',
		async (text) => {
			const { start, asked } = runsAt(unknown, state(text), state('open'));
			const { change } = start();
			await change();
			expect(await change()).toEqual(['done', 5000]);
			expect(asked).toEqual([CHANGE_CALL, QUESTION, QUESTION, CHANGE_CALL]);
		},
	);

	it('an instance without any answer is stopped at once for this run, and the next run goes on', async () => {
		const { start, asked } = runsAt(unknown, new ConnectionFailure('ETIMEDOUT'));
		const { change } = start();
		await change();
		const [stopped, after] = await change();
		expect(stopped).toBeInstanceOf(BlockedCall);
		expect(stopped).toMatchObject({
			message: "Nothing was sent: the instance isn't connected, or the gateway doesn't say whether it is",
			description: expect.stringMatching(/^Check first that the gateway answers/),
		});
		expect(after).toBe(0);
		expect(await start().change()).toEqual(['done', 0]);
		expect(asked).toEqual([CHANGE_CALL, QUESTION, CHANGE_CALL]);
	});

	it('a gateway that is away by then is stopped in its own words', async () => {
		const { start } = runsAt(unknown, new ConnectionFailure('ECONNREFUSED'));
		const { change } = start();
		await change();
		const [stopped] = await change();
		expect(stopped).toMatchObject({
			message: expect.stringMatching(/^Nothing was sent .*connection refused/),
		});
	});

	it('a change that is canceled while it is under way has the next one ask, and stops nobody', async () => {
		const { start, asked } = runsAt(new ConnectionFailure('ERR_CANCELED'), state('open'));
		const [first, second] = [start(), start()];
		const ends = await Promise.all([first.change(), second.change()]);
		expect(ends.map(([end]) => end)).toEqual([expect.any(GatewayFailure), 'done']);
		expect(asked).toEqual([CHANGE_CALL, QUESTION, CHANGE_CALL]);
	});
});

describe('a read about an instance that may not be connected', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const closed: Answer = { status: 404, body: { message: ['No participants', 'Connection Closed'] } };
	const late = new ConnectionFailure('ETIMEDOUT', 400);

	async function ended(call: Promise<unknown>): Promise<unknown> {
		const end = call.catch((failure: unknown) => failure);
		await jest.advanceTimersByTimeAsync(60_000);
		return await end;
	}

	const words = (status: number, ...message: string[]): Answer => ({ status, body: { message } });
	const whatsMiau = (name: string): Answer => ({
		status: 500,
		body: load(`whatsmiau-1.0__updateParticipant__POST-${name}`).response.body,
	});

	describe.each<[string, Answer | ConnectionFailure, number]>([
		['says that it is not', closed, 1],
		['timed out', late, 1],
		['lost it', words(404, 'No participants', '1006'), 2],
		['lost it in the words of its library', words(500, 'Connection Terminated'), 2],
		['lost it in those of WhatsMiau', whatsMiau('stream-error-515'), 2],
		['waited in vain for the network', words(404, 'No participants', 'Timed Out'), 1],
		['waited in vain for that of WhatsMiau', whatsMiau('silence'), 1],
	])('where it %s', (_, answer, looks) => {
		it.each([0, 5])('is repeated once if that is open, whatever the retries: %i', async (maxRetries) => {
			const { connection, called } = gatewayThat(answer, state('open'), answer, {});
			const options = { timeout: 1000, maxRetries };
			expect(await ended(connection.inviteLink(GROUP, options))).toBeInstanceOf(GatewayFailure);
			const read = 'GET /group/inviteCode/main';
			expect(called()).toEqual([read, 'GET /instance/connectionState/main', read]);
		});

		it.each([
			['is closed', state('close'), /^The instance isn't connected($| \()/],
			[
				'gives no answer',
				new ConnectionFailure('ETIMEDOUT'),
				/^The instance isn't connected, or the gateway/,
			],
		])('fails at once if that %s, and nothing more is asked of it', async (__, second, says) => {
			const isClosed = !(second instanceof ConnectionFailure);
			const { connection, asked } = gatewayThat(answer, ...Array<typeof second>(looks).fill(second));
			const failure = await ended(connection.inviteLink(GROUP, TWICE));
			expect(failure).toMatchObject({ message: expect.stringMatching(says) });
			expect(await ended(connection.inviteLink(GROUP, TWICE))).toBeInstanceOf(BlockedCall);
			expect(asked).toHaveLength(isClosed ? 1 + looks : 2);
		});
	});

	it('is told that the instance is missing, if its state says so', async () => {
		const { connection, asked } = gatewayThat(
			words(404, 'instance is not connected', 'client is nil'),
			words(404, 'instance not found'),
		);
		const failing = ended(connection.inviteLink(GROUP, TWICE));
		expect(await failing).toMatchObject({
			message: expect.stringMatching(/^The instance couldn't be found/),
		});
		expect(asked).toHaveLength(2);
	});

	it('looks again 4 s later where the connection was lost: 2.4 waits 3 s before it connects', async () => {
		const { connection, asked } = gatewayThat(words(404, 'No participants', '1006'), state('connecting'));
		const reading = connection.inviteLink(GROUP, TWICE);
		await jest.advanceTimersByTimeAsync(4999);
		expect(asked).toHaveLength(2);
		await jest.advanceTimersByTimeAsync(1);
		expect(asked).toHaveLength(3);
		await jest.advanceTimersByTimeAsync(2000);
		expect(await reading).toEqual(LINK);
	});

	it('waits a second before it asks where the connection was lost', async () => {
		const { connection, asked } = gatewayThat(words(404, 'No participants', '1006'));
		const reading = connection.inviteLink(GROUP, TWICE);
		await jest.advanceTimersByTimeAsync(999);
		expect(asked).toHaveLength(1);
		await jest.advanceTimersByTimeAsync(1);
		expect(asked).toHaveLength(2);
		await jest.advanceTimersByTimeAsync(1999);
		expect(asked).toHaveLength(2);
		await jest.advanceTimersByTimeAsync(1);
		expect(await reading).toEqual(LINK);
	});

	it('says that it was canceled where that comes before the answer', async () => {
		const { connection, cancel } = gatewayThat(closed, new ConnectionFailure('ERR_CANCELED'));
		const failing = rejectionOf(connection.inviteLink(GROUP, TWICE));
		cancel.abort();
		expect(await failing).toMatchObject({ message: expect.stringContaining('canceled') });
	});

	it.each(['trigger', 'editor'] as const)(
		'is not looked into where nobody asks for that: %p',
		async (caller) => {
			const { connect, asked } = gatewayThat(closed);
			await rejectionOf(connect({ caller }).inviteLink(GROUP, TWICE));
			expect(asked).toHaveLength(1);
		},
	);
});
