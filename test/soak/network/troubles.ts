/** What goes wrong with a whole request. */
export interface Trouble {
	name: string;
	/** How often among the others. */
	weight: number;
	/**
	 * Whether it certainly means that nothing was carried out: `may` where the contract leaves open whether a node knows.
	 * With `no`, chance decides whether the change is made all the same.
	 */
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

export const html = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const refusal = (status: number, message: unknown) => ({
	name: `${status} ${typeof message === 'string' ? message : JSON.stringify(message)}`,
	status,
	body: { status, error: 'Refused', response: { message } },
});
const updating = (why: string, status = 400) => ({
	...refusal(status, ['Error updating participants', why]),
	name: `${status} ${why}`,
});

/** The network was lost, and nobody knows whether before or after the change. */
const lost = [
	...['1006', 'Connection Closed', 'Error: Connection Closed', 'Error: Connection Terminated', 'Timed Out'],
	...['Error: Connection Lost', 'Error: Timed Out', 'Error: Stream Errored (restart required)', ''],
	...['Error: Query Cancelled', 'Error: internal-server-error', 'Error: service-unavailable'],
	...['Error: Precondition Required', 'Error: forbidden by a proxy on the way back'],
	"TypeError: Cannot read properties of undefined (reading 'content')",
];
const refused = [
	...['Error: forbidden', 'Error: not-authorized', 'Error: item-not-found', 'Error: bad-request'],
	...['Error: not-acceptable', 'Error: conflict'],
	"TypeError: Cannot read properties of undefined (reading 'groupParticipantsUpdate')",
];
/** Bodies of a 2xx that say nothing, and those that say that something failed. */
const noLists = [null, [], {}, 'ok', { updateParticipants: null }, { updateParticipants: 'x' }, [[]]];
const errors = [{ error: 'Internal' }, { status: 500, message: 'x' }, { error: true, message: ['x'] }];

type Reply = Partial<Trouble>;

function trouble(certain: Trouble['certain'], reply: Reply, weight = 0): Trouble {
	return { name: reply.wire ?? `${reply.status} ${JSON.stringify(reply.body)}`, weight, certain, ...reply };
}

const all = (statuses: number[], body: unknown) => statuses.map((status): Reply => ({ status, body }));
const statuses = (...codes: number[]) => codes.map((status) => refusal(status, 'It is what it is'));
const schema = [{ property: 'participants[0]', message: '"participants" must be an array of numbers' }];
const tooMany = { ...refusal(429, 'Too Many Requests'), name: '429', headers: { 'retry-after': '0' } };

/** Replies, and the weight that they share. */
const replies: Array<[weight: number, certain: Trouble['certain'], all: Reply[]]> = [
	[30, 'no', lost.map((why) => updating(why))],
	[20, 'yes', refused.map((why) => updating(why))],
	[15, 'no', statuses(408, 500, 502, 503, 504)],
	[8, 'no', [500, 502, 503, 504].map((status) => updating('Error: forbidden', status))],
	[16, 'no', all([200, 400, 403, 404, 408, 502, 503, 504], html)],
	[6, 'no', all([200, 201, 400, 500], '')],
	[
		6,
		'no',
		[...refused.slice(0, 3), '1006'].map((why) => ({ ...updating(why), status: 201, name: `201 ${why}` })),
	],
	[4, 'no', errors.map((body) => ({ status: 200, body }))],
	[5, 'no', noLists.map((body) => ({ status: 201, body: JSON.stringify(body) }))],
	[4, 'no', [{ status: 201, body: '{"updateParticipants":[{"status":"200","j' }]],
	[8, 'no', [{ wire: 'reset' }]],
	[6, 'no', [{ wire: 'cut' }, { wire: 'cut' }, { wire: 'upgrade' }]],
	[1, 'no', [{ wire: 'hang' }, { wire: 'drip' }, { wire: 'restart' }]],
	[3, 'no', [updating(`Error: ${KEY_PLACE} fell over`)]],
	[3, 'no', [{ status: 502, body: `<html>apikey=${KEY_PLACE} upstream gone</html>` }]],
	[3, 'yes', [{ ...refusal(404, ['The "x" instance does not exist']), stops: 'instance' }]],
	[3, 'yes', [refusal(400, schema)]],
	[
		2,
		'yes',
		[
			{
				status: 503,
				body: { code: 'LICENSE_REQUIRED', register_url: 'https://x.example' },
				stops: 'gateway',
			},
		],
	],
	[1, 'may', [{ status: 307, body: '', headers: { location: 'http://127.0.0.1:9/' }, stops: 'gateway' }]],
	[1, 'may', [refusal(413, 'request entity too large')]],
	[0.6, 'yes', [{ ...refusal(401, 'Unauthorized'), stops: 'instance' }]],
	[0.6, 'yes', [{ ...tooMany, stops: 'gateway' }]],
	[0.6, 'yes', [{ ...updating('Error: rate-overlimit'), stops: 'instance' }]],
	[0.4, 'may', [{ ...updating('Error: account_reachout_restricted'), stops: 'instance' }]],
];

export const troubles = replies.flatMap(([weight, certain, some]) =>
	some.map((reply) => trouble(certain, reply, weight / some.length)),
);

const dazed = "Cannot read properties of undefined (reading 'updateGParticipant')";
/** What a gateway says in the moment after its start. */
export const justStarted = trouble('may', refusal(500, dazed));
/** What a gateway says where the instance may not change the group. */
export const forbidden = trouble('yes', { ...updating('Error: forbidden'), name: 'forbidden' });
/** A reply that the node did not wait for. */
export const abandoned = trouble('no', { name: 'not waited for' });
