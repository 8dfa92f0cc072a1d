/** Units of time, in ms. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Writes a time as ISO 8601 in UTC; `undefined` for an invalid one. @param time text, or ms since 1970 */
export function isoTimeOf(time: string | number): string | undefined {
	const date = new Date(time);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** No gateway is older. */
const EARLIEST = Date.UTC(2009, 0);

/** Writes a past time so. @returns `undefined` before 2009 or after tomorrow: it's in another unit */
export function pastTimeOf(time: string | number): string | undefined {
	const at = new Date(time).getTime();
	return at >= EARLIEST && at <= Date.now() + DAY ? isoTimeOf(at) : undefined;
}

/** Writes a time as `2026-11-24 09:15 UTC`, rounded up to a minute. @param time ms since 1970 */
export function minuteOf(time: number): string {
	const minute = new Date(Math.ceil(time / MINUTE) * MINUTE).toISOString();
	return `${minute.slice(0, 16).replace('T', ' ')} UTC`;
}
