import { Readable } from 'node:stream';
import { html, json, refusal, type Reply, JSON_TYPE } from './reply';
import { refusedByWhatsMiau, WHATSMIAU_PATH } from './whatsmiau';
import { send, sendHead, type Call, type Exchange } from './wire';

/** Faults that send another reply than the right one. The change is not applied, unless `applied` is set. */
export type AnswerKind = keyof typeof answers;
/** Faults of a network that is lost after a change was sent: refusals, and yet the change is applied. */
export type LostKind = keyof typeof lost;
/** Faults of the connection or of the right reply's form. Whether the change is applied is the kind's own. */
export type WireKind = keyof typeof breaks;
export type FaultKind = AnswerKind | LostKind | WireKind;

/** What goes wrong, and with which requests. */
export interface Fault {
	kind: FaultKind;
	/** The requests that it is about; otherwise all. */
	on?: (call: Call) => boolean;
	/** How often it happens; otherwise for ever. */
	times?: number;
	/** How many matching requests are let through first. */
	after?: number;
	/** For a kind that sends another reply: whether the change is made before, where it's not as usual for the kind. */
	applied?: boolean;
	/** For a kind that sends another reply: its body in place of the usual one; text goes out as it is. */
	body?: unknown;
	/** What happens on the network at that moment, after the change if it's made. */
	happening?: () => void;
	/** For `redirect`: the origin that it leads to. */
	to?: string;
	/** For `redirect`: its status; otherwise 302. */
	status?: 301 | 302 | 303 | 307 | 308;
}

type Break = (exchange: Exchange, apply: () => Reply) => void;

/** Somewhat more than the node reads. */
const hugeBytes = 34_000_000;

function segments(call: Call): string[] {
	const [path = ''] = call.path.split('?');
	return path.split('/').slice(1).map(decodeURIComponent);
}

/** How each call about a group refuses; a change does so as any other call. */
const refusals = new Map<string, (why: string) => Reply>([
	['participants', (why) => refusal(404, ['No participants', why])],
	['inviteCode', (why) => refusal(404, ['No invite code', why])],
	['sendInvite', () => refusal(404, ['No send invite'])],
	['updateSetting', (why) => refusal(400, ['Error updating setting', why])],
	['revokeInviteCode', (why) => refusal(404, ['Revoke error', why])],
	['findGroupInfos', (why) => refusal(404, ['Error fetching group', why])],
	['create', (why) => refusal(500, ['Error creating group', why])],
	['leaveGroup', (why) => refusal(400, ['Unable to leave the group', why])],
	['toggleEphemeral', (why) => refusal(400, ['Error updating setting', why])],
	['updateGroupSubject', (why) => refusal(500, ['Error updating group subject', why])],
	['updateGroupDescription', (why) => refusal(500, ['Error updating group description', why])],
	['updateGroupPicture', (why) => refusal(500, ['Error update group picture', why])],
	['sendText', () => refusal(400, ['[object Object]'])],
]);

function refused(call: Call, why: string): Reply {
	if (call.path.startsWith(WHATSMIAU_PATH)) return refusedByWhatsMiau(why, call.method === 'GET');
	const refuse = refusals.get(segments(call)[1] ?? '');
	return refuse?.(why) ?? refusal(400, ['Error updating participants', why]);
}

/** A gateway half a second after its start: no instance is there yet. */
function justStarted(call: Call): Reply {
	const [, route = '', instanceName] = segments(call);
	if (route === 'connectionState') return json(200, { instance: { instanceName } });
	const own = new Map([
		['create', 'createGroup'],
		['sendText', 'textMessage'],
	]);
	const called = own.get(route) ?? route.replace(/^update(?=[PS])/, 'updateG');
	return refusal(500, `Cannot read properties of undefined (reading '${called}')`);
}

const answers = {
	html: () => html(200, 'Welcome'),
	empty: () => ({ status: 200, contentType: null, text: '' }),
	'wrong-shape': () => json(200, 'ok'),
	redirect: (call, { to = 'https://elsewhere.invalid', status = 302 }) => ({
		...html(status),
		headers: { location: `${to}${call.path}` },
	}),
	'401': () => refusal(401, 'Unauthorized'),
	'403': () => refusal(403, 'Forbidden'),
	'404-route': (call) => refusal(404, [`Cannot ${call.method} ${call.path}`]),
	'404-instance': (call) => refusal(404, [`The "${segments(call).at(-1)}" instance does not exist`]),
	'408': () => refusal(408, 'Request Timeout'),
	'409': () => refusal(409, 'Conflict'),
	'413': () => refusal(413, 'request entity too large'),
	'429': () => refusal(429, 'Too Many Requests'),
	'429-retry-after': () => ({ ...refusal(429, 'Too Many Requests'), headers: { 'retry-after': '1' } }),
	'500': () => refusal(500, 'Internal Server Error'),
	'502': () => html(502),
	'503': () => refusal(503, 'Service Unavailable'),
	'503-license': () =>
		json(503, { code: 'LICENSE_REQUIRED', register_url: 'https://license.example/register' }),
	'504': () => html(504),
	'rate-overlimit': (call) => refused(call, 'Error: rate-overlimit'),
	forbidden: (call) => refused(call, 'Error: forbidden'),
	'just-started': justStarted,
	'200-error': () => json(200, { error: true, message: 'Something went wrong' }),
	'200-rate-overlimit': (call) => ({ ...refused(call, 'Error: rate-overlimit'), status: 200 }),
	'201-error': () => json(201, { status: 500, error: 'Internal Server Error' }),
} satisfies Record<string, (call: Call, fault: Fault) => Reply>;

const lost = {
	'closed-1000': '1000',
	'closed-1006': '1006',
	'connection-closed': 'Connection Closed',
	'timed-out': 'Error: Timed Out',
	'connection-terminated': 'Connection Terminated',
	'connection-lost': 'Connection was lost',
	'stream-errored': 'Stream Errored (restart required)',
	'query-cancelled': 'Query Cancelled',
	'internal-server-error': 'Error: internal-server-error',
} satisfies Record<string, string>;

function hang(): void {
	// The socket stays open until the client or the gateway closes it.
}

function firstHalf({ text }: Reply): string {
	return text.slice(0, Math.ceil(text.length / 2));
}

/** The same reply with nothing in its list. */
function emptied(reply: Reply): Reply {
	const body: unknown = JSON.parse(reply.text || 'null');
	const empty = (value: unknown): unknown => (Array.isArray(value) ? [] : value);
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		return { ...reply, text: JSON.stringify(empty(body)) };
	const entries = Object.entries(body).map(([name, value]) => [name, empty(value)]);
	return { ...reply, text: JSON.stringify(Object.fromEntries(entries)) };
}

function withLongJid(reply: Reply): Reply {
	const long = () => `"jid":"1${'.1'.repeat(4_000_000)}"`;
	return { ...reply, text: reply.text.replace(/"jid":"[^"]*"/, long) };
}

function* hugeList(): Generator<string> {
	const chunk = `${JSON.stringify('x'.repeat(99_997))},`;
	yield '[';
	for (let sent = 0; sent < hugeBytes; sent += chunk.length) yield chunk;
	yield 'null]';
}

const breaks = {
	'reset-before': ({ response }) => void response.socket?.destroy(),
	'reset-after': ({ response }, apply) => {
		apply();
		response.socket?.destroy();
	},
	'sent-again': ({ response }, apply) => {
		apply();
		send(response, apply());
	},
	hang,
	'hang-after': (_exchange, apply) => void apply(),
	'slow-body': ({ response }, apply) => {
		const reply = apply();
		sendHead(response, reply);
		response.write(firstHalf(reply));
	},
	'truncated-body': ({ response }, apply) => {
		const reply = apply();
		sendHead(response, reply);
		response.write(firstHalf(reply), () => response.socket?.end());
	},
	'wrong-content-type': ({ response }, apply) => send(response, { ...apply(), contentType: 'text/plain' }),
	'empty-list': ({ response }, apply) => send(response, emptied(apply())),
	'long-jid': ({ response }, apply) => send(response, withLongJid(apply())),
	'101': ({ response }) => {
		response.socket?.end(
			'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
		);
	},
	'huge-body': ({ response }) => {
		response.writeHead(200, { 'content-type': JSON_TYPE });
		Readable.from(hugeList()).pipe(response);
	},
} satisfies Record<string, Break>;

const answerTable = new Map<string, (call: Call, fault: Fault) => Reply>(Object.entries(answers));
const lostTable = new Map<string, string>(Object.entries(lost));
const breakTable = new Map<string, Break>(Object.entries(breaks));

/** All kinds of fault, for a person to choose from. */
export const faultKinds: readonly string[] = [
	...breakTable.keys(),
	...answerTable.keys(),
	...lostTable.keys(),
];

/** @throws Error for a text that is not a kind of fault. */
export function parseFaultKind(text: string): FaultKind {
	if (isFaultKind(text)) return text;
	throw new Error(`Unknown fault "${text}". Known ones: ${faultKinds.join(', ')}.`);
}

function isFaultKind(text: string): text is FaultKind {
	return faultKinds.includes(text);
}

/** Lets a fault happen to an exchange. `apply` makes the change that was asked for, and gives the right reply. */
export function happen(fault: Fault, exchange: Exchange, apply: () => Reply): void {
	const answer = (): Reply => {
		const reply = apply();
		fault.happening?.();
		return reply;
	};
	breakTable.get(fault.kind)?.(exchange, answer);
	const why = lostTable.get(fault.kind);
	const other =
		why === undefined ? answerTable.get(fault.kind)?.(exchange.call, fault) : refused(exchange.call, why);
	if (other === undefined) return;
	if (fault.applied ?? why !== undefined) apply();
	fault.happening?.();
	send(exchange.response, withBody(other, fault.body));
}

function withBody(reply: Reply, body: unknown): Reply {
	if (body === undefined) return reply;
	return { ...reply, text: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The faults that were asked for, each with the count of requests that it has seen. */
export interface FaultList {
	add(fault: Fault): void;
	/** The fault that is due for this request, if any; the first that was added goes first. */
	due(call: Call): Fault | undefined;
	clear(): void;
}

/** An empty list of faults. */
export function createFaultList(): FaultList {
	let active: Array<{ fault: Fault; seen: number }> = [];
	const isDue = (entry: { fault: Fault; seen: number }, call: Call): boolean => {
		const { on, after = 0, times = Infinity } = entry.fault;
		if (on !== undefined && !on(call)) return false;
		entry.seen += 1;
		return entry.seen > after && entry.seen <= after + times;
	};
	return {
		add: (fault) => void active.push({ fault, seen: 0 }),
		due: (call) => active.find((entry) => isDue(entry, call))?.fault,
		clear: () => {
			active = [];
		},
	};
}
