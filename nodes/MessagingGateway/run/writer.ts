import type { RequestOptions } from '../gateway/retry';
import type { GroupRef } from '../groups/change';
import type { Run } from './operation';

export interface RunOptions extends RequestOptions {
	/** Time from a response to the next request, in ms. */
	batchInterval: number;
	dryRun: boolean;
}

/** Begins the changes of a run. Unless it's a dry run, a stop of one of the groups' accounts stops the run, too. */
export function startChanges(
	{ client, context, hints }: Run,
	{ batchInterval, dryRun }: RunOptions,
	groups: readonly GroupRef[],
): void {
	client.run.startChanges(dryRun ? [] : groups, batchInterval);
	if (dryRun && context.getMode() !== 'manual') hints.add('Dry Run is on: nothing was changed');
}
