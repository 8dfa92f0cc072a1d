import type { IPollFunctions } from 'n8n-workflow';
import { isRecord } from '../MessagingGateway/common/json';

const VERSION = 1;

/**
 * What a trigger remembers from one poll to the next, as one text of JSON in the node's static data, which n8n keeps over
 * restarts.
 */
export class PollMemory {
	/** The text that was read last. */
	private known: unknown;

	private readonly data: ReturnType<IPollFunctions['getWorkflowStaticData']>;

	/** @param about what is watched; what was remembered of something else is forgotten */
	constructor(
		context: IPollFunctions,
		private readonly about: string,
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

	/** Remembers a value; what is so already isn't written, since n8n would save the workflow again. */
	write(value: unknown): void {
		const snapshot = this.textOf(value);
		if (this.data.snapshot !== snapshot) this.data.snapshot = snapshot;
	}

	forget(): void {
		if ('snapshot' in this.data) delete this.data.snapshot;
	}

	private textOf(value: unknown): string {
		return JSON.stringify({ version: VERSION, about: this.about, value });
	}
}
