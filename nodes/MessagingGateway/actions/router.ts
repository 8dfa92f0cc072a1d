import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Problem } from '../domain/failures/problem';
import { openGateway } from '../transport/openGateway';
import { errorItem } from './items';
import { isNodeError, toNodeError } from './nodeErrors';
import { RESOURCES } from './resources';

/**
 * Runs the chosen operation for all items.
 *
 * @throws NodeApiError or NodeOperationError, unless the node continues on fail: then whatever goes wrong is an
 * error item, since n8n takes the input for the output of a node that throws nevertheless
 */
export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const secrets: string[] = [];
	try {
		const resource = context.getNodeParameter('resource', 0);
		const name = context.getNodeParameter('operation', 0);
		const entry = RESOURCES[String(resource)]?.operations[String(name)];
		if (entry === undefined)
			throw new Problem(
				`There is no operation '${String(name)}' of '${String(resource)}'`,
				'Choose the operation again',
			);
		const gateway = await openGateway(context, secrets, context.getExecutionCancelSignal());
		return await entry.operation.execute({ context, gateway, secrets });
	} catch (problem) {
		const errorFor = (item: number) => toNodeError(context.getNode(), problem, secrets, item);
		const error = isNodeError(problem) ? problem : errorFor(0);
		error.context.itemIndex ??= 0;
		if (!context.continueOnFail()) throw error;
		return context.getInputData().map((_, item) => errorItem({ item, error: errorFor(item) }));
	}
}
