import { groupKey, type GroupRef } from '../groups/change';
import type { InviteStop } from '../groups/invites';
import type { CircuitBreaker } from './circuitBreaker';

/** Maximum number of executions. Above it, the longest unused one goes. */
const MOST_EXECUTIONS = 1000;

/** The run of a node, as n8n names it. */
export interface ExecutionRef {
	id: string | undefined;
	/** The workflow and the node. */
	node: string;
	signal: AbortSignal | undefined;
	runIndex: number;
	/** Whether another node has run in the execution. */
	hasRun?: (node: string) => boolean;
	retryOnFail?: boolean | undefined;
}

/** The part of an instance in an execution. People are keys: one for all forms of a person. */
class InstanceRecord {
	/** People who count for the limits of Sync: sent and answered for, or of whom it isn't known. */
	readonly limits = { add: new Set<string>(), remove: new Set<string>() };

	readonly invites = { refusedInARow: new Set<string>(), stopped: undefined as InviteStop | undefined };
}

class GroupRecord {
	/** A short text for the list that it was synced with; `several` after two. */
	list: string | undefined;

	/** People who were taken out, or may have been. */
	readonly removed = new Set<string>();

	/** Whether it said so, and nobody was removed since. */
	isFull = false;

	goesAlone = false;
}

/** Things that one execution has done at a gateway, whichever of its nodes did them. */
export class Execution {
	/** Time of the execution's first run, in ms since 1970. */
	readonly startedAt = Date.now();

	/** Messages that were sent, and whether the gateway can't tell what became of them. */
	readonly invites = { sent: 0, withoutStatus: false };

	private readonly instances = new Map<string, InstanceRecord>();

	private readonly groups = new Map<string, GroupRecord>();

	instance(name: string): InstanceRecord {
		return findOrMake(this.instances, name, () => new InstanceRecord());
	}

	group(group: GroupRef): GroupRecord {
		return findOrMake(this.groups, groupKey(group), () => new GroupRecord());
	}
}

function findOrMake<T>(all: Map<string, T>, key: string, make: () => T): T {
	const found = all.get(key) ?? make();
	all.set(key, found);
	return found;
}

/** One node's part in an execution: all rounds of a loop, all tries and all calls of an agent. */
export class NodePart {
	hasSent = false;

	/** Time of its last reply on the clock that goes on evenly; `-Infinity` before the first. */
	repliedAt = -Infinity;

	/** Progress of Sync when somebody stopped it. */
	stopped: string | undefined;

	/** The stops of runs that change something: all rounds of a loop and all calls of an agent are one run. */
	breaker: CircuitBreaker | undefined;

	constructor(
		readonly node = '',
		readonly execution = new Execution(),
		/** Progress of the node's last execution when somebody stopped it. */
		readonly stoppedBefore?: string,
	) {}

	get startedAt(): number {
		return this.execution.startedAt;
	}
}

/** A node's last run in an execution. The signal is weak, since n8n's listeners there keep all data of an execution. */
interface LastRun {
	signal: WeakRef<AbortSignal> | undefined;
	runIndex: number;
	part: NodePart;
}

export class Executions {
	/** The last one used is the first. */
	private all: Array<{ id: string | undefined; execution: Execution; nodes: Map<string, LastRun> }> = [];

	/** Finds the execution of a run, or begins one. */
	find(ref: ExecutionRef | undefined): NodePart {
		if (ref === undefined || (ref.id === undefined && ref.signal === undefined))
			return new NodePart(ref?.node);
		const { id, node, signal, runIndex, hasRun = () => false, retryOnFail } = ref;
		const withId = this.all.filter((entry) => entry.id === id);
		const found =
			withId.find(({ nodes }) => [...nodes.values()].some((last) => last.signal?.deref() === signal)) ??
			// After a Wait node, the execution has another signal. In tests IDs occur again.
			withId.find(({ nodes }) => {
				const last = nodes.get(node);
				return id !== undefined && (last ? runIndex > last.runIndex : [...nodes.keys()].some(hasRun));
			});
		const entry = found ?? { id, execution: new Execution(), nodes: new Map<string, LastRun>() };
		const last = entry.nodes.get(node);
		const part = last?.part ?? new NodePart(node, entry.execution, this.lastOf(node)?.stopped);
		// The next try of a round begins without its stops.
		if (retryOnFail && runIndex === last?.runIndex) part.breaker = undefined;
		entry.nodes.set(node, { signal: signal && new WeakRef(signal), runIndex, part });
		this.all = [entry, ...this.all.filter((other) => other !== entry)].slice(0, MOST_EXECUTIONS);
		return part;
	}

	private lastOf(node: string): NodePart | undefined {
		return this.all.find(({ nodes }) => nodes.has(node))?.nodes.get(node)?.part;
	}
}
