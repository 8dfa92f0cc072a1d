import type { IPollFunctions } from 'n8n-workflow';
import { isRecord } from '../MessagingGateway/common/json';

const VERSION = 1;

/** Clocks of schedules are early or late by seconds, so a poll that comes so much sooner still counts, in ms. */
const TOLERANCE = 30_000;

/** The polls of one trigger in this process. n8n keeps the snapshot; these may be lost. */
interface Polls {
	/** The contexts that have polled. */
	contexts: WeakSet<IPollFunctions>;
	/** What the last read was about, and its beginning in ms by the process's clock. */
	lastRead?: { about: string; at: number } | undefined;
	/** How many reads have begun, and the newest of them whose reply counted. */
	begun: number;
	counted: number;
}

/** By workflow and node, since the scheduler of n8n 2.x makes a context for each poll. */
const POLLS = new Map<string, Polls>();

/** What a trigger remembers from one poll to the next. */
export class PollMemory {
	/** Whether this is the first poll after somebody, or a start of n8n, switched the trigger on. */
	readonly isFirst: boolean;

	private readonly about: string;

	private readonly data: ReturnType<IPollFunctions['getWorkflowStaticData']>;

	private readonly polls: Polls;

	/** @param watched what is watched; what was remembered of something else is forgotten */
	constructor(context: IPollFunctions, watched: string) {
		const { id, credentials } = context.getNode();
		this.about = JSON.stringify([credentials?.messagingGatewayApi?.id ?? null, watched]);
		this.data = context.getWorkflowStaticData('node');
		this.polls = pollsOf(JSON.stringify([context.getWorkflow().id, id]));
		const mode = context.getActivationMode();
		const isSwitchedOn = ['activate', 'init', 'leadershipChange'].includes(mode);
		this.isFirst = isSwitchedOn && !this.polls.contexts.has(context);
		this.polls.contexts.add(context);
		// Whoever switches a workflow on wants to hear of what happens from now on; a restart of n8n must lose nothing.
		if (this.isFirst && mode === 'activate') this.forget();
	}

	/** Reads what is remembered. @returns `undefined` for what isn't understood */
	read(): unknown {
		const { snapshot } = this.data;
		if (typeof snapshot !== 'string') return undefined;
		try {
			const stored: unknown = JSON.parse(snapshot);
			const fits = isRecord(stored) && stored.version === VERSION && stored.about === this.about;
			return fits ? stored.value : undefined;
		} catch {
			return undefined;
		}
	}

	/** Remembers a value as one text in the node's static data; an unchanged one isn't written, so that n8n doesn't save it. */
	write(value: object): void {
		const snapshot = JSON.stringify({ version: VERSION, about: this.about, value });
		if (this.data.snapshot !== snapshot) this.data.snapshot = snapshot;
	}

	/** Whether the last read began less than these ms ago. */
	wasReadWithin(interval: number): boolean {
		const { lastRead } = this.polls;
		return lastRead?.about === this.about && performance.now() - lastRead.at < interval - TOLERANCE;
	}

	/** Notes that a read begins. @returns whether its reply counts: not after a reply to a read that began later */
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

	private forget(): void {
		if ('snapshot' in this.data) delete this.data.snapshot;
		this.polls.lastRead = undefined;
	}
}

function pollsOf(trigger: string): Polls {
	const polls = POLLS.get(trigger) ?? { contexts: new WeakSet(), begun: 0, counted: 0 };
	POLLS.set(trigger, polls);
	return polls;
}
