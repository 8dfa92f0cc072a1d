import { explain, type GatewayFailure } from '../../../nodes/MessagingGateway/domain/failures/explain';
import {
	isInstanceMissing,
	isRouteMissing,
	type Retry,
	type Observed,
	type Stop,
} from '../../../nodes/MessagingGateway/domain/failures/observed';
import { messageOf, Problem } from '../../../nodes/MessagingGateway/domain/failures/problem';
import { gatewayWords } from '../../../nodes/MessagingGateway/domain/text/gatewayWords';
import { load } from '../../recordings';

const BASE = { baseUrl: 'https://gateway.example.com', timeout: 120_000, words: '' };

const observed = (part: Partial<Observed>): Observed => ({ ...BASE, ...part });
const failureFor = (part: Partial<Observed>) => explain(observed(part));

/** What was seen of a recorded reply. */
function recorded(name: string): Observed {
	const { status, body } = load(name).response;
	return observed({ ...(status !== null && { status }), body, words: gatewayWords(body, []) });
}

type Course = [retry: Retry, stop: Stop, notCarriedOut: boolean];
const courseOf = ({ retry, stop, notCarriedOut }: GatewayFailure): Course => [retry, stop, notCarriedOut];

describe('without a complete reply', () => {
	it.each<[string, string, ...Course]>([
		[
			'ECONNREFUSED',
			"The gateway at https://gateway.example.com can't be reached: it refuses connections",
			'all',
			'gateway',
			true,
		],
		['SSRF_BLOCKED', 'n8n does not allow requests to https://gateway.example', 'none', 'gateway', true],
		['ENOTFOUND', "can't be reached: its name can't be resolved", 'none', 'gateway', true],
		['EAI_AGAIN', "can't be reached: its name can't be resolved", 'none', 'gateway', true],
		['EHOSTUNREACH', "can't be reached: there is no way to its network", 'none', 'gateway', true],
		['ENETUNREACH', "can't be reached: there is no way to its network", 'none', 'gateway', true],
		['EHOSTDOWN', "can't be reached: there is no way to its network", 'none', 'gateway', true],
		['ENETDOWN', "can't be reached: there is no way to its network", 'none', 'gateway', true],
		['EADDRNOTAVAIL', "can't be reached: there is no way to its network", 'none', 'gateway', true],
		['EACCES', "can't be reached: there is no way to its network", 'none', 'gateway', true],
		['EPERM', "can't be reached: there is no way to its network", 'none', 'gateway', true],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			"can't be reached: its SSL certificate is not trusted",
			'none',
			'gateway',
			true,
		],
		[
			'SELF_SIGNED_CERT_IN_CHAIN',
			"can't be reached: its SSL certificate is not trusted",
			'none',
			'gateway',
			true,
		],
		['CERT_HAS_EXPIRED', "can't be reached: its SSL certificate is not trusted", 'none', 'gateway', true],
		[
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			"can't be reached: its SSL certificate is not trusted",
			'none',
			'gateway',
			true,
		],
		[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			"can't be reached: its SSL certificate is not trusted",
			'none',
			'gateway',
			true,
		],
		['EPROTO', 'something else than HTTP answers there', 'none', 'gateway', true],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'something else than HTTP answers there', 'none', 'gateway', true],
		['EPROTOTYPE', 'The request to the gateway did not work out (EPROTOTYPE)', 'none', 'nothing', false],
		['HPE_INVALID_CONSTANT', 'Something else than HTTP answers at', 'none', 'nothing', false],
		['ERR_INVALID_CHAR', "The API key contains characters that can't be sent", 'none', 'gateway', true],
		['ETIMEDOUT', 'The gateway did not answer within 120 seconds', 'reads', 'nothing', false],
		['ECONNABORTED', 'The gateway did not answer within 120 seconds', 'reads', 'nothing', false],
		['ESOCKETTIMEDOUT', 'The gateway did not answer within 120 seconds', 'reads', 'nothing', false],
		[
			'ECONNRESET',
			'The gateway broke off the connection before its reply was complete',
			'reads',
			'nothing',
			false,
		],
		[
			'EPIPE',
			'The gateway broke off the connection before its reply was complete',
			'reads',
			'nothing',
			false,
		],
		['ERR_BAD_RESPONSE', 'broke off the connection before', 'reads', 'nothing', false],
		[
			'ERR_STREAM_PREMATURE_CLOSE',
			'broke off the connection before its reply was complete',
			'reads',
			'nothing',
			false,
		],
		['ERR_CANCELED', 'The execution was canceled', 'none', 'gateway', false],
		['UNKNOWN', 'The request to the gateway did not work out (UNKNOWN)', 'none', 'nothing', false],
	])('%s: %s', (network, message, ...course) => {
		const failure = failureFor({ network });

		expect(failure.message).toContain(message);
		expect(failure.description).not.toBe('');
		expect(courseOf(failure)).toEqual(course);
	});

	it('offers to ignore the certificate where it is not trusted', () => {
		expect(failureFor({ network: 'DEPTH_ZERO_SELF_SIGNED_CERT' }).description).toContain('Ignore SSL Issues');
	});

	it.each([
		[500, 'within 0.5 seconds'],
		[1000, 'within 1 second'],
		[90_000, 'within 90 seconds'],
	])('says how long %d ms are', (timeout, expected) => {
		expect(failureFor({ network: 'ETIMEDOUT', timeout }).message).toMatch(new RegExp(`${expected}$`));
	});
});

describe('a status', () => {
	it.each<[number, string, ...Course]>([
		[401, 'The gateway refused the API key', 'none', 'gateway', true],
		[429, 'The gateway limits the number of requests', 'all', 'gateway', true],
		[403, 'The gateway does not allow this', 'none', 'nothing', true],
		[404, 'The gateway answered with status 404', 'none', 'nothing', true],
		[413, 'The request is too large for the gateway', 'none', 'nothing', true],
		[400, 'The gateway answered with status 400', 'none', 'nothing', true],
		[422, 'The gateway answered with status 422', 'none', 'nothing', true],
		[500, 'The gateway answered with status 500', 'none', 'nothing', false],
		[502, 'The gateway answered with status 502', 'reads', 'nothing', false],
		[503, 'The gateway answered with status 503', 'reads', 'nothing', true],
		[504, 'The gateway answered with status 504', 'reads', 'nothing', false],
		[300, 'The gateway redirects (status 300)', 'none', 'nothing', true],
		[301, 'The gateway redirects (status 301)', 'none', 'nothing', true],
	])('of %d: %s', (status, message, ...course) => {
		const failure = failureFor({ status });

		expect(failure.message).toContain(message);
		expect(failure.description).not.toBe('');
		expect(courseOf(failure)).toEqual(course);
	});

	it("comes with the gateway's own words", () => {
		expect(failureFor({ status: 502, words: 'Bad Gateway' }).message).toBe(
			'The gateway answered with status 502 (the gateway says: Bad Gateway)',
		);
	});

	it.each([
		[429, 'The gateway limits the number of requests'],
		[502, 'The gateway answered with status 502'],
	])('of %d is told in one sentence where the gateway says no more', (status, message) => {
		expect(failureFor({ status }).message).toBe(message);
	});

	it('of 429 says how long the gateway asks to wait', () => {
		expect(failureFor({ status: 429, retryAfter: 30 }).message).toContain('asks to wait 30 seconds');
	});

	it.each([[301], [302], [303], [307], [308]])('of %d says where the gateway redirects to', (status) => {
		const failure = failureFor({ status, redirectsTo: 'https://other.example.com' });

		expect(failure.message).toBe(
			"The gateway redirects to https://other.example.com — set that as 'Base URL'",
		);
		expect(courseOf(failure)).toEqual(['none', 'nothing', true]);
	});
});

describe('a reply that is no answer', () => {
	it.each([
		['notJson', 'is not JSON'],
		['tooLarge', 'is too large to be read'],
		['shape', 'has an unexpected shape'],
	] as const)('is named: %s', (unreadable, message) => {
		const failure = failureFor({ status: 200, unreadable });

		expect(failure.message).toContain(message);
		expect(courseOf(failure)).toEqual(['none', 'nothing', false]);
	});

	it('is named with the words of the page', () => {
		expect(failureFor({ status: 200, unreadable: 'notJson', words: 'Welcome to nginx!' }).message).toContain(
			'(the gateway says: Welcome to nginx!)',
		);
	});
});

describe('a recorded reply', () => {
	const notConnected = 'The instance is not connected';

	it.each<[string, string, ...Course]>([
		['v1.8.2__fetchInstances__wrong-apikey', 'The gateway refused the API key', 'none', 'gateway', true],
		[
			'v1.8.2__updateParticipant__PUT-other-instance-key',
			'The gateway refused the API key',
			'none',
			'gateway',
			true,
		],
		[
			'v1.8.2__updateParticipant__PUT-unknown-instance',
			'The instance was not found',
			'none',
			'nothing',
			true,
		],
		['v1.8.2__fetchInstances__name-missing', 'The instance was not found', 'none', 'nothing', true],
		['v2.3.6__openai__fetch-unknown-instance', 'The instance was not found', 'none', 'nothing', true],
		['v1.8.2__updateParticipant__POST-valid', 'does not have this function', 'none', 'nothing', true],
		['v2.3.6__updateParticipant__PUT-valid', 'does not have this function', 'none', 'nothing', true],
		[
			'v2.3.6__openai__DOCUMENTED-find-botId-instance',
			'does not have this function',
			'none',
			'nothing',
			true,
		],
		['v2.2.3__openai__fetch-unknown-bot', 'The bot was not found', 'none', 'nothing', true],
		['v2.3.6-SIM__openai__disabled-find', 'Bots are switched off on this gateway', 'none', 'nothing', true],
		[
			'v1.8.2__updateParticipant__PUT-valid-cloud-business',
			'This kind of instance has no groups',
			'none',
			'nothing',
			true,
		],
		['v2.3.6__updateParticipant__POST-valid-never-connected', notConnected, 'none', 'nothing', true],
		['v2.3.6__updateParticipant__POST-valid-connecting', notConnected, 'none', 'nothing', false],
		[
			'v1.8.2-SIM__updateParticipant__PUT-iq-error-401',
			'is not an admin of this group',
			'none',
			'nothing',
			true,
		],
		[
			'v1.8.2-SIM__updateParticipant__PUT-body-groupJid-wins-over-query',
			'There is no such group',
			'none',
			'nothing',
			true,
		],
		[
			'v2.3.6-SIM__updateParticipant__POST-iq-error-429',
			'limits the changes of this account',
			'none',
			'instance',
			true,
		],
		['v2.3.6-SIM__updateParticipant__POST-iq-error-400', 'answered with status 400', 'none', 'nothing', true],
		['v1.8.2__updateParticipant__PUT-bad-action', 'answered with status 400', 'none', 'nothing', true],
		['v2.3.6__updateParticipant__POST-groupJid-twice', 'answered with status 500', 'none', 'nothing', false],
	])('%s: %s', (name, message, ...course) => {
		const failure = explain(recorded(name));

		expect(failure.message).toContain(message);
		expect(failure.message).toContain(`(the gateway says: ${recorded(name).words})`);
		expect(courseOf(failure)).toEqual(course);
	});

	it.each([
		['v2.3.6__updateParticipant__PUT-valid', true],
		['v2.3.6__openai__DOCUMENTED-find-botId-instance', true],
		['v1.8.2__updateParticipant__POST-valid', true],
		['v1.8.2__updateParticipant__PUT-unknown-instance', false],
		['v1.8.2__fetchInstances__name-missing', false],
		['v1.8.2__fetchInstances__wrong-apikey', false],
	])('%s: the route is missing: %p', (name, expected) => {
		expect(isRouteMissing(recorded(name))).toBe(expected);
	});

	it.each([
		['v1.8.2__updateParticipant__PUT-unknown-instance', true],
		['v1.8.2__fetchInstances__name-missing', true],
		['v2.2.3__fetchInstances__name-missing', true],
		['v2.3.6__openai__find-unknown-instance', true],
		['v2.3.6__updateParticipant__PUT-valid', false],
		['v1.8.2__fetchInstances__wrong-apikey', false],
	])('%s: the instance is missing: %p', (name, expected) => {
		expect(isInstanceMissing(recorded(name))).toBe(expected);
	});
});

describe('what to do', () => {
	it.each<[string, Partial<Observed>]>([
		['Connect the instance to its account', { status: 400, words: 'Connection Closed' }],
		['Check that the instance is connected', { status: 500, words: 'Error: Timed Out' }],
		['A proxy or another web page may answer', { status: 200, unreadable: 'notJson' }],
		["Change 'Base URL'", { status: 301, redirectsTo: 'https://other.example.com' }],
		['Wait a few hours', { status: 400, words: 'Error: rate-overlimit' }],
		["Register the gateway's license", { status: 503, body: { code: 'LICENSE_REQUIRED' } }],
		['connected by QR code', { status: 400, words: 'Method not available on WhatsApp Business API' }],
		['Make the account an admin', { status: 400, words: 'Error: forbidden' }],
		['Check the group ID', { status: 400, words: 'Error: item-not-found' }],
		['Have bots switched on', { status: 400, words: 'Openai is disabled' }],
		['Choose the bot', { status: 500, words: 'Openai Bot not found' }],
		['upper and lower case count', { status: 404, words: 'The instance does not exist', body: {} }],
	])('is said: %s', (advice, part) => {
		expect(failureFor(part).description).toContain(advice);
	});
});

describe('a license gate', () => {
	it('is told from a gateway that is away for a moment', () => {
		const body = {
			error: 'License required',
			code: 'LICENSE_REQUIRED',
			register_url: 'https://x.example.com',
		};
		const failure = failureFor({ status: 503, body, words: 'License required' });

		expect(failure.message).toBe('The gateway asks for a license (the gateway says: License required)');
		expect(courseOf(failure)).toEqual(['none', 'nothing', true]);
	});

	it('is none where the gateway gives another code', () => {
		expect(failureFor({ status: 503, body: { code: 'STARTING' } }).message).toBe(
			'The gateway answered with status 503',
		);
	});
});

describe('a 404', () => {
	it.each([
		['that only mentions such words', 'The instance says: Cannot PUT /x'],
		['with another word', 'Cannot putter /x'],
		['without a route', 'Cannot PUT'],
		['in another case', 'cannot put /x'],
	])('%s is not about the route', (_, words) => {
		expect(isRouteMissing(observed({ status: 404, words }))).toBe(false);
	});

	it('is about the route only with this status', () => {
		expect(isRouteMissing(observed({ status: 400, words: 'Cannot PUT /x' }))).toBe(false);
	});

	it.each<[string, Partial<Observed>]>([
		['from a page', { status: 404, words: 'Instance "x" not found', body: '<p>Instance "x" not found</p>' }],
		['about the route', { status: 404, words: 'Cannot GET /instance/x', body: {} }],
		['about something else', { status: 404, words: 'no Route matched', body: {} }],
		[
			'about a path with that word',
			{ status: 404, words: 'Route GET:/instance/fetchInstances?instanceName=main not found', body: {} },
		],
		[
			'about a path that begins so',
			{ status: 404, words: 'The route instance/x could not be found', body: {} },
		],
		[
			'about a path that an instance of that name is in',
			{ status: 404, words: 'Route PUT:/group/updateParticipant/instance?groupJid=1 not found', body: {} },
		],
		['with another status', { status: 400, words: 'Instance "x" not found', body: {} }],
	])('%s is not about the instance', (_, part) => {
		expect(isInstanceMissing(observed(part))).toBe(false);
	});
});

describe('a rate limit of the network', () => {
	it('is one only with status 400', () => {
		expect(failureFor({ status: 500, words: 'rate-overlimit' }).stop).toBe('nothing');
	});

	it('stops what is still to be sent to the instance', () => {
		const words = 'Error updating participants, Error: rate-overlimit';

		expect(courseOf(failureFor({ status: 400, words }))).toEqual(['none', 'instance', true]);
	});
});

describe('a network that is silent behind the gateway', () => {
	it.each([[400], [408], [500]])('is told from one that refuses, with status %d', (status) => {
		const failure = failureFor({ status, words: 'Error updating participants, Error: Timed Out' });

		expect(failure.message).toContain('The messaging network did not answer the gateway');
		expect(courseOf(failure)).toEqual(['none', 'nothing', false]);
	});
});

describe('a proxy that loses the gateway', () => {
	it.each([
		[502, 'upstream connection closed before the reply'],
		[504, 'Connection closed'],
		[502, 'Request timed out'],
		[503, 'upstream connect error or disconnect/reset before headers'],
	])('leaves the outcome unknown with status %d, whatever its words: %s', (status, words) => {
		expect(courseOf(failureFor({ status, words }))).toEqual(['reads', 'nothing', false]);
	});

	it('says nothing of the instance', () => {
		expect(failureFor({ status: 503, words: 'Connection closed' }).message).toContain('status 503');
	});
});

describe('whatever was thrown', () => {
	it('is told in its own words', () => {
		expect(messageOf(new TypeError('x is not a function'))).toBe('x is not a function');
	});

	it.each([[undefined], [null], ['text'], [{ message: 'text' }]])(
		'is told plainly where it is %p',
		(thrown) => {
			expect(messageOf(thrown)).toBe('Something unexpected happened');
		},
	);

	it('is known by its kind in a log', () => {
		expect(String(new Problem('It is empty', 'Enter it'))).toBe('Problem: It is empty');
		expect(String(failureFor({ status: 502 }))).toBe('GatewayFailure: The gateway answered with status 502');
	});
});
