import { GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { Gateway, BlockedCall, type ReplyReader } from '../../../nodes/MessagingGateway/gateway/connection';
import {
	ConnectionFailure,
	type Http,
	type HttpReply,
	type HttpRequest,
} from '../../../nodes/MessagingGateway/gateway/http';

const CREDENTIAL = {
	baseUrl: 'https://gateway.example.com',
	apiKey: 'KEY-0000',
	allowUnauthorizedCerts: false,
};
const INSTANCE = { path: { instance: 'main' } };
const CHANGE = { ...INSTANCE, query: { groupJid: '1@g.us' }, body: { action: 'add' } };
const ONCE = { timeout: 120_000, maxRetries: 0 };
const TWICE = { timeout: 120_000, maxRetries: 1 };
/** With this header nothing is waited for before a request is sent again. */
const AT_ONCE = { 'retry-after': '0' };

const asItIs: ReplyReader<unknown> = { read: (body) => ({ body }) };
const listOnly: ReplyReader<unknown> = { read: (body) => (Array.isArray(body) ? body : undefined) };

type Answer = Partial<HttpReply> & { body?: unknown };

function replyOf({
	body = { ok: true },
	status = 200,
	headers = {},
	elapsed = 5,
	...rest
}: Answer): HttpReply {
	return { status, headers, elapsed, text: JSON.stringify(body), ...rest };
}

const missing = (method: string): Answer => ({ status: 404, body: { message: [`Cannot ${method} /x`] } });

/** A gateway that answers as told, in order, and then that all is well; and what it was asked. */
function gatewayThat(...answers: Array<Answer | ConnectionFailure>) {
	const asked: HttpRequest[] = [];
	const http: Http = async (request) => {
		asked.push(request);
		const answer = answers.shift() ?? {};
		if (answer instanceof ConnectionFailure) throw answer;
		return await Promise.resolve(replyOf(answer));
	};
	const cancel = new AbortController();
	const gateway = new Gateway(CREDENTIAL, http, { cancelSignal: cancel.signal });
	const called = () => asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
	return { gateway, asked, called, cancel };
}

/** What a call ends in. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
	return await call.then(
		() => {
			throw new Error('There was no failure');
		},
		(failure: unknown) => failure,
	);
}

describe('a reply', () => {
	it.each([
		[54_999, false],
		[55_000, true],
	])('after %d ms is read as one of a silent network: %p', async (elapsed, isSilent) => {
		const { gateway } = gatewayThat({ body: [1], elapsed });
		const read = (body: unknown, slow: boolean) => ({ body, slow });

		expect(await gateway.read('listInstances', {}, ONCE, { read })).toEqual({ body: [1], slow: isSilent });
	});

	it.each<[string, Answer, ReplyReader<unknown>, string]>([
		['the body of an error', { body: { error: true, message: 'no' } }, listOnly, 'error'],
		['empty', { text: '' }, listOnly, 'empty'],
		['null', { text: 'null' }, listOnly, 'empty'],
		[
			'nothing where there has to be something',
			{ body: [] },
			{ ...listOnly, isEmpty: (value) => Array.isArray(value) && value.length === 0 },
			'empty',
		],
		['of another shape', { body: 'ok' }, listOnly, 'shape'],
		[
			'one that its reader stumbles over',
			{ body: [] },
			{ read: (body) => JSON.parse(String(body)) as unknown },
			'shape',
		],
		['a page', { text: '<p>Hello</p>' }, asItIs, 'notJson'],
		['too large', { text: undefined }, asItIs, 'tooLarge'],
	])('is a failure of which nothing is known where it is %s', async (_, answer, reader, unreadable) => {
		const { gateway } = gatewayThat(answer);
		const failure = await failureOf(gateway.read('updateParticipants', CHANGE, TWICE, reader));

		expect(failure).toBeInstanceOf(GatewayFailure);
		expect(failure).toMatchObject({ certainlyNotApplied: false, observed: { unreadable } });
	});

	it('is not a failure where nothing is an answer', async () => {
		const { gateway } = gatewayThat({ body: [] });

		expect(await gateway.read('listInstances', {}, ONCE, listOnly)).toEqual([]);
	});

	it('that is a refusal may be an answer', async () => {
		const refusals: Answer[] = [{ status: 404 }, { status: 400 }];
		const { gateway } = gatewayThat(...refusals);
		const reader = {
			...listOnly,
			readFailure: ({ status }: { status?: number }) => (status === 404 ? [] : undefined),
		};

		expect(await gateway.read('listInstances', {}, ONCE, reader)).toEqual([]);
		await expect(gateway.read('listInstances', {}, ONCE, reader)).rejects.toThrow('status 400');
	});

	it('whose words hold the key is told without it', async () => {
		const { gateway } = gatewayThat({ status: 500, body: { message: 'KEY-0000 is wrong' } });

		expect(await failureOf(gateway.read('listInstances', {}, ONCE, asItIs))).not.toHaveProperty(
			'message',
			expect.stringContaining('KEY-0000'),
		);
	});
});

describe('a request that failed', () => {
	it('is sent again if it is a read', async () => {
		const { gateway, asked } = gatewayThat({ status: 503, headers: AT_ONCE });

		expect(await gateway.read('listGroups', INSTANCE, TWICE, asItIs)).toEqual({ body: { ok: true } });
		expect(asked).toHaveLength(2);
	});

	it('is not sent again if it is a change that may have been carried out', async () => {
		const { gateway, asked } = gatewayThat({ status: 503, headers: AT_ONCE });

		await failureOf(gateway.read('updateParticipants', CHANGE, TWICE, asItIs));
		expect(asked).toHaveLength(1);
	});

	it('is sent again as a change if it certainly was not carried out, as it was', async () => {
		const { gateway, asked } = gatewayThat({ status: 429, headers: AT_ONCE });

		await gateway.read('updateParticipants', CHANGE, TWICE, asItIs);
		expect(asked).toHaveLength(2);
		expect(asked[1]).toEqual(asked[0]);
	});

	it('is known by its code where there was no reply, whatever was thrown', async () => {
		const { gateway } = gatewayThat(new ConnectionFailure('ECONNRESET', 3));
		const broken = new Gateway(CREDENTIAL, async () => await Promise.reject(new Error('https://x?apikey=1')));

		expect(await failureOf(gateway.read('listGroups', INSTANCE, ONCE, asItIs))).toMatchObject({
			observed: { network: 'ECONNRESET' },
		});
		expect(await failureOf(broken.read('listGroups', INSTANCE, ONCE, asItIs))).toMatchObject({
			message: "The request to the gateway couldn't be completed (UNKNOWN)",
		});
	});
});

describe('the forms of a route', () => {
	it('are tried in order, and the one that the gateway knows is kept', async () => {
		const { gateway, called } = gatewayThat(missing('PUT'));

		for (let i = 0; i < 2; i++) await gateway.read('updateParticipants', CHANGE, ONCE, asItIs);
		expect(called()).toEqual(
			['PUT', 'POST', 'POST'].map((method) => `${method} /group/updateParticipant/main`),
		);
	});

	it('are not all tried again where the gateway has none', async () => {
		const { gateway, called } = gatewayThat(missing('GET'), missing('GET'), missing('GET'));
		const bot = { path: { instance: 'main', bot: 'b' } };

		for (let i = 0; i < 2; i++) await failureOf(gateway.read('findBot', bot, ONCE, asItIs));
		expect(called()).toEqual(['/find', '/fetch', '/fetch'].map((form) => `GET /openai${form}/b/main`));
	});

	it('are found out once for calls at the same time', async () => {
		const { gateway, called } = gatewayThat(missing('PUT'));

		await Promise.all(
			[1, 2, 3].map(async () => await gateway.read('updateParticipants', CHANGE, ONCE, asItIs)),
		);
		expect(called().map((call) => call.split(' ')[0])).toEqual(['PUT', 'POST', 'POST', 'POST']);
	});

	it('are still to be found out after a call without a reply', async () => {
		const { gateway, called } = gatewayThat(new ConnectionFailure('ECONNRESET'), missing('PUT'));

		await failureOf(gateway.read('updateParticipants', CHANGE, ONCE, asItIs));
		await gateway.read('updateParticipants', CHANGE, ONCE, asItIs);
		expect(called().map((call) => call.split(' ')[0])).toEqual(['PUT', 'PUT', 'POST']);
	});
});

describe('after the gateway said no', () => {
	it('nothing is sent, and it says why', async () => {
		const { gateway, asked } = gatewayThat({ status: 429 });
		await failureOf(gateway.read('updateParticipants', CHANGE, ONCE, asItIs));
		const failure = await failureOf(gateway.read('listInstances', {}, ONCE, asItIs));

		expect(failure).toBeInstanceOf(BlockedCall);
		expect(failure).toMatchObject({
			message: 'Nothing was sent for this item: The gateway limits the number of requests',
		});
		expect(asked).toHaveLength(1);
	});

	it('others are still sent what an instance refused', async () => {
		const { gateway, asked } = gatewayThat({ status: 401 });
		await failureOf(gateway.read('updateParticipants', CHANGE, ONCE, asItIs));
		await gateway.read('updateParticipants', { ...CHANGE, path: { instance: 'other' } }, ONCE, asItIs);

		expect(gateway.blockedBy('main')).toBeDefined();
		expect(asked).toHaveLength(2);
	});

	it('a rate limit in the body of a 2xx counts', async () => {
		const { gateway } = gatewayThat({ body: { error: true, message: 'rate-overlimit' } });
		await failureOf(gateway.read('updateParticipants', CHANGE, ONCE, listOnly));

		expect(gateway.blockedBy('main')).toBeDefined();
	});

	it('a refused list of instances stops nothing', async () => {
		const { gateway } = gatewayThat({ status: 401 });
		await failureOf(gateway.read('listInstances', {}, ONCE, asItIs));

		expect(gateway.blockedBy('main')).toBeUndefined();
	});
});

describe('a network that was silent for most of a minute', () => {
	const state = (text?: string): Answer => ({ body: { instance: { instanceName: 'main', state: text } } });
	const silentAnswers: Array<[string, Answer | ConnectionFailure]> = [
		['an empty success', { text: '', elapsed: 55_000 }],
		['no reply', new ConnectionFailure('ETIMEDOUT', 60_000)],
		['a refusal', { status: 404, elapsed: 60_000 }],
	];

	it.each(silentAnswers)(
		"has the instance's state asked once, which says that it isn't connected: %s",
		async (_, silent) => {
			const { gateway, called } = gatewayThat(silent, state('close'));
			const failure = await failureOf(gateway.read('listGroups', INSTANCE, ONCE, listOnly));

			expect(failure).toMatchObject({ message: "The instance isn't connected", certainlyNotApplied: false });
			expect(called()).toEqual(['GET /group/fetchAllGroups/main', 'GET /instance/connectionState/main']);
		},
	);

	it.each([
		['is open', state('open')],
		['is not given', state()],
		["can't be asked for", { status: 500 }],
	])('is told as it was where the state %s', async (_, answer) => {
		const { gateway, asked } = gatewayThat({ text: '', elapsed: 60_000 }, answer);
		const failure = await failureOf(gateway.read('listGroups', INSTANCE, ONCE, listOnly));

		expect(failure).toMatchObject({ message: "The messaging network didn't answer the gateway" });
		expect(asked).toHaveLength(2);
	});

	it.each<[string, Answer, object]>([
		['it was a little faster', { text: '', elapsed: 54_999 }, INSTANCE],
		['it is about no instance', { text: '', elapsed: 60_000 }, {}],
	])('is not looked into where %s', async (_, answer, values) => {
		const { gateway, asked } = gatewayThat(answer);
		await failureOf(gateway.read('listGroups', values, ONCE, listOnly));

		expect(asked).toHaveLength(1);
	});

	it('is not looked into where a slow reply is an answer', async () => {
		const { gateway, asked } = gatewayThat({ body: [1], elapsed: 90_000 });
		await gateway.read('listGroups', INSTANCE, ONCE, listOnly);

		expect(asked).toHaveLength(1);
	});
});

describe('waits', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	/** Whether a promise is settled already. */
	async function isSettled(promise: Promise<unknown>): Promise<boolean> {
		const open = Symbol('open');
		await jest.advanceTimersByTimeAsync(0);
		return (await Promise.race([promise, Promise.resolve(open)])) !== open;
	}

	it('take as long as they should', async () => {
		const { gateway } = gatewayThat();
		const pause = gateway.pause(3500);

		await jest.advanceTimersByTimeAsync(3499);
		expect(await isSettled(pause)).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(await isSettled(pause)).toBe(true);
	});

	it('need no timer where there is nothing to wait for', async () => {
		await gatewayThat().gateway.pause(0);

		expect(jest.getTimerCount()).toBe(0);
	});

	it('end when the execution is canceled, and leave no timer that takes over a second', async () => {
		const { gateway, cancel } = gatewayThat();
		const pause = gateway.pause(60_000);
		await jest.advanceTimersByTimeAsync(5500);
		cancel.abort();

		expect(await isSettled(pause)).toBe(true);
		await jest.advanceTimersByTimeAsync(1000);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('are not begun after the execution was canceled', async () => {
		const { gateway, cancel } = gatewayThat();
		cancel.abort();
		const pause = gateway.pause(60_000);

		expect(await isSettled(pause)).toBe(true);
	});
});

describe('an execution that is canceled', () => {
	it('sends nothing more', async () => {
		const { gateway, asked, cancel } = gatewayThat();
		cancel.abort();
		const failure = await failureOf(gateway.read('listInstances', {}, ONCE, asItIs));

		expect(failure).toMatchObject({ message: 'Nothing was sent for this item: The execution was canceled' });
		expect(asked).toHaveLength(0);
	});

	it('while it waits to send again what was refused says so, and not that nothing was sent', async () => {
		const cancel = new AbortController();
		let sent = 0;
		const http: Http = async () => {
			sent++;
			queueMicrotask(() => cancel.abort());
			return await Promise.resolve(replyOf({ status: 429 }));
		};
		const gateway = new Gateway(CREDENTIAL, http, { cancelSignal: cancel.signal });
		const failure = await failureOf(gateway.read('updateParticipants', CHANGE, TWICE, asItIs));

		expect(failure).toBeInstanceOf(GatewayFailure);
		expect(failure).toMatchObject({
			message: 'The execution was canceled before the request was sent again',
			certainlyNotApplied: true,
		});
		expect(sent).toBe(1);
	});
});
