import type { RequestOptions } from '../gateway/retry';
import type { GroupRef } from '../groups/change';
import type { Run } from './operation';

export interface RunOptions extends RequestOptions {
	/** Time from a response to the next request, in ms. */
	batchInterval: number;
	dryRun: boolean;
}

/** Sends the requests of a run that change something: one at a time, in the order of the calls, with pauses in between. */
export class Writer {
	private readonly client: Run['client'];

	/** @param groups the groups to change. Unless it's a dry run, a stop of one of their accounts stops this run, too. */
	constructor(
		{ client, context, hints }: Pick<Run, 'client' | 'context' | 'hints'>,
		private readonly options: RunOptions,
		groups: readonly GroupRef[],
	) {
		this.client = client;
		client.run.startChanges(options.dryRun ? [] : groups, options.batchInterval);
		if (options.dryRun && context.getMode() !== 'manual') hints.add('Dry Run is on: nothing was changed');
	}

	/** Sends a request in its turn, also among other runs. @throws BlockedCall if the instance or group is stopped */
	async send<T>(group: GroupRef, request: (options: RequestOptions) => Promise<T>): Promise<T> {
		const { timeout, maxRetries, batchInterval } = this.options;
		// A repeat is a request too.
		const options = { timeout, maxRetries, shortestWait: batchInterval };
		return await this.client.run.inTurn(group, async () => await request(options));
	}
}
