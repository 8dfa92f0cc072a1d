import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../../../nodes/MessagingGateway/common/said';
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
const TABLE = readFileSync(join(__dirname, '../../../fixtures/failures.txt'), 'utf8');
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
