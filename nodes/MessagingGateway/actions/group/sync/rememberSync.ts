import { certaintyOf } from '../../../gateway/failures/gatewayFailure';
import { distinct, identityOf } from '../../../groups/identity';
import { hasFacts, toMinute, type Facts } from '../../../groups/memory/fact';
import type { Met } from '../../../groups/memory/knownPeople';
import { factsAfter } from '../../../groups/memory/meaning';
import { appliedBy, type Decision } from '../../../groups/sync/plan';
import { POSTPONED } from '../../../groups/sync/sentences';
import { store } from '../../../run/memory';
import type { Run } from '../../../run/operation';
import type { PlannedGroup } from './planSync';
import type { SyncOptions } from './readSync';

/** Sets facts after the run, and has the process and n8n remember them, unless it's a dry run. */
export async function rememberSync(
	run: Run,
	planned: readonly PlannedGroup[],
	{ dryRun }: SyncOptions,
): Promise<void> {
	const { node, people, startedAt } = run;
	const all: Met[] = [];
	for (const group of planned) {
		const { groupJid, plan, plannedAt } = group;
		for (const decision of plan.decisions) {
			await run.giveWay();
			decision.after = factsAfterRun(decision, startedAt);
			decision.isNew = isNewIn(decision, decision.after);
		}
		if (dryRun) continue;
		const met = plan.decisions
			.filter(isMet)
			.map((decision) => ({
				ids: distinct([...decision.ids, identityOf(decision.entry?.result?.jid)]),
				facts: decision.after ?? {},
			}))
			// Two forms of a number may be two people of the list, one of whom has nothing to remember.
			.sort((person, other) => Number(hasFacts(person.facts)) - Number(hasFacts(other.facts)));
		for (const person of [...(plan.lost?.noted ?? []), ...met]) {
			await run.giveWay();
			const known = { groupJid, ...person };
			people.remember(known, node, plannedAt);
			all.push(known);
		}
	}
	await run.giveWay();
	if (!dryRun) await store(run, all);
}

/** Whether a run has something to note. A kept member may share an ID with a person of the list. */
function isMet({ rows, outcome, reason, before, shouldBeMember, presence }: Decision): boolean {
	// Each run would put off that they left: every 5 minutes, for good.
	if (outcome === 'unconfirmed' && shouldBeMember && presence === 'absent') return false;
	return rows.length > 0 || outcome !== 'kept' || (before.toLeave !== undefined && reason !== 'ambiguous');
}

function resultIn({ entry, outcome }: Decision): string {
	return entry?.result?.outcome ?? outcome;
}

/** Facts that are news for whoever reads a log. */
const NEWS = ['left', 'toLeave', 'refused', 'asked'] as const;

function isNewIn(decision: Decision, after: Facts): boolean {
	const { before, metAt } = decision;
	const result = resultIn(decision);
	if (result === 'done' || result === 'planned') return true;
	// No fact tells of a person who can't be matched.
	if (result === 'unconfirmed' && !hasFacts(after)) return metAt === 0;
	const isOtherRefusal = after.refused !== undefined && after.refused.outcome !== before.refused?.outcome;
	return isOtherRefusal || NEWS.some((name) => after[name] !== undefined && before[name] === undefined);
}

/** Gives the facts of one person after the run. */
function factsAfterRun(decision: Decision, startedAt: number): Facts {
	const { facts, entry, action, outcome, reason, doubt } = decision;
	const now = toMinute(startedAt);
	const times = { now, at: decision.sentAt ?? now };
	const factsWith = (answer: Parameters<typeof factsAfter>[2]) => factsAfter(facts, decision, answer, times);
	if (outcome === 'kept') return decision.before;
	const isLeft = reason !== undefined && POSTPONED[reason] !== undefined;
	if (entry === undefined && (outcome === 'planned' || isLeft)) return factsWith('notSent');
	if (entry === undefined)
		return factsWith({ action: 'none', outcome, applied: appliedBy(decision), reason });
	if (!entry.result) return factsWith(certaintyOf(entry.failure));
	if (doubt && entry.result.applied !== true) return factsWith(doubt);
	const { outcome: result, applied, code } = entry.result;
	return factsWith({ action, outcome: result, applied, code });
}
