import { groupBy } from '../../common/groupBy';
import { flatMapInSteps, type Steps } from '../../common/steps';
import {
	changeResult,
	type Change,
	type ChangeRequest,
	type ChangeResult,
	type Participant,
} from '../change';
import { rewrite } from '../identity';
import { sentenceOf, WORDING } from '../outcomes';

/** Changes that follow each other and can share requests: of one group, through one instance, with one action. */
function* sharedRuns(changes: readonly Change[]): Steps<Change[][]> {
	return yield* splitWhere(
		changes,
		(one, next) =>
			one.instance !== next.instance || one.groupJid !== next.groupJid || one.action !== next.action,
	);
}

/** Requests for changes that stay in order. */
export function* inOrder(changes: readonly Change[], batchSize: number): Steps<ChangeRequest[]> {
	return yield* flatMapInSteps(yield* sharedRuns(changes), (run) => batches(run, batchSize));
}

/** Requests for changes that stay in order, none of them for several items. */
export function* onePerItem(changes: readonly Change[], batchSize: number): Steps<ChangeRequest[]> {
	const runs = yield* splitWhere(changes, (one, next) => one.item !== next.item);
	return yield* flatMapInSteps(runs, (run) => inOrder(run, batchSize));
}

/** Cuts a list between two elements that the question is true of. */
export function* splitWhere<T>(all: readonly T[], isCut: (one: T, next: T) => boolean): Steps<T[][]> {
	const runs: T[][] = [];
	for (const [i, one] of all.entries()) {
		yield;
		const last = all[i - 1];
		if (last !== undefined && !isCut(last, one)) runs.at(-1)?.push(one);
		else runs.push([one]);
	}
	return runs;
}

/**
 * Puts changes into requests, each number once.
 *
 * @param changes through one instance to one group with one action, in the order in which they are sent
 * @param batchSize most participants in one request
 * @returns the requests in order; a change that another one makes already is among that one's
 */
export function* batches(changes: readonly Change[], batchSize: number): Steps<ChangeRequest[]> {
	const requests: ChangeRequest[] = [];
	const byNumber = new Map<string, ChangeRequest>();
	let request: ChangeRequest | undefined;
	for (const change of changes) {
		yield;
		const { instance, groupJid, action, participant } = change;
		const number = numberKey(participant);
		const earlier = byNumber.get(number);
		if (earlier !== undefined) {
			earlier.changes.push(change);
			continue;
		}
		if (request === undefined || request.participants.length >= batchSize) {
			request = { instance, groupJid, action, participants: [], changes: [] };
			requests.push(request);
		}
		request.participants.push(participant);
		request.changes.push(change);
		byNumber.set(number, request);
	}
	return requests;
}

/**
 * The same for participants that all gateways certainly take for one number: the same digits, unless they rewrite them.
 * A JID with a device is sent as it is: 1.8.2 keeps the device, 2.3.6 drops it (recordings `…-normalisation`).
 */
export function numberKey({ sentAs, identity: { digits } }: Participant): string {
	const isBare = sentAs === `${digits}@s.whatsapp.net`;
	return isBare && rewrite(digits) === digits ? digits : sentAs;
}

/** The same changes in as many requests as there are participants. */
export function onePerParticipant({ changes, ...shared }: ChangeRequest): ChangeRequest[] {
	const byNumber = groupBy(changes, ({ participant }) => numberKey(participant));
	return [...byNumber.values()].map((same) => ({
		...shared,
		participants: [same[0].participant],
		changes: same,
	}));
}

/** Pairs each change of a request with the participant that is sent for it: of two forms of one number, the first. */
export function changesAsSent({
	participants,
	changes,
}: ChangeRequest): Array<Change & { sent: Participant }> {
	const byNumber = new Map(participants.map((participant) => [numberKey(participant), participant]));
	return changes.map((change) => {
		const { participant } = change;
		return { ...change, sent: byNumber.get(numberKey(participant)) ?? participant };
	});
}

/** Gives one result for each change of a request that a dry run doesn't send, in their order. */
export function plannedResults(request: ChangeRequest): ChangeResult[] {
	const { applied } = WORDING.planned;
	return changesAsSent(request).map(({ sent: { sentAs }, ...change }) => {
		const message = sentenceOf('planned', change.action);
		const participant = { ...change.participant, sentAs };
		return changeResult({ ...change, participant }, { outcome: 'planned', message, applied });
	});
}
