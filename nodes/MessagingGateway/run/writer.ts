import type { GatewayClient } from '../gateway/client';
import type { RequestOptions } from '../gateway/retry';

/** How a run sends its requests: one decision for the run, that of its first item that can be read. */
export interface RunOptions extends RequestOptions {
	/** Time from a response to the next request, in ms. */
	batchInterval: number;
}

/** Sends the requests of a run that change something: one at a time, in the order of the calls, with pauses in between. */
export class Writer {
	private hasSent = false;

	constructor(
		private readonly client: GatewayClient,
		private readonly options: RunOptions,
	) {}

	/**
	 * Sends a request once it's its turn.
	 *
	 * @param request calls the client, with the options that it is given
	 * @throws what the request throws: BlockedCall if nothing is sent to the instance any more
	 */
	async send<T>(instance: string, request: (options: RequestOptions) => Promise<T>): Promise<T> {
		const { timeout, maxRetries, batchInterval } = this.options;
		if (this.client.blockedBy(instance) === undefined) {
			if (this.hasSent) await this.client.pause(batchInterval);
			this.hasSent = true;
		}
		// A repeat is a request too.
		return await request({ timeout, maxRetries, shortestWait: batchInterval });
	}
}
