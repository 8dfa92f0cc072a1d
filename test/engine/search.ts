import type { INode, INodeListSearchResult, INodeParameters } from 'n8n-workflow';
import { createAdditionalData } from './additional-data';
import { createCredentialsHelper } from './credentials-helper';
import type { InstalledPackage } from './installed-package';
import type { Line } from './line';
import { createNodeTypes } from './node-types';
import type { SearchOptions } from './protocol';

/** Calls one of the node's `listSearch` methods, with the context that n8n gives it in the editor. */
export async function searchList(
	line: Line,
	installed: InstalledPackage,
	method: string,
	{ credentials, filter, ...options }: SearchOptions & { parameters: INodeParameters },
): Promise<INodeListSearchResult> {
	const search = installed.node.methods?.listSearch?.[method];
	if (!search) throw new Error(`The node has no listSearch method "${method}"`);
	const { name } = installed.node.description;
	const node: INode = {
		id: '1',
		name: 'Temp-Node', // the editor's name for it
		type: `${installed.name}.${name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: options.parameters,
		credentials: { [installed.credential.name]: { id: '1', name: 'Gateway' } },
	};
	const workflow = new line.workflow.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: createNodeTypes(line, installed),
	});
	const additionalData = createAdditionalData(line, createCredentialsHelper(line, installed, credentials), {
		currentNodeParameters: options.parameters,
	});
	const context = new line.core.LoadOptionsContext(workflow, node, additionalData, '');
	// Not `search.call(…)`: n8n's own context does not fit n8n's own type under `exactOptionalPropertyTypes`.
	return await Reflect.apply(search, context, [filter]);
}
