import type { IExecuteFunctions } from 'n8n-workflow';
import { RESOURCES } from '../../nodes/MessagingGateway/actions/resources';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import type { Host } from '../engine/gateways/replies';
import type { Answer, Asked } from '../engine/gateways/server';
import { bodyText } from '../gateway/wire';
import { JSON_TYPE } from '../gateway/reply';
import { NODE } from './run/context';

/** What a field comes to: the value of a locator, and that of an expression. */
function valueOf(field: unknown, item: object): unknown {
	if (typeof field === 'object' && field !== null && '__rl' in field && 'value' in field)
		return valueOf(field.value, item);
	const [, expression] = /^=\{\{ (.*) \}\}$/.exec(String(field)) ?? [];
	return expression === undefined ? field : new Function('$json', `return ${expression}`)(item);
}

/** As much of n8n as the node needs to run once on one item, with a stand-in for HTTP. */
function contextOf(
	{ url: baseUrl, calls, answer }: Gateway,
	apiKey: string,
	given: object,
	item: object,
): IExecuteFunctions {
	const parameters = new Map(Object.entries(given));
	const { fields } = Object(RESOURCES[parameters.get('resource')]?.operations[parameters.get('operation')]);
	for (const field of fields) if (!parameters.has(field.name)) parameters.set(field.name, field.default);
	const context = {
		getNode: () => ({ ...NODE, parameters: Object.fromEntries(parameters) }),
		getInputData: () => [{ json: item }],
		getNodeParameter: (name: string, _: number, fallback: unknown) =>
			parameters.has(name) ? valueOf(parameters.get(name), item) : fallback,
		continueOnFail: () => false,
		getMode: () => 'manual',
		getExecutionId: () => undefined,
		getExecutionCancelSignal: () => undefined,
		getWorkflow: () => ({ id: 'test' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getWorkflowStaticData: () => ({}),
		getParentNodes: () => [],
		addExecutionHints: () => {},
		getCredentials: async () => await Promise.resolve({ baseUrl, apiKey }),
		helpers: {
			httpRequestWithAuthentication: async (_: string, { method, url }: { method: string; url: string }) => {
				const asked = { method, path: url.replace(baseUrl, ''), key: apiKey };
				calls.push(asked);
				const { status, contentType = JSON_TYPE, body } = answer(asked);
				if (status === null) return await new Promise(() => {});
				// As HTTP has it.
				const text = status === 204 ? '' : bodyText(body, contentType);
				return { statusCode: status, headers: { 'content-type': contentType }, body: text };
			},
			prepareBinaryData: async (data: Buffer) => await Promise.resolve({ data: data.toString('base64') }),
		},
	};
	return context as unknown as IExecuteFunctions;
}

interface Gateway {
	url: string;
	calls: Asked[];
	answer: (asked: Asked) => Answer;
}

let started = 0;

/** The node on stand-ins for n8n and for HTTP. */
export const inProcess: Host<Gateway> = {
	// Each at an address of its own, since the node remembers what it learned of a gateway.
	start: async (answer) =>
		await Promise.resolve({ url: `http://${++started}.gateway.test`, calls: [], answer }),
	run: async (gateway, apiKey, parameters, item) => {
		const run = new MessagingGateway().execute.call(contextOf(gateway, apiKey, parameters, item));
		return await run.then(
			([main = []]) => ({ main, error: undefined }),
			(error: Error) => ({ main: [], error: { ...error, name: error.name, message: error.message } }),
		);
	},
};
