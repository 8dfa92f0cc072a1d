import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What the node keeps between production runs, as JSON, in its static data. A best effort: n8n keeps it for production
 * runs only, and forgets it when the run is canceled, or the node renamed or copied.
 *
 * @param name what it is about
 * @returns nothing if there is nothing, or it can't be read
 */
export function readMemory(context: IExecuteFunctions, name: string): unknown {
	try {
		const text: unknown = context.getWorkflowStaticData('node')[name];
		return typeof text === 'string' ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
}

/** Keeps something between production runs. That it can't be kept is no reason for a run to fail. */
export function writeMemory(context: IExecuteFunctions, name: string, value: unknown): void {
	try {
		const data = context.getWorkflowStaticData('node');
		const text = JSON.stringify(value);
		if (data[name] !== text) data[name] = text;
	} catch {
		// What is forgotten is asked for once more.
	}
}
