import type { IExecuteFunctions } from 'n8n-workflow';
import type { ExecutionRef } from '../gateway/execution';

/** Reads from n8n which execution of the node a run belongs to. */
export function executionRef(context: IExecuteFunctions): ExecutionRef {
	const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
	return {
		id: context.getExecutionId() || undefined,
		node: context.getNode().name,
		signal: context.getExecutionCancelSignal(),
		runIndex: Number(runIndex),
	};
}
