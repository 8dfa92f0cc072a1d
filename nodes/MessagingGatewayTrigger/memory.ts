import { createHash } from 'node:crypto';
import type { IPollFunctions } from 'n8n-workflow';
import { isRecord } from '../MessagingGateway/common/json';

const VERSION = 1;

type StaticData = ReturnType<IPollFunctions['getWorkflowStaticData']>;

/** By a node's static data, the last reply, and what would be remembered of it. */
const lastReplies = new WeakMap<StaticData, { hash: string; snapshot: string }>();

/**
 * What a trigger remembers from one poll to the next, as one text of JSON in the node's static data, which n8n keeps over
 * restarts.
 */
export class PollMemory {
	/** The text that was read last. */
	private known: unknown;

	private readonly data: StaticData;

	/**
	 * @param about what is watched; what was remembered of something else is forgotten
	 * @param secrets what is redacted in all that is remembered
	 */
	constructor(
		context: IPollFunctions,
		private readonly about: string,
		private readonly secrets: readonly string[],
	) {
		this.data = context.getWorkflowStaticData('node');
	}

	/** What was remembered; `undefined` if it isn't understood. */
	read(): unknown {
		const { snapshot } = this.data;
		this.known = snapshot;
		if (typeof snapshot !== 'string') return undefined;
		try {
			const stored: unknown = JSON.parse(snapshot);
			const fits = isRecord(stored) && stored.version === VERSION && stored.about === this.about;
			return fits ? stored.value : undefined;
		} catch {
			return undefined;
		}
	}

	/** Whether something else is remembered than was read. */
	hasChanged(): boolean {
		return this.data.snapshot !== this.known;
	}

	/** Whether exactly this is remembered. */
	holds(value: unknown): boolean {
		return this.data.snapshot === this.textOf(value);
	}

	/** Notes what would be remembered of a reply. */
	noteReply(reply: string, value: unknown): void {
		lastReplies.set(this.data, { hash: this.hashOf(reply), snapshot: this.textOf(value) });
	}

	/** Whether the reply came last time, too, under the same key, and exactly what it says is remembered. */
	holdsReply(reply: string): boolean {
		const last = lastReplies.get(this.data);
		return last !== undefined && last.snapshot === this.data.snapshot && last.hash === this.hashOf(reply);
	}

	/** Remembers a value; what is so already isn't written, since n8n would save the workflow again. */
	write(value: unknown): void {
		const snapshot = this.textOf(value);
		if (this.data.snapshot !== snapshot) this.data.snapshot = snapshot;
	}

	forget(): void {
		if ('snapshot' in this.data) delete this.data.snapshot;
	}

	private hashOf(reply: string): string {
		const scope = JSON.stringify([this.about, this.secrets]);
		return createHash('sha256').update(scope).update(reply).digest('base64');
	}

	private textOf(value: unknown): string {
		return JSON.stringify({ version: VERSION, about: this.about, value });
	}
}
