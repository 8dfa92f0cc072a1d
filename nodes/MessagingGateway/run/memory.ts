import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Identity } from '../groups/identity';
import { KnownPeople, type Met } from '../groups/memory/knownPeople';
import type { Sources } from '../groups/memory/recall';
import { nodeIdOf, type Run } from './operation';
import { followsPollingTrigger, workflowData } from './workflowData';

/** Makes a function that finds what n8n and the process remember of a person. n8n's part is a best effort (docs/remembered.md). */
export function recallerFor({ context, client, startedAt }: Pick<Run, 'context' | 'client' | 'startedAt'>) {
	const { data, key } = placeFor(context);
	const stored = KnownPeople.read(data[key], startedAt);
	return (groupJid: string, ids: readonly Identity[]): Pick<Sources, 'n8n' | 'process'> => ({
		n8n: stored.find(groupJid, ids),
		process: client.session.gateway.people.find(groupJid, ids),
	});
}

/**
 * Finds the place in the workflow's static data where n8n keeps a node's memory. n8n's own place for a node has its name: a
 * renamed node would know nobody, and add everybody who had ever left in one night.
 */
function placeFor(context: IExecuteFunctions): { data: IDataObject; key: string } {
	const key = `messagingGateway ${nodeIdOf(context)}`;
	return { data: workflowData(context), key };
}

/** Writes to n8n what is known of people whom a run has met. A write that doesn't work fails no run: who is forgotten is tried once more. */
export async function store(
	run: Pick<Run, 'context' | 'client' | 'node' | 'startedAt' | 'giveWay'>,
	people: readonly Met[],
): Promise<void> {
	const { context, client, node, startedAt } = run;
	if (followsPollingTrigger(context)) return;
	const { data, key } = placeFor(context);
	for (let isWritten = false; !isWritten;) {
		const before = data[key];
		const known = KnownPeople.read(before, startedAt);
		for (const person of people) {
			await run.giveWay();
			known.remember(person, run);
		}
		// Meanwhile, another call of an AI agent may have written.
		isWritten = data[key] === before;
		if (isWritten) data[key] = known.write();
	}
	if (people.length > 0 && context.getMode() !== 'manual') client.session.gateway.storedFor.add(node);
}

/** Says if n8n forgets what a run notes: in workflows of polling triggers, or where it gives a later run nothing back. */
export function lossHints({ context, client, node }: Pick<Run, 'context' | 'client' | 'node'>): string[] {
	const { data, key } = placeFor(context);
	const isKept = context.getMode() === 'manual' || !client.session.gateway.storedFor.has(node);
	const isLost = !isKept && data[key] === undefined;
	return isLost || followsPollingTrigger(context) ? [NOT_KEPT] : [];
}

const NOT_KEPT =
	"n8n doesn't keep this node's memory here: after a restart, whoever left or was refused is tried again, and may get a second message. To keep it in your list, add 'Row Memory'.";
