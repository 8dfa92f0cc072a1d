import { findOrMake } from '../common/maps';
import type { Problem } from '../common/problem';
import { HOUR, MINUTE } from '../common/time';
import { groupKey, type GroupRef, type GroupResult, type JournalEntry } from '../groups/change';
import type { Identity } from '../groups/identity';
import { Stop, type CircuitBreaker } from './circuitBreaker';
import type { GroupWithMembers } from './replies/groups';

/** Maximum number of executions. Above it, the longest unused one goes. */
const MOST_EXECUTIONS = 1000;

/** Time after which the next call of an execution counts as a new one, in ms: it waits for a day, say. */
const ENDS_AFTER = 6 * HOUR;

/** Time without a call after which groups are read again, in ms: a Wait or a Retry goes on after days. */
const READINGS_LAST = 5 * MINUTE;

/** The run of a node, as n8n names it. */
export interface ExecutionRef {
	/** n8n's ID of the execution, also after a Wait node. */
	id: string | undefined;
	/** The workflow and the node. */
	node: string;
	runIndex: number;
	retryOnFail?: boolean | undefined;
	/** Whether somebody retries an execution that failed: n8n gives it a new ID. */
	isRetry?: boolean | undefined;
}

const NO_EXECUTION: ExecutionRef = { id: undefined, node: '', runIndex: 0 };

/** The part of an instance in an execution. People are keys: one for all forms of a person. */
class InstanceRecord {
	/** People who count for the limits of Sync: sent and answered for, or of whom it isn't known. */
	readonly limits = { add: new Set<string>(), remove: new Set<string>() };

	/** The end of its invites in this execution. */
	readonly invites = new Stop<string>();

	/** People whose invites the gateway refused in a row without a reason. */
	readonly gatewayRefusals = new Set<string>();

	/** The gateway's answer for its account, once it was asked: not every key is told. */
	own: Promise<Identity | undefined> | undefined;
}

class GroupRecord {
	/** A short text for the list that it was synced with; `several` after two. */
	list: string | undefined;

	/** People who were taken out, or may have been; who were wanted in it; and of those, who had left. */
	readonly removed = new Set<string>();

	readonly wanted = new Set<string>();

	readonly left = new Map<string, readonly Identity[]>();

	/** Whether it said so, and nobody was removed since. */
	isFull = false;

	goesAlone = false;
}

/** Things that one execution has done at a gateway, whichever of its nodes did them. */
export class Execution {
	/** Time of the execution's first run, in ms since 1970. */
	startedAt = Date.now();

	/** Time when a call last began or ended, in ms since 1970. */
	calledAt = Date.now();

	/** Messages that were sent, and whether the gateway can't tell what became of them. */
	readonly invites = { sent: 0, withoutStatus: false };

	/** Writes that can't be taken back, by what they send: each is sent once. */
	readonly written = {
		messages: new Map<string, JournalEntry<GroupResult>>(),
		groups: new Map<string, JournalEntry<GroupResult>>(),
		invites: new Set<string>(),
	};

	/** Groups as they were read last, until this execution changes them. */
	readonly readings = new Map<string, Promise<GroupWithMembers | null>>();

	private readonly instances = new Map<string, InstanceRecord>();

	private readonly groups = new Map<string, GroupRecord>();

	private readonly parts = new Map<string, NodePart>();

	instance(name: string): InstanceRecord {
		return findOrMake(this.instances, name, () => new InstanceRecord());
	}

	group(group: GroupRef): GroupRecord {
		return findOrMake(this.groups, groupKey(group), () => new GroupRecord());
	}

	hasFailed(node: string): boolean {
		return this.parts.get(node)?.hasFailed === true;
	}

	part(node: string): NodePart {
		return findOrMake(this.parts, node, () => new NodePart(node, this));
	}
}

/** One node's part in an execution: all rounds of a loop, all tries and all calls of an agent. */
export class NodePart {
	/** Time of its last reply to a change on the clock that goes on evenly; `-Infinity` before the first. */
	repliedAt = -Infinity;

	/** Whether it's no dry run, and whether its last call then ended the run: only such a one is retried. */
	isReal = false;

	hasFailed = false;

	/** n8n's number of its last round; the tries of a round have one. */
	runIndex = -1;

	/** By group, how its list contradicts another: the next try of a round finds nothing of it, and would end green. */
	readonly contradictions = new Map<string, Problem>();

	/** The stops of runs that change something: all rounds of a loop and all calls of an agent are one run. */
	breaker: CircuitBreaker | undefined;

	constructor(
		readonly node: string,
		readonly execution: Execution,
	) {}
}

export class Executions {
	private readonly all = new Map<string, Execution>();

	/** Finds a node's part in its execution, or begins one. A picker or a trigger has none. */
	find({ id, node, runIndex, retryOnFail, isRetry = false }: ExecutionRef = NO_EXECUTION): NodePart {
		const known = id === undefined ? undefined : this.all.get(id);
		const retried = isRetry && known === undefined ? this.newestFailureOf(node) : undefined;
		const execution = goneOn(known ?? retried, isRetry);
		// What groups showed isn't what the execution did: somebody may have changed them before the retry.
		if (known === undefined) execution.readings.clear();
		if (id !== undefined) {
			this.all.delete(id);
			findOrMake(this.all, id, () => execution, MOST_EXECUTIONS);
		}
		const part = execution.part(node);
		// The next try of a round begins without its stops.
		if (retried ?? (retryOnFail && runIndex === part.runIndex)) part.breaker = undefined;
		if (retried || runIndex !== part.runIndex) part.contradictions.clear();
		part.runIndex = runIndex;
		return part;
	}

	private newestFailureOf(node: string): Execution | undefined {
		// Of a green one, or of a dry run, a retry would say "sent" of messages that it never sent.
		return [...this.all.values()].filter((execution) => execution.hasFailed(node)).at(-1);
	}
}

/** Goes on with an execution, unless its last call was long ago: who was refused then would wait for good. */
function goneOn(known: Execution | undefined, isRetry: boolean): Execution {
	const now = Date.now();
	const isOver = known !== undefined && now - known.calledAt >= ENDS_AFTER;
	// A retry may come days later, and must not send again what was sent.
	const execution = known === undefined || (isOver && !isRetry) ? new Execution() : known;
	if (isOver) execution.startedAt = now;
	if (now - execution.calledAt >= READINGS_LAST) execution.readings.clear();
	execution.calledAt = now;
	return execution;
}
