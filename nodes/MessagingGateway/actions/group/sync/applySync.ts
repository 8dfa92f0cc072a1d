import { groupBy } from '../../../common/groupBy';
import { messageOf } from '../../../common/problem';
import { batches, numbersFirst } from '../../../groups/batching';
import { changeResult, type Change, type ChangeRequest, type JournalEntry } from '../../../groups/change';
import { identityFor } from '../../../groups/identity';
import { byTurn, personKey, plannedIn, type Decision } from '../../../groups/sync/plan';
import { settleBy } from '../../../groups/sync/settleUnknown';
import type { Run } from '../../../run/operation';
import { isUncertain } from '../../../run/report';
import { ChangeSender } from '../changes';
import type { PlannedGroup } from './planSync';
import type { SyncOptions } from './readSync';

interface PlannedChange extends Change {
	action: 'add' | 'remove';
	decision: Decision;
	group: PlannedGroup;
}

/** Carries plans out: all removals first, since they make room, then all additions. Gives each decision its entry. */
export async function applySync(
	run: Run,
	groups: readonly PlannedGroup[],
	options: SyncOptions,
): Promise<ChangeSender> {
	const sender = new ChangeSender(run, options);
	const changes = groups.flatMap((group) => changesIn(group));
	for (const action of ['remove', 'add'] as const) {
		const ofAction = changes.filter((change) => change.action === action);
		await sendPhase(run, sender, ofAction, options);
	}
	return sender;
}

function changesIn(group: PlannedGroup): PlannedChange[] {
	const { instance, groupJid, items } = group;
	return plannedIn(group.plan).map((decision) => {
		const { action, rows, sentAs = '' } = decision;
		// A member's own ID is what the list names them by: what the gateway says of it is certain.
		const given = action === 'remove' ? sentAs : (rows[0]?.participant.given ?? sentAs);
		const participant = { given, sentAs, identity: identityFor(sentAs) };
		const item = rows[0]?.item ?? items[0].item;
		const change = action === 'remove' ? action : 'add';
		return { item, instance, groupJid, action: change, participant, decision, group };
	});
}

/** The options that limit changes, which are the reasons to postpone them, too. */
const LIMIT_OF = { add: 'maxAdditions', remove: 'maxRemovals' } as const;

/** Postpones changes of a dry run for which the limits have no room. A group that would be stopped doesn't count for others. */
export function limitDryRun(run: Run, groups: readonly PlannedGroup[], options: SyncOptions): void {
	for (const ofAction of groupBy(groups.flatMap(changesIn), ({ action }) => action).values()) {
		const due = new Set(queuesOf(run, ofAction, options).flatMap((takeDue) => takeDue()));
		postpone(
			run,
			ofAction.filter((change) => !due.has(change)),
		);
	}
}

function postpone(run: Run, changes: readonly PlannedChange[]): void {
	for (const change of changes) {
		const reason = isToFull(run, change) ? 'groupFull' : LIMIT_OF[change.action];
		Object.assign(change.decision, { outcome: 'postponed', reason });
	}
}

/** Sends one kind of change, as many as limits have room for. What a full group leaves over goes to the next. */
async function sendPhase(
	run: Run,
	sender: ChangeSender,
	changes: readonly PlannedChange[],
	options: SyncOptions,
): Promise<void> {
	const queues = queuesOf(run, changes, options);
	while (!sender.hasEnded) {
		const due = queues.flatMap((takeDue) => takeDue());
		if (due.length === 0) break;
		const byGroup = [...groupBy(due, ({ group }) => group).values()];
		byGroup.sort(([first], [second]) => first.group.items[0].item - second.group.items[0].item);
		const requests = byGroup.map((ofGroup) => requestsOf(ofGroup, options));
		for (const { together } of requests) await sendToGroup(run, sender, together);
		for (const { alone } of requests) await sendToGroup(run, sender, alone);
	}
	if (!sender.hasEnded)
		postpone(
			run,
			changes.filter(({ decision }) => decision.entry === undefined),
		);
}

/** Whether a change adds somebody to a group that has said in this execution that it's full. */
function isToFull({ execution }: Run, change: PlannedChange): boolean {
	return change.action === 'add' && execution.group(change).isFull;
}

/** Makes a queue for each instance. @returns functions that take the changes within the limit, none to a full group */
function queuesOf(
	run: Run,
	changes: readonly PlannedChange[],
	options: SyncOptions,
): Array<() => PlannedChange[]> {
	const inTurn = [...changes].sort((change, other) => byTurn(change.decision, other.decision));
	const byScope = groupBy(inTurn, ({ instance, group }) => (group.wouldStop ? group : instance));
	return [...byScope.values()].map((ofInstance) => {
		const [{ action, instance }] = ofInstance;
		const counted = run.execution.instance(instance).limits[action];
		const people = [...groupBy(ofInstance, ({ decision }) => personKey(decision))];
		const free = people.filter(([person]) => counted.has(person));
		const others = people.filter(([person]) => !counted.has(person)).reverse();
		return () => {
			// People who count already take no more room.
			const due = free.splice(0).flatMap(([, ofPerson]) => ofPerson);
			let room = options[LIMIT_OF[action]] - counted.size;
			while (room > 0) {
				const next = others.pop();
				if (next === undefined) break;
				const open = next[1].filter((change) => !isToFull(run, change));
				if (open.length > 0) room--;
				due.push(...open);
			}
			return due.sort((change, other) => byTurn(change.decision, other.decision));
		};
	});
}

/** Makes the requests for changes of one kind in a group. */
function requestsOf(changes: readonly PlannedChange[], { batchSize }: SyncOptions) {
	const together = changes.filter(({ decision }) => !decision.alone);
	const alone = changes.filter(({ decision }) => decision.alone);
	return { together: batches(together, batchSize), alone: batches(numbersFirst(alone), 1) };
}

async function sendToGroup(
	run: Run,
	sender: ChangeSender,
	requests: ReadonlyArray<ChangeRequest<PlannedChange>>,
): Promise<void> {
	for (const request of requests) {
		const [first] = request.changes;
		if (first === undefined || isToFull(run, first) || sender.hasEnded) return;
		await run.giveWay();
		const journal = await sender.send(request, saysFull);
		for (const [change, entry] of journal) note(run, change, entry);
		if ([...journal.values()].some(saysFull)) run.execution.group(first).isFull = true;
	}
}

/** Notes the entry of a change, and counts its person for the limits of the execution. */
function note({ execution }: Run, { decision, action, group }: PlannedChange, entry: JournalEntry): void {
	decision.entry = readAs(decision, entry);
	decision.triedAt = Date.now();
	if (!wasTried(entry)) return;
	const person = personKey(decision);
	execution.instance(group.instance).limits[action].add(person);
	if (action === 'add' || entry.result?.applied === false) return;
	const record = execution.group(group);
	record.removed.add(person);
	// Whoever leaves makes room.
	record.isFull = false;
}

/** Whether a change was sent and answered for, or may have been carried out. */
function wasTried(entry: JournalEntry): boolean {
	return entry.result ? !saysFull(entry) : isUncertain(entry.failure);
}

/** Reads a result by the list before it: a number under no form, a newcomer who is a member, a member who isn't one. */
function readAs({ presence, mayBe }: Decision, entry: JournalEntry): JournalEntry {
	const { result } = entry;
	if (result === undefined) return entry;
	const { action, outcome, code } = result;
	if (action === 'remove' && outcome === 'unchanged')
		return { result: { ...result, message: "Isn't in the group now." } };
	if (presence === 'found') return entry;
	// It isn't on the network: nobody is in the group by it, but perhaps by nearly the same number.
	if (outcome === 'notFound' && mayBe) return { result: { ...result, applied: null } };
	if (outcome === 'notFound' && presence === 'absent') return { result: { ...result, applied: false } };
	return code === '409' ? { result: { ...result, message: 'Is in the group now.' } } : entry;
}

function saysFull({ result }: JournalEntry): boolean {
	return result?.outcome === 'groupFull';
}

/** Counts the requests of plans, for the estimate of a dry run. */
export function countRequests(groups: readonly PlannedGroup[], options: SyncOptions): number {
	const kinds = groups.flatMap((group) => [...groupBy(changesIn(group), ({ action }) => action).values()]);
	return kinds.flatMap((changes) => Object.values(requestsOf(changes, options)).flat()).length;
}

/** Reads the groups of changes with unknown results once more. A result that stays unknown is `unconfirmed`. */
export async function settleSync(
	run: Run,
	groups: readonly PlannedGroup[],
	options: SyncOptions,
): Promise<void> {
	for (const group of groups) {
		const unknown = changesIn(group).filter(({ decision }) => isUnsettled(decision.entry));
		if (unknown.length === 0) continue;
		const members = await readAgain(run, group, options);
		const settle = members && settleBy(group.plan, members);
		for (const change of unknown) {
			const { decision } = change;
			const { entry } = decision;
			if (entry === undefined) continue;
			const unconfirmed = (failure: unknown) =>
				changeResult(change, { outcome: 'unconfirmed', applied: null, message: `${messageOf(failure)}.` });
			const prior = entry.result ?? unconfirmed(entry.failure);
			decision.isReread = settle !== undefined;
			decision.entry = { result: { ...prior, ...settle?.(decision, prior) } };
		}
	}
}

async function readAgain({ client }: Run, group: PlannedGroup, options: SyncOptions) {
	if (client.session.blockedBy(group.instance) !== undefined) return undefined;
	await client.session.pause(options.batchInterval);
	// A list that can't be read leaves everything as it was.
	return await client.members(group, options).catch(() => undefined);
}

/** Whether reading the group again may tell more. A number that isn't on the network isn't in the group either. */
function isUnsettled(entry: JournalEntry | undefined): boolean {
	if (entry === undefined) return false;
	const { result, failure } = entry;
	return result ? result.applied === null && result.outcome !== 'notFound' : isUncertain(failure);
}
