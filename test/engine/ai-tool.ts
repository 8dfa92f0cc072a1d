import type { INodeProperties, INodeType } from 'n8n-workflow';

/** The fields that n8n puts before a tool's own: what the model is told of it. */
const DESCRIPTION_FIELDS: INodeProperties[] = [
	{ displayName: 'Tool Description', name: 'descriptionType', type: 'options', default: 'auto' },
	{
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: '',
		displayOptions: { show: { descriptionType: ['manual'] } },
	},
];

/**
 * The tool for AI agents that n8n's server makes of a node. The part of n8n that does so is the server's own
 * (its `tool-generation`); what makes calls of such a tool, and its name, description and schema, is the engine's.
 *
 * @throws where the node is not usable as a tool, as on a server
 */
export function toAiTool({ description, execute, methods }: INodeType): INodeType {
	const { usableAsTool, ...rest } = description;
	if (!usableAsTool || !execute) throw new Error('Node cannot be used as a tool');
	return {
		description: {
			...rest,
			name: `${rest.name}Tool`,
			displayName: `${rest.displayName} Tool`,
			inputs: [],
			outputs: ['ai_tool'],
			properties: [...DESCRIPTION_FIELDS, ...rest.properties],
		},
		execute,
		...(methods && { methods }),
	};
}
