import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { INodeCredentialTestResult, INodeListSearchResult } from 'n8n-workflow';
import { endHost, keepProcessAlive, startHost, type IdleHosts } from './hosts';
import {
	CANCEL,
	type Activation,
	type CallMessage,
	type EngineCall,
	type EngineCalls,
	type EngineLine,
	type GatewayCredentials,
	type PackageDescription,
	type PollResult,
	type ReplyMessage,
	type RunOptions,
	type RunResult,
	type SearchOptions,
	type SerialisedError,
	type WorkflowJson,
} from './protocol';

export type * from './protocol';

/** The folder with the `package.json` and `dist` to test: this project, or another build that the environment names. */
export const PACKAGE_ROOT = process.env.PACKAGE_ROOT ?? resolve(__dirname, '../..');

declare global {
	/** In Jest: children of the package's engines that no test file uses now. */
	var idleHosts: IdleHosts | undefined;
}

/** What a call to the engine throws; `error` is the original one, as JSON. */
export class EngineError extends Error {
	constructor(readonly error: SerialisedError) {
		super(error.message);
		this.name = error.name;
	}
}

/** One n8n line with the built package loaded, in a child process. Calls do not wait for each other. */
export class Engine {
	/** Whether pauses of the package take no time in runs, though its clock says so: not where runs wait for each other. */
	skipsPauses = false;

	private readonly waiting = new Map<number, (reply: ReplyMessage) => void>();
	private lastId = 0;
	private description: PackageDescription | undefined;

	private constructor(
		readonly line: EngineLine,
		private readonly child: ChildProcess,
		private readonly idle: IdleHosts | undefined,
	) {
		child.on('message', (reply: ReplyMessage) => this.waiting.get(reply.id)?.(reply));
		child.once('exit', (code, signal) => this.abandonCalls(`The engine ended (${signal ?? code})`));
		child.on('error', (error) => this.abandonCalls(error.message));
	}

	/** Takes a child process, or starts one, and waits until it has loaded n8n and the package. */
	static async start(line: EngineLine, packageRoot: string): Promise<Engine> {
		const idle = packageRoot === PACKAGE_ROOT ? globalThis.idleHosts : undefined;
		const child = idle?.take(line) ?? startHost(line, packageRoot);
		const engine = new Engine(line, child, idle);
		try {
			engine.description = await engine.call('describe', {});
		} catch (error) {
			await engine.stop();
			throw error;
		}
		return engine;
	}

	/** The node's and the credential's description as n8n's loader gives them. */
	describe(): PackageDescription {
		if (!this.description) throw new Error('The engine has not started');
		return this.description;
	}

	/** Runs a workflow from its trigger. Throws an `EngineError` where n8n refuses to start it. */
	async run(workflow: WorkflowJson, options: RunOptions): Promise<RunResult> {
		const { skipsPauses } = this;
		return await this.call('run', { workflow, options, skipsPauses });
	}

	/** Cancels the workflow that was started last. */
	cancel(): void {
		this.child.send(CANCEL);
	}

	/** Has the trigger poll once. */
	async poll(activation: Activation): Promise<PollResult> {
		return await this.call('poll', { activation });
	}

	/** Opens a list of the node: calls its `listSearch` method as the editor does. */
	async search(method: string, options: SearchOptions): Promise<INodeListSearchResult> {
		return await this.call('search', { method, options });
	}

	/** Tests a credential as the credential form does, with the node's own test function. */
	async testCredential(credentials: GatewayCredentials): Promise<INodeCredentialTestResult> {
		return await this.call('testCredential', { credentials });
	}

	/** Leaves the child process to the next engine, unless it is busy or gone; without one to come it ends. */
	async stop(): Promise<void> {
		if (!this.idle || this.waiting.size > 0 || !this.child.connected) return await endHost(this.child);
		for (const event of ['message', 'exit', 'error']) this.child.removeAllListeners(event);
		this.idle.keep(this.line, this.child);
	}

	private async call<C extends EngineCall>(
		call: C,
		request: EngineCalls[C]['request'],
	): Promise<EngineCalls[C]['result']> {
		if (!this.child.connected) throw new Error('The engine is not running');
		const message: CallMessage = { id: ++this.lastId, call, payload: JSON.stringify(request) };
		keepProcessAlive(this.child, true);
		const reply = await new Promise<ReplyMessage>((settle) => {
			this.waiting.set(message.id, settle);
			this.child.send(message);
		});
		this.waiting.delete(message.id);
		keepProcessAlive(this.child, this.waiting.size > 0);
		// The payload is parsed here, not by the IPC channel: what Node parses has the main realm's prototypes,
		// and Jest's `toStrictEqual` takes those for other types than a test's own objects.
		if (!reply.ok) throw new EngineError(JSON.parse(reply.payload));
		return JSON.parse(reply.payload);
	}

	private abandonCalls(reason: string): void {
		const payload = JSON.stringify({ name: 'EngineStopped', message: reason } satisfies SerialisedError);
		for (const [id, settle] of this.waiting) settle({ id, ok: false, payload });
	}
}

/**
 * Starts n8n's engine of one line (1 = n8n 1.x, 2 = n8n 2.x) with the built package loaded.
 */
export async function startEngine(
	line: EngineLine,
	{ packageRoot = PACKAGE_ROOT }: { packageRoot?: string } = {},
): Promise<Engine> {
	return await Engine.start(line, packageRoot);
}
