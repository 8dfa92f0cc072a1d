/** The child process of an engine: loads one line of n8n and the package, then answers calls until its parent is gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareClocks, withClock } from './clock';
import { testCredential } from './credential-test';
import { installPackage } from './installed-package';
import { loadLine } from './line';
import { captureLogs } from './logs';
import { CANCEL, type CallMessage, type EngineCall, type EngineCalls, type ReplyMessage } from './protocol';
import { pollTrigger } from './poll';
import { runWorkflow } from './run';
import { searchList } from './search';
import { serialiseError, toJson } from './serialise';

const [, , lineNumber, packageRoot = ''] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-engine-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Without `exit` the process would stay: n8n 1.x leaves timers open. All of a run's children end together, after Jest's workers.
process.once('disconnect', () => {
	setPriority(constants.priority.PRIORITY_LOW);
	process.exit();
});

const takeLogs = captureLogs();
let loading: ReturnType<typeof load> | undefined;
let running = new AbortController();

async function load() {
	const line = loadLine(lineNumber === '1' ? 1 : 2, folder);
	prepareClocks(line);
	return { line, installed: await installPackage(line, packageRoot, folder) };
}

async function answer({ call, payload }: CallMessage): Promise<EngineCalls[EngineCall]['result']> {
	const { line, installed } = await (loading ??= load());
	const request = JSON.parse(payload);
	switch (call) {
		case 'describe':
			takeLogs(); // of the engine that had this process before
			return {
				node: installed.node.description,
				trigger: installed.trigger.description,
				credential: { ...installed.credential },
			};
		case 'run': {
			running = new AbortController();
			const { signal } = running;
			const run = async () => await runWorkflow(line, installed, request.workflow, request.options, signal);
			const clock = { ahead: request.options.ahead, skipsPauses: request.skipsPauses };
			return { ...(await withClock(clock, run)), logs: takeLogs() };
		}
		case 'poll':
			return { ...(await pollTrigger(line, installed, request.activation)), logs: takeLogs() };
		case 'search':
			return await searchList(line, installed, request.method, request.options);
		case 'testCredential':
			return await testCredential(line, installed, request.credentials);
	}
}

async function reply(message: CallMessage): Promise<void> {
	const { id } = message;
	const result: ReplyMessage = await answer(message).then(
		(value) => ({ id, ok: true, payload: toJson(value) }),
		(error: unknown) => ({ id, ok: false, payload: toJson(serialiseError(error)) }),
	);
	process.send?.(result);
}

// At once, as n8n does. What is logged meanwhile goes to the run or poll that ends next.
process.on('message', (message: CallMessage | typeof CANCEL) => {
	if (message === CANCEL) running.abort();
	else void reply(message);
});
