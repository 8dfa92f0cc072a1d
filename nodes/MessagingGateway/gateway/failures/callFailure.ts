import { isRecord, textOf, type JsonRecord } from '../../common/json';

/** What can be seen of a call that couldn't be completed. */
export interface Observed {
	/** The call, as the table of routes names it. */
	route?: string;
	/** HTTP status, if there was a reply. */
	status?: number;
	/** Code of the connection's failure, if there was no reply, e.g. `ECONNREFUSED`. */
	network?: string;
	/** The gateway's own words, safe to show; empty if there are none. */
	words: string;
	/** The same with whatever secrets are in them, to be recognized and never shown; left out if there are none. */
	rawWords?: string;
	/** The reply's body: parsed JSON, or text if it isn't JSON. */
	body?: unknown;
	/** What is wrong with a 2xx reply. */
	unreadable?: Unreadable;
	/** Time from the request to the end of its reply, or to the failure, in ms. */
	elapsed?: number;
	/** The instance's live state, if it was asked for afterwards. */
	state?: string;
	/** The execution was canceled before the request was sent again. */
	canceledBeforeRetry?: boolean;
	/** Base URL to set, if the gateway redirects. */
	redirectsTo?: string | undefined;
	/** Seconds that the gateway asks to wait. */
	retryAfter?: number | undefined;
	/** Base URL in use. */
	baseUrl: string;
	/** Time allowed for a reply, in ms. */
	timeout: number;
}

/** `error`: the body of an error; `empty`: nothing where there has to be something. */
export type Unreadable = 'notJson' | 'tooLarge' | 'shape' | 'error' | 'empty';

/** A gateway that took so long, in ms, waited for a network that never answered: 2.3.6 then gives an empty success. */
const SILENCE = 55_000;

/** Whether the call took so long that the network behind the gateway must have been silent. */
export function wasSilent({ elapsed = 0 }: Pick<Observed, 'elapsed'>): boolean {
	return elapsed >= SILENCE;
}

/** Which requests may be sent again: all, only those that change nothing, none. */
export type Retry = 'all' | 'reads' | 'none';
/** What nothing more is sent to after this failure. `key`: the instance, and the gateway once a second one is refused. */
export type Stop = 'gateway' | 'instance' | 'key' | 'nothing';
/** Why it failed, in n8n's words: a trigger that says so is polled again after a time that fits. */
export type FailureCause =
	'credential-invalid' | 'rate-limited' | 'temporarily-unavailable' | 'configuration-invalid';

/** A row of the table of failures: what to tell, and how to go on. */
export interface FailureRow {
	when: (observed: Observed) => boolean;
	message: (observed: Observed) => string;
	/** What to do. */
	description: string;
	retry: Retry;
	stop: Stop;
	/** Whether it is certain that a change was not carried out. */
	notCarriedOut: boolean;
	failureCause: FailureCause;
}

/** The words that a failure is recognized by. A key that is an ordinary word would be struck out of those shown. */
export function wordsOf({ words, rawWords = words }: Observed): string {
	return rawWords;
}

/** Whether the reply says that the gateway has no such route: 404 with words that begin `Cannot GET` or `Cannot PUT`. */
export function isRouteMissing(observed: Observed): boolean {
	return observed.status === 404 && /^Cannot (GET|PUT|POST) /.test(wordsOf(observed));
}

/**
 * Whether the gateway itself says that the instance doesn't exist: `Instance "X" not found` (1.8.2; 1.8.4 to 1.8.6
 * with status 500), `The "X" instance does not exist` (2.2.3, 2.3.6). Other servers say that there is no such path,
 * which may have that word too.
 */
export function isInstanceMissing(observed: Observed): boolean {
	const { status: code, body } = observed;
	const text = wordsOf(observed);
	return (
		isRecord(body) &&
		((code === 404 && /(?<!\/)\binstance\b(?!\/).*\b(not found|does not exist)/i.test(text)) ||
			(code === 500 && /^Instance ".*" not found$/.test(text)))
	);
}

/**
 * Whether a body is that of an error, `{status, error, response}` or `{error: true, message}` on all generations,
 * whatever the status that it came with.
 */
export function isErrorBody({ status, error }: JsonRecord): boolean {
	return (typeof status === 'number' && status >= 400) || error === true || Boolean(textOf(error));
}
