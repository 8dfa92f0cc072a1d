import { isRecord } from '../../common/json';
import { count } from '../../common/text';
import { ROUTES } from '../routes';
import {
	isInstanceMissing,
	isRouteMissing,
	wasSilent,
	errorTextOf,
	type FailureRow,
	type CallFailure,
} from './callFailure';

type Condition = FailureRow['when'];

const all =
	(...conditions: Condition[]): Condition =>
	(failure) =>
		conditions.every((condition) => condition(failure));
const status =
	(...codes: Array<CallFailure['status']>): Condition =>
	(failure) =>
		codes.includes(failure.status);
const network =
	(...codes: Array<CallFailure['network']>): Condition =>
	(failure) =>
		codes.includes(failure.network);
const networkLike =
	(pattern: RegExp): Condition =>
	({ network: code = '' }) =>
		pattern.test(code);
const unreadable =
	(kind: CallFailure['unreadable']): Condition =>
	(failure) =>
		failure.unreadable === kind;
const onRoute =
	(...names: Array<CallFailure['route']>): Condition =>
	(failure) =>
		names.includes(failure.route);
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
const CONNECT = "Connect the instance to its account on the gateway's own web page, then run this again";

/** How to go on; a row of the table says only what differs from one of these. */
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

/** With others, it's a proxy that says something. */
const GATEWAY_STATUSES = new Set([400, 404, 500]);

/** What has to end at once. */
const accountAtRisk = { stop: 'instance', failureCause: 'rate-limited' } as const;

const rateLimited = {
	message: says('The messaging network is rate limiting this account'),
	description:
		'Wait a few hours before you run the rest, and send less at a time: going on gets accounts banned',
};
const noAnswer = {
	message: says("The messaging network didn't answer the gateway"),
	description: 'Check that the instance is connected',
};
const connectionLost = {
	message: says('The gateway lost its connection to the messaging network'),
	description: 'Check that the instance is connected, then run this again',
};
const notAllowed = {
	message: says("The gateway doesn't allow this"),
	description: 'Check what the API key may do, and whether there is a firewall in front of the gateway',
};
const tooLarge = {
	message: says('The request is too large for the gateway'),
	description: 'Check what size of request a proxy in front of the gateway allows',
	...notKnown,
	failureCause: 'configuration-invalid',
} as const;
const notConnected = {
	message: says("The instance isn't connected"),
	description: CONNECT,
	mayBeDisconnected: true,
} as const;

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

/** What was seen → what to tell, and how to go on. The first row that fits counts. */
export const FAILURES: readonly FailureRow[] = [
	{
		when: ({ canceledBeforeRetry }) => canceledBeforeRetry === true,
		message: () => 'The execution was canceled before the request was sent again',
		description: 'Run this again to go on',
		...notReached,
	},
	{
		// Asked before a change, which then isn't sent.
		when: all(({ state }) => state !== undefined, onRoute('connectionState')),
		...notConnected,
		description:
			"Look at the account's phone: the messaging network may have logged it out. Connect the instance again on the gateway's own web page, then run the rest, and add fewer people at a time",
		...refused,
		stop: 'instance',
		failureCause: 'temporarily-unavailable',
	},
	{ when: ({ state }) => state !== undefined, ...notConnected, ...notKnown, stop: 'instance' },

	// No reply. The codes are Node's.
	{
		when: network('ERR_CANCELED'),
		message: () => 'The execution was canceled',
		description: 'Run this again to go on',
		...notKnown,
		stop: 'gateway',
	},
	{
		when: network('ECONNREFUSED'),
		message: couldNotConnect('connection refused'),
		description: CHECK_URL,
		...notReached,
		retry: 'all',
	},
	{
		when: network('ENOTFOUND', 'EAI_AGAIN'),
		message: couldNotConnect("the host name couldn't be found"),
		description: CHECK_URL,
		...notReached,
	},
	{
		when: network('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'),
		message: couldNotConnect('network unreachable'),
		description: CHECK_URL,
		...notReached,
	},
	{
		when: networkLike(/CERT(?!IFICATE_REQUIRED)|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/),
		message: couldNotConnect("its SSL certificate isn't trusted"),
		description: "If you trust this gateway, turn on 'Ignore SSL Issues (Insecure)' in the credential",
		...notReached,
		failureCause: 'configuration-invalid',
	},
	{
		when: networkLike(/EPROTO$|ERR_SSL_\w*(VERSION|HANDSHAKE|PROTOCOL|CERTIFICATE)/),
		message: couldNotConnect("the server didn't answer with HTTP"),
		description:
			"If the gateway answers without a certificate, try http:// instead of https:// in 'Base URL' of the credential",
		...notReached,
		failureCause: 'configuration-invalid',
	},
	{
		// The parser's codes: by then the request has been sent.
		when: networkLike(/HPE_/),
		message: ({ baseUrl }) => `The server at ${baseUrl} didn't answer with HTTP`,
		description: CHECK_URL,
		...notKnown,
	},
	{
		when: network('SSRF_BLOCKED'),
		message: ({ baseUrl }) => `n8n doesn't allow requests to ${baseUrl}`,
		description:
			'Ask whoever runs n8n to add the address to N8N_SSRF_ALLOWED_IP_RANGES or N8N_SSRF_ALLOWED_HOSTNAMES',
		...notReached,
		failureCause: 'configuration-invalid',
	},
	{
		when: network('ERR_INVALID_CHAR'),
		message: () => "The API key contains characters that can't be sent",
		description: 'Enter the API key in the credential again, without line breaks',
		...notReached,
		failureCause: 'credential-invalid',
	},
	{
		when: network('ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'),
		message: ({ timeout }) => `The gateway didn't answer within ${count(timeout / 1000, 'second')}`,
		description: ({ isTimeoutFixed }) =>
			isTimeoutFixed
				? 'Check that the gateway is running and the instance is connected, then try again'
				: "Check that the instance is connected. A longer 'Timeout (ms)' in the options may help",
		...notKnownOnce,
		mayBeDisconnected: true,
	},
	{
		when: network('ECONNRESET', 'EPIPE', 'ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE'),
		message: () => 'The gateway closed the connection before the full response arrived',
		description: 'Check the log of the gateway, and of a proxy in front of it',
		...notKnownOnce,
	},
	{
		when: ({ network: code }) => code !== undefined,
		message: ({ network: code }) => `The request to the gateway couldn't be completed (${code})`,
		description: CHECK_URL,
		...notKnown,
	},

	// Everything is refused, or has to wait.
	{
		// It has no instance in its paths, and its key chooses the instance (from its source).
		when: all(status(401), ({ body }) => isRecord(body) && body.error === 'not authorized'),
		message: says('The gateway refused the API key in the words of evolution-go, which is another interface'),
		description:
			"This node works with Evolution API 1.x and 2.x, and can't work with evolution-go. Check 'Base URL' and 'API Key' in the credential",
		...refused,
		stop: 'key',
		failureCause: 'credential-invalid',
	},
	{
		// Generation 1 lists instances with its own key only; an instance's key is right there, and yet refused.
		when: all(status(401), onRoute('listInstances')),
		message: says('The gateway refused the API key'),
		description:
			"Check 'API Key' in the credential. If it's the key of one instance: Evolution API 1.x lists instances with the gateway's own key only, but changes groups with this one",
		...refused,
		failureCause: 'credential-invalid',
	},
	{
		when: status(401),
		message: says('The gateway refused the API key'),
		description: "Check 'API Key' in the credential: the gateway's own key, or the key of this instance",
		...refused,
		stop: 'key',
		failureCause: 'credential-invalid',
	},
	{
		when: status(429),
		message: (failure) =>
			says(
				failure.retryAfter === undefined
					? 'The gateway limits the number of requests'
					: `The gateway limits the number of requests and asks to wait ${count(failure.retryAfter, 'second')}`,
			)(failure),
		description: 'Wait, then run the rest, and send less at a time',
		...refused,
		retry: 'all',
		stop: 'gateway',
		failureCause: 'rate-limited',
	},
	{ when: all(status(400, 404), refusal('rate-overlimit')), ...rateLimited, ...refused, ...accountAtRisk },
	{
		when: all(
			({ status: code = 0 }) => code < 300 || GATEWAY_STATUSES.has(code),
			errorText(/rate-overlimit/i),
		),
		...rateLimited,
		...notKnown,
		...accountAtRisk,
	},
	{
		when: errorText(/account_reachout_restricted/i),
		message: says('The messaging network has restricted this account'),
		description:
			'Stop adding people and writing to strangers with this account for some days: going on gets it banned',
		...notKnown,
		...accountAtRisk,
	},
	{
		when: all(status(503), ({ body }) => isRecord(body) && body.code === 'LICENSE_REQUIRED'),
		message: says('The gateway asks for a license'),
		description: ({ registerUrl }) =>
			registerUrl === undefined
				? "Register the gateway's license on its own web page, then run this again"
				: `Register the gateway's license, then run this again: ${registerUrl}`,
		...refused,
		failureCause: 'temporarily-unavailable',
	},

	// A reply that is no answer to the call.
	{
		when: unreadable('tooLarge'),
		message: () => "The gateway's response is too large to be read",
		description: CHECK_VERSION,
		...notKnown,
	},
	{
		when: unreadable('notJson'),
		message: says("The response isn't JSON, so it doesn't come from the gateway itself"),
		description: `${CHECK_URL}. A proxy or another web page may answer in its place`,
		...notKnown,
	},
	{
		when: all(unreadable('empty'), wasSilent),
		message: () => "The messaging network didn't answer the gateway",
		description: 'Check that the instance is connected, then run this again',
		...notKnown,
	},
	{
		when: all(unreadable('empty'), onRoute('listGroups')),
		message: () => 'The gateway gave no list of groups: the instance is set to ignore groups',
		description:
			"Turn off 'Ignore Groups' (groups_ignore or groupsIgnore) in the instance's settings on the gateway. Group changes work without it, by the ID of the group",
		...notKnown,
		failureCause: 'configuration-invalid',
	},
	{
		when: all(unreadable('empty'), onRoute('listParticipants')),
		message: () => 'The gateway gave an empty list of members, and no group is without members',
		description: 'Check that the instance is connected, then run this again',
		...notKnown,
	},
	{
		when: all(unreadable('empty'), onRoute('revokeInviteCode'), ({ body }) => isRecord(body)),
		message: () => 'The gateway gave no new link',
		description: 'Check that the instance is connected, then run this again',
		...notKnown,
	},
	{
		when: unreadable('empty'),
		message: says("The gateway's response is empty"),
		description: 'Check that the instance is connected, then run this again',
		...notKnown,
	},
	{ when: all(unreadable('error'), lostConnection), ...connectionLost, ...notKnown },
	{ when: all(unreadable('error'), errorText(/Connection Closed/i)), ...notConnected, ...notKnown },
	{
		// 1.8.6 in its first second.
		when: all(unreadable('shape'), onRoute('connectionState')),
		message: () => "The gateway doesn't know the state of the connection yet",
		description: 'It may just have started. Run this again in a minute',
		...notKnown,
	},
	{
		when: unreadable('error'),
		message: says('The gateway reported a problem'),
		description: 'Check the log of the gateway',
		...notKnown,
	},
	{
		when: unreadable('shape'),
		message: says("The gateway's response has an unexpected shape"),
		description: CHECK_VERSION,
		...notKnown,
	},
	{
		when: ({ status: code, redirectsTo }) => is3xx(code) && redirectsTo !== undefined,
		message: ({ redirectsTo }) => `The gateway redirects to ${redirectsTo} — set that as 'Base URL'`,
		description:
			"Redirects aren't followed, since that would hand the API key to another address. Change 'Base URL' in the credential",
		...refused,
	},
	{
		when: ({ status: code }) => is3xx(code),
		message: ({ status: code }) => `The gateway redirects (status ${code}) to a page that is no gateway`,
		description: CHECK_URL,
		...refused,
	},

	// Something that isn't there, in the gateway's own words.
	{
		when: all(isRouteMissing, onRoute('findBot')),
		message: says('This gateway has no bots'),
		description: "Evolution API has bots from version 2 on. If it is one, check 'Base URL' in the credential",
		...refused,
	},
	{
		when: isRouteMissing,
		message: says("The gateway doesn't have this function at this address"),
		description: CHECK_VERSION,
		...refused,
	},
	{
		when: isInstanceMissing,
		message: says("The instance couldn't be found"),
		description: "Choose the instance with 'From List', or check its name. It's case-sensitive",
		...refused,
	},

	// What the messaging network or the gateway's library says, see the recordings. The first text of `message` names the
	// call, and its last the reason.
	{
		when: all(status(400, 404, 408, 500), errorText(/\btimed out\b|reading 'attrs'/i)),
		...noAnswer,
		...notKnown,
	},
	{ when: all(status(400, 404, 408, 500), lostConnection), ...connectionLost, ...notKnown },
	{ when: all(status(400, 404, 500), errorText(/Connection Closed/i)), ...notConnected, ...notKnown },
	{
		when: all(status(500), errorText(/reading '(updateGParticipant|updateGSetting|revokeInviteCode)'/)),
		message: says('The gateway is still starting'),
		description: 'Wait a few seconds, then run this again',
		...notKnown,
		certainlyNotApplied: true,
	},
	{
		when: all(status(400, 404, 500), errorText(NO_CLIENT)),
		...notConnected,
		...notKnown,
		certainlyNotApplied: true,
	},
	{
		when: all(status(404, 500), errorText(/Cannot convert undefined or null to object/)),
		...notConnected,
		...notKnown,
	},
	{
		when: all(status(400), errorText(/not available on WhatsApp Business API/i)),
		message: says('This kind of instance has no groups'),
		description: 'Choose an instance that is connected by QR code',
		...refused,
	},
	{
		when: (failure) =>
			refusal('forbidden', 'not-authorized')(failure) &&
			(status(400, 403)(failure) || all(status(404), onRoute('updateSetting', 'revokeInviteCode'))(failure)),
		message: says("The instance's account isn't an admin of this group, or isn't in it"),
		description: 'Make the account an admin of the group, then run this again',
		...refused,
		stop: 'group',
	},
	{
		when: all(status(404), refusal('not-authorized')),
		message: says("The instance's account isn't an admin of this group"),
		description: 'Make the account an admin of the group, then run this again',
		...refused,
		stop: 'group',
	},
	{
		when: all(status(404), refusal('forbidden')),
		message: says("The instance's account isn't in this group"),
		description: CHECK_GROUP,
		...refused,
		stop: 'group',
	},
	{
		when: all(status(404), refusal('item-not-found')),
		message: says("This group doesn't exist"),
		description: CHECK_GROUP,
		...refused,
		stop: 'group',
	},
	{
		when: all(status(400, 403), refusal('item-not-found')),
		message: says("This group doesn't exist, or the instance's account isn't in it"),
		description: CHECK_GROUP,
		...refused,
		stop: 'group',
	},
	{
		when: all(status(400, 403, 404), refusal('bad-request', 'not-acceptable', 'conflict')),
		message: says('The messaging network refused the request'),
		description: 'Check the group ID and the values of this node',
		...refused,
	},

	{
		// 2.2.3 gives no other reason where the network was silent, and then the message may be under way.
		when: all(status(404), errorText(/^No send invite$/), wasSilent),
		...noAnswer,
		...notKnown,
	},
	{
		when: all(status(404), errorText(/^No send invite$/)),
		// It comes after the message has gone, too, if the gateway couldn't store it.
		message: says("The gateway couldn't send the invite and gives no reason"),
		description: 'Ask the person before you send it again',
		...notKnown,
	},

	{
		// Everything is a 404 there, also what the network answers when it is in trouble.
		when: all(status(404), errorText(/^No participants\b/)),
		message: says("The gateway couldn't read the members of the group"),
		description: 'Check that the instance is connected, then run this again',
		...notKnown,
	},

	// Bots, and values.
	{
		when: all(status(400), errorText(/openai is disabled/i)),
		message: says('Bots are disabled'),
		description: "Enable OpenAI in the gateway's settings",
		...refused,
	},
	{
		when: all(status(500, 404), errorText(/bot not found/i)),
		message: says("The bot couldn't be found"),
		description: "Choose the bot with 'From List', or check its ID and the instance",
		...refused,
	},
	{
		when: all(status(400), isSchemaComplaint),
		message: answers,
		description: 'Check the values of this node',
		...refused,
	},
	{
		when: all(status(403), ({ body }) => isRecord(body), errorText(/^forbidden$/i)),
		...notAllowed,
		...refused,
	},
	{ when: status(403), ...notAllowed, ...notKnown, failureCause: 'configuration-invalid' },
	{
		when: status(404),
		message: answers,
		description: CHECK_VERSION,
		...notKnown,
		failureCause: 'configuration-invalid',
	},
	{
		when: all(status(413), onRoute('updateParticipants')),
		...tooLarge,
		description: "Lower 'Participants per Request' in the options",
	},
	{ when: status(413), ...tooLarge },

	// Trouble at the gateway.
	{ when: status(408), message: answers, description: CHECK_URL, ...notKnown },
	{ when: status(502, 503, 504), message: answers, description: CHECK_URL, ...notKnownOnce },
	{
		when: ({ status: code = 0 }) => code >= 500,
		message: answers,
		description: 'Check the log of the gateway',
		...notKnown,
	},
];

/** What no row of the table fits: another status of 400 to 499. */
export const OTHER_FAILURE: Omit<FailureRow, 'when'> = {
	message: answers,
	description: 'Check the values of this node',
	...notKnown,
	failureCause: 'configuration-invalid',
};

function is3xx(code = 0): boolean {
	return Math.floor(code / 100) === 3;
}
