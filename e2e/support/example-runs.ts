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
	const isChange = /Participants$|^sendInvite$|^resetInviteLink$/.test(String(node.parameters.operation));
	if (!node.type.endsWith('.messagingGateway') || !isChange) return node;
	const options = { ...Object(node.parameters.options), batchInterval: 0 };
	return { ...node, parameters: { ...node.parameters, options } };
}

/** A node whose Dry Run has been turned off. */
export function notDry(node: Node): Node {
	return node.parameters.dryRun === true
		? { ...node, parameters: { ...node.parameters, dryRun: false } }
		: node;
}
