import { isRecord } from '../../common/json';
import { readInviteSent } from '../replies/inviteLink';
import type { RouteName } from '../routes';

/** A call that couldn't be completed, as it was seen. */
export interface CallFailure {
	route?: RouteName;
	status?: number;
	/** Code of the connection's failure without a reply, e.g. `ECONNREFUSED`. */
	network?: string;
	/** The gateway's own message, safe to show. */
	message: string;
	/** That message with its secrets, never to show, to recognize it by: a key may be an ordinary word. */
	errorText: string;
	/** Address at which the gateway wants its license to be registered, safe to show. */
	registerUrl?: string | undefined;
	/** Parsed JSON, or text if it isn't JSON. */
	body?: unknown;
	/** Fault of a 2xx reply. `error`: the body of an error; `empty`: nothing where there has to be something. */
	unreadable?: 'notJson' | 'tooLarge' | 'shape' | 'error' | 'empty';
	/** Time from the request to the end of its reply, or to the failure, in ms. */
	elapsed?: number;
	/** The instance's live state, if it was asked for and isn't open; `unknown` without an answer. */
	state?: string;
	/** Code of a person's addition that is about the account: `463` or `429`. */
	accountCode?: string;
	/** Whether it's a redirect to a page to log in at. */
	isLogin?: boolean;
	/** Base URL to set, if the gateway redirects. */
	redirectsTo?: string | undefined;
	/** Seconds that the gateway asks to wait. */
	retryAfter?: number | undefined;
	baseUrl: string;
	/** In ms. */
	timeout: number;
	/** Whether nobody can choose the timeout: pickers and the test of a credential have no options. */
	isTimeoutFixed?: boolean;
}

/** Time after which a gateway has waited for a silent network, in ms: 2.3.6 then gives an empty success. */
const SILENCE = 55_000;

/** Whether the call took so long that the network behind the gateway must have been silent. */
export const wasSilent = ({ elapsed = 0 }: Pick<CallFailure, 'elapsed'>): boolean => elapsed >= SILENCE;

/** Whether a proxy answered with a status of its own (Cloudflare's 520 to 530). */
export const isOfProxy = ({ status = 0 }: Pick<CallFailure, 'status'>): boolean =>
	status >= 520 && status <= 530;

/** Whether there was no answer of the gateway itself: it's away, as while it restarts. */
export function isAway(failure: Pick<CallFailure, 'network' | 'status'>): boolean {
	const { network = '', status = 0 } = failure;
	// A container that is replaced has no name for a while.
	const isUnreached = /^(ECONN(REFUSED|RESET)|ENOTFOUND|EAI_AGAIN)$/.test(network);
	return isUnreached || [502, 503, 504].includes(status) || isOfProxy(failure);
}

export interface FailurePolicy {
	/** Requests that may be sent again: all, only those that change nothing, none. */
	retry: 'all' | 'reads' | 'none';
	/** The part that nothing more is sent to. `key`: the instance, and after a second one the gateway. */
	stop: 'gateway' | 'instance' | 'key' | 'group' | 'nothing';
	/** Whether the change was certainly not carried out. */
	certainlyNotApplied: boolean;
	/** Whether one person of a request may have caused its refusal, so that each can go in a request alone. */
	mayBeOnePerson: boolean;
	/** Reason in n8n's words: n8n polls a trigger that gives it again after a time that fits. */
	failureCause: 'credential-invalid' | 'rate-limited' | 'temporarily-unavailable' | 'configuration-invalid';
	/** Waits before each look at the live state, in ms: the instance may have no connection. */
	checkAfter?: readonly number[];
	/** Time for which no run changes anything through the gateway or instance that it stops, in ms. */
	stopsFor?: number;
}

/** Whether the route is missing: 405, 404 `Cannot PUT /…`, or 404 with `Not Found` alone (WhatsMiau). */
export function isRouteMissing({ status, errorText, body }: CallFailure): boolean {
	if (status !== 404) return status === 405;
	const says = isRecord(body) ? Object.keys(body).join() : '';
	return (
		/^Cannot (GET|PUT|POST|DELETE) /.test(errorText) || (says === 'message' && errorText === 'Not Found')
	);
}

/** Words for a missing instance: generations 1 and 2; 1.8.4 to 1.8.6. A path may have that word, too. */
const INSTANCE_MISSING = new Map([
	[404, /(?<!\/)\binstance\b(?!\/).*\b(not found|does not exist)/i],
	[500, /^Instance ".*" not found$/],
]);

/** Whether the gateway itself, and no other server, says that the instance doesn't exist. */
export const isInstanceMissing = ({ status = 0, body, errorText }: CallFailure): boolean =>
	isRecord(body) && INSTANCE_MISSING.get(status)?.test(errorText) === true;

/** Whether an invite was refused without a reason. After a minute of silence 2.2.3 says the same (404). */
export function isInviteRefused(failure: CallFailure): boolean {
	const { status, errorText, unreadable, body } = failure;
	if (unreadable !== undefined) return readInviteSent(body) === 'failed';
	return status === 404 && /^No send invite$/.test(errorText) && !wasSilent(failure);
}
