/** In ms. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The time, as a parameter of all that waits or forgets. */
export interface Clock {
	/** Gives ms that go on evenly, also where the time of day is set. */
	elapsed: () => number;
	/** Gives ms since 1970. */
	now: () => number;
	sleep: (ms: number) => Promise<void>;
}

/** ISO 8601, UTC. @param time text of a date, or ms since 1970 @returns `undefined` for what is no time */
export function isoTimeOf(time: string | number): string | undefined {
	const date = new Date(time);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Writes a date as `2026-11-24 09:15 UTC`, rounded up to a minute. @param time ms since 1970 */
export function minuteOf(time: number): string {
	const minute = new Date(Math.ceil(time / MINUTE) * MINUTE).toISOString();
	return `${minute.slice(0, 16).replace('T', ' ')} UTC`;
}
