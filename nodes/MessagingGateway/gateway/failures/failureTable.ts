import { isRecord } from '../../common/json';
import { count, uncapitalized } from '../../common/text';
import { ROUTES } from '../routes';
import {
	isInstanceMissing,
	isInviteRefused,
	isRouteMissing,
	wasSilent,
	errorTextOf,
	type CallFailure,
	type Course,
} from './callFailure';

/** A row of the table: when it fits, what happened, what to do, and how to go on. */
type FailureRow = readonly [
	when: (failure: CallFailure) => boolean,
	message: (failure: CallFailure) => string,
	description: string | ((failure: CallFailure) => string),
	course: Course,
];
type Condition = FailureRow[0];

const all =
	(...conditions: Condition[]): Condition =>
	(failure) =>
		conditions.every((condition) => condition(failure));
/** Makes the condition that a field has one of several values. */
const oneOf =
	<F extends keyof CallFailure>(field: F) =>
	(...values: Array<CallFailure[F]>): Condition =>
	(failure) =>
		values.includes(failure[field]);
const status = oneOf('status');
const network = oneOf('network');
const unreadable = oneOf('unreadable');
const onRoute = oneOf('route');
const networkLike =
	(pattern: RegExp): Condition =>
	({ network: code = '' }) =>
		pattern.test(code);
const errorText =
	(pattern: RegExp): Condition =>
	(failure) =>
		pattern.test(errorTextOf(failure));

/** `sentence (the gateway says: …)`, or the sentence alone if the gateway gives no reason. */
const says = (sentence: string) => (failure: CallFailure) =>
	failure.message === '' ? sentence : `${sentence} (the gateway says: ${failure.message})`;
const answers = (failure: CallFailure) => says(`The gateway answered with status ${failure.status}`)(failure);
const couldNotConnect =
	(reason: string) =>
	({ baseUrl }: CallFailure) =>
		`Couldn't connect to ${baseUrl}: ${reason}`;

const CHECK_URL = "Check 'Base URL' in the credential and that the gateway is running";
const CHECK_VERSION = "Check 'Base URL' in the credential and the version of the gateway";
const CHECK_GROUP = 'Check the group ID and the instance';
const CHECK_LOG = 'Check the log of the gateway';
const CHECK_VALUES = 'Check the values of this node';
const CHECK_CONNECTION = 'Check that the instance is connected, then run this again';
const MAKE_ADMIN = 'Make the account an admin of the group, then run this again';

/** How to go on; a row of the table says what differs from one of these. */
const refused = {
	retry: 'none',
	stop: 'nothing',
	certainlyNotApplied: true,
	failureCause: 'configuration-invalid',
} as const;
const notReached = {
	retry: 'none',
	stop: 'gateway',
	certainlyNotApplied: true,
	failureCause: 'temporarily-unavailable',
} as const;
const notKnown = {
	retry: 'none',
	stop: 'nothing',
	certainlyNotApplied: false,
	failureCause: 'temporarily-unavailable',
} as const;
const notKnownOnce = { ...notKnown, retry: 'reads' } as const;
const disconnected = { ...notKnown, mayBeDisconnected: true } as const;
const misconfigured = { ...notReached, failureCause: 'configuration-invalid' } as const;
const notUnderstood = { ...notKnown, failureCause: 'configuration-invalid' } as const;
const groupRefused = { ...refused, stop: 'group' } as const;
const keyRefused = { ...refused, stop: 'key', failureCause: 'credential-invalid' } as const;

/** What has to end at once. */
const accountAtRisk = { stop: 'instance', failureCause: 'rate-limited' } as const;

/** With others, it's a proxy that says something. */
const GATEWAY_STATUSES = new Set([400, 404, 500]);

const tooLarge = says('The request is too large for the gateway');
/** What happened, and what to do. */
const rateLimited = [
	says('The messaging network is rate limiting this account'),
	'Wait a few hours before you run the rest, and send less at a time: going on gets accounts banned',
] as const;
const noAnswer = [
	says("The messaging network didn't answer the gateway"),
	'Check that the instance is connected',
] as const;
const connectionLost = [
	says('The gateway lost its connection to the messaging network'),
	CHECK_CONNECTION,
] as const;
const notAllowed = [
	says("The gateway doesn't allow this"),
	'Check what the API key may do, and whether there is a firewall in front of the gateway',
] as const;
const notConnected = [
	says("The instance isn't connected"),
	"Connect the instance to its account on the gateway's own web page, then run this again",
] as const;

const OR_NOT_SAID = ", or the gateway doesn't say whether it is";
const isNotOpen: Condition = ({ state }) => state !== undefined;
/** The same of an instance that was asked for its state, of which the gateway may have said nothing. @param advice if it did */
const notOpen = (advice: string) =>
	[
		(failure: CallFailure) =>
			says(`The instance isn't connected${failure.state === 'unknown' ? OR_NOT_SAID : ''}`)(failure),
		({ state }: CallFailure) =>
			state === 'unknown'
				? `Check first that the gateway answers. If it does, ${uncapitalized(advice)}`
				: advice,
	] as const;

/**
 * What the gateway's library says of an instance that has no connection: a method of a client that isn't there. Nothing
 * was sent then, since there is nothing to send with.
 */
const NO_CLIENT =
	/Cannot read properties of undefined \(reading '(group\w+|updateGParticipant|sendMessage|relayMessage)'\)/;
/** The network's word for a refusal, as the whole last text of the message: a proxy may have such a word, too. */
const refusal =
	(...names: string[]): Condition =>
	(failure) =>
		new RegExp(`(?:^|, )(?:Error: )?(?:${names.join('|')})$`).test(errorTextOf(failure));
/**
 * The connection of an instance ended while a call was under way: its library's words, or the bare code of the socket. Of
 * a call that only reads, `Connection Closed` says that the instance isn't connected.
 */
const lostConnection: Condition = (failure) =>
	/(?:^|, )(?:Error: )?(?:100[06]|Connection (?:Terminated\b.*|was lost)|Stream Errored\b.*|Query Cancelled)$/i.test(
		errorTextOf(failure),
	) ||
	(failure.route !== undefined &&
		ROUTES[failure.route].changes &&
		/Connection Closed/i.test(errorTextOf(failure)));

/** What the schema of a gateway's call says; a list of `{property, message}`, which few other bodies have. */
const isSchemaComplaint: Condition = ({ body, ...failure }) =>
	/ requires property "|needs to be informed in the query/.test(errorTextOf(failure)) ||
	(isRecord(body) &&
		isRecord(body.response) &&
		Array.isArray(body.response.message) &&
		body.response.message.flat(1).some((one) => isRecord(one) && 'property' in one));

/** What was seen → what to tell and to do, and how to go on. The first row that fits counts. */
export const FAILURES: readonly FailureRow[] = [
	[
		({ canceledBeforeRetry }) => canceledBeforeRetry === true,
		() => 'The execution was canceled before the request was sent again',
		'Run this again to go on',
		notReached,
	],
	// Asked before a change, which then isn't sent.
	[
		all(isNotOpen, onRoute('connectionState')),
		...notOpen(
			"Look at the account's phone: the messaging network may have logged it out. Connect the instance again on the gateway's own web page, then run the rest, and add fewer people at a time",
		),
		{ ...notReached, stop: 'instance' },
	],
	[isNotOpen, ...notOpen(notConnected[1]), { ...disconnected, stop: 'instance' }],

	// No reply. The codes are Node's.
	[
		network('ERR_CANCELED'),
		() => 'The execution was canceled',
		'Run this again to go on',
		{ ...notKnown, stop: 'gateway' },
	],
	[
		network('ECONNREFUSED'),
		couldNotConnect('connection refused'),
		CHECK_URL,
		{ ...notReached, retry: 'all' },
	],
	[
		network('ENOTFOUND', 'EAI_AGAIN'),
		couldNotConnect("the host name couldn't be found"),
		CHECK_URL,
		notReached,
	],
	[
		network('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'),
		couldNotConnect('network unreachable'),
		CHECK_URL,
		notReached,
	],
	[
		networkLike(/CERT(?!IFICATE_REQUIRED)|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/),
		couldNotConnect("its SSL certificate isn't trusted"),
		"If you trust this gateway, turn on 'Ignore SSL Issues (Insecure)' in the credential",
		misconfigured,
	],
	[
		networkLike(/EPROTO$|ERR_SSL_\w*(VERSION|HANDSHAKE|PROTOCOL|CERTIFICATE)/),
		couldNotConnect("the server didn't answer with HTTP"),
		"If the gateway answers without a certificate, try http:// instead of https:// in 'Base URL' of the credential",
		misconfigured,
	],
	// The parser's codes: by then the request has been sent.
	[
		networkLike(/HPE_/),
		({ baseUrl }) => `The server at ${baseUrl} didn't answer with HTTP`,
		CHECK_URL,
		notKnown,
	],
	[
		network('SSRF_BLOCKED'),
		({ baseUrl }) => `n8n doesn't allow requests to ${baseUrl}`,
		'Ask whoever runs n8n to add the address to N8N_SSRF_ALLOWED_IP_RANGES or N8N_SSRF_ALLOWED_HOSTNAMES',
		misconfigured,
	],
	[
		network('ERR_INVALID_CHAR'),
		() => "The API key contains characters that can't be sent",
		'Enter the API key in the credential again, without line breaks',
		{ ...notReached, failureCause: 'credential-invalid' },
	],
	[
		network('ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'),
		({ timeout }) => `The gateway didn't answer within ${count(timeout / 1000, 'second')}`,
		({ isTimeoutFixed }) =>
			isTimeoutFixed
				? 'Check that the gateway is running and the instance is connected, then try again'
				: "Check that the instance is connected. A longer 'Timeout (ms)' in the options may help",
		{ ...disconnected, retry: 'reads' },
	],
	[
		network('ECONNRESET', 'EPIPE', 'ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE'),
		() => 'The gateway closed the connection before the full response arrived',
		'Check the log of the gateway, and of a proxy in front of it',
		notKnownOnce,
	],
	[
		({ network: code }) => code !== undefined,
		({ network: code }) => `The request to the gateway couldn't be completed (${code})`,
		CHECK_URL,
		notKnown,
	],

	// Everything is refused, or has to wait.
	// It has no instance in its paths, and its key chooses the instance (from its source).
	[
		all(status(401), ({ body }) => isRecord(body) && body.error === 'not authorized'),
		says('The gateway refused the API key in the words of evolution-go, which is another interface'),
		"This node works with Evolution API 1.x and 2.x, and can't work with evolution-go. Check 'Base URL' and 'API Key' in the credential",
		keyRefused,
	],
	// Generation 1 lists instances with its own key only; an instance's key is right there, and yet refused.
	[
		all(status(401), onRoute('listInstances')),
		says('The gateway refused the API key'),
		"Check 'API Key' in the credential. If it's the key of one instance: Evolution API 1.x lists instances with the gateway's own key only, but changes groups with this one",
		{ ...refused, failureCause: 'credential-invalid' },
	],
	[
		status(401),
		says('The gateway refused the API key'),
		"Check 'API Key' in the credential: the gateway's own key, or the key of this instance",
		keyRefused,
	],
	[
		status(429),
		(failure) =>
			says(
				failure.retryAfter === undefined
					? 'The gateway limits the number of requests'
					: `The gateway limits the number of requests and asks to wait ${count(failure.retryAfter, 'second')}`,
			)(failure),
		'Wait, then run the rest, and send less at a time',
		{ ...refused, retry: 'all', stop: 'gateway', failureCause: 'rate-limited' },
	],
	[all(status(400, 404), refusal('rate-overlimit')), ...rateLimited, { ...refused, ...accountAtRisk }],
	[
		all(({ status: code = 0 }) => code < 300 || GATEWAY_STATUSES.has(code), errorText(/rate-overlimit/i)),
		...rateLimited,
		{ ...notKnown, ...accountAtRisk },
	],
	[
		errorText(/account_reachout_restricted/i),
		says('The messaging network has restricted this account'),
		'Stop adding people and writing to strangers with this account for some days: going on gets it banned',
		{ ...notKnown, ...accountAtRisk },
	],
	[
		all(status(503), ({ body }) => isRecord(body) && body.code === 'LICENSE_REQUIRED'),
		says('The gateway asks for a license'),
		({ registerUrl }) =>
			registerUrl === undefined
				? "Register the gateway's license on its own web page, then run this again"
				: `Register the gateway's license, then run this again: ${registerUrl}`,
		notReached,
	],

	// A reply that is no answer to the call.
	[unreadable('tooLarge'), () => "The gateway's response is too large to be read", CHECK_VERSION, notKnown],
	[
		unreadable('notJson'),
		says("The response isn't JSON, so it doesn't come from the gateway itself"),
		`${CHECK_URL}. A proxy or another web page may answer in its place`,
		notKnown,
	],
	[
		all(unreadable('empty'), wasSilent),
		() => "The messaging network didn't answer the gateway",
		CHECK_CONNECTION,
		notKnown,
	],
	[
		all(unreadable('empty'), onRoute('listGroups')),
		() => 'The gateway gave no list of groups: the instance is set to ignore groups',
		"Turn off 'Ignore Groups' (groups_ignore or groupsIgnore) in the instance's settings on the gateway. Group changes work without it, by the ID of the group",
		notUnderstood,
	],
	[
		all(unreadable('empty'), onRoute('listParticipants')),
		() => 'The gateway gave an empty list of members, and no group is without members',
		CHECK_CONNECTION,
		notKnown,
	],
	[
		all(unreadable('empty'), onRoute('revokeInviteCode'), ({ body }) => isRecord(body)),
		() => 'The gateway gave no new link',
		CHECK_CONNECTION,
		notKnown,
	],
	[unreadable('empty'), says("The gateway's response is empty"), CHECK_CONNECTION, notKnown],
	[all(unreadable('error'), lostConnection), ...connectionLost, notKnown],
	[all(unreadable('error'), errorText(/Connection Closed/i)), ...notConnected, disconnected],
	// 1.8.6 in its first second.
	[
		all(unreadable('shape'), onRoute('connectionState')),
		() => "The gateway doesn't know the state of the connection yet",
		'It may just have started. Run this again in a minute',
		notKnown,
	],
	[unreadable('error'), says('The gateway reported a problem'), CHECK_LOG, notKnown],
	[unreadable('shape'), says("The gateway's response has an unexpected shape"), CHECK_VERSION, notKnown],
	[
		({ status: code, redirectsTo }) => is3xx(code) && redirectsTo !== undefined,
		({ redirectsTo }) => `The gateway redirects to ${redirectsTo} — set that as 'Base URL'`,
		"Redirects aren't followed, since that would hand the API key to another address. Change 'Base URL' in the credential",
		misconfigured,
	],
	[
		({ status: code }) => is3xx(code),
		({ status: code }) => `The gateway redirects (status ${code}) to a page that is no gateway`,
		CHECK_URL,
		misconfigured,
	],

	// Something that isn't there, in the gateway's own words.
	[
		all(isRouteMissing, onRoute('findBot')),
		says('This gateway has no bots'),
		"Evolution API has bots from version 2 on. If it is one, check 'Base URL' in the credential",
		refused,
	],
	[isRouteMissing, says("The gateway doesn't have this function at this address"), CHECK_VERSION, refused],
	[
		isInstanceMissing,
		says("The instance couldn't be found"),
		"Choose the instance with 'From List', or check its name. It's case-sensitive",
		{ ...refused, stop: 'instance' },
	],

	// What the messaging network or the gateway's library says, see the recordings. The first text of `message` names the
	// call, and its last the reason.
	[all(status(400, 404, 408, 500), errorText(/\btimed out\b|reading 'attrs'/i)), ...noAnswer, notKnown],
	[all(status(400, 404, 408, 500), lostConnection), ...connectionLost, notKnown],
	[all(status(400, 404, 500), errorText(/Connection Closed/i)), ...notConnected, disconnected],
	[
		all(status(500), errorText(/reading '(updateGParticipant|updateGSetting|revokeInviteCode)'/)),
		says('The gateway is still starting'),
		'Wait a few seconds, then run this again',
		{ ...notKnown, certainlyNotApplied: true },
	],
	[
		all(status(400, 404, 500), errorText(NO_CLIENT)),
		...notConnected,
		{ ...disconnected, certainlyNotApplied: true },
	],
	[
		all(status(404, 500), errorText(/Cannot convert undefined or null to object/)),
		...notConnected,
		disconnected,
	],
	[
		all(status(400), errorText(/not available on WhatsApp Business API/i)),
		says('This kind of instance has no groups'),
		'Choose an instance that is connected by QR code',
		refused,
	],
	[
		(failure) =>
			refusal('forbidden', 'not-authorized')(failure) &&
			(status(400, 403)(failure) || all(status(404), onRoute('updateSetting', 'revokeInviteCode'))(failure)),
		says("The instance's account isn't an admin of this group, or isn't in it"),
		MAKE_ADMIN,
		groupRefused,
	],
	[
		all(status(404), refusal('not-authorized')),
		says("The instance's account isn't an admin of this group"),
		MAKE_ADMIN,
		groupRefused,
	],
	[
		all(status(404), refusal('forbidden')),
		says("The instance's account isn't in this group"),
		CHECK_GROUP,
		groupRefused,
	],
	[all(status(404), refusal('item-not-found')), says("This group doesn't exist"), CHECK_GROUP, groupRefused],
	[
		all(status(400, 403), refusal('item-not-found')),
		says("This group doesn't exist, or the instance's account isn't in it"),
		CHECK_GROUP,
		groupRefused,
	],
	[
		all(status(400, 403, 404), refusal('bad-request', 'not-acceptable', 'conflict')),
		says('The messaging network refused the request'),
		'Check the group ID and the values of this node',
		refused,
	],

	// It comes after the message has gone, too, if the gateway couldn't store it.
	[
		isInviteRefused,
		says("The gateway couldn't send the invite and gives no reason"),
		'Ask the person before you send it again',
		notKnown,
	],
	// 2.2.3 gives no other reason where the network was silent, and then the message may be under way.
	[all(status(404), errorText(/^No send invite$/)), ...noAnswer, notKnown],
	// Everything is a 404 there, also what the network answers when it is in trouble.
	[
		all(status(404), errorText(/^No participants\b/)),
		says("The gateway couldn't read the members of the group"),
		CHECK_CONNECTION,
		notKnown,
	],

	// Bots, and values.
	[
		all(status(400), errorText(/openai is disabled/i)),
		says('Bots are disabled'),
		"Enable OpenAI in the gateway's settings",
		refused,
	],
	[
		all(status(500, 404), errorText(/bot not found/i)),
		says("The bot couldn't be found"),
		"Choose the bot with 'From List', or check its ID and the instance",
		refused,
	],
	[all(status(400), isSchemaComplaint), answers, CHECK_VALUES, refused],
	[all(status(403), ({ body }) => isRecord(body), errorText(/^forbidden$/i)), ...notAllowed, refused],
	[status(403), ...notAllowed, notUnderstood],
	[status(404), answers, CHECK_VERSION, notUnderstood],
	[
		all(status(413), onRoute('updateParticipants')),
		tooLarge,
		"Lower 'Participants per Request' in the options",
		notUnderstood,
	],
	[status(413), tooLarge, 'Check what size of request a proxy in front of the gateway allows', notUnderstood],

	// Trouble at the gateway.
	[status(408), answers, CHECK_URL, notKnown],
	[status(502, 503, 504), answers, CHECK_URL, notKnownOnce],
	[({ status: code = 0 }) => code >= 500, answers, CHECK_LOG, notKnown],
];

/** What no row of the table fits: another status of 400 to 499. */
export const OTHER_FAILURE: FailureRow = [() => true, answers, CHECK_VALUES, notUnderstood];

function is3xx(code = 0): boolean {
	return Math.floor(code / 100) === 3;
}
