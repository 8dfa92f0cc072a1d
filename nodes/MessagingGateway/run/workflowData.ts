import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { recordOf, textOf } from '../common/json';
import { hashOf } from '../common/text';

/** Texts that n8n keeps for all nodes of this package: own accounts by instance, groups by instance and name. */
export type Shelf = 'own' | 'groups';

/** Maximum number of texts on a shelf. Above it, the oldest go. */
const MOST_KEPT = 1000;

/** Makes a key for something at a gateway. The address itself isn't written: exported workflows have this data. */
export function shelfKey(baseUrl: string, ...names: readonly string[]): string {
	return JSON.stringify([hashOf(baseUrl), ...names]);
}

/** Gives n8n's static data of the workflow, or an empty object where n8n gives none. */
export function workflowData(context: IExecuteFunctions): IDataObject {
	try {
		return context.getWorkflowStaticData('global');
	} catch {
		return {};
	}
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
export function isSaved(context: IExecuteFunctions): boolean {
	return !['manual', 'retry'].includes(context.getMode()) && !followsPollingTrigger(context);
}

/**
 * Whether a polling trigger leads to the node; n8n gives such a trigger a parameter for its times. At the end of a run n8n
 * stores all static data as it was when the run began: the trigger would forget what it told meanwhile.
 */
export function followsPollingTrigger(context: IExecuteFunctions): boolean {
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return before.some(({ parameters, disabled }) => parameters?.pollTimes !== undefined && disabled !== true);
}
