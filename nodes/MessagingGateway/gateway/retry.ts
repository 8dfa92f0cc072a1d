import type { GatewayFailure } from './failures/gatewayFailure';

/** How long to wait for a reply, and how often to ask again. */
export interface RequestOptions {
	/** Time for one reply, in ms. */
	timeout: number;
	/** How often a request may be sent again. */
	maxRetries: number;
	/** The shortest wait before that, in ms. */
	shortestWait?: number;
}

/** Longest wait before a request is sent again, also if `Retry-After` asks for one, in ms. */
export const LONGEST_WAIT = 60_000;
/** First wait before a request is sent again, in ms; doubled each time. */
const FIRST_BACKOFF = 1000;

/**
 * Whether a request may be sent again, and when: a read after whatever passes by itself, a change only if it certainly
 * was not carried out.
 *
 * @param changes whether the request changes something
 * @param retries how often it was sent again already
 * @param random from 0 to below 1, so that many nodes don't ask at the same moment
 * @returns the wait in ms; `undefined` if it must not be sent again, or the gateway asks for a longer wait than is worth it
 */
export function waitBeforeRetry(
	{
		failure: {
			call: { retryAfter },
			policy: { retry },
		},
		changes,
		retries,
	}: { failure: GatewayFailure; changes: boolean; retries: number },
	{ maxRetries, shortestWait = 0 }: RequestOptions,
	random: number,
): number | undefined {
	if (retries >= maxRetries || retry === 'none' || (retry === 'reads' && changes)) return undefined;
	if (retryAfter !== undefined)
		return retryAfter * 1000 <= LONGEST_WAIT ? Math.max(retryAfter * 1000, shortestWait) : undefined;
	const backoff = Math.min(FIRST_BACKOFF * 2 ** retries, LONGEST_WAIT);
	return Math.max(backoff * (0.5 + random / 2), shortestWait);
}

/**
 * Reads the header `Retry-After`, a number of seconds or a date.
 *
 * @param now in ms since 1970
 * @returns whole seconds from now; `undefined` if it is neither
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
	// Parsed alone, other numbers are dates too.
	const date = /^[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
