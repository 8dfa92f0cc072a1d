import type { IExecuteFunctions } from 'n8n-workflow';
import { recordOf } from '../common/json';
import { executionMemory } from './executionMemory';

/**
 * What the node keeps between production runs, as JSON, in its static data. A best effort: n8n keeps it for production
 * runs only, and forgets it when the run is canceled, or the node renamed or copied. In queue mode, n8n 2.x's workers get
 * none of it.
 *
 * @param name what it is about
 * @returns `undefined` if there is none, or it can't be read
 */
export function readMemory(context: IExecuteFunctions, name: string): unknown {
	return valueOf(textIn(context, name));
}

/** The same for those who read again and again while others may write, such as the calls of an AI agent. */
export function openStaticMemory(
	context: IExecuteFunctions,
	name: string,
): { read: () => unknown; write: (value: object) => void } {
	let known: unknown;
	let value: unknown;
	return {
		read() {
			const text = textIn(context, name);
			if (text !== known) value = valueOf(text);
			known = text;
			return value;
		},
		write: (changed) => writeMemory(context, name, changed),
	};
}

/** Whether n8n will have in the next run what is kept in this one, as far as a node can tell. */
export function isRemembered(context: IExecuteFunctions): boolean {
	return context.getMode() !== 'manual' && !followsPollingTrigger(context);
}

/**
 * Keeps something between production runs; after a polling trigger until the execution ends. That it can't be kept is no
 * reason for a run to fail.
 */
export function writeMemory(context: IExecuteFunctions, name: string, value: unknown): void {
	try {
		const text = JSON.stringify(value);
		if (followsPollingTrigger(context)) {
			const kept = executionMemory(context);
			kept.memories = { ...recordOf(kept.memories), [name]: text };
			return;
		}
		const data = context.getWorkflowStaticData('node');
		if (data[name] !== text) data[name] = text;
	} catch {
		// What is forgotten is asked for once more.
	}
}

/** `undefined` for what isn't JSON. */
function valueOf(text: unknown): unknown {
	try {
		return typeof text === 'string' ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
}

/** `undefined` also where n8n gives none. */
function textIn(context: IExecuteFunctions, name: string): unknown {
	try {
		const { memories } = executionMemory(context);
		return recordOf(memories)[name] ?? context.getWorkflowStaticData('node')[name];
	} catch {
		return undefined;
	}
}

/**
 * Whether a trigger that polls leads to the node; n8n gives each of them a parameter for its times. At the end of a run
 * n8n stores what all nodes keep as it was when the run began: the trigger would forget what it told of meanwhile, and
 * tell it again after a restart.
 */
function followsPollingTrigger(context: IExecuteFunctions): boolean {
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return before.some(({ parameters, disabled }) => parameters?.pollTimes !== undefined && disabled !== true);
}
