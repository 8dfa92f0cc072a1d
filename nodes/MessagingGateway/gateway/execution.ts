import type { CircuitBreaker } from './circuitBreaker';

/** Maximum number of executions. Above it, the longest unused one goes. */
const MOST_EXECUTIONS = 1000;

/** The execution that a run of the node belongs to, as n8n names it. */
export interface ExecutionRef {
	id: string | undefined;
	node: string;
	signal: AbortSignal | undefined;
	runIndex: number;
	/** Whether n8n tries the node again if it fails. */
	retryOnFail?: boolean | undefined;
}

/** One execution of one node: all rounds of a loop, all tries and all calls of an agent. */
export class Execution {
	/** Time of its first run, in ms since 1970. */
	startedAt = Date.now();

	hasSent = false;

	/** Time of its last reply on the clock that goes on evenly; `-Infinity` before the first. */
	repliedAt = -Infinity;

	/** A short text for the list that each group was synced with. */
	lists = new Map<string, string>();

	/** The stops of runs that change something: all rounds of a loop and all calls of an agent are one run. */
	breaker: CircuitBreaker | undefined;

	private readonly counted = new Map<string, Set<string>>();

	/** Gets the people who were sent, to be added to. @param key the part of them that the caller counts */
	people(key: string): Set<string> {
		const people = this.counted.get(key) ?? new Set();
		this.counted.set(key, people);
		return people;
	}
}

/** The executions that n8n runs through one gateway. */
export class Executions {
	/** In order of use. Signals are weak, since n8n's listeners there keep all data of an execution. */
	private known: Array<
		Pick<ExecutionRef, 'id' | 'node' | 'runIndex'> & {
			signal: WeakRef<AbortSignal> | undefined;
			execution: Execution;
		}
	> = [];

	/** Finds the execution of a run, or begins one. */
	find(ref: ExecutionRef | undefined): Execution {
		if (ref === undefined || (ref.id === undefined && ref.signal === undefined)) return new Execution();
		const { id, node, signal, runIndex, retryOnFail } = ref;
		const ofNode = this.known.filter((entry) => entry.id === id && entry.node === node).reverse();
		const found =
			ofNode.find((entry) => entry.signal?.deref() === signal) ??
			// After a Wait node, the next round of a loop has another signal. In tests IDs occur again.
			ofNode.find(() => id !== undefined && runIndex > 0);
		const execution = found?.execution ?? new Execution();
		// The next try of a round begins without its stops.
		if (retryOnFail && runIndex === found?.runIndex) execution.breaker = undefined;
		const used = { id, node, signal: signal && new WeakRef(signal), runIndex, execution };
		this.known = [...this.known.filter((entry) => entry !== found), used].slice(-MOST_EXECUTIONS);
		return execution;
	}
}
