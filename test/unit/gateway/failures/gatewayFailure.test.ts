import { say } from '../../../../nodes/MessagingGateway/run/said';
import {
	BlockedCall,
	toGatewayFailure,
	type GatewayFailure,
} from '../../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import {
	isErrorBody,
	isInstanceMissing,
	isRouteMissing,
	type CallFailure,
} from '../../../../nodes/MessagingGateway/gateway/failures/callFailure';
import { messageOf } from '../../../../nodes/MessagingGateway/common/problem';
import type { RouteName } from '../../../../nodes/MessagingGateway/gateway/routes';
import { errorTextIn } from '../../../../nodes/MessagingGateway/gateway/redact/errorText';
import { load } from '../../../recordings';

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
const TABLE = `
# without a complete reply: several codes in a row are the same
ECONNREFUSED | Couldn't connect to BASE: connection refused | all gateway certain | temporarily-unavailable | that the gateway is running
SSRF_BLOCKED | n8n doesn't allow requests to BASE | none gateway certain | configuration-invalid | N8N_SSRF_ALLOWED
ENOTFOUND EAI_AGAIN | Couldn't connect to BASE: the host name couldn't be found | none gateway certain | temporarily-unavailable | that the gateway is running
EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL EACCES EPERM | Couldn't connect to BASE: network unreachable | none gateway certain | temporarily-unavailable | that the gateway is running
DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID | Couldn't connect to BASE: its SSL certificate isn't trusted | none gateway certain | configuration-invalid | turn on 'Ignore SSL Issues
EPROTO ERR_SSL_WRONG_VERSION_NUMBER | Couldn't connect to BASE: the server didn't answer with HTTP | none gateway certain | configuration-invalid | try http://
EPROTOTYPE | The request to the gateway couldn't be completed (CODE) | none nothing open | temporarily-unavailable | that the gateway is running
HPE_INVALID_CONSTANT | The server at BASE didn't answer with HTTP | none nothing open | temporarily-unavailable | that the gateway is running
ERR_INVALID_CHAR | The API key contains characters that can't be sent | none gateway certain | credential-invalid | without line breaks
ETIMEDOUT ECONNABORTED ESOCKETTIMEDOUT | The gateway didn't answer within 120 seconds | reads nothing open | temporarily-unavailable | A longer 'Timeout
ECONNRESET EPIPE ERR_BAD_RESPONSE ERR_STREAM_PREMATURE_CLOSE | The gateway closed the connection before the full response arrived | reads nothing open | temporarily-unavailable | proxy in front of it
ERR_CANCELED | The execution was canceled | none gateway open | temporarily-unavailable | Run this again to go on
UNKNOWN | The request to the gateway couldn't be completed (CODE) | none nothing open | temporarily-unavailable | that the gateway is running
# a status without words
401 | The gateway refused the API key | none key certain | credential-invalid | the gateway's own key, or the key of this instance
429 | The gateway limits the number of requests | all gateway certain | rate-limited | Wait, then run the rest
300 | The gateway redirects (status 300) to a page that isn't a gateway | none gateway certain | configuration-invalid | that the gateway is running
301 | The gateway redirects (status 301) to a page that isn't a gateway | none gateway certain | configuration-invalid | that the gateway is running
400 | The gateway answered with status 400 | none nothing open | configuration-invalid | Check the values
403 | The gateway doesn't allow this | none nothing open | configuration-invalid | firewall
404 | The gateway answered with status 404 | none nothing open | configuration-invalid | version of the gateway
408 | The gateway answered with status 408 | none nothing open | temporarily-unavailable | that the gateway is running
413 | The request is too large for the gateway | none nothing open | configuration-invalid | what size of request
500 | The gateway answered with status 500 | none nothing open | temporarily-unavailable | log of the gateway
501 | The gateway answered with status 501 | none nothing open | temporarily-unavailable | log of the gateway
502 | The gateway answered with status 502 | reads nothing open | temporarily-unavailable | that the gateway is running
503 | The gateway answered with status 503 | reads nothing open | temporarily-unavailable | that the gateway is running
504 | The gateway answered with status 504 | reads nothing open | temporarily-unavailable | that the gateway is running
# recorded replies
v1.8.2__fetchInstances__wrong-apikey | The gateway refused the API key | none key certain | credential-invalid | the gateway's own key, or the key of this instance
v1.8.2__updateParticipant__PUT-unknown-instance | The instance couldn't be found | none instance certain | configuration-invalid | It's case-sensitive
v1.8.2__fetchInstances__name-missing | The instance couldn't be found | none instance certain | configuration-invalid | It's case-sensitive
v1.8.6-SIM__fetchInstances__name-missing | The instance couldn't be found | none instance certain | configuration-invalid | It's case-sensitive
v2.2.3__fetchInstances__name-missing | The instance couldn't be found | none instance certain | configuration-invalid | It's case-sensitive
v2.3.6__openai__find-unknown-instance | The instance couldn't be found | none instance certain | configuration-invalid | It's case-sensitive
v1.8.2__updateParticipant__POST-valid | The gateway doesn't have this function at this address | none nothing certain | configuration-invalid | version of the gateway
v2.3.6__openai__DOCUMENTED-find-botId-instance | The gateway doesn't have this function at this address | none nothing certain | configuration-invalid | version of the gateway
v2.2.3__openai__fetch-unknown-bot | The bot couldn't be found | none nothing certain | configuration-invalid | Choose the bot
v2.3.6-SIM__openai__disabled-find | Bots are disabled | none nothing certain | configuration-invalid | Enable OpenAI
v1.8.2__updateParticipant__PUT-valid-cloud-business | This kind of instance has no groups | none nothing certain | configuration-invalid | connected by QR code
v2.3.6__updateParticipant__POST-valid-never-connected | The instance isn't connected | none nothing certain | temporarily-unavailable | Connect the instance to its account
v2.3.6__updateParticipant__POST-valid-connecting | The instance isn't connected | none nothing open | temporarily-unavailable | Connect the instance to its account
v1.8.2-SIM__updateParticipant__PUT-iq-error-401 | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
v1.8.2-SIM__updateParticipant__PUT-body-groupJid-wins-over-query | This group doesn't exist, or the instance's account isn't in it | none group certain | configuration-invalid | Check the group ID and the instance
v2.3.6-SIM__updateParticipant__POST-iq-error-400 | The messaging network refused the request | none nothing certain | configuration-invalid | Check the group ID and the values
v1.8.2__updateParticipant__PUT-bad-action | The gateway answered with status 400 | none nothing certain | configuration-invalid | Check the values
v2.3.6__updateParticipant__POST-groupJid-twice | The gateway answered with status 500 | none nothing open | temporarily-unavailable | log of the gateway
whatsmiau-1.0__fetchInstances__wrong-key | The gateway refused the API key | none key certain | credential-invalid | the gateway's own key, or the key of this instance
whatsmiau-1.0__connectionState__unknown-instance | The instance couldn't be found | none instance certain | configuration-invalid | It's case-sensitive
whatsmiau-1.0__updateParticipant__POST-logged-out | The instance isn't connected | none nothing certain | temporarily-unavailable | Connect the instance to its account
whatsmiau-1.0__groupParticipants__unknown-group | This group doesn't exist, or the instance's account isn't in it | none group certain | configuration-invalid | Check the group ID and the instance
whatsmiau-1.0__inviteCode__not-in-the-group | The instance's account isn't in this group | none group certain | configuration-invalid | Check the group ID and the instance
whatsmiau-1.0__inviteCode__not-admin | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
whatsmiau-1.0__updateParticipant__POST-not-admin | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
whatsmiau-1.0__updateParticipant__POST-unknown-group | This group doesn't exist, or the instance's account isn't in it | none group certain | configuration-invalid | Check the group ID and the instance
whatsmiau-1.0__updateParticipant__POST-conflict | The messaging network refused the request | none group certain | configuration-invalid | Check the group ID and the values
whatsmiau-1.0__updateParticipant__POST-no-groupJid-in-the-body | The gateway answered with status 400 | none nothing certain | configuration-invalid | Check the values
whatsmiau-1.0__groupParticipants__personal-jid | The gateway answered with status 400 | none nothing open | configuration-invalid | Check the values
whatsmiau-1.0__updateParticipant__POST-stream-error-515 | The gateway lost its connection to the messaging network | none nothing open | temporarily-unavailable | that the instance is connected
whatsmiau-1.0__updateParticipant__POST-silence | The messaging network didn't answer the gateway | none nothing open | temporarily-unavailable | that the instance is connected
whatsmiau-1.0__updateParticipant__POST-not-allowed | The gateway answered with status 500 | none nothing open | temporarily-unavailable | log of the gateway
whatsmiau-1.0__updateParticipant__POST-resource-limit | The messaging network reported a problem | none nothing open | temporarily-unavailable | Wait some minutes
# a status with the gateway's own words; after the @ the route
429 rate limit exceeded, try again later, info query returned status 429: rate-overlimit | The messaging network is rate limiting this account | none instance certain | rate-limited | Wait a few hours
500 operation failed, failed to send info query: websocket not connected | The instance isn't connected | none nothing certain | temporarily-unavailable | Connect the instance to its account
400 Connection Closed | The instance isn't connected | none nothing open | temporarily-unavailable | Connect the instance to its account
500 Error: Timed Out | The messaging network didn't answer the gateway | none nothing open | temporarily-unavailable | that the instance is connected
413 @updateParticipants | The request is too large for the gateway | none nothing open | configuration-invalid | Lower 'Participants per Request'
413 @sendInvite | The request is too large for the gateway | none nothing open | configuration-invalid | what size of request
400 Error: rate-overlimit | The messaging network is rate limiting this account | none instance certain | rate-limited | Wait a few hours
404 Error: rate-overlimit | The messaging network is rate limiting this account | none instance certain | rate-limited | Wait a few hours
500 Error: rate-overlimit | The messaging network is rate limiting this account | none instance open | rate-limited | Wait a few hours
200 Error: rate-overlimit | The messaging network is rate limiting this account | none instance open | rate-limited | Wait a few hours
502 rate-overlimit | The gateway answered with status 502 | reads nothing open | temporarily-unavailable | that the gateway is running
400 Error: account_reachout_restricted | The messaging network has restricted this account | none instance open | rate-limited | Stop adding people
401 @listInstances | The gateway refused the API key | none nothing certain | credential-invalid | list instances with their own key only
400 Error: forbidden | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
400 Error updating participants, Error: forbidden | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
400 Error: not-authorized | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
400 Error: item-not-found | This group doesn't exist, or the instance's account isn't in it | none group certain | configuration-invalid | Check the group ID and the instance
400 Error: bad-request | The messaging network refused the request | none nothing certain | configuration-invalid | Check the group ID and the values
400 Error: not-acceptable | The messaging network refused the request | none nothing certain | configuration-invalid | Check the group ID and the values
400 Error: conflict | The messaging network refused the request | none group certain | configuration-invalid | Check the group ID and the values
403 Error: forbidden | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
404 Error: item-not-found | This group doesn't exist, or the instance's account isn't in it | none group certain | configuration-invalid | Check the group ID and the instance
404 Error: not-authorized | The instance's account isn't an admin of this group | none group certain | configuration-invalid | Make the account an admin
404 @updateSetting Error: not-authorized | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
404 Error: forbidden | The instance's account isn't in this group | none group certain | configuration-invalid | Check the group ID and the instance
404 @revokeInviteCode Error: forbidden | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
400 forbidden | The instance's account isn't an admin of this group, or isn't in it | none group certain | configuration-invalid | Make the account an admin
404 item-not-found | This group doesn't exist, or the instance's account isn't in it | none group certain | configuration-invalid | Check the group ID and the instance
403 forbidden by policy | The gateway doesn't allow this | none nothing open | configuration-invalid | firewall
400 TypeError: Cannot read properties of undefined (reading 'groupParticipantsUpdate') | The instance isn't connected | none nothing certain | temporarily-unavailable | Connect the instance to its account
500 Cannot read properties of undefined (reading 'updateGParticipant') | The gateway is still starting | none nothing certain | temporarily-unavailable | Wait a few seconds
500 Cannot read properties of undefined (reading 'updateGSetting') | The gateway is still starting | none nothing certain | temporarily-unavailable | Wait a few seconds
500 Cannot read properties of undefined (reading 'revokeInviteCode') | The gateway is still starting | none nothing certain | temporarily-unavailable | Wait a few seconds
400 instance requires property "action" | The gateway answered with status 400 | none nothing certain | configuration-invalid | Check the values
400 @updateParticipants 1006 | The gateway lost its connection to the messaging network | none nothing open | temporarily-unavailable | that the instance is connected
400 @updateParticipants Error updating participants, 1006 | The gateway lost its connection to the messaging network | none nothing open | temporarily-unavailable | that the instance is connected
400 @updateParticipants 1006 times | The gateway answered with status 400 | none nothing open | configuration-invalid | Check the values
400 @updateParticipants Connection Closed | The gateway lost its connection to the messaging network | none nothing open | temporarily-unavailable | that the instance is connected
400 @updateParticipants Connection Terminated by Server | The gateway lost its connection to the messaging network | none nothing open | temporarily-unavailable | that the instance is connected
400 @updateParticipants Error: Timed Out | The messaging network didn't answer the gateway | none nothing open | temporarily-unavailable | that the instance is connected
400 @updateParticipants Stream Errored (restart required) | The gateway lost its connection to the messaging network | none nothing open | temporarily-unavailable | that the instance is connected
400 @updateParticipants Query Cancelled | The gateway lost its connection to the messaging network | none nothing open | temporarily-unavailable | that the instance is connected
400 @updateParticipants Error: internal-server-error | The messaging network reported a problem | none nothing open | temporarily-unavailable | Wait some minutes
400 @updateParticipants Error updating participants, Error: internal-server-error | The messaging network reported a problem | none nothing open | temporarily-unavailable | Wait some minutes
400 @updateParticipants Error: resource-limit | The messaging network reported a problem | none nothing open | temporarily-unavailable | Wait some minutes
400 @updateParticipants something new | The gateway answered with status 400 | none nothing open | configuration-invalid | Check the values
403 Blocked by the firewall | The gateway doesn't allow this | none nothing open | configuration-invalid | firewall
405 Method Not Allowed | The gateway doesn't have this function at this address | none nothing certain | configuration-invalid | version of the gateway
404 Not here | The gateway answered with status 404 | none nothing open | configuration-invalid | version of the gateway
400 The instance does not exist | The gateway answered with status 400 | none nothing open | configuration-invalid | Check the values
404 Error: Timed Out | The messaging network didn't answer the gateway | none nothing open | temporarily-unavailable | that the instance is connected
408 Error: Timed Out | The messaging network didn't answer the gateway | none nothing open | temporarily-unavailable | that the instance is connected
502 upstream connection closed before the reply | The gateway answered with status 502 | reads nothing open | temporarily-unavailable | that the gateway is running
504 Connection closed | The gateway answered with status 504 | reads nothing open | temporarily-unavailable | that the gateway is running
502 Request timed out | The gateway answered with status 502 | reads nothing open | temporarily-unavailable | that the gateway is running
503 upstream connect error or disconnect/reset before headers | The gateway answered with status 503 | reads nothing open | temporarily-unavailable | that the gateway is running
503 Connection closed | The gateway answered with status 503 | reads nothing open | temporarily-unavailable | that the gateway is running
# what is known besides: of a 2xx that can't be read, of the time, of the instance's state
{"network":"ETIMEDOUT","timeout":500} | The gateway didn't answer within 0.5 seconds | reads nothing open | temporarily-unavailable | 'Timeout (ms)'
{"network":"ETIMEDOUT","timeout":1000,"isTimeoutFixed":true} | The gateway didn't answer within 1 second | reads nothing open | temporarily-unavailable | Check that the gateway is running
{"status":429,"canceledBeforeRetry":true} | The execution was canceled before the request was sent again | none gateway certain | temporarily-unavailable | Run this again
{"status":429,"retryAfter":30} | The gateway limits the number of requests and asks to wait 30 seconds | all gateway certain | rate-limited | Wait, then
{"status":200,"unreadable":"notJson","message":"Hi!"} | The response isn't JSON, so it doesn't come from the gateway itself | none nothing open | temporarily-unavailable | A proxy or another web page may answer
{"status":200,"unreadable":"tooLarge"} | The gateway's response is too large to be read | none nothing open | temporarily-unavailable | version of the gateway
{"status":200,"unreadable":"shape"} | The gateway's response has an unexpected shape | none nothing open | temporarily-unavailable | version of the gateway
{"status":200,"unreadable":"empty"} | The gateway's response is empty | none nothing open | temporarily-unavailable | Check that the instance is connected
{"status":200,"unreadable":"error"} | The gateway reported a problem | none nothing open | temporarily-unavailable | log of the gateway
{"status":200,"unreadable":"error","message":"Error: rate-overlimit"} | The messaging network is rate limiting this account | none instance open | rate-limited | Wait a few hours
{"status":200,"unreadable":"empty","route":"listGroups","elapsed":54999} | The gateway gave no list of groups: the instance is set to ignore groups, or its account is in none | none nothing open | configuration-invalid | Turn off 'Ignore Groups'
{"status":200,"unreadable":"empty","route":"listGroups","elapsed":55000} | The messaging network didn't answer the gateway | none nothing open | temporarily-unavailable | Check that the instance is connected
{"status":200,"unreadable":"empty","route":"listParticipants"} | The gateway gave an empty list of members, and no group is without members | none nothing open | temporarily-unavailable | Check that the instance is connected
{"status":200,"unreadable":"empty","route":"revokeInviteCode","body":{}} | The gateway gave no new link | none nothing open | temporarily-unavailable | Check that the instance is connected
{"status":200,"unreadable":"empty","route":"inviteCode","body":{"inviteUrl":""}} | The gateway gave a link that leads nowhere | none nothing open | temporarily-unavailable | Check that the instance is connected
{"status":200,"unreadable":"shape","route":"connectionState","body":{}} | The gateway doesn't know the state of the connection yet | none nothing open | temporarily-unavailable | It may just have started
{"status":401,"body":{"error":"not authorized"},"route":"listInstances"} | The gateway refused the API key in the words of evolution-go, which is another interface | none key certain | credential-invalid | can't work with evolution-go
{"status":401,"body":{"status":401,"error":"Unauthorized"}} | The gateway refused the API key | none key certain | credential-invalid | API Key
{"status":503,"body":{"code":"LICENSE_REQUIRED"},"message":"License required"} | The gateway asks for a license | none gateway certain | temporarily-unavailable | Register the gateway's license on its own web page
{"status":503,"body":{"code":"LICENSE_REQUIRED"},"registerUrl":"https://x.example/r"} | The gateway asks for a license | none gateway certain | temporarily-unavailable | license, then run this again: https://x.example/r
{"status":503,"body":{"code":"STARTING"}} | The gateway answered with status 503 | reads nothing open | temporarily-unavailable | gateway is running
{"network":"ETIMEDOUT","state":"close"} | The instance isn't connected | none instance open | temporarily-unavailable | Connect the instance
{"network":"ETIMEDOUT","state":"unknown"} | The instance isn't connected, or the gateway doesn't say whether it is | none instance open | temporarily-unavailable | Check first that the gateway answers
{"route":"connectionState","state":"close"} | The instance isn't connected | none instance certain | temporarily-unavailable | Connect the instance again
{"route":"connectionState","state":"unknown"} | The instance isn't connected, or the gateway doesn't say whether it is | none instance certain | temporarily-unavailable | phone
`;
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
