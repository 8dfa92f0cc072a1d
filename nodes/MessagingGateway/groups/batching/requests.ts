import type { Change, PlannedRequest } from './plan';
import { numberOf } from './sentIds';

/** A number that is sent, and the request that it is in. */
interface Sent {
	request: PlannedRequest;
	sentAs: string;
}

/** Changes that follow each other and can share requests: of one group, through one instance, with one action. */
export function sharedRuns(changes: readonly Change[]): Change[][] {
	return runsOf(
		changes,
		(one, next) =>
			one.instance === next.instance && one.groupJid === next.groupJid && one.action === next.action,
	);
}

/** Requests for changes that stay in order. */
export function inOrder(changes: readonly Change[], batchSize: number): PlannedRequest[] {
	return sharedRuns(changes).flatMap((run) => inBatches(run, batchSize));
}

/** Requests for changes that stay in order, none of them for several items. */
export function apart(changes: readonly Change[], batchSize: number): PlannedRequest[] {
	return runsOf(changes, (one, next) => one.item === next.item).flatMap((run) => inOrder(run, batchSize));
}

/** Cuts a list wherever two that follow each other don't belong together. */
export function runsOf<T>(all: readonly T[], belong: (one: T, next: T) => boolean): T[][] {
	const runs: T[][] = [];
	all.forEach((one, i) => {
		const last = all[i - 1];
		if (last !== undefined && belong(last, one)) runs.at(-1)?.push(one);
		else runs.push([one]);
	});
	return runs;
}

/**
 * Puts changes into requests, each number once.
 *
 * @param changes through one instance to one group with one action, in the order in which they are sent
 * @param batchSize most participants in one request
 * @returns the requests in order. A change that another one makes already is among that one's, with what is sent then
 */
export function inBatches(changes: readonly Change[], batchSize: number): PlannedRequest[] {
	const requests: PlannedRequest[] = [];
	const sent = new Map<string, Sent>();
	let request: PlannedRequest | undefined;
	for (const change of changes) {
		const { instance, groupJid, action, sentAs } = change;
		const number = numberOf(sentAs);
		const twin = sent.get(number);
		if (twin !== undefined) {
			twin.request.changes.push({ ...change, sentAs: twin.sentAs });
			continue;
		}
		if (request === undefined || request.participants.length >= batchSize) {
			request = { instance, groupJid, action, participants: [], changes: [] };
			requests.push(request);
		}
		request.participants.push(sentAs);
		request.changes.push(change);
		sent.set(number, { request, sentAs });
	}
	return requests;
}
