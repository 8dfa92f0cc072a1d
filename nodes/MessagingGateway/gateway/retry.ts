import { HOUR, MINUTE, SECOND } from '../common/time';
import { wasSilent } from './failures/callFailure';
import type { GatewayFailure } from './failures/gatewayFailure';
import { ROUTES, type RouteName } from './routes';

/** The caller, if it's no run: the editor, where nobody can choose a timeout, or a trigger's poll. */
export type Caller = 'editor' | 'trigger';

export interface RequestOptions {
	/** Time for one reply, in ms. */
	timeout: number;
	maxRetries: number;
	/** The shortest wait before that, in ms. */
	shortestWait?: number;
}

/** Longest wait before a request is sent again, also if `Retry-After` asks for one, in ms. */
export const LONGEST_WAIT = MINUTE;
/** First wait before a request is sent again, in ms; doubled each time. */
const FIRST_BACKOFF = SECOND;
/** Wait before a read is repeated to an instance that turned out to be connected, in ms. */
const WAIT_IF_OPEN = 2 * SECOND;

export interface Attempt {
	route: RouteName;
	/** Whether it's about an instance, whose live state can be asked. */
	hasInstance: boolean;
	retries: number;
	wasChecked: boolean;
	caller: Caller | undefined;
	options: RequestOptions;
}

/**
 * Decides how to go on after a failure: a read is repeated after whatever passes by itself, a change only if it certainly
 * was not carried out.
 *
 * @param random from 0 to below 1, so that many nodes don't ask at the same moment
 * @returns the wait, with `checkAfter` only for an instance that is connected then, or whether the live state may `explain`
 */
export function nextStep(
	failure: GatewayFailure,
	attempt: Attempt,
	random: number,
): { repeatAfter?: number; checkAfter?: readonly number[]; explain?: boolean } {
	const { route, hasInstance, wasChecked, caller } = attempt;
	const { call, policy } = failure;
	const { changes } = ROUTES[route];
	const isChecked = hasInstance && !changes && caller === undefined && route !== 'connectionState';
	if (isChecked && policy.checkAfter !== undefined)
		return wasChecked ? {} : { repeatAfter: WAIT_IF_OPEN, checkAfter: policy.checkAfter };
	const repeatAfter = waitBeforeRetry(failure, attempt, random);
	if (repeatAfter !== undefined) return { repeatAfter };
	// A trigger never asks, and the editor only after a silence. After a change that failed it's asked before the next one.
	const canExplain = hasInstance && caller !== 'trigger' && route !== 'connectionState';
	return { explain: canExplain && wasSilent(call) && (!changes || call.unreadable !== undefined) };
}

/** Gives the wait, unless the request must not be sent again or the gateway asks for too long a wait. */
function waitBeforeRetry(
	{ call: { retryAfter }, policy: { retry } }: GatewayFailure,
	{ route, retries, options: { maxRetries, shortestWait = 0 } }: Attempt,
	random: number,
): number | undefined {
	if (retries >= maxRetries || retry === 'none' || (retry === 'reads' && ROUTES[route].changes))
		return undefined;
	if (retryAfter !== undefined)
		return retryAfter * SECOND <= LONGEST_WAIT ? Math.max(retryAfter * SECOND, shortestWait) : undefined;
	const backoff = Math.min(FIRST_BACKOFF * 2 ** retries, LONGEST_WAIT);
	return Math.max(backoff * (0.5 + random / 2), shortestWait);
}

/** Reads the header `Retry-After`, a number or a date, as whole seconds from now, at most an hour. @param now in ms since 1970 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	// Parsed alone, other numbers are dates too.
	const date = /^[a-z]/i.test(text) ? Date.parse(text) : NaN;
	const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (date - now) / SECOND;
	return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, Math.ceil(seconds)), HOUR / SECOND);
}
