import { createServer } from 'node:http';
import { isRecord } from '../../nodes/MessagingGateway/common/json';
import { listen, readable, readText } from '../../test/gateway/wire';

/** A call of a tool, as a model asks for it. */
export interface ToolCall {
	tool: string;
	args: object;
}

/** What the model says in one turn: calls of tools, or its last words. */
export type Turn = { calls: ToolCall[] } | { text: string };

/** A chat model with OpenAI's interface that follows a script. */
export interface Model {
	/** What n8n's OpenAI credential has as its base URL. */
	readonly url: string;
	/** The bodies of the requests, in order. */
	readonly asked: ReadonlyArray<Record<string, unknown>>;
	/** The turns to come, from now on. */
	follow(script: Turn[]): void;
	close(): Promise<void>;
}

/** Starts a model on this machine. Where its script has ended it answers 400, and the agent fails. */
export async function startModel(): Promise<Model> {
	const asked: Array<Record<string, unknown>> = [];
	let script: Turn[] = [];
	const server = createServer((request, response) => {
		void readText(request).then((text) => {
			const body = readable(text);
			if (isRecord(body)) asked.push(body);
			const turn = script.shift();
			response.writeHead(turn ? 200 : 400, { 'content-type': 'application/json' });
			response.end(
				JSON.stringify(turn ? completion(turn, asked.length) : { error: { message: 'No turn left' } }),
			);
		});
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}/v1`,
		asked,
		follow: (turns) => {
			asked.length = 0;
			script = [...turns];
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function completion(turn: Turn, number: number): object {
	const toolCalls = ('calls' in turn ? turn.calls : []).map(({ tool, args }, i) => ({
		id: `call_${number}_${i}`,
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(args) },
	}));
	const message = {
		role: 'assistant',
		content: 'text' in turn ? turn.text : null,
		...(toolCalls.length > 0 && { tool_calls: toolCalls }),
	};
	return {
		id: `chatcmpl-${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
