import type { JournalEntry } from '../../../groups/change';
import { distinct, identityOf, type Identity } from '../../../groups/identity';
import type { Facts } from '../../../groups/memory/fact';
import { factsAfter } from '../../../groups/memory/meaning';
import { withPeople } from '../../../groups/memory/stored';
import { appliedBy, type Decision } from '../../../groups/sync/plan';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/report';
import { updatePeople } from '../../../run/staticMemory';
import type { PlannedGroup } from './planSync';

/** Sets facts after the run, and stores in n8n those that no row keeps. @param countsForList whether no row has a memory */
export async function rememberSync(
	run: Run,
	planned: readonly PlannedGroup[],
	countsForList: boolean,
): Promise<void> {
	// Members who were kept have nothing new, and may share an ID with a person of the list.
	const isKept = ({ rows, outcome }: Decision) => (rows.length === 0 ? outcome !== 'kept' : countsForList);
	const groups: Array<Parameters<typeof withPeople>[1]> = [];
	for (const { groupJid, plan } of planned) {
		await run.giveWay();
		for (const decision of plan.decisions) decision.after = factsAfterRun(decision, run.startedAt);
		const known = plan.decisions.filter(isKept).map(({ ids, entry, after = {} }) => {
			return { ids: [...ids, ...idsNamed(entry)], facts: after };
		});
		groups.push({ groupJid, hidesNumbers: !plan.visibleIds.phone, known });
	}
	await run.giveWay();
	updatePeople(run.context, run.startedAt, (people) => withPeople(people, ...groups));
}

/** Reasons for which a change that would be sent isn't. */
const LIMITS = new Set<Decision['reason']>(['maxAdditions', 'maxRemovals', 'groupFull', 'notApproved']);

/** Gives the facts of one person after the run. */
function factsAfterRun(decision: Decision, now: number): Facts {
	const { facts, entry, action, outcome, reason, isReread } = decision;
	const after = (answer: Parameters<typeof factsAfter>[2]) => factsAfter(facts, decision, answer, now);
	const isUnsent = entry === undefined && (outcome === 'planned' || LIMITS.has(reason));
	if (outcome === 'kept' || isUnsent) return decision.before;
	if (entry === undefined)
		return after({ action: 'none', outcome, applied: appliedBy(decision), reason, source: 'reply' });
	if ('failure' in entry) return after(isUncertain(entry.failure) ? 'unknown' : 'notSent');
	const source = isReread ? 'reread' : 'reply';
	return after({ action, outcome: entry.result.outcome, applied: entry.result.applied, source });
}

/** Lists the ID by which a reply names the person. */
function idsNamed(entry: JournalEntry | undefined): Identity[] {
	return entry && 'result' in entry ? distinct([identityOf(entry.result.jid)]) : [];
}
