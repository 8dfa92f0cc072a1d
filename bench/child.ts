import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a child process does when it is asked: each function takes one argument, or none. */
export type Functions = Record<string, (argument: never) => unknown>;

type Result<F> = F extends (...all: never) => infer R ? Awaited<R> : never;

/** A process of its own, asked for one thing at a time. */
export interface Child<C extends Functions> {
	/** @throws Error with the child's message, or where the child has ended */
	ask<K extends keyof C & string>(name: K, ...argument: Parameters<C[K]>): Promise<Result<C[K]>>;
	/** Ends the process. */
	end(): Promise<void>;
}

type Answer = { value: unknown } | { error: string };

/** Starts a TypeScript file of this folder, which {@link serve}s, in a process of its own that can be told to collect garbage. */
export function startChild<C extends Functions>(
	file: string,
	args: string[] = [],
	env: Record<string, string> = {},
): Child<C> {
	const child = fork(join(__dirname, file), args, {
		execArgv: ['--expose-gc', '--require', require.resolve('tsx/cjs')],
		env: { ...process.env, NODE_ENV: 'production', no_proxy: 'localhost,127.0.0.1', ...env },
	});
	const exited = once(child, 'exit');
	return {
		ask: async (name, ...[argument]) => {
			const answered = once(child, 'message').then(([answer]: Answer[]) => answer);
			child.send({ name, argument });
			const answer = await Promise.race([answered, exited.then(() => undefined)]);
			if (answer === undefined) throw new Error(`${file} ${args.join(' ')} has ended`);
			if ('error' in answer) throw new Error(answer.error);
			// The type is that of the function that the child was given for this name.
			return answer.value as Result<C[typeof name]>;
		},
		end: async () => {
			if (child.connected) child.disconnect();
			await exited;
		},
	};
}

/** In a child process: answers its parent until that is gone. */
export function serve(functions: Functions): void {
	const answer = async ({ name, argument }: { name: string; argument: never }): Promise<Answer> => {
		try {
			return { value: await functions[name]?.(argument) };
		} catch (error) {
			return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
		}
	};
	process.on('message', (message: { name: string; argument: never }) => {
		void answer(message).then((result) => process.send?.(result));
	});
	// n8n leaves timers open.
	process.once('disconnect', () => process.exit());
}
