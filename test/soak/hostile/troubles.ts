/** What goes wrong with a whole request. */
export interface Trouble {
	name: string;
	/** How often among the others. */
	weight: number;
	/** Whether the change is made all the same: where both can be, by chance. */
	applied: 'never' | 'always' | 'either';
	/** Whether the contract lets it be known that nothing was carried out: `may` where it leaves that open. */
	certain: 'yes' | 'no' | 'may';
	/** What may not be sent to afterwards. */
	stops?: 'instance' | 'gateway';
	/** The reply; without one, `wire` says what happens to the connection. */
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	wire?: 'reset' | 'hang' | 'drip' | 'cut' | 'upgrade' | 'restart';
}

/** Stands in a body for the `apikey` that the request came with. */
export const KEY_PLACE = '{apikey}';

const html = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const refusal = (status: number, message: unknown) => ({
	status,
	body: { status, error: 'Refused', response: { message } },
});
const updating = (why: string) => ['Error updating participants', why];

/** The network was lost, and nobody knows whether before or after the change. */
const lost = [
	'1006',
	'Connection Closed',
	'Error: Connection Closed',
	'Error: Connection Terminated',
	'Error: Connection Lost',
	'Error: Timed Out',
	'Timed Out',
	'Error: Stream Errored (restart required)',
	'Error: Query Cancelled',
	'Error: internal-server-error',
	'Error: service-unavailable',
	'Error: Precondition Required',
	'Error: forbidden by a proxy on the way back',
	"TypeError: Cannot read properties of undefined (reading 'content')",
	'',
];
const refused = [
	'Error: forbidden',
	'Error: not-authorized',
	'Error: item-not-found',
	'Error: bad-request',
	'Error: not-acceptable',
	'Error: conflict',
	"TypeError: Cannot read properties of undefined (reading 'groupParticipantsUpdate')",
];

/** One trouble for each of several replies, sharing a weight. */
function each<T>(all: readonly T[], weight: number, trouble: (one: T) => Omit<Trouble, 'weight'>): Trouble[] {
	return all.map((one) => ({ ...trouble(one), weight: weight / all.length }));
}

const notKnown = { applied: 'either', certain: 'no' } as const;
const nothingDone = { applied: 'never', certain: 'yes' } as const;

export const troubles: Trouble[] = [
	...each(lost, 30, (why) => ({ name: `400 ${why}`, ...notKnown, ...refusal(400, updating(why)) })),
	...each(refused, 20, (why) => ({ name: `400 ${why}`, ...nothingDone, ...refusal(400, updating(why)) })),
	...each([408, 500, 502, 503, 504], 15, (status) => ({
		name: String(status),
		...notKnown,
		...refusal(status, 'It is what it is'),
	})),
	...each([500, 502, 503, 504], 8, (status) => ({
		name: `${status} forbidden`,
		...notKnown,
		...refusal(status, updating('Error: forbidden')),
	})),
	...each([408, 502, 503, 504], 8, (status) => ({ name: `${status} HTML`, ...notKnown, status, body: html })),
	...each([200, 400, 403, 404], 8, (status) => ({ name: `${status} HTML`, ...notKnown, status, body: html })),
	...each([200, 201, 400, 500], 6, (status) => ({ name: `${status} empty`, ...notKnown, status, body: '' })),
	...each([...refused.slice(0, 3), '1006'], 6, (why) => ({
		name: `201 ${why}`,
		...notKnown,
		status: 201,
		body: refusal(400, updating(why)).body,
	})),
	...each(
		[{ error: 'Internal' }, { status: 500, message: 'x' }, { error: true, message: ['x'] }],
		4,
		(body) => ({ name: `200 ${JSON.stringify(body)}`, ...notKnown, status: 200, body }),
	),
	...each(
		[null, [], {}, 'ok', { updateParticipants: null }, { updateParticipants: 'x' }, [[]]],
		5,
		(body) => ({ name: `201 ${JSON.stringify(body)}`, ...notKnown, status: 201, body: JSON.stringify(body) }),
	),
	{
		name: '201 truncated',
		weight: 4,
		...notKnown,
		status: 201,
		body: '{"updateParticipants":[{"status":"200","j',
	},
	{ name: 'cut', weight: 4, ...notKnown, wire: 'cut' },
	{ name: 'reset', weight: 8, ...notKnown, wire: 'reset' },
	{ name: 'hang', weight: 0.3, ...notKnown, wire: 'hang' },
	{ name: 'drip', weight: 0.3, ...notKnown, wire: 'drip' },
	{ name: '101', weight: 2, ...notKnown, wire: 'upgrade' },
	{ name: 'restart', weight: 0.4, ...notKnown, wire: 'restart' },
	{ name: '400 key', weight: 3, ...notKnown, ...refusal(400, updating(`Error: ${KEY_PLACE} fell over`)) },
	{
		name: '502 key',
		weight: 3,
		...notKnown,
		status: 502,
		body: `<html>apikey=${KEY_PLACE} upstream gone</html>`,
	},
	{ name: '404 instance', weight: 3, ...nothingDone, ...refusal(404, ['The "x" instance does not exist']) },
	{
		name: '400 schema',
		weight: 3,
		...nothingDone,
		...refusal(400, [
			{ property: 'participants[0]', message: '"participants" must be an array of numeric strings' },
		]),
	},
	{
		name: '503 license',
		weight: 2,
		...nothingDone,
		status: 503,
		body: { code: 'LICENSE_REQUIRED', register_url: 'https://x.example' },
	},
	{
		name: '307',
		weight: 1,
		applied: 'never',
		certain: 'may',
		status: 307,
		body: '',
		headers: { location: 'http://127.0.0.1:9/' },
	},
	{ name: '413', weight: 1, applied: 'never', certain: 'may', ...refusal(413, 'request entity too large') },
	{ name: '401', weight: 0.6, ...nothingDone, stops: 'instance', ...refusal(401, 'Unauthorized') },
	{
		name: '429',
		weight: 0.6,
		...nothingDone,
		stops: 'gateway',
		...refusal(429, 'Too Many Requests'),
		headers: { 'retry-after': '0' },
	},
	{
		name: '400 rate-overlimit',
		weight: 0.6,
		...nothingDone,
		stops: 'instance',
		...refusal(400, updating('Error: rate-overlimit')),
	},
	{
		name: '400 account_reachout_restricted',
		weight: 0.4,
		applied: 'never',
		certain: 'may',
		stops: 'instance',
		...refusal(400, updating('Error: account_reachout_restricted')),
	},
];

/** What a gateway says in the moment after its start: nothing was done. */
export const justStarted: Trouble = {
	name: '500 just started',
	weight: 0,
	applied: 'never',
	certain: 'may',
	...refusal(500, "Cannot read properties of undefined (reading 'updateGParticipant')"),
};
/** What a gateway says where the instance may not change the group. */
export const forbidden: Trouble = {
	name: 'forbidden',
	weight: 0,
	...nothingDone,
	...refusal(400, updating('Error: forbidden')),
};
/** A reply that the node did not wait for. */
export const abandoned: Trouble = { name: 'not waited for', weight: 0, ...notKnown };
