import { addWorkflow, builtInNode, publish, type WorkflowNode } from './published';
import type { Rest } from './rest';
import { underTest } from './under-test';

/** Puts a node into a workflow of its own, which others call. Gives that workflow's id. */
export async function publishSubWorkflow(rest: Rest, node: WorkflowNode): Promise<string> {
	const trigger = builtInNode('When called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
		inputSource: 'passthrough',
	});
	const id = await addWorkflow(rest, `${node.name} of its own`, [trigger, node]);
	// n8n 1.x has no such workflow published.
	if (underTest().line.number > 1) await publish(rest, id);
	return id;
}

/** A node that calls such a workflow with all items at once, and gives what that gives. */
export function callOf(workflow: string): WorkflowNode {
	return builtInNode('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: workflow },
		mode: 'once',
		options: { waitForSubWorkflow: true },
	});
}
