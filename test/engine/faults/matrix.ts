import type { Fault } from '../../gateway/gateway';
import type { SubjectKey } from './attempts';

/** What a person gets: an error that says this and advises that, or the items. */
interface Told {
	says: RegExp;
	advises: RegExp;
}

/** What comes of a use of the node, and how many requests it takes. */
export type Result = (Told | { items: true }) & { requests: number };

/** What comes of a group change. */
export interface ChangeResult {
	requests: number;
	/** `done` and `accepted`: items. `refused` and `unknown`: errors, and only the last says that it does not know. */
	outcome: 'done' | 'accepted' | 'refused' | 'unknown';
	/** What the gateway's groups show afterwards. */
	group: 'changed' | 'unchanged';
}

/** A row of the matrix. */
export interface Row extends Told {
	name: string;
	gateway: Fault | 'closed' | 'self-signed';
	/** Requests of a read: two where it is repeated. */
	reads: number;
	change: ChangeResult;
	/** Where an operation or picker differs. */
	except: Partial<Record<SubjectKey, Partial<Told> & { requests?: number; items?: true }>>;
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
const noGroupList = { says: /can't list groups/, advises: /'By ID'/, requests: 1 };
const noBotList = { says: /can't list bots/, advises: /'By ID'/, requests: 1 };
const noList = { says: /can't|can list its instances|no gateway/, advises: /'By Name'/, requests: 1 };

/** Every fault → what the user reads, how many requests are made, and how the gateway's groups are left. */
export const matrix: Row[] = [
	// No reply, or half of one.
	row('closed', /Couldn't connect to .*: connection refused/, /'Base URL'/, 0, unchanged('refused', 0)),
	row('self-signed', /certificate isn't trusted/, /'Ignore SSL Issues/, 0, unchanged('refused', 0)),
	row('reset-before', broken, /log of the gateway/, 2, unchanged('unknown')),
	row('reset-after', broken, /log of the gateway/, 2, changed('unknown')),
	row('hang', late, /'Timeout \(ms\)'/, 2, unchanged('unknown')),
	row('hang-after', late, /'Timeout \(ms\)'/, 2, changed('unknown')),
	row('slow-body', late, /'Timeout \(ms\)'/, 2, changed('unknown')),
	row('truncated-body', broken, /log of the gateway/, 2, changed('unknown')),

	// A reply that is not the gateway's.
	row('wrong-content-type', /./, /./, 1, changed('done'), {
		getAll: items,
		get: items,
		// Another one tells whose the bot is.
		bot: { ...items, requests: 2 },
		instances: items,
		groups: items,
		bots: items,
	}),
	row('huge-body', /too large to be read/, /'Base URL'/, 1, unchanged('unknown')),
	row('html', notJson, /'Base URL'/, 1, unchanged('unknown')),
	row(applied('html'), notJson, /'Base URL'/, 1, changed('unknown')),
	row('empty', empty, /instance is connected/, 1, unchanged('accepted'), {
		bot: { says: /bot .* couldn't be found/, advises: /ID/ },
		groups: { says: /set to ignore groups/, advises: /'By ID'/ },
	}),
	row(applied('empty'), empty, /instance is connected/, 1, changed('accepted'), {
		bot: { says: /bot .* couldn't be found/, advises: /ID/ },
		groups: { says: /set to ignore groups/, advises: /'By ID'/ },
	}),
	row('wrong-shape', shape, /'Base URL'/, 1, unchanged('accepted')),
	row(applied('wrong-shape'), shape, /'Base URL'/, 1, changed('accepted')),
	row(
		'redirect',
		/redirects to https:\/\/elsewhere\.invalid — set that as 'Base URL'/,
		/'Base URL'/,
		1,
		unchanged('refused'),
	),

	// A refusal.
	row('401', /refused the API key.*Unauthorized/, /'API Key'/, 1, unchanged('refused')),
	row('403', /doesn't allow.*Forbidden/, /API key/, 1, unchanged('refused')),
	row('404-route', /doesn't have this function.*Cannot/, /'Base URL'/, 1, unchanged('refused', 2), {
		bot: { requests: 2 },
		instances: noList,
		groups: noGroupList,
		bots: noBotList,
	}),
	row('404-instance', /instance couldn't be found.*does not exist/, /'From List'/, 1, unchanged('refused')),
	row('409', /409.*Conflict/, /values/, 1, unchanged('unknown')),
	row(
		'413',
		/too large for the gateway.*entity too large/,
		/'Participants per Request'/,
		1,
		unchanged('unknown'),
	),
	row('429', /limits.*Too Many Requests/, /Wait/, 2, unchanged('refused', 2)),
	row('429-retry-after', /limits.*wait 1 second.*Too Many Requests/, /Wait/, 2, unchanged('refused', 2)),
	row('rate-overlimit', /network is rate limiting.*rate-overlimit/, /Wait/, 1, unchanged('refused')),
	row('forbidden', /isn't an admin.*forbidden/, /admin/, 1, unchanged('refused')),
	row('503-license', /license/i, /[Rr]egister/, 1, unchanged('refused')),

	// Trouble at the gateway.
	row('500', /500.*Internal Server Error/, /log of the gateway/, 1, unchanged('unknown')),
	row(applied('500'), /500.*Internal Server Error/, /log of the gateway/, 1, changed('unknown')),
	row('502', /502.*Bad Gateway/, /'Base URL'/, 2, unchanged('unknown')),
	row(applied('502'), /502.*Bad Gateway/, /'Base URL'/, 2, changed('unknown')),
	row('503', /503.*Service Unavailable/, /'Base URL'/, 2, unchanged('unknown')),
	row('504', /504.*Gateway Time-?out/i, /'Base URL'/, 2, unchanged('unknown')),
	row(applied('504'), /504.*Gateway Time-?out/i, /'Base URL'/, 2, changed('unknown')),
];

/** What the table says of an operation or picker that looks something up. */
export function expectedOf({ says, advises, reads, except }: Row, subject: SubjectKey): Result {
	const { items: gives, requests = reads, ...other } = except[subject] ?? {};
	return gives === true ? { items: true, requests } : { says, advises, requests, ...other };
}

/** Faults that came after the last change of the node, and have no row yet: the calls and replies of version 1.1. */
export const untried: readonly Fault['kind'][] = [
	'101',
	'200-error',
	'200-rate-overlimit',
	'201-error',
	'408',
	'closed-1006',
	'connection-closed',
	'connection-lost',
	'connection-terminated',
	'empty-list',
	'internal-server-error',
	'just-started',
	'long-jid',
	'query-cancelled',
	'stream-errored',
	'timed-out',
];
