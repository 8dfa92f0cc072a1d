import type { INode, IPollFunctions, Workflow } from 'n8n-workflow';
import { createAdditionalData } from './additional-data';
import { createCredentialsHelper } from './credentials-helper';
import type { InstalledPackage } from './installed-package';
import type { Line } from './line';
import { createNodeTypes } from './node-types';
import type { Activation, PollResult } from './protocol';
import { serialiseError } from './serialise';

interface ActiveTrigger {
	context: IPollFunctions;
	workflow: Workflow;
}

const active = new Map<string, ActiveTrigger>();

/** Polls as n8n does, with the context that it makes when the trigger is switched on. */
export async function pollTrigger(
	line: Line,
	installed: InstalledPackage,
	activation: Activation & { parameters: INode['parameters'] },
): Promise<Omit<PollResult, 'logs'>> {
	const { context, workflow } = active.get(activation.id) ?? switchOn(line, installed, activation);
	const { poll } = installed.trigger;
	if (!poll) throw new Error('The trigger does not poll');
	const after = () => {
		const isWritten = workflow.staticData.__dataChanged === true;
		// As n8n does once it has saved them.
		workflow.staticData.__dataChanged = false;
		return { staticData: workflow.staticData, isWritten };
	};
	try {
		// Not `poll.call(…)`: n8n's own context does not fit n8n's own type under `exactOptionalPropertyTypes`.
		const outputs: Awaited<ReturnType<typeof poll>> = await Reflect.apply(poll, context, []);
		return { items: outputs && outputs.flat().map(({ json }) => ({ json })), ...after() };
	} catch (error) {
		return { items: null, error: serialiseError(error), ...after() };
	}
}

function switchOn(
	line: Line,
	installed: InstalledPackage,
	{
		id,
		mode,
		activation,
		parameters,
		credentials,
		credentialId,
		staticData,
		budget,
	}: Activation & { parameters: INode['parameters'] },
): ActiveTrigger {
	const { name } = installed.trigger.description;
	const node: INode = {
		id: 'trigger',
		name: 'Trigger',
		type: `${installed.name}.${name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [installed.credential.name]: { id: credentialId, name: 'Gateway' } },
	};
	const workflow = new line.workflow.Workflow({
		id: 'test',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: createNodeTypes(line, installed),
		staticData: { ...staticData },
	});
	const additionalData = createAdditionalData(line, createCredentialsHelper(line, installed, credentials));
	// The workflow fills in the defaults of parameters that are not saved.
	const ownNode = workflow.getNode(node.name) ?? node;
	const context = line.core.getExecutePollFunctions(workflow, ownNode, additionalData, mode, activation);
	if (budget !== undefined) context.getPollBudgetMs = () => budget;
	const trigger = { context, workflow };
	active.set(id, trigger);
	return trigger;
}
