import { sentenceOf } from '../outcomes';
import type { Facts } from './fact';

/** Says since when a person waits after a refusal, and until when. @param until ms since 1970 */
export function waitingText(
	{ refused }: Facts,
	action: string,
	{ until, now }: { until: number; now: number },
): string {
	const next = `Postponed: tried again from ${timeOf(until, now)} on.`;
	if (refused === undefined) return next;
	return `${next} On ${dayOf(refused.at)}: ${sentenceOf(refused.outcome, action)}`;
}

/** Gives the day of what is to come, and on the day of the run the time as well: earlier runs don't count. */
export function timeOf(ms: number, now: number): string {
	const day = dayOf(ms);
	return day === dayOf(now) ? `${day} ${new Date(ms).toISOString().slice(11, 16)} UTC` : day;
}

/** Gives the day in UTC. */
export function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
