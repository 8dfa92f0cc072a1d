import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startGateway } from '../test/gateway/gateway';
import type { Case } from './cases';
import type { Access, ContenderName } from './contenders';
import type { Job } from './jobs';
import type { Measured } from './worker';

/** What a contender came to in one round. */
export interface Round extends Measured {
	requests: number;
	/** The most connections that were open at once. */
	connections: number;
}

/** The rounds of each contender of a case. */
export type Rounds = Map<ContenderName, Round[]>;

/** The process of a contender. */
interface Worker {
	contender: ContenderName;
	rounds: Round[];
	/** Sends a message and gives the answer. @throws Error where the process has ended */
	ask<T>(message: Access | 'go'): Promise<T>;
	end(): Promise<void>;
}

const FEWEST_ROUNDS = 3;
const MOST_ROUNDS = 40;

/**
 * Rounds before those that are measured, without latency: until Node has compiled what is used often, as on a
 * server that has run for a while, but begun only within this time in ms.
 */
const WARM_UPS = 10;
const WARM_UP_TIME = 2000;

/**
 * Runs a case: after a warm-up of each contender, rounds in which they take turns, each in a process of its own.
 *
 * @param names those of its contenders who take part
 * @param time how long each one's rounds may take together, in ms
 * @throws Error where a contender did not do the job
 */
export async function measureCase(one: Case, names: ContenderName[], time: number): Promise<Rounds> {
	const job = one.job();
	const workers: Worker[] = [];
	try {
		for (const name of names) workers.push(await startWorker(one, name));
		for (const { ask } of workers) {
			const started = performance.now();
			for (let round = 0; round < WARM_UPS && performance.now() - started < WARM_UP_TIME; round++)
				await runRound(ask, job, 0);
		}
		for (let due = [...workers]; due.length > 0; due = due.filter((worker) => isDue(worker, time))) {
			for (const { rounds, ask } of due) rounds.push(await runRound(ask, job, one.latency ?? 0));
			// So that nobody always comes after the same one.
			due.push(...due.splice(0, 1));
		}
		return new Map(workers.map(({ contender, rounds }) => [contender, rounds]));
	} finally {
		await Promise.all(workers.map(async ({ end }) => await end()));
	}
}

/** Slow contenders have fewer rounds, so that quick ones can have many. */
function isDue({ rounds }: Worker, time: number): boolean {
	if (rounds.length < FEWEST_ROUNDS) return true;
	return rounds.length < MOST_ROUNDS && rounds.reduce((sum, { wall }) => sum + wall, 0) < time;
}

async function startWorker({ name }: Case, contender: ContenderName): Promise<Worker> {
	const child = fork(join(__dirname, 'worker.ts'), [name, contender], {
		execArgv: ['--expose-gc', '--require', require.resolve('tsx/cjs')],
		env: { ...process.env, NODE_ENV: 'production', no_proxy: '127.0.0.1' },
	});
	const ended = new AbortController();
	const exit = once(child, 'exit').then(() => ended.abort(new Error(`${name}: ${contender} has ended`)));
	const answer = async () => (await once(child, 'message', { signal: ended.signal }))[0];
	await answer();
	return {
		contender,
		rounds: [],
		ask: async (message) => {
			child.send(message);
			return await answer();
		},
		end: async () => {
			if (child.connected) child.disconnect();
			await exit;
		},
	};
}

/** A round with a gateway that is new. */
async function runRound(ask: Worker['ask'], { seed, fewest, members }: Job, latency: number): Promise<Round> {
	global.gc?.();
	const gateway = await startGateway({ seed, latency });
	try {
		await ask({ baseUrl: gateway.url, apiKey: gateway.apiKey });
		const before = gateway.calls.length;
		const measured = await ask<Measured>('go');
		const requests = gateway.calls.length - before;
		if (requests < fewest().length) throw new Error(`${requests} requests can't have done it`);
		const wanted = members.map((phone) => `${phone}@s.whatsapp.net`).sort();
		const found = gateway
			.snapshot()
			.flatMap((group) => group.members)
			.sort();
		if (found.join() !== wanted.join()) throw new Error('The members of the group are not as asked');
		return { ...measured, requests, connections: gateway.maxConnections };
	} finally {
		await gateway.close();
	}
}
