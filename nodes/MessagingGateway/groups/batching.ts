import { groupBy } from '../common/maps';
import {
	changeResult,
	journalOf,
	type Change,
	type ChangeRequest,
	type Journal,
	type Participant,
} from './change';
import { rewrite } from './identity';
import type { Action } from './outcomes';

/** Turns changes into few requests that leave every group as one per item, in order, would leave it. */
export function planRequests<C extends Change>(
	changes: readonly C[],
	batchSize: number,
): Array<ChangeRequest<C>> {
	const byGroup = groupBy(changes, ({ groupJid }) => groupJid);
	return [...byGroup.values()].flatMap((ofGroup) => planGroup(ofGroup, batchSize));
}

/** Plans changes to one group in rounds, or in their order for fewer requests or mixed kinds of ID. */
function planGroup<C extends Change>(changes: readonly C[], batchSize: number): Array<ChangeRequest<C>> {
	const ordered = inOrder(changes, batchSize);
	const kinds = new Set(changes.map(({ participant }) => participant.identity.kind));
	const instances = new Set(changes.map(({ instance }) => instance));
	const isOneStep = new Set(changes.map(({ action }) => action)).size === 1;
	if (isOneStep || kinds.size > 1 || instances.size > 1 || kinds.has('other')) return ordered;
	const inTurn = inRounds(changes).flatMap((step) => batches(step, batchSize));
	return ordered.length < inTurn.length ? ordered : inTurn;
}

/** The steps of a round, in order: removals make room for additions. */
const STEP_IN_ROUND: Record<Action, number> = { remove: 0, add: 1, promote: 2, demote: 3 };
const STEPS_IN_ROUND = 4;

/** Puts changes to one group into rounds, in which each person's changes keep their order. */
function inRounds<C extends Change>(changes: readonly C[]): C[][] {
	const steps: C[][] = [];
	const stepOf = new Map<string, number>();
	for (const change of changes) {
		const { action, participant } = change;
		const person = participant.identity.canonical;
		const from = stepOf.get(person) ?? 0;
		// The first step with this action, from there on.
		const step = from + ((STEP_IN_ROUND[action] + STEPS_IN_ROUND - (from % STEPS_IN_ROUND)) % STEPS_IN_ROUND);
		stepOf.set(person, step);
		(steps[step] ??= []).push(change);
	}
	// The list has holes.
	return Object.values(steps);
}

function inOrder<C extends Change>(changes: readonly C[], batchSize: number): Array<ChangeRequest<C>> {
	const runs = splitWhere(
		changes,
		(change, next) =>
			change.instance !== next.instance || change.groupJid !== next.groupJid || change.action !== next.action,
	);
	return runs.flatMap((run) => batches(run, batchSize));
}

/** Splits a list wherever `isCut` is true of two neighbors. */
function splitWhere<T>(all: readonly T[], isCut: (element: T, next: T) => boolean): T[][] {
	const runs: T[][] = [];
	for (const [i, element] of all.entries()) {
		const last = all[i - 1];
		if (last !== undefined && !isCut(last, element)) runs.at(-1)?.push(element);
		else runs.push([element]);
	}
	return runs;
}

/** Puts changes of one action to a group into requests, each number once. A repeated one joins the first. */
export function batches<C extends Change>(changes: readonly C[], batchSize: number): Array<ChangeRequest<C>> {
	const byNumber = [...groupBy(changes, ({ participant }) => numberKey(participant)).values()];
	const requests: Array<ChangeRequest<C>> = [];
	const [first] = changes;
	for (let from = 0; first !== undefined && from < byNumber.length; from += batchSize) {
		const batch = byNumber.slice(from, from + batchSize);
		const { instance, groupJid, action } = first;
		const participants = batch.map(([{ participant }]) => participant);
		requests.push({ instance, groupJid, action, participants, changes: batch.flat() });
	}
	return requests;
}

/** Puts people by number before people by hidden ID, whom some gateways refuse to add; keeps the order else. */
export function numbersFirst<C extends Change>(changes: readonly C[]): C[] {
	const rank = ({ participant }: C) => (participant.identity.kind === 'phone' ? 0 : 1);
	return [...changes].sort((change, other) => rank(change) - rank(other));
}

/** Gives the same key for participants that all gateways take for one number (`…-normalisation`). */
export function numberKey({ sentAs, identity: { digits } }: Participant): string {
	const isBare = sentAs === `${digits}@s.whatsapp.net`;
	return isBare && rewrite(digits) === digits ? digits : sentAs;
}

export function onePerParticipant<C extends Change>({ changes }: ChangeRequest<C>): Array<ChangeRequest<C>> {
	return batches(numbersFirst(changes), 1);
}

/** Pairs each change of a request with the participant sent for it: of two forms of a number, the first. */
export function changesAsSent({
	participants,
	changes,
}: ChangeRequest): Array<Change & { sent: Participant }> {
	const byNumber = new Map(participants.map((participant) => [numberKey(participant), participant]));
	return changes.map((change) => {
		const { participant } = change;
		return { sent: byNumber.get(numberKey(participant)) ?? participant, ...change };
	});
}

/** Gives a result for each change of a request that a dry run doesn't send. */
export function plannedJournal<C extends Change>(request: ChangeRequest<C>): Journal<C> {
	const entries = changesAsSent(request).map(({ sent: { sentAs }, ...change }) => {
		const participant = { ...change.participant, sentAs };
		return { result: changeResult({ ...change, participant }, { outcome: 'planned' }) };
	});
	return journalOf(request.changes, entries);
}
