import type { GatewayClient } from '../gateway/client';
import type { RequestOptions } from '../gateway/retry';
import type { GroupRef } from '../groups/change';
import { executionMemory } from './executionMemory';
import type { Run } from './operation';

/** How a run sends its requests: one decision for the run, that of its first item that can be read. */
export interface RunOptions extends RequestOptions {
	/** Time from a response to the next request, in ms. */
	batchInterval: number;
}

/** Sends the requests of a run that change something: one at a time, in the order of the calls, with pauses in between. */
export class Writer {
	private readonly client: GatewayClient;

	/** @param groups the groups to change. A stop of one of their accounts stops this run, too. */
	constructor(
		private readonly run: Pick<Run, 'client' | 'context'>,
		private readonly options: RunOptions,
		groups: readonly GroupRef[],
	) {
		this.client = run.client;
		this.client.startChanges(groups, options.batchInterval);
	}

	/**
	 * Sends a request once it's its turn, also among other runs that change the same account.
	 *
	 * @param request calls the client, with the options that it is given
	 * @throws what the request throws: BlockedCall if nothing is sent to the instance or group any more
	 */
	async send<T>(group: GroupRef, request: (options: RequestOptions) => Promise<T>): Promise<T> {
		const { timeout, maxRetries, batchInterval } = this.options;
		// A repeat is a request too.
		const options = { timeout, maxRetries, shortestWait: batchInterval };
		return await this.client.inTurn(group, async (hasSent) => {
			try {
				return await request(options);
			} finally {
				if (hasSent()) executionMemory(this.run.context).repliedAt = Date.now();
			}
		});
	}
}
