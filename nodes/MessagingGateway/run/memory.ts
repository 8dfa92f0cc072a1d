import type { IExecuteFunctions, IDataObject } from 'n8n-workflow';
import { isRecord, recordOf, textOf, type JsonRecord } from '../common/json';
import { groupBy } from '../common/maps';
import { attempt } from '../common/problem';
import { hashOf } from '../common/text';
import { GroupMemory, withinLimit } from '../groups/memory/groupMemory';
import type { Met } from '../groups/memory/knownPeople';
import type { Recaller } from '../groups/sync/rules';
import { nodeIdOf, type Run } from './operation';

const OF_NODE = 'messagingGateway ';

/** Makes a function that gives the memory of a group: this node's in both stores, and the process's notes. */
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

/** Gives the stores of a workflow, of the process and of n8n: by key, the memory of each node, and others. */
function storesOf({
	context,
	session,
}: Pick<Run, 'context' | 'session'>): [process: JsonRecord, n8n: JsonRecord] {
	return [session.gateway.memoryOf(context.getWorkflow().id ?? ''), workflowData(context)];
}

/** Finds a node's place by its ID. A pasted or imported one has a new ID, and takes over that of its name. */
function findPlace(store: JsonRecord, context: IExecuteFunctions) {
	const own = readPlace(store[placeKey(context)]);
	if (own !== undefined) return { place: own };
	const { name } = context.getNode();
	const old = Object.keys(store).find(
		(key) => key.startsWith(OF_NODE) && readPlace(store[key])?.name === name,
	);
	return { old, place: old === undefined ? undefined : readPlace(store[old]) };
}

/** Reads the part of a store that is a node's: its name, and a text for each group. */
function readPlace(value: unknown) {
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
	const groups = takePlace(own, context);
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
	// n8n saves its objects whole when the execution ends: the process's own, with what others note until then.
	// Else the run that ends last would wipe it, and leavers come back.
	takePlace(n8n, context, groups);
	if (people.length > 0) session.gateway.storedFor.add(node);
}

/** Makes a node's place in a store its own: under its ID, with its name. @returns its groups */
function takePlace(store: JsonRecord, context: IExecuteFunctions, groups?: JsonRecord): JsonRecord {
	const { old, place } = findPlace(store, context);
	const own = { name: context.getNode().name, groups: groups ?? place?.groups ?? {} };
	store[placeKey(context)] = own;
	if (old !== undefined) delete store[old];
	return own.groups;
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

/** Texts that n8n keeps for all of these nodes: own accounts by instance, groups by instance and name. */
type Shelf = 'own' | 'groups';

/** Maximum number of texts on a shelf. Above it, the oldest go. */
const MOST_KEPT = 1000;

/** Makes a key for something at a gateway. Exported workflows have this data, so the address isn't in it. */
export function shelfKey(baseUrl: string, ...names: readonly string[]): string {
	return JSON.stringify([hashOf(baseUrl), ...names]);
}

/** Gives n8n's static data of the workflow, or an empty object where n8n gives none. */
function workflowData(context: IExecuteFunctions): IDataObject {
	return attempt(() => context.getWorkflowStaticData('global')) ?? {};
}

/** Reads a text from a shelf. @param key as {@link shelfKey} makes it */
export function kept(context: IExecuteFunctions, shelf: Shelf, key: string): string | undefined {
	return textOf(recordOf(workflowData(context)[dataKey(shelf)])[key]);
}

/** Whether a shelf has anything under keys that begin with these names. */
export function keepsAny(context: IExecuteFunctions, shelf: Shelf, key: string): boolean {
	const begin = `${key.slice(0, -1)},`;
	return Object.keys(recordOf(workflowData(context)[dataKey(shelf)])).some((one) => one.startsWith(begin));
}

/** Writes a text to a shelf, as the newest one. A write that doesn't work fails no run. */
export function keep(context: IExecuteFunctions, shelf: Shelf, key: string, text: string): void {
	if (!isSaved(context)) return;
	const data = workflowData(context);
	const { [key]: before, ...others } = recordOf(data[dataKey(shelf)]);
	// n8n saves the workflow's data again after each change: what is in use moves only once many are newer.
	const newest = Object.keys(recordOf(data[dataKey(shelf)])).slice(-MOST_KEPT / 2);
	if (before === text && newest.includes(key)) return;
	const entries = [...Object.entries(others), [key, text]].slice(-MOST_KEPT);
	data[dataKey(shelf)] = Object.fromEntries(entries) as IDataObject;
}

const dataKey = (shelf: Shelf) => `messagingGateway ${shelf}`;

/**
 * Whether n8n saves for later runs what this one writes. A retry has no data, or old ones: saved in place of
 * all that later nights noted, they would bring back whoever had left.
 */
function isSaved(context: IExecuteFunctions): boolean {
	return !['manual', 'retry'].includes(context.getMode()) && !followsPollingTrigger(context);
}

/**
 * Whether a polling trigger, which has a parameter for its times, leads to the node. At the end n8n stores all
 * static data as it was when the run began: the trigger would forget what it told meanwhile.
 */
function followsPollingTrigger(context: IExecuteFunctions): boolean {
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return before.some(({ parameters, disabled }) => parameters?.pollTimes !== undefined && disabled !== true);
}
