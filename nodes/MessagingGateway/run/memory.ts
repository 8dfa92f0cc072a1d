import type { IExecuteFunctions } from 'n8n-workflow';
import { isRecord, recordOf, textOf } from '../common/json';
import { groupBy } from '../common/maps';
import { GroupMemory, withinLimit } from '../groups/memory/groupMemory';
import type { Met } from '../groups/memory/knownPeople';
import type { Recaller } from '../groups/sync/rules';
import { nodeIdOf, type Run } from './operation';
import { followsPollingTrigger, isSaved, workflowData } from './workflowData';

/** A store of a workflow: by key, the memory of each node, beside other things. */
type Store = Record<string, unknown>;

/** The part of a store that is a node's: its name, and a text for each group. */
interface Place {
	readonly name: string;
	readonly groups: Record<string, unknown>;
}

const OF_NODE = 'messagingGateway ';

/** Makes a function that gives the memory of a group: of this node in both stores, and the process's notes. */
export function recallerFor(
	run: Pick<Run, 'context' | 'session' | 'people' | 'node' | 'startedAt'>,
): (groupJid: string) => Recaller {
	const { context, people, startedAt } = run;
	const isUnkept = isForgotten(run);
	return (groupJid) => {
		const texts = storesOf(run).map((store) => findPlace(store, context).place?.groups[groupJid]);
		const group = new GroupMemory(texts, startedAt);
		return {
			find: (ids) => ({ node: group.find(ids), notes: people.find(groupJid, ids) }),
			lastRun: group.lastRun(startedAt),
			knowsAnybody: group.people.size > 0,
			isUnkept,
		};
	};
}

/** Gives the stores of a workflow: the process, and n8n, which keeps its own for production runs. */
function storesOf({ context, session }: Pick<Run, 'context' | 'session'>): [process: Store, n8n: Store] {
	return [session.gateway.memoryOf(context.getWorkflow().id ?? ''), workflowData(context)];
}

/** Finds a node's place by its ID. One that was pasted or imported has a new ID, and takes over that of its name. */
function findPlace(store: Store, context: IExecuteFunctions) {
	const own = readPlace(store[placeKey(context)]);
	if (own !== undefined) return { place: own };
	const { name } = context.getNode();
	const old = Object.keys(store).find(
		(key) => key.startsWith(OF_NODE) && readPlace(store[key])?.name === name,
	);
	return { old, place: old === undefined ? undefined : readPlace(store[old]) };
}

function readPlace(value: unknown): Place | undefined {
	const { name, groups } = recordOf(value);
	const text = textOf(name);
	return text !== undefined && isRecord(groups) ? { name: text, groups } : undefined;
}

/** Writes to both stores whom a run has met, and what either has of other groups. */
export async function store(
	run: Pick<Run, 'context' | 'session' | 'node' | 'giveWay'>,
	people: readonly Met[],
): Promise<void> {
	const { context, session, node } = run;
	const [own, n8n] = storesOf(run);
	const met = groupBy(people, ({ groupJid }) => groupJid);
	const { groups } = takePlace(own, context);
	const saved = findPlace(n8n, context).place?.groups ?? {};
	for (const groupJid of new Set([...met.keys(), ...Object.keys(groups), ...Object.keys(saved)])) {
		await run.giveWay();
		// Another run may have written meanwhile: read and written in one go.
		const texts = new Set([groups[groupJid], saved[groupJid]]);
		const ofGroup = met.get(groupJid) ?? [];
		if (ofGroup.length === 0 && texts.size === 1) continue;
		const group = new GroupMemory([...texts], Date.now());
		for (const { ids, facts } of ofGroup) group.note(ids, facts, Date.now());
		groups[groupJid] = group.write();
	}
	const before = { ...groups };
	for (const [groupJid, text] of Object.entries(await withinLimit(before, Date.now(), run.giveWay)))
		// What another run has written meanwhile stays.
		if (groups[groupJid] === before[groupJid]) groups[groupJid] = text;
	if (!isSaved(context)) return;
	// n8n saves its objects whole when the execution ends: as they are the process's, with what others note until
	// then. Else the run that ends last would wipe it, and leavers come back.
	takePlace(n8n, context, groups);
	if (people.length > 0) session.gateway.storedFor.add(node);
}

/** Makes a node's place in a store its own: under its ID, with its name. */
function takePlace(store: Store, context: IExecuteFunctions, groups?: Place['groups']): Place {
	const { old, place } = findPlace(store, context);
	const own: Place = { name: context.getNode().name, groups: groups ?? place?.groups ?? {} };
	store[placeKey(context)] = own;
	if (old !== undefined) delete store[old];
	return own;
}

function placeKey(context: IExecuteFunctions): string {
	return OF_NODE + nodeIdOf(context);
}

/** Whether n8n keeps no memory of the node: behind a polling trigger, or where it gives nothing back. */
export function isForgotten({ context, session, node }: Pick<Run, 'context' | 'session' | 'node'>): boolean {
	if (followsPollingTrigger(context)) return true;
	const isStored = isSaved(context) && session.gateway.storedFor.has(node);
	return isStored && findPlace(workflowData(context), context).place === undefined;
}

const NO_MEMORY = 'n8n keeps no memory here';
const OF_ITS_OWN = 'put this node into a workflow of its own that Execute Workflow calls';
export const NOT_KEPT = `${NO_MEMORY}: ${OF_ITS_OWN}`;
export const NO_GRACE = `${NO_MEMORY}, so nobody will be removed: ${OF_ITS_OWN}`;
