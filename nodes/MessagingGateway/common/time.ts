/** A day, in ms. */
export const DAY = 24 * 60 * 60 * 1000;

/** ISO 8601, UTC. @param time text of a date, or ms since 1970 @returns `undefined` for what is no time */
export function isoTimeOf(time: string | number): string | undefined {
	const date = new Date(time);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
