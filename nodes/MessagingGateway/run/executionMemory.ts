import type { IExecuteFunctions } from 'n8n-workflow';
import type { JsonRecord } from '../common/json';
import { HOUR } from '../common/time';

/** What is about one run: what counts for its limits, and what has ended its invites. */
const OF_A_RUN = [
	'messagesSent',
	'sentChanges',
	'removedMembers',
	'stoppedInvites',
	'refusedInARow',
] as const;

/**
 * What n8n keeps for the node until the execution ends, from one round of a loop, one try and one call of a tool to the
 * next. If nothing was sent for an hour, that of the run is forgotten: a loop that waits so long is no quicker than a schedule.
 */
export function executionMemory(context: Pick<IExecuteFunctions, 'getContext'>): JsonRecord {
	const kept: JsonRecord = context.getContext('node');
	if (Number(kept.repliedAt) < Date.now() - HOUR) for (const name of OF_A_RUN) delete kept[name];
	return kept;
}
