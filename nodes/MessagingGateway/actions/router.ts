import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Problem, sayUnsent } from '../common/problem';
import { uncapitalized } from '../common/text';
import { GatewayClient } from '../gateway/client';
import { redactText } from '../gateway/redact/redactText';
import { errorItem, outputFinisher } from '../run/items';
import { messageWithAdvice, toNodeError } from '../run/nodeErrors';
import { executionRef, makeGiveWay, type Operation, type Run } from '../run/operation';
import { ItemParameters } from '../run/parameters';
import { RESOURCES } from './resources';

/** Runs the chosen operation. If the node continues on fail, it never throws: n8n would output the input. */
export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const secrets: string[] = [];
	const parameters = new ItemParameters(context);
	let operation: Operation | undefined;
	let client: GatewayClient | undefined;
	let runIndex = 0;
	try {
		operation = operationOf(context);
		const { onlyReads, isMessage } = operation;
		const ref = executionRef(context);
		({ runIndex } = ref);
		const cancelSignal = context.getExecutionCancelSignal();
		client = await GatewayClient.open(context, secrets, { cancelSignal, execution: ref });
		const { session } = client;
		const { execution, node: nodeKey, repliedAt } = session.part;
		const run: Run = {
			...{ context, parameters, client, session, execution, node: nodeKey, secrets, onlyReads, isMessage },
			account: (instance) => session.account(instance),
			people: session.gateway.people,
			hints: new Set(),
			giveWay: makeGiveWay(),
			hasSentBefore: repliedAt > -Infinity,
			startedAt: execution.startedAt,
		};
		const outputs = await finish(run, await operation.execute(run));
		session.part.hasFailed = false;
		return outputs;
	} catch (problem) {
		const isEarly = client === undefined && problem instanceof Problem;
		// In a later round, earlier ones may have sent something.
		const early = { onlyReads: operation?.onlyReads, hasSentBefore: runIndex > 0 };
		const own = isEarly ? { message: sayUnsent(early, uncapitalized(problem.message)) } : undefined;
		const error = toNodeError(node, problem, secrets, 0, own);
		if (context.continueOnFail())
			return [...context.getInputData().keys()].map((item) => errorItem({ item, error }));
		// An AI agent tells its model nothing but the message. So n8n names the tool that it makes of a node.
		if (node.type.endsWith('Tool')) error.message = messageWithAdvice(error);
		if (client) client.session.part.hasFailed = client.session.part.isReal;
		throw error;
	} finally {
		client?.session.end();
	}
}

/** Shows the hints, and redacts the key in hints and outputs. */
async function finish({ context, hints, secrets, giveWay }: Run, outputs: INodeExecutionData[]) {
	for (const hint of hints) {
		// n8n shows it as HTML: `<!--` in a row would hide what follows, and `<img` call a stranger's server.
		const message = redactText(hint, secrets).replaceAll('<', '‹');
		context.addExecutionHints({ message, location: 'outputPane' });
	}
	const finishJson = outputFinisher(context.getNode(), secrets);
	for (const output of outputs) {
		await giveWay();
		output.json = finishJson(output.json);
	}
	return outputs;
}

function operationOf(context: IExecuteFunctions): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const name = String(context.getNodeParameter('operation', 0));
	const operations = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource]?.operations : undefined;
	const operation = operations && Object.hasOwn(operations, name) ? operations[name] : undefined;
	if (operation !== undefined) return operation;
	throw new Problem(`There is no operation '${name}' of '${resource}'`, 'Choose the operation again');
}
