import { readsOf } from './group';
import { leavesDoubt } from '../hostile/arrivals';
import { wrongTimes } from '../requests';
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
