/** In ms. */
export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

/** ISO 8601, UTC. @param time text of a date, or ms since 1970 @returns `undefined` for what is no time */
export function isoTimeOf(time: string | number): string | undefined {
	const date = new Date(time);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
