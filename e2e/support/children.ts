import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How long a process may take to end by itself, in ms. */
const TIME_TO_END = 10_000;

/** A process that was started here, with all that it starts itself. */
export interface Child {
	readonly pid: number;
	/** What it wrote so far to its standard output. */
	readonly stdout: string;
	/** What it wrote so far, to both outputs. */
	readonly output: string;
	/** Its exit code, once it has ended; null where a signal ended it. */
	readonly ended: Promise<number | null>;
	/** Ends it and what it started: with SIGTERM, and with SIGKILL where that does not help. */
	stop(): Promise<void>;
	/** Ends it at once, as a crash would. */
	kill(): Promise<void>;
}

/** How a process is started. */
export interface ChildOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** Another user and group to run as. */
	uid?: number;
	gid?: number;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => signal(child, 'SIGKILL')));
// A signal ends Node without "exit". This way whoever waits for them finds them ended, and cleans up.
for (const name of ['SIGINT', 'SIGTERM'] as const)
	process.once(name, () => {
		process.exitCode = 1;
		if (running.size === 0) process.exit();
		running.forEach((child) => signal(child, 'SIGTERM'));
	});

/** Starts a process in a group of its own, so that whatever it starts can be ended with it. */
export function startChild(command: string, args: string[], options: ChildOptions = {}): Child {
	const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
	running.add(child);
	const stdout: string[] = [];
	const output: string[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
	child.stdout.on('data', (chunk) => stdout.push(String(chunk)));
	const ended = new Promise<number | null>((resolve, reject) => {
		child.once('error', reject).once('close', (code) => resolve(code));
	}).finally(() => running.delete(child));
	ended.catch(() => undefined);

	const end = async (name: NodeJS.Signals): Promise<void> => {
		if (!running.has(child)) return;
		signal(child, name);
		const timer = setTimeout(() => signal(child, 'SIGKILL'), TIME_TO_END);
		await once(child, 'close');
		clearTimeout(timer);
	};
	return {
		pid: child.pid ?? 0,
		get stdout() {
			return stdout.join('');
		},
		get output() {
			return output.join('');
		},
		ended,
		stop: async () => await end('SIGTERM'),
		kill: async () => await end('SIGKILL'),
	};
}

/** Runs a process to its end and gives its standard output. @throws with all it wrote where its exit code is not 0 */
export async function runChild(command: string, args: string[], options: ChildOptions = {}): Promise<string> {
	const child = startChild(command, args, options);
	const code = await child.ended;
	if (code === 0) return child.stdout;
	throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${child.output}`);
}

/** Waits until something is so, looking ten times a second. @throws where it does not come in time (ms) */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined> | T | undefined,
	{ timeout = 120_000, child }: { timeout?: number; child?: Child } = {},
): Promise<T> {
	const deadline = Date.now() + timeout;
	let over = false;
	void child?.ended.finally(() => (over = true)).catch(() => undefined);
	while (Date.now() < deadline && !over) {
		const found = await look();
		if (found !== undefined) return found;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Error(
		`${what}: did not come ${over ? 'before the process ended' : 'in time'}\n${child?.output ?? ''}`,
	);
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, name);
	} catch {
		// It has ended by itself.
	}
}
