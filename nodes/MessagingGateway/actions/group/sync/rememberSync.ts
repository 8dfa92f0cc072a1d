import { groupBy } from '../../../common/groupBy';
import type { Entry } from '../../../groups/change';
import { distinct, identityOf, type Identity } from '../../../groups/identity';
import type { Facts } from '../../../groups/memory/fact';
import { factsAfter } from '../../../groups/memory/meaning';
import { withPeople } from '../../../groups/memory/stored';
import { appliedBy, type Decision } from '../../../groups/sync/plan';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/report';
import { hasText } from '../../../run/rowMemory';
import { updatePeople } from '../../../run/staticMemory';
import type { PlannedGroup } from './planSync';
import type { SyncGroup } from './readSync';

/** Fills in what is remembered of everybody, and keeps in n8n what no row keeps. @param groups all groups of the run */
export function rememberSync(run: Run, planned: readonly PlannedGroup[], groups: readonly SyncGroup[]): void {
	const countsForList = !hasText(groups.flatMap(({ rows }) => rows));
	for (const { plan } of planned)
		for (const decision of plan.decisions) decision.after = factsOfOne(decision, run.startedAt);
	// Members who were kept have nothing new, and may share an ID with a person of the list.
	const isKept = ({ rows, outcome }: Decision) => (rows.length === 0 ? outcome !== 'kept' : countsForList);
	if (!planned.some(({ plan }) => plan.decisions.some(isKept))) return;
	updatePeople(run.context, run.startedAt, (people) =>
		[...groupBy(planned, ({ groupJid }) => groupJid)].reduce(
			(all, [groupJid, [{ plan }]]) =>
				withPeople(
					all,
					{ groupJid, hidesNumbers: !plan.shows.phone },
					plan.decisions
						.filter(isKept)
						.map((decision) => ({
							ids: [...decision.ids, ...idsNamed(decision.entry)],
							facts: decision.after ?? {},
						})),
				),
			people,
		),
	);
}

/** Reasons for which a change that would be sent isn't. */
const LIMITS = new Set<Decision['reason']>(['maxAdditions', 'maxRemovals', 'groupFull', 'notApproved']);

/** Gives the facts of one person after the run. */
function factsOfOne(decision: Decision, now: number): Facts {
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
function idsNamed(entry: Entry | undefined): Identity[] {
	return entry && 'result' in entry ? distinct([identityOf(entry.result.jid)]) : [];
}
