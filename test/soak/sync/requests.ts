import { readsOf } from './group';
import { leavesDoubt } from './doubt';
import type { Trouble } from '../network/troubles';
import type { SyncGateway } from './gateway';
import type { SyncPlan } from './plan';

/** What is wrong with the order, number, size and time of requests. */
export function wrongRequests(plan: SyncPlan, { received, reads, listings }: SyncGateway): string[] {
	const found: string[] = [];
	const begin = received[0]?.arrived ?? Infinity;
	const isSecond = (read: (typeof reads)[number]) =>
		reads.some((one) => one.groupJid === read.groupJid && one.arrived < read.arrived);
	if (listings.some(({ arrived }) => arrived > begin)) found.push('a listing after the first change');
	for (const [instance] of plan.scene.network.owners)
		if (listings.filter(({ asked }) => asked === null || asked === instance).length > 1)
			found.push(`an own account asked for twice. ${instance}`);
	for (const { groupJid, ...read } of reads) {
		const all = readsOf(reads, groupJid);
		if (all.length > 2) found.push(`a group read more than twice. ${groupJid}`);
		const isLate = read.arrived > begin && !isSecond({ groupJid, ...read });
		if (isLate) found.push(`a first reading after the first change. ${groupJid}`);
		const ofGroup = received.filter((one) => one.groupJid === groupJid);
		const mayDoubt = ofGroup.some((request) =>
			request.changes.some(
				(change) => request.trouble || leavesDoubt({ request, change }, plan.scene.network),
			),
		);
		if (all.length === 2 && !mayDoubt) found.push(`a group read again for nothing. ${groupJid}`);
	}
	received.forEach(({ action, changes }, i) => {
		if (action !== 'add' && action !== 'remove') found.push(`a request of another action. ${action}`);
		if (changes.length > Number(plan.options.batchSize)) found.push('too many participants in a request');
		if (action === 'remove' && received[i - 1]?.action === 'add') found.push('an addition before a removal');
	});
	const all = [
		...received.map((one) => ({ ...one, isPaced: one.arrived > begin })),
		...reads.map((one) => ({ ...one, isPaced: isSecond(one) && one.arrived > begin })),
	].sort((one, other) => one.arrived - other.arrived);
	return [...found, ...wrongTimes(all, Number(plan.options.batchInterval))];
}

/** A request, as far as its time and its refusal go. */
interface Timed {
	/** In ms since the start of the process. */
	arrived: number;
	instance: string;
	trouble?: Trouble | undefined;
	/** It has to wait for the interval after the one before. */
	isPaced: boolean;
}

/** What came too soon, and what was sent after the gateway had said no. */
function wrongTimes(requests: readonly Timed[], interval: number): string[] {
	const found: string[] = [];
	const refusedKeys = new Set<string>();
	/** Why, by instance; `''` for the gateway. */
	const stopped = new Map<string, string>();
	requests.forEach(({ arrived, instance, trouble, isPaced }, i) => {
		// From the arrival of the one before, since its reply came later.
		const gap = arrived - (requests[i - 1]?.arrived ?? -Infinity);
		if (isPaced && gap < interval - 2) found.push(`sooner than the interval. Request ${i}, ${gap} ms`);
		const why = stopped.get('') ?? stopped.get(instance);
		if (why !== undefined) found.push(`sent although ${why} had stopped it. Request ${i} of ${instance}`);
		if (trouble?.status === 401) refusedKeys.add(instance);
		if (trouble?.stops !== undefined)
			stopped.set(trouble.stops === 'gateway' || refusedKeys.size > 1 ? '' : instance, trouble.name);
	});
	return found;
}
