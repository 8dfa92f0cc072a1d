import { isRecord } from '../records/json';
import { isInstanceMissing, isRouteMissing, type FailureRow, type Observed } from './observed';
import { count } from '../text/text';

const status =
	(...codes: Array<Observed['status']>) =>
	(observed: Observed) =>
		codes.includes(observed.status);
const network =
	(...codes: Array<Observed['network']>) =>
	(observed: Observed) =>
		codes.includes(observed.network);
const networkLike =
	(pattern: RegExp) =>
	({ network: code = '' }: Observed) =>
		pattern.test(code);
const words = (pattern: RegExp) => (observed: Observed) => pattern.test(observed.words);
const both =
	(a: (observed: Observed) => boolean, b: (observed: Observed) => boolean) => (observed: Observed) =>
		a(observed) && b(observed);

/** `sentence (the gateway says: …)`, or the sentence alone where the gateway says nothing. */
const says = (sentence: string) => (observed: Observed) =>
	observed.words === '' ? sentence : `${sentence} (the gateway says: ${observed.words})`;
const answers = (observed: Observed) => says(`The gateway answered with status ${observed.status}`)(observed);

const CHECK_URL = "Check 'Base URL' in the credential and that the gateway is running";
const CHECK_VERSION = "Check 'Base URL' in the credential and the version of the gateway";

const notConnected = {
	message: says('The instance is not connected'),
	description: "Connect the instance to its account on the gateway's own web page, then run this again",
};

const never = { retry: 'none', stop: 'nothing', notCarriedOut: true } as const;
const unreachable = { retry: 'none', stop: 'gateway', notCarriedOut: true } as const;
const unknown = { retry: 'reads', stop: 'nothing', notCarriedOut: false } as const;

/** What was seen → what to tell, and how to go on. The first row that fits counts. */
export const FAILURES: readonly FailureRow[] = [
	// No reply. The codes are Node's.
	{
		when: network('ERR_CANCELED'),
		message: () => 'The execution was canceled',
		description: 'Run this again to go on',
		retry: 'none',
		stop: 'gateway',
		notCarriedOut: false,
	},
	{
		when: network('ECONNREFUSED'),
		message: ({ baseUrl }) => `The gateway at ${baseUrl} can't be reached: it refuses connections`,
		description: CHECK_URL,
		...unreachable,
		retry: 'all',
	},
	{
		when: network('ENOTFOUND', 'EAI_AGAIN'),
		message: ({ baseUrl }) => `The gateway at ${baseUrl} can't be reached: its name can't be resolved`,
		description: CHECK_URL,
		...unreachable,
	},
	{
		when: network('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'),
		message: ({ baseUrl }) => `The gateway at ${baseUrl} can't be reached: there is no way to its network`,
		description: CHECK_URL,
		...unreachable,
	},
	{
		when: networkLike(/CERT(?!IFICATE_REQUIRED)|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/),
		message: ({ baseUrl }) =>
			`The gateway at ${baseUrl} can't be reached: its SSL certificate is not trusted`,
		description: "If you trust this gateway, turn on 'Ignore SSL Issues (Insecure)' in the credential",
		...unreachable,
	},
	{
		when: networkLike(/EPROTO$|ERR_SSL_\w*(VERSION|HANDSHAKE|PROTOCOL|CERTIFICATE)/),
		message: ({ baseUrl }) =>
			`The gateway at ${baseUrl} can't be reached: something else than HTTP answers there`,
		description: "Check whether 'Base URL' in the credential has to begin with http:// or https://",
		...unreachable,
	},
	{
		// The parser's codes: by then the request has been sent.
		when: networkLike(/HPE_/),
		message: ({ baseUrl }) => `Something else than HTTP answers at ${baseUrl}`,
		description: CHECK_URL,
		...unknown,
		retry: 'none',
	},
	{
		when: network('SSRF_BLOCKED'),
		message: ({ baseUrl }) => `n8n does not allow requests to ${baseUrl}`,
		description:
			'Ask whoever runs n8n to add the address to N8N_SSRF_ALLOWED_IP_RANGES or N8N_SSRF_ALLOWED_HOSTNAMES',
		...unreachable,
	},
	{
		when: network('ERR_INVALID_CHAR'),
		message: () => "The API key contains characters that can't be sent",
		description: 'Enter the API key in the credential again, without line breaks',
		...unreachable,
	},
	{
		when: network('ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'),
		message: ({ timeout }) => `The gateway did not answer within ${count(timeout / 1000, 'second')}`,
		description: "Check that the instance is connected. A longer 'Timeout' in the options may help",
		...unknown,
	},
	{
		when: network('ECONNRESET', 'EPIPE', 'ERR_BAD_RESPONSE', 'ERR_STREAM_PREMATURE_CLOSE'),
		message: () => 'The gateway broke off the connection before its reply was complete',
		description: 'Check the log of the gateway, and of a proxy in front of it',
		...unknown,
	},
	{
		when: ({ network: code }) => code !== undefined,
		message: ({ network: code }) => `The request to the gateway did not work out (${code})`,
		description: CHECK_URL,
		...unknown,
		retry: 'none',
	},

	// A reply that is no answer to the call.
	{
		when: ({ unreadable }) => unreadable === 'tooLarge',
		message: () => 'The reply of the gateway is too large to be read',
		description: CHECK_VERSION,
		...unknown,
		retry: 'none',
	},
	{
		when: ({ unreadable }) => unreadable === 'notJson',
		message: says('The reply is not JSON, so it does not come from the gateway itself'),
		description: `${CHECK_URL}. A proxy or another web page may answer in its place`,
		...unknown,
		retry: 'none',
	},
	{
		when: ({ unreadable }) => unreadable === 'shape',
		message: says('The reply of the gateway has an unexpected shape'),
		description: CHECK_VERSION,
		...unknown,
		retry: 'none',
	},
	{
		when: ({ status: code, redirectsTo }) => is3xx(code) && redirectsTo !== undefined,
		message: ({ redirectsTo }) => `The gateway redirects to ${redirectsTo} — set that as 'Base URL'`,
		description:
			"Redirects are not followed, since that would hand the API key to another address. Change 'Base URL' in the credential",
		...never,
	},
	{
		when: ({ status: code }) => is3xx(code),
		message: ({ status: code }) => `The gateway redirects (status ${code}) to a page that is no gateway`,
		description: CHECK_URL,
		...never,
	},

	// Refusals of everything.
	{
		when: status(401),
		message: says('The gateway refused the API key'),
		description: "Check 'API Key' in the credential: the gateway's own key, or the key of this instance",
		...never,
		stop: 'gateway',
	},
	{
		when: status(429),
		message: (observed) =>
			says(
				observed.retryAfter === undefined
					? 'The gateway limits the number of requests'
					: `The gateway limits the number of requests and asks to wait ${count(observed.retryAfter, 'second')}`,
			)(observed),
		description: "Wait, then run the rest. Raise 'Interval Between Requests' in the options",
		retry: 'all',
		stop: 'gateway',
		notCarriedOut: true,
	},
	{
		when: both(status(400), words(/rate-overlimit/i)),
		message: says('The messaging network limits the changes of this account'),
		description:
			"Wait a few hours before you run the rest, and raise 'Interval Between Requests' in the options: going on gets accounts banned",
		...never,
		stop: 'instance',
	},
	{
		when: both(status(503), ({ body }) => isRecord(body) && body.code === 'LICENSE_REQUIRED'),
		message: says('The gateway asks for a license'),
		description: "Register the gateway's license on its own web page",
		...never,
	},

	// Refusals of a group change; the words are those of the network, see the recordings `…-iq-error-…`.
	{
		when: both(status(400, 408, 500), words(/\btimed out\b/i)),
		message: says('The messaging network did not answer the gateway'),
		description: 'Check that the instance is connected',
		...unknown,
		retry: 'none',
	},
	{
		// Baileys says so too where the connection closes after the change was sent.
		when: both(status(400, 404, 500), words(/Connection Closed/i)),
		...notConnected,
		...unknown,
		retry: 'none',
	},
	{
		when: both(status(400, 404, 500), words(/groupParticipantsUpdate/i)),
		...notConnected,
		...never,
	},
	{
		when: both(status(400), words(/not available on WhatsApp Business API/i)),
		message: says('This kind of instance has no groups'),
		description: 'Choose an instance that is connected by QR code',
		...never,
	},
	{
		when: both(status(400), words(/\b(forbidden|not-authorized)\b/)),
		message: says('The account of the instance is not an admin of this group'),
		description: 'Make the account an admin of the group, then run this again',
		...never,
	},
	{
		when: both(status(400), words(/item-not-found/)),
		message: says('There is no such group, or the account of the instance is not in it'),
		description: 'Check the group ID and the instance',
		...never,
	},

	// Something that is not there.
	{
		when: both(status(400), words(/openai is disabled/i)),
		message: says('Bots are switched off on this gateway'),
		description: 'Have bots switched on where the gateway is configured',
		...never,
	},
	{
		when: both(status(500, 404), words(/bot not found/i)),
		message: says('The bot was not found'),
		description: "Choose the bot with 'From List', or check its ID and the instance",
		...never,
	},
	{
		when: isRouteMissing,
		message: says('The gateway does not have this function at this address'),
		description: CHECK_VERSION,
		...never,
	},
	{
		when: isInstanceMissing,
		message: says('The instance was not found'),
		description: "Choose the instance with 'From List', or check its name: upper and lower case count",
		...never,
	},
	{ when: status(404), message: answers, description: CHECK_VERSION, ...never },
	{
		when: status(403),
		message: says('The gateway does not allow this'),
		description: 'Check what the API key may do, and whether a firewall stands in front of the gateway',
		...never,
	},
	{
		when: status(413),
		message: says('The request is too large for the gateway'),
		description: "Lower 'Participants per Request' in the options",
		...never,
	},

	// Trouble at the gateway.
	{ when: status(502, 504), message: answers, description: CHECK_URL, ...unknown },
	{
		// Envoy's words for a gateway that broke off after it had the request.
		when: both(status(503), words(/disconnect|reset|terminat/i)),
		message: answers,
		description: CHECK_URL,
		...unknown,
	},
	{ when: status(503), message: answers, description: CHECK_URL, ...unknown, notCarriedOut: true },
	{
		when: ({ status: code = 0 }) => code >= 500,
		message: answers,
		description: 'Check the log of the gateway',
		...unknown,
		retry: 'none',
	},
];

/** What no row of the table fits: another status of 400 to 499. */
export const OTHER_FAILURE: Omit<FailureRow, 'when'> = {
	message: answers,
	description: 'Check the values of this node',
	...never,
};

function is3xx(code = 0): boolean {
	return Math.floor(code / 100) === 3;
}
