import { groupBy } from '../../../common/groupBy';
import { isRecord, textOf } from '../../../common/json';
import { BlockedCall } from '../../../gateway/failures/blockedCall';
import { placesOf, type Places } from '../../../groups/sync/limits';
import { STEPS, type Step } from '../../../groups/sync/plan';
import type { Run } from '../../../run/operation';
import type { AppliedSync } from './applySync';
import type { PlannedGroup } from './planSync';

/** What this node did in this execution; n8n keeps it until that ends, also from one try or loop round to the next. */
export type EarlierRuns = ReturnType<typeof earlierRuns>;

/** Opens what earlier runs of the node have noted, to read it and to note more. */
export function earlierRuns({ context }: Pick<Run, 'context'>) {
	const kept = context.getContext('node');
	const synced: Record<string, unknown> = isRecord(kept.syncedGroups) ? { ...kept.syncedGroups } : {};
	const sent: Record<string, unknown> = isRecord(kept.sentChanges) ? { ...kept.sentChanges } : {};
	const keyOf = (instance: string, step: Step) => `${step} ${instance}`;
	const amountOf = (key: string) => Number(sent[key] ?? 0);
	return {
		summaryOf: (groupJid: string) => textOf(synced[groupJid]),
		note(groupJid: string, summary: string) {
			synced[groupJid] = summary;
			kept.syncedGroups = synced;
		},
		/** What earlier runs have left of the places of an instance. */
		placesLeft(instance: string, places: Places): Places {
			const left = (step: Step) => Math.max(0, places[step] - amountOf(keyOf(instance, step)));
			return { add: left('add'), addAlone: left('addAlone'), remove: left('remove') };
		},
		/** Notes what was sent for an instance, whatever came of it. */
		noteSent(groups: readonly PlannedGroup[], { entries }: AppliedSync) {
			const wasSent = (entry: ReturnType<typeof entries.get>) =>
				entry !== undefined && !('failure' in entry.entry && entry.entry.failure instanceof BlockedCall);
			for (const [instance, ofInstance] of groupBy(groups, (one) => one.instance)) {
				const decisions = ofInstance
					.flatMap(({ plan }) => plan.decisions)
					.flatMap((one) => (one.outcome === 'planned' && wasSent(entries.get(one)) ? [one] : []));
				const places = placesOf(decisions);
				for (const step of STEPS) {
					const key = keyOf(instance, step);
					sent[key] = amountOf(key) + places[step];
				}
			}
			kept.sentChanges = sent;
		},
	};
}
