import type { RequestOptions } from '../gateway/retry';
import type { GroupRef } from '../groups/change';
import type { Run } from './operation';

export interface RunOptions extends RequestOptions {
	/** Time from a response to the next request, in ms. */
	batchInterval: number;
}

/** Sends the requests of a run that change something: one at a time, in the order of the calls, with pauses in between. */
export class Writer {
	/** @param groups the groups to change. A stop of one of their accounts stops this run, too. */
	constructor(
		private readonly client: Run['client'],
		private readonly options: RunOptions,
		groups: readonly GroupRef[],
	) {
		client.run.startChanges(groups, options.batchInterval);
	}

	/** Sends a request in its turn, also among other runs. @throws BlockedCall if the instance or group is stopped */
	async send<T>(group: GroupRef, request: (options: RequestOptions) => Promise<T>): Promise<T> {
		const { timeout, maxRetries, batchInterval } = this.options;
		// A repeat is a request too.
		const options = { timeout, maxRetries, shortestWait: batchInterval };
		return await this.client.run.inTurn(group, async () => await request(options));
	}
}
