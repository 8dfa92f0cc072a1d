import { mapInSteps, type Steps } from '../../../common/steps';
import { keyRedactor } from '../../../gateway/redact/redactKey';
import { identityOf } from '../../../groups/identity';
import { isEmpty, type Facts } from '../../../groups/memory/facts';
import { rowHints } from '../../../groups/memory/hints';
import {
	readAnswers,
	remember,
	writeAnswers,
	type Answers,
	type GroupAnswers,
} from '../../../groups/sync/answers';
import { factsAfter, type Finding } from '../../../groups/sync/decide';
import { appliedBy, type Addition, type Decision } from '../../../groups/sync/plan';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/report';
import { readMemory, writeMemory } from '../../../run/staticMemory';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';
import type { SyncGroup } from './readSync';

const NAME = 'refusals';

/** What n8n remembers of additions. */
export function openMemory({ context }: Run): Answers {
	return readAnswers(readMemory(context, NAME));
}

/** What is remembered of everybody after a run, but for groups in which it was only tried out. */
export async function factsOf(
	{ eventLoop, startedAt }: Run,
	groups: readonly PlannedGroup[],
	applied: AppliedSync,
): Promise<Map<Decision, Facts>> {
	const decisions = groups.flatMap(({ plan, rules }) => (rules.dryRun ? [] : plan.decisions));
	return new Map(
		await eventLoop.map(decisions, (one) => [one, factsOfOne(one, applied, startedAt)] as const),
	);
}

/** What is remembered of one person. */
export function factsOfOne(
	decision: Decision,
	{ entries }: Pick<AppliedSync, 'entries'>,
	now: number,
): Facts {
	const { facts, shouldBeMember, action } = decision;
	const after = (finding: Finding) => factsAfter(facts, shouldBeMember, finding, now);
	if (decision.outcome !== 'planned')
		return after({ ...decision, applied: appliedBy(decision), source: 'reply' });
	const known = entries.get(decision);
	if (known === undefined) return facts;
	const { entry, source } = known;
	if ('result' in entry) return after({ ...entry.result, action, source });
	return isUncertain(entry.failure)
		? after({ action, outcome: 'unconfirmed', applied: null, source })
		: facts;
}

/**
 * Keeps in n8n what is remembered of additions of people whose rows remember nothing.
 *
 * @param groups those that were changed, and not only tried out
 * @returns how many it keeps something new of
 */
export async function keepAnswers(
	run: Run,
	groups: readonly PlannedGroup[],
	{ entries }: AppliedSync,
	facts: ReadonlyMap<Decision, Facts>,
	retryRefusedAfter: number,
): Promise<number> {
	const { context, secrets, eventLoop, startedAt } = run;
	// A gateway may echo the key, also as a code.
	const redactKey = keyRedactor(secrets);
	let kept = 0;
	let isNeeded = false;
	const noted: GroupAnswers[] = [];
	for (const { groupJid, plan } of groups) {
		const people: Array<Pick<Addition, 'ids' | 'facts'>> = [];
		noted.push({ groupJid, people, showsNumbers: plan.shows.phone });
		for (const decision of plan.decisions) {
			await eventLoop.yieldIfDue();
			const { ids, facts: before, outcome, rows, shouldBeMember } = decision;
			if (!shouldBeMember || rows.some(({ memory }) => memory)) continue;
			isNeeded = true;
			// Who is found needs no memory, but that of being asked for already.
			if (outcome === 'unchanged')
				people.push({ ids, facts: before.member ? { member: before.member } : {} });
			const known = entries.get(decision);
			const after = facts.get(decision);
			if (known === undefined || after === undefined || after === before) continue;
			const { code, jid } = 'result' in known.entry ? known.entry.result : {};
			const named = identityOf(jid);
			const { refused } = after;
			if (!isEmpty(after) && (!plan.shows.phone || refused)) kept++;
			const isCoded = refused !== undefined && code !== undefined;
			people.push({
				ids: named === undefined ? ids : [...ids, named],
				facts: isCoded ? { ...after, refused: { ...refused, code: String(redactKey(code)) } } : after,
			});
		}
	}
	if (!isNeeded) return kept;
	// Read again and written at once: calls of an AI agent may sync other groups meanwhile.
	const answers = remember(openMemory(run), noted);
	writeMemory(context, NAME, writeAnswers(answers, startedAt, retryRefusedAfter));
	return kept;
}

/** What the rows' memories leave to say. */
export function* memoryHints(
	groups: readonly SyncGroup[],
	planned: readonly PlannedGroup[],
	{ entries }: Pick<AppliedSync, 'entries'>,
): Steps<string[]> {
	const rows = groups.flatMap(({ items }) => items.flatMap(({ asked }) => asked));
	yield;
	/** Whether the list of members shows the person, or the gateway says that they are one. */
	const wasMember = (decision: Decision) => {
		const { entry } = entries.get(decision) ?? {};
		const saysSo =
			decision.action === 'add' && entry && 'result' in entry && entry.result.outcome === 'unchanged';
		return decision.rows.length > 0 && (decision.members.length > 0 || saysSo);
	};
	const hasMembers = yield* mapInSteps(planned, ({ plan }) => plan.decisions.some(wasMember));
	return yield* rowHints(rows, hasMembers.includes(true));
}
