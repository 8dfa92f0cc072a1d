import type { IExecuteFunctions } from 'n8n-workflow';
import { parseJson } from '../common/json';
import type { Identity } from '../groups/identity';
import type { Sources } from '../groups/memory/recall';
import {
	factsOf,
	readStored,
	storedReader,
	withPeople,
	writeStored,
	type StoredPeople,
} from '../groups/memory/stored';
import type { Run } from './operation';

/** Names in n8n's static data: the one of 1.3, then those of 1.1 and 1.2. */
const NAMES = ['memory', 'refusals', 'invited'] as const;

/** Makes a function that finds what n8n and the process remember of a person. n8n's part is a best effort (docs/remembered.md). */
export function recallerFor({ context, client, startedAt }: MemoryRun) {
	const stored = readPeople(context);
	const read = storedReader(startedAt);
	return (groupJid: string, ids: readonly Identity[]): Pick<Sources, 'n8n' | 'process'> => ({
		n8n: factsOf(stored, groupJid, ids, read),
		process: client.session.people.find(groupJid, ids),
	});
}

type MemoryRun = Pick<Run, 'context' | 'client' | 'node' | 'startedAt'>;

function readPeople(context: IExecuteFunctions): StoredPeople {
	try {
		const data = context.getWorkflowStaticData('node');
		return readStored(Object.fromEntries(NAMES.map((name) => [name, parseJson(data[name])])));
	} catch {
		return new Map();
	}
}

/** Writes texts of people in groups to n8n. A write that doesn't work fails no run: who is forgotten is tried once more. */
export function store(
	{ context, client, node, startedAt }: MemoryRun,
	groups: Parameters<typeof withPeople>[2],
): void {
	if (followsPollingTrigger(context)) return;
	try {
		const data = context.getWorkflowStaticData('node');
		// It's read again, since calls of an AI agent may have written.
		const text = JSON.stringify(writeStored(withPeople(readPeople(context), startedAt, groups)));
		if (data.memory !== text) data.memory = text;
		if (context.getMode() !== 'manual' && groups.length > 0) client.session.people.storedFor.add(node);
	} catch {
		// As above.
	}
}

/** Says if n8n forgets what a run notes: in workflows of polling triggers, or where it gives a later run nothing back. */
export function lossHints({ context, client, node }: MemoryRun): string[] {
	const isLost =
		context.getMode() !== 'manual' &&
		client.session.people.storedFor.has(node) &&
		readPeople(context).size === 0;
	return isLost || followsPollingTrigger(context) ? [NOT_KEPT] : [];
}

const NOT_KEPT =
	"n8n doesn't keep this node's memory here: after a restart it's unknown who left and who was refused. To keep it in your list, add 'Row Memory'.";

/**
 * Whether a polling trigger leads to the node; n8n gives such a trigger a parameter for its times. At the end of a run n8n
 * stores all static data as it was when the run began: the trigger would forget what it told meanwhile.
 */
function followsPollingTrigger(context: IExecuteFunctions): boolean {
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return before.some(({ parameters, disabled }) => parameters?.pollTimes !== undefined && disabled !== true);
}
