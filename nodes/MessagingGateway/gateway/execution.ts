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

/** An instance's part of a ledger. People are keys: one for all forms of a person. */
class InstanceLedger {
	/** People who count for the limits of Sync: sent and answered for, or of whom it isn't known. */
	readonly limits = { add: new Set<string>(), remove: new Set<string>() };

	readonly invites = { refusedInARow: new Set<string>(), stopped: undefined as InviteStop | undefined };
}

class GroupLedger {
	/** A short text for the list that it was synced with; `several` after two. */
	list: string | undefined;

	/** People who were taken out, or may have been. */
	readonly removed = new Set<string>();

	/** Whether it said so, and nobody was removed since. */
	isFull = false;

	goesAlone = false;
}

/** Things that one execution has done at a gateway, whichever of its nodes did them. */
export class Ledger {
	/** Time of the execution's first run, in ms since 1970. */
	readonly startedAt = Date.now();

	/** Messages that were sent, and whether the gateway can't tell what became of them. */
	readonly invites = { sent: 0, withoutStatus: false };

	private readonly instances = new Map<string, InstanceLedger>();

	private readonly groups = new Map<string, GroupLedger>();

	instance(name: string): InstanceLedger {
		return findOrMake(this.instances, name, () => new InstanceLedger());
	}

	group(group: GroupRef): GroupLedger {
		return findOrMake(this.groups, groupKey(group), () => new GroupLedger());
	}
}

function findOrMake<T>(all: Map<string, T>, key: string, make: () => T): T {
	const found = all.get(key) ?? make();
	all.set(key, found);
	return found;
}

/** One node's part in an execution: all rounds of a loop, all tries and all calls of an agent. */
export class Execution {
	hasSent = false;

	/** Time of its last reply on the clock that goes on evenly; `-Infinity` before the first. */
	repliedAt = -Infinity;

	/** Progress of Sync when somebody stopped it. */
	stopped: string | undefined;

	/** The stops of runs that change something: all rounds of a loop and all calls of an agent are one run. */
	breaker: CircuitBreaker | undefined;

	constructor(
		readonly node = '',
		readonly ledger = new Ledger(),
		/** Progress of the node's last execution when somebody stopped it. */
		readonly stoppedBefore?: string,
	) {}

	get startedAt(): number {
		return this.ledger.startedAt;
	}
}

/** A node's last run in an execution. The signal is weak, since n8n's listeners there keep all data of an execution. */
interface LastRun {
	signal: WeakRef<AbortSignal> | undefined;
	runIndex: number;
	execution: Execution;
}

export class Executions {
	/** The last one used is the first. */
	private all: Array<{ id: string | undefined; ledger: Ledger; nodes: Map<string, LastRun> }> = [];

	/** Finds the execution of a run, or begins one. */
	find(ref: ExecutionRef | undefined): Execution {
		if (ref === undefined || (ref.id === undefined && ref.signal === undefined))
			return new Execution(ref?.node);
		const { id, node, signal, runIndex, hasRun = () => false, retryOnFail } = ref;
		const withId = this.all.filter((entry) => entry.id === id);
		const found =
			withId.find(({ nodes }) => [...nodes.values()].some((last) => last.signal?.deref() === signal)) ??
			// After a Wait node, the execution has another signal. In tests IDs occur again.
			withId.find(({ nodes }) => {
				const last = nodes.get(node);
				return id !== undefined && (last ? runIndex > last.runIndex : [...nodes.keys()].some(hasRun));
			});
		const entry = found ?? { id, ledger: new Ledger(), nodes: new Map<string, LastRun>() };
		const last = entry.nodes.get(node);
		const execution = last?.execution ?? new Execution(node, entry.ledger, this.lastOf(node)?.stopped);
		// The next try of a round begins without its stops.
		if (retryOnFail && runIndex === last?.runIndex) execution.breaker = undefined;
		entry.nodes.set(node, { signal: signal && new WeakRef(signal), runIndex, execution });
		this.all = [entry, ...this.all.filter((other) => other !== entry)].slice(0, MOST_EXECUTIONS);
		return execution;
	}

	private lastOf(node: string): Execution | undefined {
		return this.all.find(({ nodes }) => nodes.has(node))?.nodes.get(node)?.execution;
	}
}
