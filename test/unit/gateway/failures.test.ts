import { isErrorBody } from '../../../nodes/MessagingGateway/gateway/replies/errorBody';
import { messageOf, say } from '../../../nodes/MessagingGateway/common/problem';
import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import {
	type CallFailure,
	isInstanceMissing,
	isRouteMissing,
} from '../../../nodes/MessagingGateway/gateway/failures/callFailure';
import {
	BlockedCall,
	type GatewayFailure,
	toGatewayFailure,
} from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { ConnectionFailure, type Http } from '../../../nodes/MessagingGateway/gateway/http';
import { errorTextIn } from '../../../nodes/MessagingGateway/gateway/redact/errorText';
import type { RouteName } from '../../../nodes/MessagingGateway/gateway/routes';
import { allRecordings, load } from '../../recordings';
import { CREDENTIAL, person } from '../support';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const baseUrl = 'https://gateway.example.com';

const callOf = (part: Partial<CallFailure>): CallFailure => ({
	...{ baseUrl, timeout: 120_000, message: '', errorText: part.message ?? '' },
	...part,
});
const failureFor = (part: Partial<CallFailure>) => toGatewayFailure(callOf(part));

/** Reads `ECONNREFUSED`, `404 Not here`, `413 @sendInvite` (a route) the name of a recording, or JSON. */
function seen(text: string): CallFailure {
	if (text.startsWith('{')) return callOf(JSON.parse(text));
	if (/^(v\d|whatsmiau)/.test(text)) {
		const { status, body } = load(text).response;
		return callOf({ ...(status !== null && { status }), body, message: errorTextIn(body, []).message });
	}
	const [, status, route, message = ''] = /^(\d+)(?: @(\w+))?(?: (.*))?$/.exec(text) ?? [];
	if (status === undefined) return callOf({ network: text });
	return callOf({ status: Number(status), ...(route && { route: route as RouteName }), message });
}

/** Whether it is sent again, what it stops, and whether it is certain that nothing was applied. */
const courseOf = ({ policy: { retry, stop, certainlyNotApplied } }: GatewayFailure) =>
	`${retry} ${stop} ${certainlyNotApplied ? 'certain' : 'open'}`;

/** What is seen | what is said | retried, stopped, certainly not carried out | the cause for n8n | part of the advice */
const TABLE = readFileSync(join(__dirname, '../../fixtures/failures.txt'), 'utf8');
const rows = TABLE.split('\n').flatMap((line) => {
	const [what = '', ...said] = line.split(' | ');
	if (what === '' || what.startsWith('#')) return [];
	return (/^[A-Z]/.test(what) ? what.split(' ') : [what]).map((one) => [one, ...said]);
});

test.each(rows)('%s: %s, %s', (what, said = '', course, cause, advice) => {
	const failure = toGatewayFailure(seen(what));
	const { message } = seen(what);
	const reason = message === '' ? '' : ` (the gateway says: ${message})`;

	expect(failure.message).toBe(said.replace('BASE', baseUrl).replace('(CODE)', `(${what})`) + reason);
	expect(courseOf(failure)).toBe(course);
	expect(failure.policy.failureCause).toBe(cause);
	expect(failure.description).toContain(advice);
});

test.each([[301], [302], [303], [307], [308]])('%d says where the gateway redirects to', (status) => {
	const failure = failureFor({ status, redirectsTo: `${baseUrl}/v2` });

	expect(failure.message).toBe(`The gateway redirects to ${baseUrl}/v2 — set that as 'Base URL'`);
	expect(failure.description).toContain("Check 'Base URL'");
	expect(courseOf(failure)).toBe('none gateway certain');
});

test.each([
	['http://gateway.example.com', 'https://gateway.example.com', ' — set'],
	['http://gateway.example.com:8080', 'https://www.gateway.example.com', ' — set'],
	['https://www.gateway.example.com', 'https://gateway.example.com', ' — set'],
	['https://gateway.example.com', 'https://example.com', '. If that is your gateway, set'],
	['https://gateway.example.com', 'https://gateway.example.com.other.com', '. If that is your gateway, set'],
])('a redirect from %s to %s is advised as: %s', (from, to, advice) => {
	const failure = failureFor({ status: 301, baseUrl: from, redirectsTo: to });

	expect(failure.message).toBe(`The gateway redirects to ${to}${advice} that as 'Base URL'`);
});

test('leaves open whether an invite was sent, also where the gateway refuses it', () => {
	const unsent = seen('v2.2.3-SIM__groupSendInvite__network-silent');
	const failures = [54_999, 55_000].map((elapsed) => failureFor({ ...unsent, elapsed }));

	expect(failures.map(({ message }) => message)).toEqual([
		expect.stringContaining("couldn't send the invite"),
		"The messaging network didn't answer the gateway (the gateway says: No send invite)",
	]);
	expect(failures.map(({ isInviteRefused }) => isInviteRefused)).toEqual([true, false]);
	for (const { policy } of failures) expect(policy.certainlyNotApplied).toBe(false);
	for (const words of ['500 No send invite', '404 Error: No send invite', '404 No send invite: too many'])
		expect(toGatewayFailure(seen(words)).isInviteRefused).toBe(false);
});

test.each([
	['v2.3.6__updateParticipant__PUT-valid', true],
	['v2.3.6__openai__DOCUMENTED-find-botId-instance', true],
	['v1.8.2__updateParticipant__POST-valid', true],
	['v1.8.2__updateParticipant__PUT-unknown-instance', false],
	['404 The instance says: Cannot PUT /x', false],
	['405 Method Not Allowed', true],
	['{"status":404,"body":{"message":"Not Found"},"message":"Not Found"}', true],
	['{"status":404,"body":{"message":"Not Found","path":"/x"},"message":"Not Found"}', false],
	['{"status":404,"body":"Not Found","message":"Not Found"}', false],
	['404 Cannot putter /x', false],
	['404 Cannot PUT', false],
	['404 cannot put /x', false],
	['400 Cannot PUT /x', false],
])('the route is missing: %s: %p', (what, expected) => {
	expect(isRouteMissing(seen(what))).toBe(expected);
});

test.each([
	['404 Cannot GET /instance/x', {}],
	['404 no Route matched', {}],
	['404 Route GET:/instance/fetchInstances?instanceName=main not found', {}],
	['404 The route instance/x could not be found', {}],
	['404 Route PUT:/group/updateParticipant/instance?groupJid=1 not found', {}],
	['400 Instance "x" not found', {}],
	['500 TypeError: Instance "main" not found', {}],
	['500 Instance "main" not found in the cache', {}],
	['404 Instance "x" not found', '<p>Instance "x" not found</p>'],
])('is not about the instance: %s', (what, body) => {
	expect(isInstanceMissing({ ...seen(what), body })).toBe(false);
});

test.each<[object, boolean]>([
	[{ status: 400 }, true],
	[{ error: true, message: 'x' }, true],
	[{ error: 'Not Found' }, true],
	[{ status: 399 }, false],
	[{ status: 'open' }, false],
	[{ status: '404' }, false],
	[{ error: false }, false],
	[{ error: '' }, false],
])('the body of an error is known by its status and its error: %j: %p', (body, expected) => {
	expect(isErrorBody({ ...body })).toBe(expected);
});

const complaint = [{ property: 'participants', message: 'is required' }];

test.each<[unknown, boolean]>([
	[complaint, true],
	[[complaint], true],
	[['Bad Request', complaint], true],
	[['something new'], false],
	[[{ message: 'something new' }], false],
	[[null], false],
	[[], false],
])(
	"a change was certainly not carried out where the gateway's schema complains: %j: %p",
	(message, expected) => {
		const { policy } = failureFor({ status: 400, body: { response: { message } } });
		expect(policy.certainlyNotApplied).toBe(expected);
	},
);

const unreached = { network: 'ECONNREFUSED' };
const why = `Couldn't connect to ${baseUrl}: connection refused`;
const closed = { state: 'close' };

test.each<[string, Partial<CallFailure>, RouteName?]>([
	[`Nothing was sent for this item: ${why}`, unreached],
	[`Nothing was sent for this item: ${why}`, unreached, 'updateParticipants'],
	[`The groups couldn't be read: ${why}`, unreached, 'listGroups'],
	["Nothing was sent: the instance isn't connected", { route: 'connectionState', ...closed }],
	["Nothing was sent for this item: The instance isn't connected", { route: 'sendInvite', ...closed }],
	[`Nothing was sent for this item: ${why}`, { route: 'connectionState', ...unreached }],
])('a request that is not sent after a failure is told of so: %s', (message, part, ...[route]) => {
	const reason = failureFor(part);
	const blocked = new BlockedCall(reason, route);

	const { unsent, description } = blocked;
	expect([say({ what: [blocked.message], unsent }), description]).toEqual([message, reason.description]);
});

test('a failure with one more sentence says it at its end, and is the same otherwise', () => {
	const failure = failureFor({ status: 429, message: 'slow down', retryAfter: 30 });
	const more = failure.withNote('The rest was not sent').withNote('Ask Ana');

	expect(more.message).toBe(`${failure.message}. The rest was not sent. Ask Ana`);
	expect([failure.isChecked, more.isChecked]).toEqual([false, true]);
	const { description, policy } = failure;
	expect(more).toMatchObject({ description, policy, call: { status: 429, retryAfter: 30 } });
});

test.each([
	[new TypeError('x is not a function'), 'x is not a function'],
	[undefined, 'Something unexpected happened'],
	[{ message: 'text' }, 'Something unexpected happened'],
])('whatever was thrown is told: %p', (thrown, message) => {
	expect(messageOf(thrown)).toBe(message);
});

test('a failure that is remembered has no trace, which would keep all data of the run that met it', () => {
	expect(failureFor({ status: 502 }).stack).toBe('GatewayFailure: The gateway answered with status 502');
});

const OPTIONS = { timeout: 1000, maxRetries: 2 };
const SENT_AT = Date.UTC(2026, 10, 24, 5);
const MESSAGE = 'Come in';

interface Stored {
	text?: string;
	/** In seconds. */
	at?: unknown;
	statuses?: unknown[];
}

/** A reply with these messages, newest first. */
const found = (...messages: Stored[]) => ({
	messages: {
		total: messages.length,
		records: messages.map(({ text = `${MESSAGE}\n\nhttps://chat.whatsapp.com/x`, at, statuses = [] }) => ({
			key: { id: '3EB0' },
			message: { conversation: text },
			messageTimestamp: at ?? SENT_AT / 1000,
			MessageUpdate: statuses.map((status) => ({ status })),
		})),
	},
});

const jidIn = ({ body }: Parameters<Http>[0]): string => {
	const { where }: { where: { key: { remoteJid: string } } } = JSON.parse(JSON.stringify(body));
	return where.key.remoteJid;
};

/** Asks a gateway for the status of a message to somebody. */
async function ask(
	answer: (request: Parameters<Http>[0]) => { status?: number; body: unknown },
	sentAs = '4915200000001',
) {
	const requests: Parameters<Http>[0][] = [];
	const client = new GatewayClient(CREDENTIAL, async (request) => {
		requests.push(request);
		const { status = 200, body } = answer(request);
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return await Promise.resolve({ status, headers: {}, text, elapsed: 5 });
	});
	const sent = { participant: person(sentAs), message: MESSAGE, sentAt: SENT_AT };
	return { status: await client.messageStatus('main', sent, OPTIONS), requests, client };
}

const statusOf = async (...messages: Stored[]) => (await ask(() => ({ body: found(...messages) }))).status;

describe('what a recorded gateway knows of a message', () => {
	const statuses: Record<string, string> = {
		'delivered-and-read': 'notRefused',
		'delivered-historic-off': 'notRefused',
		'delivered-message-update-off': 'unknown',
		'delivered-new-message-and-historic-off': 'unknown',
		'delivered-new-message-off': 'unknown',
		'delivered-receipt-by-hidden-id': 'notRefused',
		delivered: 'notRefused',
		'long-conversation-the-newest-refused': 'refused',
		'network-gave-no-answer': 'unknown',
		'never-written-to': 'unknown',
		'refused-with-463-ack-by-hidden-id': 'refused',
		'refused-with-463-asked-after-0-ms': 'unknown',
		'refused-with-463-asked-after-30000-ms': 'refused',
		'sent-to-a-hidden-id-refused-with-463': 'refused',
		'two-messages-the-newer-refused': 'refused',
		'two-messages-the-older-refused': 'notRefused',
	};

	it.each(allRecordings.filter((name) => /^v.*__findMessages__(?!group)/.test(name)))('%s', async (name) => {
		const { request, response } = load(name);
		const { where }: { where: { key: { remoteJid: string } } } = JSON.parse(JSON.stringify(request.body));
		const { remoteJid } = where.key;
		const [, time] = /"messageTimestamp":(\d+)/.exec(JSON.stringify(response.body)) ?? [];
		const client = new GatewayClient(CREDENTIAL, async ({ body }) => {
			const isAsked = JSON.stringify(body).includes(remoteJid);
			const text = JSON.stringify(isAsked ? response.body : found());
			return await Promise.resolve({ status: 200, headers: {}, text, elapsed: 5 });
		});
		const participant = person(remoteJid.replace('@s.whatsapp.net', ''));
		const sent = { participant, message: MESSAGE, sentAt: Number(time ?? 0) * 1000 };

		expect(await client.messageStatus('main', sent, OPTIONS)).toBe(statuses[name.split('__')[2] ?? '']);
	});
});

describe('a message', () => {
	it.each<[string, unknown[]]>([
		['refused', ['ERROR']],
		['refused', ['DELIVERY_ACK', 'ERROR']],
		['notRefused', ['DELIVERY_ACK']],
		['notRefused', ['SERVER_ACK', 'READ']],
		['notRefused', ['error']],
		['unknown', []],
	])('is %s after %j', async (status, statuses) => {
		expect(await statusOf({ statuses })).toBe(status);
	});

	it('is looked for among the newest alone: an older one may have been refused', async () => {
		expect(await statusOf({ statuses: ['DELIVERY_ACK'] }, { statuses: ['ERROR'] })).toBe('notRefused');
		expect(await statusOf({ text: 'Hello', statuses: ['ERROR'] }, { statuses: ['ERROR'] })).toBe('unknown');
	});

	it.each<[unknown, string]>([
		[SENT_AT / 1000 - 3600, 'refused'],
		[SENT_AT / 1000 - 3601, 'unknown'],
		[SENT_AT / 1000 + 7200, 'refused'],
		[String(SENT_AT / 1000), 'refused'],
		[{ low: 5 }, 'unknown'],
		['soon', 'unknown'],
	])('of %j seconds is %s: clocks differ, but an old one is another message', async (at, status) => {
		expect(await statusOf({ at, statuses: ['ERROR'] })).toBe(status);
	});
});

describe('the question', () => {
	it('asks for one message that was sent to the full JID', async () => {
		const { requests } = await ask(() => ({ body: found({ statuses: ['READ'] }) }));

		expect(requests).toMatchObject([
			{
				method: 'POST',
				url: `${CREDENTIAL.baseUrl}/chat/findMessages/main`,
				body: { where: { key: { remoteJid: '4915200000001@s.whatsapp.net', fromMe: true } }, offset: 1 },
			},
		]);
	});

	it.each([
		['5531999990002', ['553199990002', '5531999990002']],
		['5511999990001', ['5511999990001', '551199990001']],
		['5215512345678', ['525512345678', '5215512345678']],
		['541112345678', ['541112345678', '5491112345678']],
		['5531999990002@s.whatsapp.net', ['5531999990002', '553199990002']],
	])('is asked in each form of %s until one has the message', async (sentAs, forms) => {
		const jids = forms.map((digits) => `${digits}@s.whatsapp.net`);
		const nowhere = await ask(() => ({ body: found() }), sentAs);
		expect(nowhere.status).toBe('unknown');
		expect(nowhere.requests.map(jidIn)).toEqual(jids);

		const last = await ask(
			(request) => ({ body: jidIn(request) === jids.at(-1) ? found({ statuses: ['ERROR'] }) : found() }),
			sentAs,
		);
		expect(last.status).toBe('refused');

		const first = await ask(() => ({ body: found({ statuses: ['ERROR'] }) }), sentAs);
		expect(first.status).toBe('refused');
		expect(first.requests).toHaveLength(1);
	});

	it('goes on to the next form where the first has another message', async () => {
		const { status } = await ask(
			(request) => ({
				body: jidIn(request).startsWith('5531999')
					? found({ statuses: ['ERROR'] })
					: found({ text: 'Hello', statuses: ['READ'] }),
			}),
			'5531999990002',
		);
		expect(status).toBe('refused');
	});
});

describe('a gateway that cannot tell', () => {
	const cannot = { response: { message: ['Cannot POST /chat/findMessages/main'] } };

	it.each<[number, unknown]>([
		[404, cannot],
		[404, { message: 'Not Found' }],
		[404, '<h1>Not found</h1>'],
		[405, { message: 'Method Not Allowed' }],
	])('has no such route: %d %j', async (status, body) => {
		expect((await ask(() => ({ status, body }))).status).toBe('noRoute');
	});

	it.each<[number, unknown]>([
		[404, { response: { message: ['The "main" instance does not exist'] } }],
		[401, { response: { message: 'Unauthorized' } }],
		[429, {}],
		[200, {}],
		[200, null],
		[200, []],
		[200, '<h1>Welcome</h1>'],
		[200, { messages: { records: null } }],
		[200, { messages: { records: [null] } }],
		[200, { error: true, message: 'Trouble' }],
	])('says nothing, stops nothing, and is asked once: %d %j', async (status, body) => {
		const { status: said, requests, client } = await ask(() => ({ status, body }));

		expect(said).toBe('unknown');
		expect(requests).toHaveLength(1);
		expect(client.session.blockedBy('main')).toBeUndefined();
	});

	describe('for now', () => {
		beforeEach(() => jest.useFakeTimers());
		afterEach(() => jest.useRealTimers());
		const closed = { status: 500, headers: {}, text: '{"message":"Connection Closed"}', elapsed: 5 };
		const refused = { ...closed, status: 200, text: JSON.stringify(found({ statuses: ['ERROR'] })) };
		const noReply = new ConnectionFailure('ETIMEDOUT');

		it.each([
			['unknown', [noReply, noReply, noReply, refused]],
			['unknown', [closed, closed, closed, refused]],
			['refused', [closed, noReply, refused]],
		])('is asked twice more, and stops nothing: %s', async (expected, replies) => {
			const client = new GatewayClient(CREDENTIAL, async () => {
				const reply = replies.shift() ?? noReply;
				return await (reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply));
			});
			const sent = { participant: person('4915200000001'), message: MESSAGE, sentAt: SENT_AT };
			const status = client.messageStatus('main', sent, OPTIONS);
			await jest.advanceTimersByTimeAsync(3000);

			expect(await status).toBe(expected);
			expect(client.session.blockedBy('main')).toBeUndefined();
		});
	});
});
