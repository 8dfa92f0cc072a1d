import type { INodeType, INodeTypes } from 'n8n-workflow';
import { toAiTool } from './ai-tool';
import type { InstalledPackage } from './installed-package';
import type { Line } from './line';
import { AGENT_TYPE, scriptedAgent } from './scripted-agent';
import { STAND_INS } from './stand-ins';

/**
 * The package's node, the tool that n8n makes of it, the agent that calls it, and for any other type (n8n's own
 * nodes are not installed) a stand-in, or else one that passes its items on.
 */
export function createNodeTypes(line: Line, { name, node, trigger }: InstalledPackage): INodeTypes {
	const { getVersionedNodeType } = line.workflow.NodeHelpers;
	const ownType = `${name}.${node.description.name}`;
	const getByName = (fullName: string) => {
		if (fullName === ownType) return node;
		if (fullName === `${name}.${trigger.description.name}`) return trigger;
		if (fullName === `${ownType}Tool`) return toAiTool(node);
		if (fullName === AGENT_TYPE) return scriptedAgent(line);
		return (STAND_INS[fullName] ?? passThrough)(fullName);
	};
	return {
		getByName,
		getByNameAndVersion: (fullName, version) => getVersionedNodeType(getByName(fullName), version),
		getKnownTypes: () => ({}),
	};
}

/** Whether a type starts workflows, which n8n's naming of types tells. */
export function isTriggerType(fullName: string): boolean {
	return /trigger$/i.test(fullName);
}

function passThrough(fullName: string): INodeType {
	const isTrigger = isTriggerType(fullName);
	// So n8n 2.x names its steps of human approval, which stand between tools and their agent.
	const link = fullName.endsWith('HitlTool') ? 'ai_tool' : 'main';
	return {
		description: {
			displayName: fullName,
			name: fullName,
			group: [isTrigger ? 'trigger' : 'transform'],
			version: 1,
			description: 'Passes its items on',
			defaults: {},
			inputs: isTrigger ? [] : [link],
			outputs: [link],
			properties: [],
		},
		// A trigger too has `execute` only: n8n runs that in preference to `trigger`, which would wait for an event.
		async execute() {
			return [this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }))];
		},
	};
}
