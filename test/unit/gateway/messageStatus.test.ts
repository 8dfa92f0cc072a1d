import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import { ConnectionFailure, type HttpRequest } from '../../../nodes/MessagingGateway/gateway/http';
import { allRecordings, load } from '../../recordings';
import { CREDENTIAL, person } from '../support';

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

const jidIn = ({ body }: HttpRequest): string => {
	const { where }: { where: { key: { remoteJid: string } } } = JSON.parse(JSON.stringify(body));
	return where.key.remoteJid;
};

/** Asks a gateway for the status of a message to somebody. */
async function ask(
	answer: (request: HttpRequest) => { status?: number; body: unknown },
	sentAs = '4915200000001',
) {
	const requests: HttpRequest[] = [];
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

	it.each(allRecordings.filter((name) => /^v.*__findMessages__/.test(name)))('%s', async (name) => {
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
