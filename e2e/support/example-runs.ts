import { runByHand, type Execution } from './executions';
import type { Rest } from './rest';
import { readExample, type Workflow } from './site';

type Node = Workflow['nodes'][number];

/** Runs an example from the editor, as it is but for its pauses and what a person has changed in its nodes. */
export async function runExample(
	rest: Rest,
	name: string,
	change: (node: Node) => Node = (node) => node,
): Promise<Execution> {
	const example = readExample(name);
	const nodes = example.nodes.map((node) => change(withoutPauses(node)));
	await rest.patch(`/rest/workflows/${example.id}`, { nodes });
	return await runByHand(rest, { ...example, nodes });
}

/** A node that sends its requests one after the other at once. */
export function withoutPauses(node: Node): Node {
	return withOptions(node, { batchInterval: 0 });
}

/** A node whose option Dry Run has been turned off. */
export function notDry(node: Node): Node {
	return withOptions(node, { dryRun: false });
}

function withOptions(node: Node, more: object): Node {
	const { options } = node.parameters;
	return node.type.endsWith('.messagingGateway') && options !== undefined
		? { ...node, parameters: { ...node.parameters, options: { ...Object(options), ...more } } }
		: node;
}
