import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Problem } from '../common/problem';
import { uncapitalized } from '../common/text';
import { GatewayClient } from '../gateway/client';
import { redactText } from '../gateway/redact/redactText';
import { EventLoop } from '../run/eventLoop';
import { executionRef } from '../run/executionRef';
import { beforeSending, errorItem } from '../run/items';
import { adviseModel, isNodeError, toNodeError } from '../run/nodeErrors';
import type { Operation } from '../run/operation';
import { outputFinisher } from '../run/output';
import { ItemParameters } from '../run/parameters';
import { RESOURCES } from './resources';

/**
 * Runs the chosen operation for all items.
 *
 * @throws NodeApiError or NodeOperationError, unless the node continues on fail: then whatever goes wrong is an
 * error item, since n8n takes the input for the output of a node that throws nevertheless
 */
export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const secrets: string[] = [];
	const hints = new Set<string>();
	const eventLoop = new EventLoop();
	let operation: Operation | undefined;
	let client: GatewayClient | undefined;
	let runIndex = 0;
	try {
		operation = operationOf(context);
		const execution = executionRef(context);
		({ runIndex } = execution);
		client = await GatewayClient.open(context, secrets, { cancelSignal: execution.signal, execution });
		const parameters = new ItemParameters(context);
		const { onlyReads } = operation;
		const hasSentBefore = client.execution.hasSent;
		const startedAt = Date.now();
		const run = {
			context,
			parameters,
			client,
			secrets,
			hints,
			eventLoop,
			startedAt,
			onlyReads,
			hasSentBefore,
		};
		const outputs = await operation.execute(run);
		for (const hint of hints)
			context.addExecutionHints({ message: redactText(hint, secrets), location: 'outputPane' });
		const finish = outputFinisher(context.getNode(), secrets);
		return await eventLoop.map(outputs, (item) => {
			const json = finish(item.json);
			return json === item.json ? item : { ...item, json };
		});
	} catch (problem) {
		const isEarly = client === undefined && problem instanceof Problem;
		const early = { onlyReads: operation?.onlyReads, hasSentBefore: runIndex > 0 };
		const own = isEarly ? { message: beforeSending(early, uncapitalized(problem.message)) } : {};
		const errorFor = (item: number) => toNodeError(context.getNode(), problem, secrets, item, own);
		const error = isNodeError(problem) ? problem : errorFor(0);
		error.context.itemIndex ??= 0;
		if (!context.continueOnFail()) throw adviseModel(context.getNode(), error);
		return await eventLoop.map(context.getInputData().keys(), (item) =>
			errorItem({ item, error: errorFor(item) }),
		);
	} finally {
		client?.end();
	}
}

function operationOf(context: IExecuteFunctions): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const name = String(context.getNodeParameter('operation', 0));
	const operations = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource]?.operations : undefined;
	const operation = operations && Object.hasOwn(operations, name) ? operations[name] : undefined;
	if (operation !== undefined) return operation;
	throw new Problem(`There is no operation '${name}' of '${resource}'`, 'Choose the operation again');
}
