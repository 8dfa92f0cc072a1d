import type { Fault } from '../../gateway/gateway';

/** What a person gets: an error that says this and advises that, or the items. */
interface Told {
	says: RegExp;
	advises: RegExp;
}

/** What comes of a use of the node, and how many requests it takes. */
export type Result = (Told | { items: true | 'none' }) & { requests: number };

/** What comes of a group change. */
export interface ChangeResult {
	requests: number;
	/**
	 * `done`, `accepted`, `unconfirmed` and `firstOpen` (the first is unconfirmed, the other done): items. `refused` and
	 * `unknown`: errors, and only the last says that it does not know.
	 */
	outcome: 'done' | 'accepted' | 'unconfirmed' | 'firstOpen' | 'refused' | 'unknown';
	/** What the gateway's groups show afterwards. */
	group: 'changed' | 'unchanged';
}

/** What comes of the first invite; `refused`: without a reason, so that the next one is tried, `failed`: its item failed. */
export type InviteResult = 'sent' | 'refused' | 'unconfirmed' | 'failed';

/** A row of the matrix. */
export interface Row extends Told {
	name: string;
	gateway: Fault | 'closed' | 'self-signed';
	/** Requests of a read: two where it is repeated. */
	reads: number;
	change: ChangeResult;
	/** What comes of an invite, where that doesn't follow from what comes of a group change. */
	invite?: InviteResult;
	/** Reads get their replies as they are. */
	unharmed?: boolean;
	/** Where an operation or picker differs, by its name. */
	except: Record<string, Partial<Told> & { requests?: number; items?: true | 'none'; outcome?: 'unknown' }>;
}

const unchanged = (outcome: ChangeResult['outcome'], requests = 1): ChangeResult => ({
	requests,
	outcome,
	group: 'unchanged',
});
const changed = (outcome: ChangeResult['outcome']): ChangeResult => ({
	requests: 1,
	outcome,
	group: 'changed',
});

function row(
	gateway: Row['gateway'] | Fault['kind'],
	says: RegExp,
	advises: RegExp,
	reads: number,
	change: ChangeResult,
	except: Row['except'] = {},
): Row {
	if (gateway === 'closed' || gateway === 'self-signed')
		return { name: gateway, gateway, says, advises, reads, change, except };
	const fault = typeof gateway === 'string' ? { kind: gateway } : gateway;
	const name = fault.applied === true ? `${fault.kind}, applied` : fault.kind;
	return { name, gateway: fault, says, advises, reads, change, except };
}

const applied = (kind: Fault['kind']): Fault => ({ kind, applied: true });
const items = { items: true } as const;

const broken = /closed the connection before the full response arrived/;
const late = /didn't answer within [\d.]+ seconds?/;
const notJson = /isn't JSON.*Welcome/;
const shape = /unexpected shape/;
const empty = /response is empty/;
const ignored = { says: /set to ignore groups/, advises: /'Ignore Groups'/ };
const noGroupList = { says: /can't list groups/, advises: /'By ID'/, requests: 1 };
const noBotList = { says: /can't list bots/, advises: /'By ID'/, requests: 1 };
const noList = { says: /can't|can list its instances|no gateway/, advises: /'By Name'/, requests: 1 };

/** Where all replies come through, these ask for more. */
const asksMore: Row['except'] = {
	// Another one tells whose the bot is.
	'bot get': { ...items, requests: 2 },
	// And who the own account is.
	'group syncParticipants': { ...items, requests: 2 },
};
/** Pickers have no options. */
const inPickers: Row['except'] = Object.fromEntries(
	['searchBots', 'searchGroups', 'searchInstances'].map((name) => [name, { advises: /gateway is running/ }]),
);
const nothing = { items: 'none' } as const;
/** What is read of an instance that says it isn't connected, and is open. */
const repeatedIfOpen: Row['except'] = Object.fromEntries(
	[
		'bot get',
		'group getAll',
		'group getParticipants',
		'group getInviteLink',
		'group get',
		'group syncParticipants',
	].map((name) => [name, { requests: 2 }]),
);
const noMembers = { says: /empty list of members, and no group is without/, advises: /connected/ };
/** What is missing in an empty reply, by what was asked for. */
const inEmpty: Row['except'] = {
	'bot get': { says: /bot .* couldn't be found/, advises: /ID/ },
	'group get': ignored,
	'group getAll': ignored,
	'group getParticipants': noMembers,
	'group syncParticipants': noMembers,
	searchGroups: ignored,
};
/** The list of groups asks for each one's picture, and says no more of a lost connection. */
const lostList = { says: /lost its connection.*Internal Server Error/, advises: /connected/ };
const inList: Row['except'] = { 'group getAll': { ...lostList, requests: 2 }, searchGroups: lostList };
/** Writes that are the same in all generations. */
const hasOneForm: Row['except'] = Object.fromEntries(
	['create', 'leave', 'sendMessage'].map((name) => [`group ${name}`, { requests: 1 }]),
);
const notIn = { says: /account isn't in this group.*forbidden/, advises: /admin add it again/ };

/** The same where the gateway tells no reason for an invite that it doesn't send. */
function withoutReason(one: Row): Row {
	return { ...one, invite: 'refused' };
}

/** A network that is lost after a change was sent: reads are refused with the same words. */
function lost(kind: Fault['kind'], says: RegExp, advises = /\w/): Row {
	return withoutReason(row(kind, says, advises, 1, changed('unknown'), repeatedIfOpen));
}

/** Every fault → what the user reads, how many requests are made, and how the gateway's groups are left. */
export const matrix: Row[] = [
	// No reply, or half of one.
	row('closed', /Couldn't connect to .*: connection refused/, /'Base URL'/, 0, unchanged('refused', 0)),
	row('self-signed', /certificate isn't trusted/, /'Ignore SSL Issues/, 0, unchanged('refused', 0)),
	row('reset-before', broken, /log of the gateway/, 2, unchanged('unknown')),
	row('reset-after', broken, /log of the gateway/, 2, changed('unknown')),
	row('hang', late, /'Timeout \(ms\)'/, 2, unchanged('unknown'), inPickers),
	row('hang-after', late, /'Timeout \(ms\)'/, 2, changed('unknown'), inPickers),
	row('slow-body', late, /'Timeout \(ms\)'/, 2, changed('unknown'), inPickers),
	row('truncated-body', broken, /log of the gateway/, 2, changed('unknown')),

	// A reply that is not the gateway's.
	{ ...row('wrong-content-type', /./, /./, 1, changed('done'), asksMore), unharmed: true },
	row('huge-body', /too large to be read/, /'Base URL'/, 1, unchanged('unknown')),
	row('html', notJson, /'Base URL'/, 1, unchanged('unknown')),
	row(applied('html'), notJson, /'Base URL'/, 1, changed('unknown')),
	row('empty', empty, /instance is connected/, 1, unchanged('accepted'), inEmpty),
	row(applied('empty'), empty, /instance is connected/, 1, changed('accepted'), inEmpty),
	row('wrong-shape', shape, /'Base URL'/, 1, unchanged('accepted')),
	row(applied('wrong-shape'), shape, /'Base URL'/, 1, changed('accepted')),
	row(
		'redirect',
		/redirects to https:\/\/elsewhere\.invalid\. If that is your gateway, set that as 'Base URL'/,
		/'Base URL'/,
		1,
		unchanged('refused'),
	),

	// A refusal.
	row('401', /refused the API key.*Unauthorized/, /'API Key'/, 1, unchanged('refused')),
	row('403', /doesn't allow.*Forbidden/, /API key/, 1, unchanged('refused')),
	row('404-route', /doesn't have this function.*Cannot/, /'Base URL'/, 1, unchanged('refused', 2), {
		...hasOneForm,
		'bot get': { requests: 2 },
		searchInstances: noList,
		searchGroups: noGroupList,
		searchBots: noBotList,
	}),
	row('404-instance', /instance couldn't be found.*does not exist/, /'From List'/, 1, unchanged('refused')),
	row('409', /409.*Conflict/, /values/, 1, unchanged('unknown')),
	row('413', /413.*entity too large/, /values/, 1, unchanged('unknown')),
	row('429', /limits.*Too Many Requests/, /Wait/, 2, unchanged('refused', 2)),
	row('429-retry-after', /limits.*wait 1 second.*Too Many Requests/, /Wait/, 2, unchanged('refused', 2)),
	withoutReason(
		row('rate-overlimit', /network is rate limiting.*rate-overlimit/, /Wait/, 1, unchanged('refused'), {
			// The group may be there.
			'group create': { outcome: 'unknown' },
		}),
	),
	withoutReason(
		row('forbidden', /isn't an admin.*forbidden/, /admin/, 1, unchanged('refused'), {
			'group create': { outcome: 'unknown', says: /forbidden/, advises: /Get Many/ },
			'group get': notIn,
			'group getParticipants': notIn,
			'group getInviteLink': notIn,
			'group syncParticipants': notIn,
		}),
	),
	row('503-license', /license/i, /Register.*https:\/\/license\.example\/register/, 1, unchanged('refused')),

	// Trouble at the gateway.
	row('500', /500.*Internal Server Error/, /log of the gateway/, 1, unchanged('unknown'), inList),
	row(applied('500'), /500.*Internal Server Error/, /log of the gateway/, 1, changed('unknown'), inList),
	row('502', /502.*Bad Gateway/, /'Base URL'/, 2, unchanged('unknown')),
	row(applied('502'), /502.*Bad Gateway/, /'Base URL'/, 2, changed('unknown')),
	row('503', /503.*Service Unavailable/, /'Base URL'/, 2, unchanged('unknown')),
	row('504', /504.*Gateway Time-?out/i, /'Base URL'/, 2, unchanged('unknown')),
	row(applied('504'), /504.*Gateway Time-?out/i, /'Base URL'/, 2, changed('unknown')),
	row('408', /408.*Request Timeout/, /'Base URL'/, 1, unchanged('unknown')),
	{
		...row(
			'just-started',
			/still starting|status 500.*Cannot read properties/,
			/\w/,
			1,
			unchanged('refused'),
		),
		invite: 'unconfirmed',
	},

	// A network that is lost.
	lost('closed-1000', /1000/),
	lost('closed-1006', /1006/),
	lost(
		'connection-closed',
		/(instance isn't connected|lost its connection).*Connection Closed/,
		/[Cc]onnect/,
	),
	lost('timed-out', /messaging network didn't answer.*Timed Out/, /connected/),
	lost('connection-terminated', /Connection Terminated/),
	lost('connection-lost', /Connection was lost/),
	lost('stream-errored', /Stream Errored/),
	lost('query-cancelled', /Query Cancelled/),
	{ ...lost('internal-server-error', /internal-server-error/), except: {} },

	// An error in a success, and a success that is none.
	row('101', late, /'Timeout \(ms\)'/, 2, unchanged('unknown'), inPickers),
	row('200-error', /Something went wrong/, /\w/, 1, unchanged('unknown')),
	row('200-rate-overlimit', /rate-overlimit/, /Wait/, 1, unchanged('unknown')),
	row('201-error', /Internal Server Error/, /\w/, 1, unchanged('unknown')),
	{
		...row('empty-list', /instance .*couldn't be found/, /'From List'/, 1, changed('unconfirmed'), {
			...asksMore,
			'instance getAll': nothing,
			'instance get': {},
			'group getAll': nothing,
			'group getParticipants': noMembers,
			'group syncParticipants': noMembers,
			searchInstances: nothing,
			searchGroups: nothing,
			searchBots: nothing,
		}),
		unharmed: true,
		invite: 'sent',
	},
	{ ...row('long-jid', /./, /./, 1, changed('firstOpen'), asksMore), unharmed: true, invite: 'sent' },
];

/** Faults that certainly mean that nothing was done: a request that changes something is repeated, too. */
const certain = new Set(['429', '429-retry-after']);

/** What the table says of an invite. */
export function expectedInvite({ invite, change: { outcome } }: Row): InviteResult {
	if (invite !== undefined) return invite;
	if (outcome === 'refused') return 'failed';
	return outcome === 'done' ? 'sent' : 'unconfirmed';
}

/** What the table says of a write, whose reply has no people in it that would be missing. */
export function expectedWrite(
	{ change: { outcome }, except }: Row,
	name: string,
): 'done' | 'refused' | 'unknown' {
	if (except[name]?.outcome !== undefined) return 'unknown';
	if (outcome === 'refused') return 'refused';
	return outcome === 'unknown' || outcome === 'accepted' ? 'unknown' : 'done';
}

/** What the table says of an operation or picker that looks something up. */
export function expectedOf(row: Row, subject: string): Result {
	const { name, says, advises, reads, except, unharmed = false } = row;
	// It starts a connection, so it is repeated only as a change is.
	const usual = subject === 'instance getQrCode' && !certain.has(name) ? Math.min(reads, 1) : reads;
	const {
		items: gives,
		requests = usual,
		...other
	}: Row['except'][string] = except[subject] ?? (unharmed ? items : {});
	return gives !== undefined ? { items: gives, requests } : { says, advises, requests, ...other };
}
