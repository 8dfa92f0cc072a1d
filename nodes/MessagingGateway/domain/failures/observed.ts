import { isRecord, textOf, type JsonRecord } from '../records/json';

/** What can be seen of a call that did not work out. */
export interface Observed {
	/** HTTP status, where there was a reply. */
	status?: number;
	/** Code of the connection's failure, where there was none, e.g. `ECONNREFUSED`. */
	network?: string;
	/** The gateway's own words, safe to show; empty where there are none. */
	words: string;
	/** The reply's body: parsed JSON, or text where it is not JSON. */
	body?: unknown;
	/** What is wrong with a 2xx reply. */
	unreadable?: Unreadable;
	/** Base URL to set, where the gateway redirects. */
	redirectsTo?: string | undefined;
	/** Seconds that the gateway asks to wait. */
	retryAfter?: number | undefined;
	/** Base URL in use. */
	baseUrl: string;
	/** Time allowed for a reply, in ms. */
	timeout: number;
}

export type Unreadable = 'notJson' | 'tooLarge' | 'shape';

/** Which requests may be sent again: all, only those that change nothing, none. */
export type Retry = 'all' | 'reads' | 'none';
/** What nothing more is sent to after this failure. */
export type Stop = 'gateway' | 'instance' | 'nothing';

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
}

/** Whether the reply says that the gateway has no such route: 404 with words that begin `Cannot GET` or `Cannot PUT`. */
export function isRouteMissing({ status: code, words: text }: Observed): boolean {
	return code === 404 && /^Cannot (GET|PUT|POST) /.test(text);
}

/**
 * Whether the gateway itself says that the instance does not exist: `Instance "X" not found` (1.8.2), `The "X"
 * instance does not exist` (2.2.3, 2.3.6). Other servers say that there is no such path, which may have that word too.
 */
export function isInstanceMissing({ status: code, body, words: text }: Observed): boolean {
	return (
		code === 404 && isRecord(body) && /(?<!\/)\binstance\b(?!\/).*\b(not found|does not exist)/i.test(text)
	);
}

/**
 * Whether a body is the one of an error, `{status, error, response}` on all generations, whatever the status that it
 * came with.
 */
export function isErrorBody({ status, error }: JsonRecord): boolean {
	return (typeof status === 'number' && status >= 400) || Boolean(textOf(error));
}
