import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';
import { HOUR } from '../common/time';

/** What counts for the limits of a run: messages, and changes of Sync. */
const AMOUNTS = ['messagesSent', 'sentChanges'] as const;

/**
 * What n8n keeps for the node until the execution ends, from one round of a loop, one try and one call of a tool to the
 * next. If nothing was sent for an hour, amounts are forgotten: a loop that waits so long is no quicker than a schedule.
 */
export function executionMemory(context: Pick<IExecuteFunctions, 'getContext'>): IContextObject {
	const kept = context.getContext('node');
	if (Number(kept.repliedAt) < Date.now() - HOUR) for (const name of AMOUNTS) delete kept[name];
	return kept;
}

/** Whether the node has sent something in this execution so far. */
export function hasSentIn(context: Pick<IExecuteFunctions, 'getContext'>): boolean {
	return executionMemory(context).repliedAt !== undefined;
}
