import { isRecord, listOf, recordOf, textOf, type JsonRecord } from '../../common/json';
import { isInviteSent } from '../replies/inviteLink';
import type { RouteName } from '../routes';

/** A call that couldn't be completed, as it was seen. */
export interface CallFailure {
	route?: RouteName;
	/** HTTP status, if there was a reply. */
	status?: number;
	/** Code of the connection's failure, if there was no reply, e.g. `ECONNREFUSED`. */
	network?: string;
	/** The gateway's own message, safe to show; empty if it has none. */
	message: string;
	/** That message with its secrets, to recognize the failure by and never to show: a key may be an ordinary word. */
	errorText: string;
	/** Address at which the gateway wants its license to be registered, safe to show. */
	registerUrl?: string | undefined;
	/** The reply's body: parsed JSON, or text if it isn't JSON. */
	body?: unknown;
	/** Fault of a 2xx reply. `error`: the body of an error; `empty`: nothing where there has to be something. */
	unreadable?: 'notJson' | 'tooLarge' | 'shape' | 'error' | 'empty';
	/** Time from the request to the end of its reply, or to the failure, in ms. */
	elapsed?: number;
	/** The instance's live state, if it was asked for and isn't open; `unknown` if there was no answer. */
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
	/** Whether nobody can choose it: pickers and the test of a credential have no options. */
	isTimeoutFixed?: boolean;
}

/** Time after which a gateway has waited for a silent network, in ms: 2.3.6 then gives an empty success. */
const SILENCE = 55_000;

/** Whether the call took so long that the network behind the gateway must have been silent. */
export function wasSilent({ elapsed = 0 }: Pick<CallFailure, 'elapsed'>): boolean {
	return elapsed >= SILENCE;
}

/** The way to go on after a failure. */
export interface FailurePolicy {
	/** Requests that may be sent again: all, only those that change nothing, none. */
	retry: 'all' | 'reads' | 'none';
	/**
	 * The part that nothing more is sent to. `key`: the instance, and the gateway once a second one is refused; `group`: no change of
	 * the group by this instance.
	 */
	stop: 'gateway' | 'instance' | 'key' | 'group' | 'nothing';
	/** Whether the change was certainly not carried out. */
	certainlyNotApplied: boolean;
	/** Whether one person of a request may have caused its refusal: nobody was changed, and each can go in a request alone. */
	mayBeOnePerson: boolean;
	/** Reason in n8n's words: n8n polls a trigger that gives it again after a time that fits. */
	failureCause: 'credential-invalid' | 'rate-limited' | 'temporarily-unavailable' | 'configuration-invalid';
	/** Time after which the live state tells more, in ms: the instance may have no connection. */
	checkAfter?: number;
	/** Time for which no run changes anything through the gateway or instance that it stops, in ms. */
	stopsFor?: number;
}

/** Whether the gateway has no such route: 404 with a text such as `Cannot PUT /…`, or 405 for another method (WhatsMiau). */
export function isRouteMissing({ status, errorText }: CallFailure): boolean {
	return status === 405 || (status === 404 && /^Cannot (GET|PUT|POST) /.test(errorText));
}

/** Whether the gateway has no such function, in whatever words it says so: 404 or 405 that isn't about the instance. */
export function isFunctionMissing(failure: CallFailure): boolean {
	return isRouteMissing(failure) || (failure.status === 404 && !isInstanceMissing(failure));
}

/**
 * Whether the gateway itself says that the instance doesn't exist: `Instance "X" not found` (1.8.2; 1.8.4 to 1.8.6
 * with status 500), `The "X" instance does not exist` (2.2.3, 2.3.6). Other servers say that there is no such path,
 * which may have that word too.
 */
export function isInstanceMissing(failure: CallFailure): boolean {
	const { status: code, body, errorText: text } = failure;
	return (
		isRecord(body) &&
		((code === 404 && /(?<!\/)\binstance\b(?!\/).*\b(not found|does not exist)/i.test(text)) ||
			(code === 500 && /^Instance ".*" not found$/.test(text)))
	);
}

/**
 * Whether the gateway refused to send an invite and gave no reason that counts. A 404 comes for each invite that isn't
 * sent, and for one that was sent and couldn't be stored. After a minute of silence 2.2.3 says the same.
 */
export function isInviteRefused(failure: CallFailure): boolean {
	const { status, errorText, unreadable, body } = failure;
	if (unreadable !== undefined) return isInviteSent(body) === false;
	return status === 404 && /^No send invite$/.test(errorText) && !wasSilent(failure);
}

/** Whether a gateway refuses the number of an invite: 400 names it, or gives `{exists: false}` for it as for other messages. */
export function isNumberRefused({ status, route, errorText, body }: CallFailure): boolean {
	if (status !== 400 || route !== 'sendInvite') return false;
	const [row] = listOf(recordOf(recordOf(body).response).message);
	return /\bnumbers?\b/i.test(errorText) || recordOf(row).exists === false;
}

/** Whether a body is that of an error, on all generations `{status, error, response}` or `{error: true, message}`. */
export function isErrorBody({ status, error }: JsonRecord): boolean {
	return (typeof status === 'number' && status >= 400) || error === true || Boolean(textOf(error));
}
