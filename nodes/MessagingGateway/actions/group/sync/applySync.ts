import { groupBy } from '../../../common/maps';
import { messageOf } from '../../../common/problem';
import { certaintyOf, isUncertain } from '../../../gateway/failures/gatewayFailure';
import { batches, numbersFirst } from '../../../groups/batching';
import { changeResult, type ChangeRequest, type JournalEntry } from '../../../groups/change';
import { byTurn, personKey, plannedIn, type Decision } from '../../../groups/sync/plan';
import { LIMIT_OF, through, withoutRest } from '../../../groups/sync/policies';
import { settleBy } from '../../../groups/sync/settleUnknown';
import type { Run } from '../../../run/operation';
import { ChangeSender } from '../changes';
import type { PlannedGroup } from './planSync';
import type { SyncOptions } from './readSync';

/** Carries plans out: removals first, since they make room, then additions. Gives each decision its entry. */
export async function applySync(
	run: Run,
	groups: readonly PlannedGroup[],
	options: SyncOptions,
): Promise<ChangeSender> {
	const sender = new ChangeSender(run, options);
	for (const action of ['remove', 'add'] as const) {
		await sendPhase(run, sender, groups, action, options);
		if (sender.hasEnded) break;
		postpone(run, groups, (change) => change.action === action && change.entry === undefined);
	}
	return sender;
}

/** Postpones changes of a dry run over the limits. A group that would be stopped doesn't count for others. */
export async function limitDryRun(
	run: Run,
	groups: readonly PlannedGroup[],
	options: SyncOptions,
): Promise<void> {
	for (const together of groupBy(groups, (group) => (group.wouldStop ? group : undefined)).values()) {
		const queues = (['remove', 'add'] as const).flatMap((action) => queuesOf(run, together, action, options));
		await run.giveWay();
		const due = new Set(queues.flatMap((takeDue) => takeDue()));
		await run.giveWay();
		postpone(run, together, (change) => !due.has(change));
	}
}

function postpone(run: Run, groups: readonly PlannedGroup[], isLeft: (change: Decision) => boolean): void {
	const policy = withoutRest(isLeft, (change) => isToFull(run, change));
	for (const group of groups) group.plan = through(group.plan, policy);
}

/** Sends one kind of change, as many as limits have room for. What a full group leaves goes to the next. */
async function sendPhase(
	run: Run,
	sender: ChangeSender,
	groups: readonly PlannedGroup[],
	action: Decision['action'],
	options: SyncOptions,
): Promise<void> {
	const queues = queuesOf(run, groups, action, options);
	while (!sender.hasEnded) {
		const due = groupBy(
			queues.flatMap((takeDue) => takeDue()),
			({ groupJid }) => groupJid,
		);
		if (due.size === 0) break;
		const requests = groups.map(({ groupJid }) => requestsOf(run, due.get(groupJid) ?? [], options));
		for (const { together } of requests) await sendToGroup(run, sender, together);
		for (const { alone } of requests) await sendToGroup(run, sender, alone);
	}
}

/** Whether a change adds somebody to a group that has said in this execution that it's full. */
function isToFull({ execution }: Run, change: Decision): boolean {
	return change.action === 'add' && execution.group(change).isFull;
}

/** Makes a queue for each instance. @returns functions that take the changes within the limit */
function queuesOf(
	run: Run,
	groups: readonly PlannedGroup[],
	action: Decision['action'],
	options: SyncOptions,
): Array<() => Decision[]> {
	const changes = groups.flatMap(({ plan }) => plannedIn(plan, action));
	return [...groupBy(changes.sort(byTurn), ({ instance }) => instance)].map(([instance, ofInstance]) => {
		const counted = run.execution.instance(instance).limits[action];
		const people = [...groupBy(ofInstance, personKey)];
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
			return due.sort(byTurn);
		};
	});
}

/** Makes the requests for changes of one kind in a group. One that was full is asked by one person first. */
function requestsOf(run: Run, changes: readonly Decision[], { batchSize }: SyncOptions) {
	const together = changes.filter((change) => !change.alone);
	const alone = changes.filter((change) => change.alone);
	const [first] = together;
	const isAsked = first?.action === 'add' && fullGroupsOf(run, first).has(first.groupJid);
	const rest = batches(together.slice(isAsked ? 1 : 0), batchSize);
	return {
		together: isAsked ? [...batches([first], 1), ...rest] : rest,
		alone: batches(numbersFirst(alone), 1),
	};
}

/** Gives the groups of an account that were full when a run of this process asked last. */
function fullGroupsOf({ account }: Run, { instance }: Decision): Set<string> {
	return account(instance).full;
}

async function sendToGroup(
	run: Run,
	sender: ChangeSender,
	requests: ReadonlyArray<ChangeRequest<Decision>>,
): Promise<void> {
	for (const request of requests) {
		const [first] = request.changes;
		if (first === undefined || isToFull(run, first) || sender.hasEnded) return;
		await run.giveWay();
		const journal = await sender.send(request, saysFull);
		for (const [change, entry] of journal) note(run, change, entry);
		if (![...journal.values()].some(saysFull)) continue;
		run.execution.group(first).isFull = true;
		fullGroupsOf(run, first).add(first.groupJid);
	}
}

/** Notes the entry of a change, and counts its person for the limits of the execution. */
function note(run: Run, change: Decision, entry: JournalEntry): void {
	const { execution } = run;
	const { action, instance } = change;
	change.entry = readAs(change, entry);
	change.sentAt = Date.now();
	if (!wasTried(entry)) return;
	const person = personKey(change);
	execution.instance(instance).limits[action].add(person);
	if (entry.result?.outcome === 'done') fullGroupsOf(run, change).delete(change.groupJid);
	if (action === 'add' || entry.result?.applied === false) return;
	const record = execution.group(change);
	record.removed.add(person);
	// Whoever leaves makes room.
	record.isFull = false;
}

/** Whether a change was sent and answered for, or may have been carried out. */
function wasTried(entry: JournalEntry): boolean {
	return entry.result ? !saysFull(entry) : isUncertain(entry.failure);
}

/** Reads a result by the list before it: a newcomer may be a member, and a member not. */
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
export function countRequests(run: Run, groups: readonly PlannedGroup[], options: SyncOptions): number {
	const kinds = groups.flatMap(({ plan }) => [...groupBy(plannedIn(plan), ({ action }) => action).values()]);
	return kinds.flatMap((changes) => Object.values(requestsOf(run, changes, options)).flat()).length;
}

/** Reads the groups of changes with unknown results again. A result that stays unknown is `unconfirmed`. */
export async function settleSync(
	run: Run,
	groups: readonly PlannedGroup[],
	options: SyncOptions,
): Promise<void> {
	for (const group of groups) {
		const unknown = plannedIn(group.plan).filter(({ entry }) => isUnsettled(entry));
		if (unknown.length === 0) continue;
		const members = await readAgain(run, group, options);
		const settle = members && settleBy(group.plan, members);
		for (const change of unknown) {
			const { entry } = change;
			if (entry === undefined) continue;
			const unconfirmed = (failure: unknown) =>
				changeResult(change, { outcome: 'unconfirmed', applied: null, message: `${messageOf(failure)}.` });
			const prior = entry.result ?? unconfirmed(entry.failure);
			change.doubt = entry.result ? 'unknown' : certaintyOf(entry.failure);
			change.entry = { result: { ...prior, ...settle?.(change, prior) } };
		}
	}
}

async function readAgain({ client, session }: Run, group: PlannedGroup, options: SyncOptions) {
	if (session.blockedBy(group.instance) !== undefined) return undefined;
	await session.pause(options.batchInterval);
	// A list that can't be read leaves everything as it was.
	return await client.members(group, options).catch(() => undefined);
}

/** Whether reading the group again may tell more: not of a number that isn't on the network. */
function isUnsettled(entry: JournalEntry | undefined): boolean {
	if (entry === undefined) return false;
	const { result, failure } = entry;
	return result ? result.applied === null && result.outcome !== 'notFound' : isUncertain(failure);
}
