import type { IExecuteFunctions } from 'n8n-workflow';
import { parseJson } from '../common/json';
import { readStored, writeStored, type RememberedPeople } from '../groups/memory/stored';
import type { Run } from './operation';

/** Names in n8n's static data: the one of 1.3, then those of 1.1 and 1.2. */
const NAMES = ['memory', 'refusals', 'invited'] as const;

/** Reads what n8n remembers of people for this node, as a best effort (docs/remembered.md). @param now ms since 1970 */
export function readPeople(context: IExecuteFunctions, now: number): RememberedPeople {
	try {
		const data = context.getWorkflowStaticData('node');
		return readStored(Object.fromEntries(NAMES.map((name) => [name, parseJson(data[name])])), now);
	} catch {
		return new Map();
	}
}

/** Updates what n8n remembers. Reads it again first, since calls of an AI agent may have written. A failed write fails no run. */
export function updatePeople(
	context: IExecuteFunctions,
	now: number,
	change: (people: RememberedPeople) => RememberedPeople,
): void {
	if (followsPollingTrigger(context)) return;
	try {
		const data = context.getWorkflowStaticData('node');
		const text = JSON.stringify(writeStored(change(readPeople(context, now))));
		if (data.memory !== text) data.memory = text;
	} catch {
		// People who are forgotten are tried once more.
	}
}

/** Adds a hint where the next run doesn't get what this one writes, as far as a node can tell. */
export function hintIfForgotten({ context, hints }: Run, what: string, nextRun: string): void {
	if (context.getMode() !== 'manual' && !followsPollingTrigger(context)) return;
	hints.add(
		`n8n doesn't remember who ${what} in this run, so the next one ${nextRun}. To always remember them, use 'Row Memory'.`,
	);
}

/**
 * Whether a polling trigger leads to the node; n8n gives such a trigger a parameter for its times. At the end of a run n8n
 * stores all static data as it was when the run began: the trigger would forget what it told meanwhile.
 */
function followsPollingTrigger(context: IExecuteFunctions): boolean {
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return before.some(({ parameters, disabled }) => parameters?.pollTimes !== undefined && disabled !== true);
}
