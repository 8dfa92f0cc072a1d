import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startGateway } from '../test/gateway/gateway';
import { cases, type CaseName, type Round } from './cases';
import type { Job } from './jobs';
import type { Access, Contender } from './contenders';

/** The rounds of each contender of a case. */
export type Rounds = Map<Contender, Round[]>;

type Worker = Awaited<ReturnType<typeof startWorker>>;

const FEWEST_ROUNDS = 3;
const MOST_ROUNDS = 40;
/** How long rounds are made before those that count, in ms: until Node has compiled what is used often. */
const WARM_UP = 2000;

/**
 * Runs a case: after a warm-up of each contender, rounds in which they take turns, each in a process of its own.
 *
 * @param time how long each one's rounds may take together, in ms
 * @throws Error where a contender did not do the job
 */
export async function measureCase(name: CaseName, time: number): Promise<Rounds> {
	const { latency, who } = cases[name];
	const job = cases[name].job();
	const workers: Worker[] = [];
	try {
		for (const contender of who) workers.push(await startWorker(name, contender));
		for (const worker of workers)
			for (const end = performance.now() + WARM_UP; performance.now() < end;) await runRound(worker, job, 0);
		// Slow contenders have fewer rounds, so that quick ones can have many.
		const isDue = ({ rounds }: Worker) =>
			rounds.length < FEWEST_ROUNDS ||
			(rounds.length < MOST_ROUNDS && rounds.reduce((sum, { wall }) => sum + wall, 0) < time);
		for (let due = [...workers]; due.length > 0; due = due.filter(isDue)) {
			for (const worker of due) worker.rounds.push(await runRound(worker, job, latency));
			// So that nobody always comes after the same one.
			due.push(...due.splice(0, 1));
		}
		return new Map(workers.map(({ contender, rounds }) => [contender, rounds]));
	} finally {
		await Promise.all(workers.map(async ({ end }) => await end()));
	}
}

/** Starts the process of a contender. `ask` sends a message and gives the answer; it throws where the process has ended. */
async function startWorker(name: CaseName, contender: Contender) {
	const child = fork(join(__dirname, 'worker.ts'), [name, contender], {
		execArgv: ['--expose-gc', '--require', require.resolve('tsx/cjs')],
		env: { ...process.env, NODE_ENV: 'production', no_proxy: '127.0.0.1' },
	});
	const ended = new AbortController();
	const exit = once(child, 'exit').then(() => ended.abort(new Error(`${name}: ${contender} has ended`)));
	const answer = async () => (await once(child, 'message', { signal: ended.signal }))[0];
	await answer();
	const ask = async <T>(message: Access | 'go'): Promise<T> => {
		child.send(message);
		return await answer();
	};
	const end = async () => {
		if (child.connected) child.disconnect();
		await exit;
	};
	const rounds: Round[] = [];
	// So that n8n's process knows one gateway, as everywhere.
	return { contender, rounds, ask, end, address: { port: 0 } };
}

/** A round with a gateway that is new, at the same address. */
async function runRound({ ask, address }: Worker, job: Job, latency: number): Promise<Round> {
	const { seed, fewest, members } = job;
	global.gc?.();
	const gateway = await startGateway({ seed, latency, ...address });
	address.port = Number(new URL(gateway.url).port);
	try {
		await ask({ baseUrl: gateway.url, apiKey: gateway.apiKey });
		const before = gateway.calls.length;
		const measured = await ask<Omit<Round, 'requests'>>('go');
		const requests = gateway.calls.length - before;
		if (requests < fewest.length) throw new Error(`${requests} requests can't have done it`);
		const wanted = members.map((phone) => `${phone}@s.whatsapp.net`).sort();
		const found = gateway.snapshot().flatMap((group) => group.members);
		if (found.sort().join() !== wanted.join()) throw new Error('The members of the group are not as asked');
		return { ...measured, requests };
	} finally {
		await gateway.close();
	}
}
