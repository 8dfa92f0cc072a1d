/** The child processes in which n8n's engine runs. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { EngineLine } from './protocol';

const STOP_TIMEOUT = 5_000;

/** Starts a child process with one line of n8n and a built package. It ends itself when its parent is gone. */
export function startHost(line: EngineLine, packageRoot: string): ChildProcess {
	const child = fork(join(__dirname, 'host.ts'), [String(line), packageRoot], {
		// Not this process's own: Jest waits for whoever can still write to those of its workers.
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		execArgv: ['--require', join(__dirname, 'typescript.js')],
		env: {
			...process.env,
			NODE_ENV: 'production', // as on a server: with Jest's `test`, n8n loads classes in another way
			no_proxy: 'localhost,127.0.0.1', // n8n would send a test gateway's requests through a proxy
		},
	});
	// A crash of Node itself shows.
	child.stderr?.on('data', (text) => process.stderr.write(text));
	return child;
}

/** Ends a child process. */
export async function endHost(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	keepProcessAlive(child, true);
	if (child.connected) child.disconnect();
	const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
	await exited;
	clearTimeout(timer);
}

/** While a call is open the child holds this process; otherwise a forgotten one must not. */
export function keepProcessAlive(child: ChildProcess, alive: boolean): void {
	if (alive) {
		child.ref();
		child.channel?.ref();
	} else {
		child.unref();
		child.channel?.unref();
		if (child.stderr instanceof Socket) child.stderr.unref();
	}
}

/** Children that wait for the next engine: to load n8n takes seconds, so each serves many test files. */
export class IdleHosts {
	private readonly idle: Record<EngineLine, ChildProcess[]> = { 1: [], 2: [] };

	/** Gives one, if there is one. */
	take(line: EngineLine): ChildProcess | undefined {
		return this.idle[line].pop();
	}

	/** Keeps one. Nobody may listen to it any longer. */
	keep(line: EngineLine, child: ChildProcess): void {
		this.idle[line].push(child);
		child.once('exit', () => {
			this.idle[line] = this.idle[line].filter((other) => other !== child);
		});
	}
}
