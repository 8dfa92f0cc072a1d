import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BlockedCall } from '../../../../nodes/MessagingGateway/gateway/failures/blockedCall';
import {
	toGatewayFailure,
	type GatewayFailure,
} from '../../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import {
	isErrorBody,
	isInstanceMissing,
	isRouteMissing,
	type CallFailure,
	type FailurePolicy,
} from '../../../../nodes/MessagingGateway/gateway/failures/callFailure';
import type { RouteName } from '../../../../nodes/MessagingGateway/gateway/routes';
import { messageOf, Problem } from '../../../../nodes/MessagingGateway/common/problem';
import { errorTextIn } from '../../../../nodes/MessagingGateway/gateway/redact/errorText';
import { load } from '../../../recordings';

const BASE = { baseUrl: 'https://gateway.example.com', timeout: 120_000, message: '' };

const callOf = (part: Partial<CallFailure>): CallFailure => ({
	...BASE,
	errorText: part.message ?? '',
	...part,
});
const failureFor = (part: Partial<CallFailure>) => toGatewayFailure(callOf(part));

/** What was seen of a recorded reply. */
function recorded(name: string): CallFailure {
	const { status, body } = load(name).response;
	return callOf({ ...(status !== null && { status }), body, message: errorTextIn(body, []).message });
}

/** Whether it is sent again, what it stops, and whether it is certain that nothing was applied. */
const courseOf = ({ policy: { retry, stop, certainlyNotApplied } }: GatewayFailure) =>
	`${retry} ${stop} ${certainlyNotApplied ? 'certain' : 'open'}`;

describe('without a complete reply', () => {
	const CONNECT = "Couldn't connect to https://gateway.example.com";

	describe.each<[codes: string, message: string, course: string]>([
		['ECONNREFUSED', `${CONNECT}: connection refused`, 'all gateway certain'],
		['SSRF_BLOCKED', "n8n doesn't allow requests to https://gateway.example.com", 'none gateway certain'],
		['ENOTFOUND EAI_AGAIN', `${CONNECT}: the host name couldn't be found`, 'none gateway certain'],
		[
			'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL EACCES EPERM',
			`${CONNECT}: network unreachable`,
			'none gateway certain',
		],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID',
			`${CONNECT}: its SSL certificate isn't trusted`,
			'none gateway certain',
		],
		[
			'EPROTO ERR_SSL_WRONG_VERSION_NUMBER',
			`${CONNECT}: the server didn't answer with HTTP`,
			'none gateway certain',
		],
		['EPROTOTYPE', "The request to the gateway couldn't be completed (EPROTOTYPE)", 'none nothing open'],
		[
			'HPE_INVALID_CONSTANT',
			"The server at https://gateway.example.com didn't answer with HTTP",
			'none nothing open',
		],
		['ERR_INVALID_CHAR', "The API key contains characters that can't be sent", 'none gateway certain'],
		[
			'ETIMEDOUT ECONNABORTED ESOCKETTIMEDOUT',
			"The gateway didn't answer within 120 seconds",
			'reads nothing open',
		],
		[
			'ECONNRESET EPIPE ERR_BAD_RESPONSE ERR_STREAM_PREMATURE_CLOSE',
			'The gateway closed the connection before the full response arrived',
			'reads nothing open',
		],
		['ERR_CANCELED', 'The execution was canceled', 'none gateway open'],
		['UNKNOWN', "The request to the gateway couldn't be completed (UNKNOWN)", 'none nothing open'],
	])('%s: %s', (codes, message, course) => {
		it.each(codes.split(' '))('%s', (network) => {
			const failure = failureFor({ network });

			expect(failure.message).toBe(message);
			expect(failure.description).not.toBe('');
			expect(courseOf(failure)).toBe(course);
		});
	});

	it('canceled before a request that was refused was sent again: nothing was carried out', () => {
		const failure = failureFor({ status: 429, canceledBeforeRetry: true });

		expect(failure.message).toBe('The execution was canceled before the request was sent again');
		expect(courseOf(failure)).toBe('none gateway certain');
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

describe('a status without words', () => {
	it.each<[number, string, course: string, FailurePolicy['failureCause']]>([
		[401, 'The gateway refused the API key', 'none key certain', 'credential-invalid'],
		[429, 'The gateway limits the number of requests', 'all gateway certain', 'rate-limited'],
		[
			300,
			"The gateway redirects (status 300) to a page that isn't a gateway",
			'none gateway certain',
			'configuration-invalid',
		],
		[
			301,
			"The gateway redirects (status 301) to a page that isn't a gateway",
			'none gateway certain',
			'configuration-invalid',
		],
		[400, 'The gateway answered with status 400', 'none nothing open', 'configuration-invalid'],
		[403, "The gateway doesn't allow this", 'none nothing open', 'configuration-invalid'],
		[404, 'The gateway answered with status 404', 'none nothing open', 'configuration-invalid'],
		[408, 'The gateway answered with status 408', 'none nothing open', 'temporarily-unavailable'],
		[409, 'The gateway answered with status 409', 'none nothing open', 'configuration-invalid'],
		[413, 'The request is too large for the gateway', 'none nothing open', 'configuration-invalid'],
		[422, 'The gateway answered with status 422', 'none nothing open', 'configuration-invalid'],
		[500, 'The gateway answered with status 500', 'none nothing open', 'temporarily-unavailable'],
		[501, 'The gateway answered with status 501', 'none nothing open', 'temporarily-unavailable'],
		[502, 'The gateway answered with status 502', 'reads nothing open', 'temporarily-unavailable'],
		[503, 'The gateway answered with status 503', 'reads nothing open', 'temporarily-unavailable'],
		[504, 'The gateway answered with status 504', 'reads nothing open', 'temporarily-unavailable'],
	])('%d: %s', (status, message, course, cause) => {
		const failure = failureFor({ status });

		expect(failure.message).toBe(message);
		expect(failure.description).not.toBe('');
		expect(courseOf(failure)).toBe(course);
		expect(failure.policy.failureCause).toBe(cause);
	});
});

describe('a status', () => {
	it("comes with the gateway's own words", () => {
		expect(failureFor({ status: 502, message: 'Bad Gateway' }).message).toBe(
			'The gateway answered with status 502 (the gateway says: Bad Gateway)',
		);
	});

	it('of 429 says how long the gateway asks to wait', () => {
		expect(failureFor({ status: 429, retryAfter: 30 }).message).toContain('asks to wait 30 seconds');
	});

	it.each([[301], [302], [303], [307], [308]])('of %d says where the gateway redirects to', (status) => {
		const failure = failureFor({ status, redirectsTo: 'https://other.example.com' });

		expect(failure.message).toBe(
			"The gateway redirects to https://other.example.com — set that as 'Base URL'",
		);
		expect(courseOf(failure)).toBe('none gateway certain');
	});
});

describe('a reply that is no answer', () => {
	it.each([
		['notJson', "isn't JSON"],
		['tooLarge', 'is too large to be read'],
		['shape', 'has an unexpected shape'],
		['empty', 'is empty'],
		['error', 'The gateway reported a problem'],
	] as const)('is named: %s', (unreadable, message) => {
		const failure = failureFor({ status: 200, unreadable });

		expect(failure.message).toContain(message);
		expect(courseOf(failure)).toBe('none nothing open');
	});

	it.each<['empty' | 'shape', RouteName, string]>([
		['empty', 'listGroups', 'the instance is set to ignore groups'],
		['empty', 'listParticipants', 'no group is without members'],
		['empty', 'revokeInviteCode', 'The gateway gave no new link'],
		['shape', 'connectionState', "The gateway doesn't know the state of the connection yet"],
	])('has a meaning of its own: %s on %s', (unreadable, route, message) => {
		expect(failureFor({ status: 200, unreadable, route, body: {} }).message).toContain(message);
	});

	it('is the silence of the network where it is empty and took most of a minute', () => {
		const empty = { status: 200, unreadable: 'empty', route: 'listGroups' } as const;

		expect(failureFor({ ...empty, elapsed: 55_000 }).message).toBe(
			"The messaging network didn't answer the gateway",
		);
		expect(failureFor({ ...empty, elapsed: 54_999 }).message).toContain('ignore groups');
	});

	it('leaves open whether an invite was sent, also where the gateway refuses it', () => {
		const unsent = recorded('v2.2.3-SIM__groupSendInvite__network-silent');
		expect(failureFor({ ...unsent, elapsed: 54_999 })).toMatchObject({
			message: expect.stringContaining("couldn't send the invite and gives no reason"),
			policy: { certainlyNotApplied: false },
			isInviteRefused: true,
		});
		expect(failureFor({ ...unsent, elapsed: 55_000 })).toMatchObject({
			message: "The messaging network didn't answer the gateway (the gateway says: No send invite)",
			policy: { certainlyNotApplied: false },
			isInviteRefused: false,
		});
	});

	it.each([
		[500, 'No send invite'],
		[404, 'Error: No send invite'],
		[404, 'No send invite: too many'],
	])('refuses no invite in other words: %d with %s', (status, message) => {
		expect(failureFor({ status, message }).isInviteRefused).toBe(false);
	});

	it('is named with the words of the page', () => {
		expect(
			failureFor({ status: 200, unreadable: 'notJson', message: 'Welcome to nginx!' }).message,
		).toContain('(the gateway says: Welcome to nginx!)');
	});
});

describe('a recorded reply', () => {
	const notConnected = "The instance isn't connected";

	it.each<[string, string, course: string]>([
		['v1.8.2__fetchInstances__wrong-apikey', 'The gateway refused the API key', 'none key certain'],
		[
			'v1.8.2__updateParticipant__PUT-other-instance-key',
			'The gateway refused the API key',
			'none key certain',
		],
		[
			'v1.8.2__updateParticipant__PUT-unknown-instance',
			"The instance couldn't be found",
			'none instance certain',
		],
		['v1.8.2__fetchInstances__name-missing', "The instance couldn't be found", 'none instance certain'],
		['v1.8.6-SIM__fetchInstances__name-missing', "The instance couldn't be found", 'none instance certain'],
		['v2.3.6__openai__fetch-unknown-instance', "The instance couldn't be found", 'none instance certain'],
		['v1.8.2__updateParticipant__POST-valid', "doesn't have this function", 'none nothing certain'],
		['v2.3.6__updateParticipant__PUT-valid', "doesn't have this function", 'none nothing certain'],
		['v2.3.6__openai__DOCUMENTED-find-botId-instance', "doesn't have this function", 'none nothing certain'],
		['v2.2.3__openai__fetch-unknown-bot', "The bot couldn't be found", 'none nothing certain'],
		['v2.3.6-SIM__openai__disabled-find', 'Bots are disabled', 'none nothing certain'],
		[
			'v1.8.2__updateParticipant__PUT-valid-cloud-business',
			'This kind of instance has no groups',
			'none nothing certain',
		],
		['v2.3.6__updateParticipant__POST-valid-never-connected', notConnected, 'none nothing certain'],
		['v2.3.6__updateParticipant__POST-valid-connecting', notConnected, 'none nothing open'],
		[
			'v1.8.2-SIM__updateParticipant__PUT-iq-error-401',
			"account isn't an admin of this group, or isn't in it",
			'none group certain',
		],
		[
			'v1.8.2-SIM__updateParticipant__PUT-body-groupJid-wins-over-query',
			"This group doesn't exist, or the instance's account isn't in it",
			'none group certain',
		],
		[
			'v2.3.6-SIM__updateParticipant__POST-iq-error-429',
			'The messaging network is rate limiting this account',
			'none instance certain',
		],
		[
			'v2.3.6-SIM__updateParticipant__POST-iq-error-400',
			'The messaging network refused the request',
			'none nothing certain',
		],
		['v1.8.2__updateParticipant__PUT-bad-action', 'answered with status 400', 'none nothing certain'],
		['v2.3.6__updateParticipant__POST-groupJid-twice', 'answered with status 500', 'none nothing open'],
	])('%s: %s', (name, message, course) => {
		const failure = toGatewayFailure(recorded(name));

		expect(failure.message).toContain(message);
		expect(failure.message).toContain(`(the gateway says: ${recorded(name).message})`);
		expect(courseOf(failure)).toBe(course);
	});

	it.each([
		['v2.3.6__updateParticipant__PUT-valid', true],
		['v2.3.6__openai__DOCUMENTED-find-botId-instance', true],
		['v1.8.2__updateParticipant__POST-valid', true],
		['v1.8.2__updateParticipant__PUT-unknown-instance', false],
		['v1.8.2__fetchInstances__name-missing', false],
		['v1.8.2__fetchInstances__wrong-apikey', false],
	])('%s: the route is missing: %p', (name, expected) => {
		expect(toGatewayFailure(recorded(name)).isRouteMissing).toBe(expected);
	});

	it.each([
		['v1.8.2__updateParticipant__PUT-unknown-instance', true],
		['v1.8.2__fetchInstances__name-missing', true],
		['v1.8.6-SIM__fetchInstances__name-missing', true],
		['v2.2.3__fetchInstances__name-missing', true],
		['v2.3.6__openai__find-unknown-instance', true],
		['v2.3.6__updateParticipant__PUT-valid', false],
		['v1.8.2__fetchInstances__wrong-apikey', false],
	])('%s: the instance is missing: %p', (name, expected) => {
		expect(isInstanceMissing(recorded(name))).toBe(expected);
	});
});

describe('what to do', () => {
	it.each<[string, Partial<CallFailure>]>([
		['Connect the instance to its account', { status: 400, message: 'Connection Closed' }],
		['Check that the gateway is running', { network: 'ETIMEDOUT', isTimeoutFixed: true }],
		['Check that the instance is connected', { status: 500, message: 'Error: Timed Out' }],
		['A proxy or another web page may answer', { status: 200, unreadable: 'notJson' }],
		["Change 'Base URL'", { status: 301, redirectsTo: 'https://other.example.com' }],
		['Wait a few hours', { status: 400, message: 'Error: rate-overlimit' }],
		[
			"Register the gateway's license on its own web page",
			{ status: 503, body: { code: 'LICENSE_REQUIRED' } },
		],
		['connected by QR code', { status: 400, message: 'Method not available on WhatsApp Business API' }],
		['Make the account an admin', { status: 400, message: 'Error: forbidden' }],
		["Lower 'Participants per Request'", { status: 413, route: 'updateParticipants' }],
		['Check what size of request', { status: 413, route: 'sendInvite' }],
		['Check the group ID', { status: 400, message: 'Error: item-not-found' }],
		["Enable OpenAI in the gateway's settings", { status: 400, message: 'Openai is disabled' }],
		['Choose the bot', { status: 500, message: 'Openai Bot not found' }],
		["It's case-sensitive", { status: 404, message: 'The instance does not exist', body: {} }],
	])('is said: %s', (advice, part) => {
		expect(failureFor(part).description).toContain(advice);
	});
});

describe('evolution-go', () => {
	it.each(['listInstances', 'updateParticipants'] as const)('is told from a wrong key, on %s', (route) => {
		const failure = failureFor({ route, status: 401, body: { error: 'not authorized' } });

		expect(failure.message).toContain('evolution-go');
		expect(failure.description).toContain("can't work with evolution-go");
		expect(courseOf(failure)).toBe('none key certain');
	});

	it('is no gateway that refuses the key in other words', () => {
		const body = { status: 401, error: 'Unauthorized', response: { message: 'Unauthorized' } };

		expect(failureFor({ status: 401, body }).message).toBe('The gateway refused the API key');
	});
});

describe('a license gate', () => {
	it('is told from a gateway that is away for a moment', () => {
		const body = {
			error: 'License required',
			code: 'LICENSE_REQUIRED',
			register_url: 'https://x.example.com',
		};
		const failure = failureFor({ status: 503, body, message: 'License required' });

		expect(failure.message).toBe('The gateway asks for a license (the gateway says: License required)');
		expect(courseOf(failure)).toBe('none gateway certain');
	});

	it('says where to register', () => {
		const body = { code: 'LICENSE_REQUIRED' };

		expect(failureFor({ status: 503, body, registerUrl: 'https://x.example.com/r' }).description).toBe(
			"Register the gateway's license, then run this again: https://x.example.com/r",
		);
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
	])('%s is not about the route', (_, message) => {
		expect(isRouteMissing(callOf({ status: 404, message }))).toBe(false);
	});

	it('is about the route only with this status', () => {
		expect(isRouteMissing(callOf({ status: 400, message: 'Cannot PUT /x' }))).toBe(false);
	});

	it('is about the route, and certainly nothing was done, where another method is asked for', () => {
		const { isRouteMissing: isMissing, policy } = failureFor({ status: 405, message: 'Method Not Allowed' });

		expect(isMissing).toBe(true);
		expect(policy).toMatchObject({ certainlyNotApplied: true, stop: 'nothing', retry: 'none' });
	});
});

it.each<[string, number, string, string?]>([
	['from a page', 404, 'Instance "x" not found', '<p>Instance "x" not found</p>'],
	['about the route', 404, 'Cannot GET /instance/x'],
	['about something else', 404, 'no Route matched'],
	['about a path with that word', 404, 'Route GET:/instance/fetchInstances?instanceName=main not found'],
	['about a path that begins so', 404, 'The route instance/x could not be found'],
	[
		'about a path that an instance of that name is in',
		404,
		'Route PUT:/group/updateParticipant/instance?groupJid=1 not found',
	],
	['with another status', 400, 'Instance "x" not found'],
	['that mentions such words at its end', 500, 'TypeError: Instance "main" not found'],
	['that begins with such words', 500, 'Instance "main" not found in the cache'],
])('a failure %s is not about the instance: %d', (_, status, message, body: unknown = {}) => {
	expect(isInstanceMissing(callOf({ status, message, body }))).toBe(false);
});

describe('the body of an error', () => {
	it.each<[object, boolean]>([
		[{ status: 400 }, true],
		[{ error: true, message: 'x' }, true],
		[{ error: 'Not Found' }, true],
		[{ status: 399 }, false],
		[{ status: 'open' }, false],
		[{ status: '404' }, false],
		[{ error: false }, false],
		[{ error: '' }, false],
		[{}, false],
	])('is known by its status and its error: %j: %p', (body, expected) => {
		expect(isErrorBody({ ...body })).toBe(expected);
	});
});

describe('a rate limit of the network', () => {
	it.each([
		[400, 'none instance certain'],
		[404, 'none instance certain'],
		[500, 'none instance open'],
		[200, 'none instance open'],
	])('stops the instance, with status %d: %s', (status, course) => {
		const failure = failureFor({ status, message: 'Error: rate-overlimit', unreadable: 'error' });

		expect(failure.message).toContain('The messaging network is rate limiting this account');
		expect(courseOf(failure)).toBe(course);
	});

	it.each([[300], [502]])('is not what a proxy says with status %d', (status) => {
		expect(failureFor({ status, message: 'rate-overlimit' }).policy.stop).not.toBe('instance');
	});
});

it('a restriction of the account stops the instance', () => {
	const failure = failureFor({ status: 400, message: 'Error: account_reachout_restricted' });

	expect(failure.message).toContain('The messaging network has restricted this account');
	expect(failure.policy.stop).toBe('instance');
});

it("a refused listing stops nothing, since an instance's key may change groups all the same", () => {
	const failure = failureFor({ status: 401, route: 'listInstances' });

	expect(failure.message).toBe('The gateway refused the API key');
	expect(courseOf(failure)).toBe('none nothing certain');
});

describe('a group change that was sent', () => {
	const inChange = (why: string) => `Error updating participants, ${why}`;

	const notAdmin = "The instance's account isn't an admin of this group";
	const refusedByNetwork = 'The messaging network refused the request';

	it.each<[string, number, string, RouteName?]>([
		['forbidden', 400, `${notAdmin}, or isn't in it`],
		['not-authorized', 400, `${notAdmin}, or isn't in it`],
		['item-not-found', 400, "This group doesn't exist, or the instance's account isn't in it"],
		['bad-request', 400, refusedByNetwork],
		['not-acceptable', 400, refusedByNetwork],
		['conflict', 400, refusedByNetwork],
		['rate-overlimit', 400, 'The messaging network is rate limiting this account'],
		['forbidden', 403, `${notAdmin}, or isn't in it`],
		['item-not-found', 404, "This group doesn't exist"],
		['not-authorized', 404, notAdmin],
		['not-authorized', 404, `${notAdmin}, or isn't in it`, 'updateSetting'],
		['forbidden', 404, "The instance's account isn't in this group"],
		['forbidden', 404, `${notAdmin}, or isn't in it`, 'revokeInviteCode'],
	])('was not carried out: %s with status %d', (why, status, sentence, ...[route]) => {
		const message = inChange(`Error: ${why}`);

		const failure = failureFor({ status, message, ...(route && { route }) });
		expect(failure.message).toBe(`${sentence} (the gateway says: ${message})`);
		expect(failure.policy.certainlyNotApplied).toBe(true);
	});

	it.each([
		[400, 'forbidden', `${notAdmin}, or isn't in it`],
		[404, 'item-not-found', "This group doesn't exist"],
		[403, 'forbidden by policy', "The gateway doesn't allow this"],
	])('is known by the last words of a message, and by all of them: %d %s', (status, message, sentence) => {
		expect(failureFor({ status, message }).message).toBe(`${sentence} (the gateway says: ${message})`);
	});

	it.each([
		[
			'the instance has no client',
			400,
			"TypeError: Cannot read properties of undefined (reading 'groupParticipantsUpdate')",
		],
		[
			'the gateway is just starting',
			500,
			"Cannot read properties of undefined (reading 'updateGParticipant')",
		],
		['the same, of a setting', 500, "Cannot read properties of undefined (reading 'updateGSetting')"],
		['the same, of a link', 500, "Cannot read properties of undefined (reading 'revokeInviteCode')"],
		['the instance has no groups', 400, 'Method not available on WhatsApp Business API'],
		['the route is missing', 404, 'Cannot PUT /group/updateParticipant/main'],
	])('was not carried out: %s', (_, status, why) => {
		expect(failureFor({ status, message: why }).policy.certainlyNotApplied).toBe(true);
	});

	it("was not carried out where the gateway's schema complains", () => {
		const complaint = [{ property: 'participants', message: 'is required' }];

		for (const message of [complaint, [complaint], ['Bad Request', complaint]])
			expect(failureFor({ status: 400, body: { response: { message } } }).policy.certainlyNotApplied).toBe(
				true,
			);
		expect(
			failureFor({ status: 400, message: 'instance requires property "action"' }).policy.certainlyNotApplied,
		).toBe(true);
	});

	const lost = 'The gateway lost its connection to the messaging network';

	it.each([
		['1006', lost],
		['1006 times', 'The gateway answered with status 400'],
		['Connection Closed', lost],
		['Connection Terminated by Server', lost],
		['Error: Timed Out', "The messaging network didn't answer the gateway"],
		['Stream Errored (restart required)', lost],
		['Query Cancelled', lost],
		['Error: internal-server-error', 'The messaging network reported a problem'],
		['Error: resource-limit', 'The messaging network reported a problem'],
		['something new', 'The gateway answered with status 400'],
	])('is not known: 400 with %s', (why, sentence) => {
		for (const message of [why, inChange(why)]) {
			const failure = failureFor({ status: 400, route: 'updateParticipants', message });
			expect(failure.message).toBe(`${sentence} (the gateway says: ${message})`);
			expect(failure.policy.certainlyNotApplied).toBe(false);
		}
	});

	it.each([[['something new']], [[{ message: 'something new' }]], [[null]], [[]]])(
		'is not known where the gateway refuses it with %j, which is no complaint about a field',
		(message) => {
			expect(failureFor({ status: 400, body: { response: { message } } }).policy.certainlyNotApplied).toBe(
				false,
			);
		},
	);

	it.each([
		[403, 'Blocked by the firewall'],
		[404, 'Not here'],
		[400, 'The instance does not exist'],
	])('is not known: %d with words of nobody knows whom: %s', (status, message) => {
		expect(failureFor({ status, message }).policy.certainlyNotApplied).toBe(false);
	});
});

describe('an instance whose live state was asked for', () => {
	it("isn't connected, whatever was seen before", () => {
		const failure = failureFor({ network: 'ETIMEDOUT', state: 'close' });

		expect(failure.message).toBe("The instance isn't connected");
		expect(failure).toMatchObject({ httpCode: undefined, policy: { checkAfter: 0 } });
		expect(courseOf(failure)).toBe('none instance open');
	});

	it("isn't connected before a change either, which certainly isn't sent then", () => {
		const failure = failureFor({ route: 'connectionState', state: 'close' });

		expect(failure.message).toBe("The instance isn't connected");
		expect(failure.description).toMatch(/phone.*Connect the instance again.*fewer people/);
		expect(courseOf(failure)).toBe('none instance certain');
	});
});

describe('a network that is silent behind the gateway', () => {
	it.each([[400], [404], [408], [500]])('is told from one that refuses, with status %d', (status) => {
		const failure = failureFor({ status, message: 'Error updating participants, Error: Timed Out' });

		expect(failure.message).toContain("The messaging network didn't answer the gateway");
		expect(courseOf(failure)).toBe('none nothing open');
	});
});

describe('a proxy that loses the gateway', () => {
	it.each([
		[502, 'upstream connection closed before the reply'],
		[504, 'Connection closed'],
		[502, 'Request timed out'],
		[503, 'upstream connect error or disconnect/reset before headers'],
	])('leaves the outcome unknown with status %d, whatever its words: %s', (status, message) => {
		expect(courseOf(failureFor({ status, message }))).toBe('reads nothing open');
	});

	it('says nothing of the instance', () => {
		expect(failureFor({ status: 503, message: 'Connection closed' }).message).toContain('status 503');
	});
});

describe('a request that is not sent after a failure', () => {
	const unreached = { network: 'ECONNREFUSED' };
	const why = "Couldn't connect to https://gateway.example.com: connection refused";
	const closed = { state: 'close' };

	it.each<[string, Partial<CallFailure>, RouteName?]>([
		[`Nothing was sent for this item: ${why}`, unreached],
		[`Nothing was sent for this item: ${why}`, unreached, 'updateParticipants'],
		[`The groups couldn't be read: ${why}`, unreached, 'listGroups'],
		["Nothing was sent: the instance isn't connected", { route: 'connectionState', ...closed }],
		["Nothing was sent for this item: The instance isn't connected", { route: 'sendInvite', ...closed }],
		[`Nothing was sent for this item: ${why}`, { route: 'connectionState', ...unreached }],
	])('is told of so: %s', (message, part, ...[route]) => {
		const reason = failureFor(part);
		const { description } = reason;

		const blocked = new BlockedCall(reason, route);
		expect([String(blocked), blocked.description]).toEqual([`BlockedCall: ${message}`, description]);
		expect(blocked.isUnsent).toBe(message.startsWith('Nothing was sent'));
	});
});

describe('a failure with one more sentence', () => {
	it('says it at its end, and is the same otherwise', () => {
		const failure = failureFor({ status: 429, message: 'slow down', retryAfter: 30 });
		const more = failure.withNote('The rest was not sent').withNote('Ask Ana');

		expect(more.message).toBe(`${failure.message}. The rest was not sent. Ask Ana`);
		expect([failure.isChecked, more.isChecked]).toEqual([false, true]);
		const { description, policy } = failure;
		expect(more).toMatchObject({ description, policy, httpCode: '429', retryAfter: 30 });
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

it('a link of nothing is not called an empty response', () => {
	const failure = failureFor({
		status: 200,
		route: 'inviteCode',
		unreadable: 'empty',
		body: { inviteUrl: '' },
	});

	expect(failure.message).toBe('The gateway gave a link that leads nowhere');
});

describe('an instance whose state was asked for', () => {
	const UNKNOWN = "The instance isn't connected, or the gateway doesn't say whether it is";

	it.each<[string, Partial<CallFailure>, string, RegExp]>([
		['is not connected', { state: 'connecting' }, "The instance isn't connected", /^Connect the instance/],
		['may not be', { state: 'unknown' }, UNKNOWN, /^Check first that the gateway answers/],
		[
			'may not be, before a change',
			{ state: 'unknown', route: 'connectionState' },
			UNKNOWN,
			/^Check first that the gateway answers.* phone/,
		],
	])('%s', (_, seen, message, description) => {
		const failure = failureFor({ network: 'ETIMEDOUT', ...seen });

		expect(failure.message).toBe(message);
		expect(failure.description).toMatch(description);
	});
});

describe('a failure that is remembered', () => {
	/** Something that meets a failure, as a run does with all its data. */
	class Meeting {
		readonly failure = failureFor({ status: 401 });
	}

	/** The failure of one that nobody needs any more. */
	function meet(): { failure: GatewayFailure; meeting: WeakRef<Meeting> } {
		const meeting = new Meeting();
		return { failure: meeting.failure, meeting: new WeakRef(meeting) };
	}

	it('keeps nothing of the run that met it', async () => {
		setFlagsFromString('--expose-gc');
		const { failure, meeting } = meet();
		await new Promise(setImmediate);
		runInNewContext('gc')();

		expect(meeting.deref()).toBeUndefined();
		expect(failure.stack).toContain(failure.message);
	});
});
