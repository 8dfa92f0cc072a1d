import type { IExecuteFunctions } from 'n8n-workflow';
import { keyRedactor } from '../../../gateway/redact/redactKey';
import { identityOf } from '../../../groups/identity';
import { readRefusals, remember, writeRefusals, type Answer } from '../../../groups/sync/memory';
import type { Run } from '../../../run/operation';
import { readMemory, writeMemory } from '../../../run/staticMemory';
import type { AppliedSync } from './applySync';
import type { PlannedGroup, RefusalMemory } from './planSync';

const NAME = 'refusals';

/** Who could not be added by earlier runs. */
export function openRefusals(context: IExecuteFunctions): RefusalMemory {
	return { refusals: readRefusals(readMemory(context, NAME)), now: Date.now() };
}

/**
 * Notes whom the gateway refused to add, and forgets who is in the group now.
 *
 * @param groups those that were changed, and not only tried out
 * @param retryRefusedAfter in days
 * @returns how many were refused
 */
export function noteRefusals(
	{ context, secrets }: Run,
	groups: readonly PlannedGroup[],
	{ entries }: AppliedSync,
	{ refusals: before, now }: RefusalMemory,
	retryRefusedAfter: number,
): number {
	// A run that only tries out reads the memory, and leaves it as it is.
	if (groups.length === 0) return 0;
	// A gateway may echo the key, also as a code.
	const redactKey = keyRedactor(secrets);
	let refused = 0;
	let refusals = before;
	for (const { group, plan } of groups) {
		const answers = plan.decisions.flatMap((decision): Answer[] => {
			if (decision.outcome === 'unchanged')
				return decision.shouldBeMember ? [{ ids: decision.ids, outcome: 'unchanged' }] : [];
			const one = decision.action === 'add' ? entries.get(decision) : undefined;
			if (one === undefined || !('result' in one.entry)) return [];
			const { outcome, applied, code, jid } = one.entry.result;
			if (applied === false || outcome === 'notFound') refused++;
			const named = identityOf(jid);
			const ids = named === undefined ? decision.ids : [...decision.ids, named];
			// What the group shows when it is read again says nothing about why.
			const isSaid = one.source === 'reply' && code !== undefined;
			return [{ ids, outcome, ...(isSaid && { code: String(redactKey(code)) }) }];
		});
		refusals = remember(refusals, group.groupJid, answers, now);
	}
	writeMemory(context, NAME, writeRefusals(refusals, { now, retryRefusedAfter }));
	return refused;
}
