import { GatewayFailure } from '../../../gateway/failures/gatewayFailure';
import { messageOf } from '../../../common/problem';
import { planRequests, type Change, type PlannedRequest } from '../../../groups/batching/plan';
import { changeResultsOf, type ChangeResult } from '../../../groups/requestResults';
import { groupBy } from '../../../common/groupBy';
import type { EndedRequest } from '../../../groups/itemResults';
import type { Member } from '../../../gateway/replies/members';
import type { Addition, Decision, Removal } from '../../../groups/sync/plan';
import { resolveBy, type Resolution } from '../../../groups/sync/settleUnknown';
import type { Row } from '../../../groups/sync/rules';
import { listMembers } from '../../../gateway/memberList';
import type { Run } from '../../../run/operation';
import { applyChanges, type Pacing, type SentRequest } from '../../../run/applyChanges';
import { isUncertain } from '../../../run/itemErrors';
import type { PlannedGroup } from './planSync';

/** What came of a decision for which something was sent. */
export interface SyncChangeResult {
	change: ChangeResult;
	/** Whether the gateway's reply said it, and not the group that was read again. */
	isGatewaysWord: boolean;
}

/** What came of a run. */
export interface AppliedSync {
	/** Nothing for a decision whose request was never tried. */
	results: Map<Decision<Row>, SyncChangeResult>;
	/** What is known of each request in the end. */
	sent: EndedRequest[];
	/** How many requests the plans take. */
	requests: number;
	/** The first request that failed, and what is known of its changes in the end. */
	failed: FailedRequest | undefined;
}

/** A request that failed. */
export interface FailedRequest {
	failure: unknown;
	/** The first item that asked for something in it; nothing if none did. */
	item: number | undefined;
	groupJid: string;
	changes: ChangeResult[];
}

/** A decision for which something is sent, and the change that it is. */
interface PlacedDecision {
	decision: Addition<Row> | Removal<Row>;
	group: PlannedGroup;
	change: Change;
}

/**
 * Carries plans out: all removals first, since they make room and no limit on additions can hold them back, then all
 * additions. If it isn't known what came of some of them, their groups are read once more.
 *
 * @param goesOn whether the requests after one that failed are still sent
 */
export async function applySync(
	run: Run,
	groups: readonly PlannedGroup[],
	pacing: Pacing,
	goesOn: boolean,
): Promise<AppliedSync> {
	const placed = placeChanges(groups);
	const requests = requestsOf(placed, pacing);
	const sent = await applyChanges(run, requests, pacing, { goesOn, keepsReplies: false });
	const changeResults = changeResultsOf(
		placed.map(({ change }) => change),
		sent,
	);
	const results: AppliedSync['results'] = new Map();
	for (const { decision, change } of placed) {
		const result = changeResults[change.place];
		if (result !== undefined) results.set(decision, { change: result, isGatewaysWord: true });
	}
	await settleOpen(run, placed, results, pacing);
	const inTheEnd = new Map(placed.map(({ decision, change }) => [change, results.get(decision)?.change]));
	const known = ({ request }: SentRequest) => request.changes.flatMap((change) => inTheEnd.get(change) ?? []);
	const failed = sent.find((one) => 'failure' in one);
	return {
		results,
		sent: sent.map((one) => endedRequest(one, known(one))),
		requests: requests.length,
		failed: failed && {
			failure: 'failure' in failed ? failed.failure : undefined,
			item: failed.request.changes.find(({ item }) => item !== undefined)?.item,
			groupJid: failed.request.groupJid,
			changes: known(failed),
		},
	};
}

/** A request that failed counts as one with results if the members showed what became of it. */
function endedRequest(sent: SentRequest, known: readonly ChangeResult[]): EndedRequest {
	const results = known.flatMap((one) => ('result' in one ? [one.result] : []));
	return 'failure' in sent && results.length === 0 ? { failure: sent.failure } : { results };
}

/** How many requests plans take. */
export function countRequests(groups: readonly PlannedGroup[], pacing: Pacing): number {
	return requestsOf(placeChanges(groups), pacing).length;
}

function placeChanges(groups: readonly PlannedGroup[]): PlacedDecision[] {
	const found = groups.flatMap((group) =>
		group.plan.decisions.flatMap((decision) => (decision.outcome === 'planned' ? [{ decision, group }] : [])),
	);
	const removals = found.filter(({ decision }) => decision.action === 'remove');
	const additions = found.filter(({ decision }) => decision.action === 'add');
	return [...removals, ...additions].map(({ decision, group }, place) => {
		const [row] = decision.rows;
		const { instance, groupJid } = group.group;
		const { action, sentAs } = decision;
		const participant = row?.participant.given ?? sentAs;
		return {
			decision,
			group,
			change: { place, item: row?.item, instance, groupJid, action, participant, sentAs },
		};
	});
}

/** Removals and additions of one group don't share a request, and stay in their order: all removals come first. */
function requestsOf(placed: readonly PlacedDecision[], pacing: Pacing): PlannedRequest[] {
	const byAction = groupBy(
		placed.map(({ change }) => change),
		({ action }) => action,
	);
	return [...byAction.values()].flatMap((changes) => planRequests(changes, pacing));
}

/** Reads the groups once more of which it isn't known what came of some changes, and has the members decide. */
async function settleOpen(
	run: Run,
	placed: readonly PlacedDecision[],
	results: AppliedSync['results'],
	pacing: Pacing,
): Promise<void> {
	const open = placed.filter(({ decision }) => {
		const result = results.get(decision);
		return result !== undefined && isOpen(result.change);
	});
	for (const [group, decisions] of groupBy(open, (one) => one.group)) {
		if (run.gateway.reasonNotToSend(group.group.instance) !== undefined) continue;
		await run.gateway.pause(pacing.batchInterval);
		const members = await membersNow(run, group, pacing);
		const resolve = resolveBy(group.plan, members, group.group.exactNumbers);
		const stillOpen = new Map<unknown, unknown>();
		for (const { decision, change } of decisions) {
			const said = results.get(decision)?.change;
			if (said === undefined) continue;
			const resolution = resolve(
				decision,
				'result' in said ? said.result : { message: messageOf(said.failure) },
			);
			const after = settled(change, said, resolution);
			results.set(decision, {
				change: 'failure' in after && members ? { failure: openFailure(after.failure, stillOpen) } : after,
				isGatewaysWord: false,
			});
		}
	}
}

/** The failure of which the members say no more; the same one for all changes that have it. */
function openFailure(failure: unknown, known: Map<unknown, unknown>): unknown {
	const more = failure instanceof GatewayFailure ? failure.saying(DOES_NOT_TELL) : failure;
	if (!known.has(failure)) known.set(failure, more);
	return known.get(failure);
}

const DOES_NOT_TELL = "The group was read again, and it doesn't tell either";

function isOpen(one: ChangeResult): boolean {
	return 'result' in one ? one.result.applied === null : isUncertain(one.failure);
}

/** A list that can't be read leaves everything as it was. */
async function membersNow(run: Run, { group }: PlannedGroup, pacing: Pacing): Promise<Member[] | undefined> {
	try {
		return await listMembers(run.gateway, group, pacing);
	} catch {
		return undefined;
	}
}

function settled(
	change: Change,
	said: ChangeResult,
	{ outcome, applied, message }: Resolution,
): ChangeResult {
	if (outcome === undefined) return 'result' in said ? { result: { ...said.result, message } } : said;
	if ('result' in said) return { result: { ...said.result, outcome, applied, message } };
	const { participant, action, sentAs, instance, groupJid } = change;
	return { result: { participant, action, outcome, message, applied, sentAs, instance, groupJid } };
}
