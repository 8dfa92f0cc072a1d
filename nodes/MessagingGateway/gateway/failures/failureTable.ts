import { isRecord, listOf, recordOf } from '../../common/json';
import { count } from '../../common/text';
import { DAY, HOUR, MINUTE, SECOND } from '../../common/time';
import { ROUTES, type RouteName } from '../routes';
import {
	isInstanceMissing,
	isInviteRefused,
	isOfProxy,
	isRouteMissing,
	wasSilent,
	type CallFailure,
	type FailurePolicy,
} from './callFailure';

/** The marks of a failure. All that are given have to fit. */
interface Pattern {
	status?: number | readonly number[];
	network?: RegExp;
	unreadable?: CallFailure['unreadable'];
	route?: RouteName | readonly RouteName[];
	text?: RegExp;
	/** The network's word for a refusal, as the whole last text: a proxy may have such a word, too. */
	refusal?: string | readonly string[];
	also?: (failure: CallFailure) => boolean;
}

/** Whether a value is the expected one, or one of them. Without an expected one, every value is. */
const isOneOf = <T>(value: T | undefined, expected: T | readonly T[] | undefined): boolean =>
	expected === undefined || [expected].flat().some((each) => each === value);

/** The network's refusal as WhatsMiau says it, whatever its status, behind what it failed to do. */
const WRAPPED = /\b(?:failed to .*: )?info query returned status \d+: (?=[a-z-]+$)/;

/** Updates of a group whose refusals come as 500, while the network's words are the same. */
const AS_500 = /^Error updat(?:e|ing) group (?:subject|description|picture)\b/;

/** Whether a refusal comes as 500. A creation's can be of the reading behind it: the group may be there. */
const isRefusedAs500 = (failure: CallFailure): boolean =>
	isNoCreation(failure) && (WRAPPED.test(failure.errorText) || AS_500.test(failure.errorText));

const isNoCreation = ({ route }: CallFailure) => route !== 'createGroup';

function fits({ text = /^/, also = () => true, ...pattern }: Pattern, failure: CallFailure): boolean {
	const { errorText } = failure;
	const status = isRefusedAs500(failure) ? 400 : failure.status;
	const reason = /(?:^|, )(?:Error: )?([a-z-]+)$/.exec(errorText.replace(WRAPPED, ''))?.[1];
	return (
		isOneOf(status, pattern.status) &&
		isOneOf(failure.unreadable, pattern.unreadable) &&
		isOneOf(failure.route, pattern.route) &&
		isOneOf(reason, pattern.refusal) &&
		(pattern.network?.test(failure.network ?? '') ?? true) &&
		text.test(errorText) &&
		also(failure)
	);
}

/** Adds the gateway's reason, if it gives one: `… (the gateway says: …)`. A redirect's page is none. */
function withReason(sentence: string, failure: CallFailure): string {
	const isNone = failure.message === '' || failure.state === 'unknown' || is3xx(failure);
	return isNone ? sentence : `${sentence} (the gateway says: ${failure.message})`;
}

/** Advice, and its end if one can run this again after it. */
type Advice = string | readonly [first: string, again: string];

/** A value for all failures of a row, or a function that says it of each. */
type Said<T> = T | ((failure: CallFailure) => T);

/** Makes a row of the table. */
function row(
	pattern: Pattern,
	{ advice, ...policy }: FailurePolicy & { advice: Advice },
	[message, description = advice]: readonly [message: Said<string>, description?: Said<Advice>],
) {
	return {
		fits: (failure: CallFailure) => fits(pattern, failure),
		policy,
		messageOf: (failure: CallFailure) =>
			withReason(typeof message === 'function' ? message(failure) : message, failure),
		adviceOf: typeof description === 'function' ? description : () => description,
	};
}

const CHECK_URL = "Check 'Base URL' in the credential and that the gateway is running";
const CHECK_VERSION = "Check 'Base URL' in the credential and the version of the gateway";
const CHECK_NAME = "Choose the instance with 'From List', or check its name. It's case-sensitive";
const CHECK_LOG = 'Check the log of the gateway';
const CHECK_VALUES = 'Check the values of this node';
const AGAIN = ', then run this again';
const GO_ON = 'Run this again to go on';
const KEY_REFUSED = 'The gateway refused the API key';
/** Evolution API and WhatsMiau say nothing but `Unauthorized`. */
const checkKey =
	(which: string) =>
	({ errorText }: CallFailure) =>
		`Check 'API Key' in the credential${which}${errorText === 'Unauthorized' ? '' : ". Or it isn't Evolution API: evolution-go has an interface of its own"}`;

/** Policies, each with its usual advice; a row of the table says what differs from one of these. */
const usual = {
	retry: 'none',
	stop: 'nothing',
	mayBeOnePerson: false,
	failureCause: 'configuration-invalid',
} as const;
const refused = { ...usual, certainlyNotApplied: true, advice: CHECK_VALUES } as const;
const groupRefused = { ...refused, stop: 'group', advice: 'Check the group ID and the instance' } as const;
const keyRefused = { ...refused, failureCause: 'credential-invalid' } as const;
const misconfigured = { ...refused, stop: 'gateway', advice: CHECK_URL } as const;
const notReached = { ...misconfigured, failureCause: 'temporarily-unavailable' } as const;
const notSent = { ...notReached, stop: 'instance' } as const;
const notKnown = {
	...usual,
	certainlyNotApplied: false,
	failureCause: 'temporarily-unavailable',
	advice: ['Check that the instance is connected', AGAIN],
} as const;
const notKnownOnce = { ...notKnown, retry: 'reads' } as const;
const disconnected = { ...notKnown, checkAfter: [0] } as const;
/** A routine reconnect takes 300 ms, on 2.4 more than 3 s. */
const lost = { ...notKnown, checkAfter: [SECOND, 4 * SECOND] } as const;
/** Nothing was sent, since the gateway wasn't ready. */
const unsent = { ...notKnown, certainlyNotApplied: true } as const;
const notUnderstood = { ...notKnown, failureCause: 'configuration-invalid', advice: CHECK_VERSION } as const;
/** A risk for the account: everything ends at once. */
const accountAtRisk = { stop: 'instance', failureCause: 'rate-limited', stopsFor: HOUR } as const;
/** A bit less than a day: a nightly run would find it every second night. */
const forANight = { ...accountAtRisk, stopsFor: DAY - 2 * HOUR } as const;

const answers = ({ status }: CallFailure) => `The gateway answered with status ${status}`;
const NOT_FOUND = "the host name couldn't be found";
const CONNECTION_WORDS = new Map([
	['ECONNREFUSED', 'connection refused'],
	['ECONNRESET', 'connection closed'],
	['ENOTFOUND', NOT_FOUND],
	['EAI_AGAIN', NOT_FOUND],
	['ETIMEDOUT', 'no response in time'],
]);
const NEVER_REACHED = /^(ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EACCES|EPERM)$/;
const unreached =
	(reason?: string) =>
	({ baseUrl, network = '' }: CallFailure) =>
		`Couldn't connect to ${baseUrl}: ${reason ?? CONNECTION_WORDS.get(network) ?? 'network unreachable'}`;
/** Says what came in place of an answer about the state. */
const whyNoAnswer = ({ network, status }: CallFailure) =>
	network === undefined ? `status ${status}` : (CONNECTION_WORDS.get(network) ?? network);

const rateLimited = [
	'The messaging network is rate limiting this account',
	'Wait a few hours before you run the rest, and send less at a time: going on gets accounts banned',
] as const;
const restricted = [
	'The messaging network has restricted this account',
	'Stop adding people and writing to strangers with this account for some days: going on gets it banned',
] as const;
const NO_ANSWER = "The messaging network didn't answer the gateway";
const connectionLost = ['The gateway lost its connection to the messaging network'] as const;
const notAllowed = [
	"The gateway doesn't allow this",
	'Check what the API key may do, and whether there is a firewall in front of the gateway',
] as const;
const notConnected = [
	"The instance isn't connected",
	["Connect the instance to its account on the gateway's own web page", AGAIN],
] as const;
const requestRefused = [
	'The messaging network refused the request',
	'Check the group ID and the values of this node',
] as const;
const notInGroup = ["The instance's account isn't in this group", 'Let an admin add it again'] as const;
const noGroup = ["This group doesn't exist, or the instance's account isn't in it"] as const;
const noCreation = [
	"The messaging network doesn't let this account create the group",
	'Check the name and the participants, and look at the account on its phone: it may be restricted',
] as const;
const noAdmin = [
	"The instance's account isn't an admin of this group, or isn't in it",
	'Make the account an admin of the group, then run this again',
] as const;

const LOOK_AT_PHONE =
	"Look at the account's phone: the messaging network may have logged it out. Connect the instance again on the gateway's own web page, then run the rest";
const isNotOpen = ({ state }: CallFailure): boolean => state !== undefined;

/** Words for an instance without a connection. Nothing was sent then, since there is nothing to send with. */
const NO_CLIENT =
	/Cannot read properties of undefined \(reading '(group\w+|updateGParticipant|sendMessage|relayMessage|onWhatsApp|updateProfilePicture)'\)|^instance is not connected\b|\bwebsocket not connected$|does not exist or is not connected/;
/** Its own function that the gateway can't find, since it has no instances yet. */
const STARTING =
	/reading '(updateG(Participant|Setting|roup\w+)|revokeInviteCode|createGroup|leaveGroup|toggleEphemeral|textMessage)'/;
const WHOLE = ['bad-request', 'not-acceptable'];
const hasFields = ({ body }: CallFailure) => isRecord(body);
const hostOf = (url: string) => new URL(url).hostname.replace(/^www\./, '');
const is3xx = ({ status = 0 }: CallFailure) => status >= 300 && status < 400;
const is500Or413 = ({ status = 0 }: CallFailure) => [413, 500].includes(status);

const LOST =
	/(?:^|, )(?:Error: )?(?:100[06]|Connection (?:Terminated\b.*|was lost)|Stream Errored\b.*|Query Cancelled|websocket disconnected\b.*)$/i;
const CLOSED = /Connection Closed|Cannot convert undefined or null to object/i;
/** Whether the connection ended during a call. Of a read, `Connection Closed` means that there was none. */
function hasLostConnection({ errorText, route }: CallFailure): boolean {
	// The list of groups asks for each one's picture.
	if (route === 'listGroups' && errorText === 'Internal Server Error') return true;
	return LOST.test(errorText) || (isChange(route) && /Connection Closed/i.test(errorText));
}

const isChange = (route: CallFailure['route']) => route !== undefined && ROUTES[route].changes;

/** Whether a client that is missing was missing before a group was created: it's read again afterwards. */
const isBeforeCreation = ({ route, status, errorText }: CallFailure): boolean =>
	route !== 'createGroup' || status === 404 || /'(onWhatsApp|groupCreate)'/.test(errorText);

/** The words of gateways and their schemas, before they ask the network. */
const REFUSED_AT_ONCE =
	/ requires property "|needs to be informed in the query|^Text is required$|^invalid request body\b|on the 'max' tag|not available on WhatsApp Business API|openai is disabled/i;

/** Whether a gateway refuses a call by itself. A schema gives a list of `{property, message}`. */
function isCertainlyRefused(failure: CallFailure): boolean {
	if (REFUSED_AT_ONCE.test(failure.errorText)) return true;
	const complaints = listOf(recordOf(recordOf(failure.body).response).message).flat(1);
	return complaints.some((complaint) => 'property' in recordOf(complaint));
}

/** The table of failures: marks → policy, message and advice. The first row that fits counts. */
const FAILURES = [
	// Asked before a change, which then isn't sent.
	row({ also: ({ state }) => state === 'unknown' }, notSent, [
		(failure) => `The gateway doesn't answer (${whyNoAnswer(failure)})`,
		`${CHECK_URL}. It may have been restarted: run the rest again in a few minutes`,
	]),
	row({ route: 'connectionState', also: isNotOpen }, notSent, [notConnected[0], LOOK_AT_PHONE]),
	row({ also: isNotOpen }, { ...disconnected, stop: 'instance' }, notConnected),

	// No reply.
	row({ network: /^ERR_CANCELED$/ }, { ...notKnown, stop: 'gateway' }, ['The execution was canceled', GO_ON]),
	row({ network: /^ECONNREFUSED$/ }, { ...notReached, retry: 'all' }, [unreached()]),
	row({ network: NEVER_REACHED }, notReached, [unreached()]),
	row({ network: /CERT(?!IFICATE_REQUIRED)|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/ }, misconfigured, [
		unreached("its SSL certificate isn't trusted"),
		"If you trust this gateway, turn on 'Ignore SSL Issues (Insecure)' in the credential",
	]),
	row({ network: /EPROTO$|ERR_SSL_\w*(VERSION|HANDSHAKE|PROTOCOL|CERTIFICATE)/ }, misconfigured, [
		unreached("the server didn't answer with HTTP"),
		"If the gateway answers without a certificate, try http:// instead of https:// in 'Base URL' of the credential",
	]),
	row({ network: /^SSRF_BLOCKED$/ }, misconfigured, [
		({ baseUrl }) => `n8n doesn't allow requests to ${baseUrl}`,
		'Ask whoever runs n8n to add the address to N8N_SSRF_ALLOWED_IP_RANGES or N8N_SSRF_ALLOWED_HOSTNAMES',
	]),
	row({ network: /^(ECONNABORTED|E(SOCKET)?TIMEDOUT)$/ }, { ...disconnected, retry: 'reads' }, [
		({ timeout }) => `The gateway didn't answer within ${count(timeout / 1000, 'second')}`,
		({ isTimeoutFixed }) =>
			isTimeoutFixed
				? 'Check that the gateway is running and the instance is connected, then try again'
				: "Check that the instance is connected. A longer 'Timeout (ms)' in the options may help",
	]),
	row({ network: /^(ECONNRESET|EPIPE|ERR_BAD_RESPONSE|ERR_STREAM_PREMATURE_CLOSE)$/ }, notKnownOnce, [
		'The gateway closed the connection before the full response arrived',
		'Check the log of the gateway, and of a proxy in front of it',
	]),
	row({ network: /./ }, notKnown, [
		({ network }) => `The request to the gateway couldn't be completed (${network})`,
		CHECK_URL,
	]),

	// Everything is refused, or has to wait.
	// Generation 1 lists instances with its own key only; an instance's key is right there, and yet refused.
	row({ status: 401, route: 'listInstances' }, keyRefused, [
		KEY_REFUSED,
		checkKey(
			". If it's the key of one instance: some gateways list instances with their own key only, but change groups with this one",
		),
	]),
	row({ status: 401 }, { ...keyRefused, stop: 'key' }, [
		KEY_REFUSED,
		checkKey(": the gateway's own key, or the key of this instance"),
	]),
	row(
		{ status: 429 },
		{ ...refused, ...accountAtRisk, retry: 'all', stop: 'gateway', stopsFor: 5 * MINUTE },
		[
			({ retryAfter }) =>
				`The gateway limits the number of requests${retryAfter ? ` and asks to wait ${count(retryAfter, 'second')}` : ''}`,
			'Wait, then run the rest, and send less at a time',
		],
	),
	row({ status: [400, 404], refusal: 'rate-overlimit' }, { ...refused, ...accountAtRisk }, rateLimited),
	row(
		// With another status, it's a proxy that says something.
		{ text: /rate-overlimit/i, also: ({ status = 0 }) => status < 300 || [400, 404, 500].includes(status) },
		{ ...notKnown, ...accountAtRisk },
		rateLimited,
	),
	row({ text: /account_reachout_restricted/i }, { ...notKnown, ...accountAtRisk, stopsFor: DAY }, restricted),
	row({ also: ({ accountCode }) => accountCode === '463' }, { ...refused, ...forANight }, restricted),
	row({ also: ({ accountCode }) => accountCode === '429' }, { ...refused, ...accountAtRisk }, rateLimited),
	row({ status: 503, also: ({ body }) => isRecord(body) && body.code === 'LICENSE_REQUIRED' }, notReached, [
		'The gateway asks for a license',
		({ registerUrl }) =>
			registerUrl === undefined
				? "Register the gateway's license on its own web page, then run this again"
				: `Register the gateway's license, then run this again: ${registerUrl}`,
	]),

	// It comes after the message has gone, too, if the gateway couldn't store it.
	row({ also: isInviteRefused }, notKnown, [
		"The gateway couldn't send the invite",
		'Ask the person before you send it again',
	]),

	// A reply that is no answer to the call.
	row({ unreadable: 'tooLarge' }, notKnown, [
		"The gateway's response is too large to be read",
		CHECK_VERSION,
	]),
	row({ unreadable: 'notJson' }, notKnown, [
		"The response isn't JSON, so it doesn't come from the gateway itself",
		`${CHECK_URL}. A proxy or another web page may answer in its place`,
	]),
	row({ unreadable: 'empty', also: wasSilent }, notKnown, [NO_ANSWER]),
	row({ unreadable: 'empty', route: 'listGroups' }, notUnderstood, [
		'The gateway gave no list of groups: the instance is set to ignore groups, or its account is in none',
		"Turn off 'Ignore Groups' (groups_ignore or groupsIgnore) in the instance's settings on the gateway. Group changes work without it, by the ID of the group",
	]),
	row({ unreadable: 'empty', route: 'groupInfo' }, notUnderstood, [
		"The gateway gave nothing about this group: the instance is set to ignore groups, or isn't connected",
		"Turn off 'Ignore Groups' (groups_ignore or groupsIgnore) in the instance's settings on the gateway, and check that the instance is connected",
	]),
	row({ unreadable: 'empty', route: 'listParticipants' }, notKnown, [
		'The gateway gave an empty list of members, and no group is without members',
	]),
	row({ unreadable: 'empty', route: ['revokeInviteCode', 'inviteCode'], also: hasFields }, notKnown, [
		'The gateway gave no link that leads to the group',
	]),
	row({ unreadable: 'empty' }, notKnown, ["The gateway's response is empty"]),
	// 1.8.6 in its first second.
	row({ unreadable: 'shape', route: 'connectionState' }, notKnown, [
		"The gateway doesn't know the state of the connection yet",
		'It may just have started. Run this again in a minute',
	]),
	row({ unreadable: 'error' }, notKnown, ['The gateway reported a problem', CHECK_LOG]),
	row({ unreadable: 'shape' }, notKnown, ["The gateway's response has an unexpected shape", CHECK_VERSION]),
	row({ status: 404, text: /^404 page not found$/ }, misconfigured, [
		'Nothing of Evolution API answers at this address',
		"Check 'Base URL' in the credential: it may lack its path (WhatsMiau's ends in /v1), or a proxy in front has no route. Or it's another gateway: evolution-go has an interface of its own",
	]),
	row({ also: ({ isLogin = false }) => isLogin }, misconfigured, [
		'A log-in page is in front of the gateway',
		"Have it let requests with the API key through, or set 'Base URL' in the credential to an address without it",
	]),
	row({ also: (failure) => is3xx(failure) && failure.redirectsTo !== undefined }, misconfigured, [
		({ redirectsTo = '', baseUrl }) =>
			// The reply may be a stranger's, and whoever follows such advice hands over the key.
			`The gateway redirects to ${redirectsTo}${hostOf(redirectsTo) === hostOf(baseUrl) ? ' —' : '. If that is your gateway,'} set that as 'Base URL'`,
		"Redirects aren't followed, since that would hand the API key to another address. Check 'Base URL' in the credential",
	]),
	row({ also: is3xx }, misconfigured, [
		({ status }) => `The gateway redirects (status ${status}) to a page that isn't a gateway`,
	]),

	// Something that isn't there, in the gateway's own words.
	row({ also: isRouteMissing }, refused, [
		"The gateway doesn't have this function at this address",
		({ errorText }) => CHECK_VERSION + (errorText === 'Not Found' ? ". WhatsMiau's address ends in /v1" : ''),
	]),
	row({ also: isInstanceMissing }, { ...refused, stop: 'instance' }, [
		"The instance couldn't be found",
		CHECK_NAME,
	]),
	row({ text: /\bCan't reach database server\b/ }, { ...notKnown, stop: 'instance' }, [
		"The gateway can't reach its database",
		["Check the gateway's database", AGAIN],
	]),

	// What the network or the gateway's library says. The last text of `message` is the reason.
	// 2.2.3 says no more than "No send invite" after a silence: the message may be under way.
	row(
		{ status: [400, 404, 408, 500], text: /\btimed out\b|reading 'attrs'|^No send invite$/i },
		{ ...notKnown, checkAfter: [SECOND] },
		[NO_ANSWER, 'Check that the instance is connected'],
	),
	row({ status: [400, 404, 408, 500], also: hasLostConnection }, lost, connectionLost),
	row({ status: [400, 404, 500], text: CLOSED }, disconnected, notConnected),
	row({ status: 500, text: STARTING }, unsent, [
		'The gateway is still starting',
		['Wait a few seconds', AGAIN],
	]),
	row({ status: [400, 404, 500], text: NO_CLIENT, also: isBeforeCreation }, { ...unsent, checkAfter: [0] }, [
		notConnected[0],
		// WhatsMiau and CodeChat say the same of an instance that doesn't exist.
		({ errorText }) =>
			(/client is nil$|does not exist/.test(errorText) ? `${CHECK_NAME}. ` : '') + notConnected[1].join(''),
	]),
	// It can say "forbidden" of the reading behind a creation. What it says of rights isn't about admins.
	row(
		{ route: 'createGroup', status: [400, 403, 500], refusal: ['not-authorized', ...WHOLE] },
		refused,
		noCreation,
	),
	row({ route: 'createGroup', status: [400, 403], refusal: 'forbidden' }, refused, noCreation),
	row({ route: 'sendText', status: 400, text: /^\[object Object\]$/ }, { ...unsent, checkAfter: [0] }, [
		"The gateway couldn't read the group: the instance's account isn't in it, it doesn't exist, or the connection was lost",
		['Check the group ID, and that the instance is connected', AGAIN],
	]),
	row({ route: 'sendText', status: 500, text: /\bserver returned error \d+$/ }, refused, [
		'The network refused it: maybe only admins may write',
		'Make the account an admin of the group, or let everyone send messages',
	]),
	row({ status: 404, refusal: 'forbidden', also: ({ route }) => !isChange(route) }, groupRefused, notInGroup),
	row({ status: [400, 403, 404], refusal: ['forbidden', 'not-authorized'] }, groupRefused, noAdmin),
	// WhatsMiau's own words.
	row(
		{ text: /^not a member of this group\b|you're not participating in that group$/, also: isNoCreation },
		groupRefused,
		notInGroup,
	),
	row({ status: 403, text: /^unauthorized to access invite link\b/ }, groupRefused, noAdmin),
	row({ text: /^group not found\b|that group does not exist$/, also: isNoCreation }, groupRefused, noGroup),
	row({ status: [400, 403, 404], refusal: 'item-not-found' }, groupRefused, noGroup),
	row({ route: ['updateSetting', 'toggleEphemeral'], status: [400, 403, 404], refusal: WHOLE }, refused, [
		'The messaging network refused the setting',
		'A community and its announcements refuse it: set it on its other groups. Of any other group, check the ID',
	]),
	row({ status: [400, 403, 404], refusal: WHOLE }, { ...refused, mayBeOnePerson: true }, requestRefused),
	row({ route: 'updateDescription', status: 400, refusal: 'conflict' }, refused, [
		'Somebody changed the description just now',
		'Run this again',
	]),
	row({ status: [400, 403, 404], refusal: 'conflict' }, groupRefused, requestRefused),
	row({ status: [400, 403], text: /^WhatsApp rejected the group\b/ }, refused, requestRefused),

	// The network's words about itself. They say nothing about the request.
	row(
		{ status: [400, 404, 500], refusal: ['internal-server-error', 'service-unavailable', 'resource-limit'] },
		notKnown,
		['The messaging network reported a problem', ['Wait some minutes', AGAIN]],
	),
	// Also where it couldn't fetch the picture, or the file is none. After a silence, it may have set it.
	row({ route: 'updatePicture', also: (failure) => is500Or413(failure) && !wasSilent(failure) }, refused, [
		"The gateway couldn't use the picture",
		"Use the name of an input binary field, or an address without spaces that the gateway can reach. Gateways add 'timestamp=' to it, which breaks signed addresses",
	]),
	// Everything is a 404 there, also the gateway's own trouble, which passes.
	row({ status: 404, text: /^No participants\b/ }, notKnown, [
		"The gateway couldn't read the members of the group",
	]),

	// What it says itself is clear.
	row({ status: 400, also: isCertainlyRefused }, refused, [answers]),
	row({ status: 403, text: /^forbidden$/i, also: hasFields }, groupRefused, notAllowed),
	row({ status: 403 }, notUnderstood, notAllowed),
	row({ status: 404 }, notUnderstood, [answers]),

	// Trouble at the gateway.
	row({ status: 408 }, notKnown, [answers, CHECK_URL]),
	row({ status: [502, 503, 504] }, notKnownOnce, [answers, CHECK_URL]),
	row({ also: isOfProxy }, notKnownOnce, [
		({ status }) => `A proxy answered in the gateway's place: status ${status}`,
		CHECK_URL,
	]),
	row({ also: ({ status = 0 }) => status >= 500 }, notKnown, [answers, CHECK_LOG]),
];

/** The row for all other failures: another status of 400 to 499. */
const OTHER_FAILURE = row({}, notUnderstood, [answers, CHECK_VALUES]);

/** Finds the row of the table that fits a failed call. */
export const rowFor = (failure: CallFailure): ReturnType<typeof row> =>
	FAILURES.find((candidate) => candidate.fits(failure)) ?? OTHER_FAILURE;
