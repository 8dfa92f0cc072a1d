import type { IPollFunctions } from 'n8n-workflow';
import { isRecord } from '../MessagingGateway/common/json';

const SNAPSHOT_VERSION = 1;

/** Tolerance in ms for polls that start a little early, since schedules aren't exact. */
const TOLERANCE = 30_000;

/** The polls of a trigger in this process. They may be lost, unlike the snapshot, which n8n keeps. */
interface Polls {
	contexts: WeakSet<IPollFunctions>;
	/** The subject of the last read, and its beginning in ms by the process's clock. */
	lastRead?: { about: string; at: number } | undefined;
	/** Number of reads so far, and the number of the newest read whose reply counted. */
	begun: number;
	counted: number;
}

/** Polls by workflow and node, since the scheduler of n8n 2.x makes a context for each poll. */
const POLLS = new Map<string, Polls>();

export class PollMemory {
	/** Whether this is the first poll after the workflow was published or n8n started. */
	readonly isFirst: boolean;

	private readonly about: string;

	private readonly data: ReturnType<IPollFunctions['getWorkflowStaticData']>;

	private readonly polls: Polls;

	/** @param watched names the subject of the polls. A snapshot of another subject doesn't count */
	constructor(context: IPollFunctions, watched: string) {
		const { id, credentials } = context.getNode();
		this.about = JSON.stringify([credentials?.messagingGatewayApi?.id ?? null, watched]);
		this.data = context.getWorkflowStaticData('node');
		const trigger = JSON.stringify([context.getWorkflow().id, id]);
		this.polls = POLLS.get(trigger) ?? { contexts: new WeakSet(), begun: 0, counted: 0 };
		POLLS.set(trigger, this.polls);
		const mode = context.getActivationMode();
		const isSwitchedOn = ['activate', 'init', 'leadershipChange'].includes(mode);
		this.isFirst = isSwitchedOn && !this.polls.contexts.has(context);
		this.polls.contexts.add(context);
		// A published workflow starts on changes from now on. A restart of n8n must not lose changes.
		if (this.isFirst && mode === 'activate') {
			if ('snapshot' in this.data) delete this.data.snapshot;
			this.polls.lastRead = undefined;
		}
	}

	/** Reads the remembered value. @returns `undefined` if there is none, or none of this subject */
	read(): unknown {
		const { snapshot } = this.data;
		if (typeof snapshot !== 'string') return undefined;
		try {
			const stored: unknown = JSON.parse(snapshot);
			const fits = isRecord(stored) && stored.version === SNAPSHOT_VERSION && stored.about === this.about;
			return fits ? stored.value : undefined;
		} catch {
			return undefined;
		}
	}

	/** Remembers a value as text in the node's static data. Leaves an unchanged text alone, so that n8n saves nothing. */
	write(value: object): void {
		const snapshot = JSON.stringify({ version: SNAPSHOT_VERSION, about: this.about, value });
		if (this.data.snapshot !== snapshot) this.data.snapshot = snapshot;
	}

	/** Whether the last read began less than `interval` ms ago. */
	wasReadWithin(interval: number): boolean {
		const { lastRead } = this.polls;
		return lastRead?.about === this.about && performance.now() - lastRead.at < interval - TOLERANCE;
	}

	/** Notes the beginning of a read. @returns tells whether its reply counts: not after a later read's reply */
	beginRead(): () => boolean {
		const { polls } = this;
		const turn = ++polls.begun;
		polls.lastRead = { about: this.about, at: performance.now() };
		return () => {
			const counts = turn > polls.counted;
			if (counts) polls.counted = turn;
			return counts;
		};
	}
}
