import { performance } from 'node:perf_hooks';
import { startChild, type Child } from './child';
import type { Case } from './cases';
import { contenderOf, type ContenderName } from './contenders/contenders';
import type { Access, GatewayFunctions, Seen } from './gateway-host';
import type { TimeByPart } from './profile';
import type { Measure, WorkerFunctions } from './worker';

/** What a contender came to in a case, round by round. */
export interface Figures {
	/** In ms; NaN for a round that failed. */
	wall: number[];
	/** CPU time of user and system together, in ms. */
	cpu: number[];
	/** The longest time for which nothing else in the process could run, in ms. */
	hold: number[];
	/** In each round. */
	requests: number;
	/** The most connections that were open at once, in any round. */
	connections: number;
	/** In bytes, beyond what the process had when everything was loaded. */
	peakMemory: number;
	/** Why rounds failed. */
	failures: string[];
}

/** What came of a case, in the order of its contenders. */
export type Result = Map<ContenderName, Figures>;

interface Worker {
	contender: ContenderName;
	/** How many are to be measured. */
	rounds: number;
	child: Child<WorkerFunctions>;
	figures: Figures;
}

/**
 * Rounds before those that are measured, without latency: until Node has compiled what is used often, as on a
 * server that has run for a while, but begun only within this time in ms.
 */
const WARM_UPS = 10;
const WARM_UP_TIME = 2000;

/** Everybody trusts the gateway's self-signed certificate, and so checks it. */
const trust = { NODE_EXTRA_CA_CERTS: require.resolve('../test/gateway/tls/cert.pem') };

/**
 * Runs a case: after a warm-up of each contender, rounds in which they take turns, each in a process of its own.
 *
 * @throws Error where a contender did not do the job
 */
export async function measureCase(gateway: Child<GatewayFunctions>, one: Case): Promise<Result> {
	return await withWorkers(gateway, one, async (workers) => {
		for (let round = 0; workers.some(({ rounds }) => rounds > round); round++) {
			// Nobody always comes after the same one.
			const first = round % workers.length;
			for (const worker of [...workers.slice(first), ...workers.slice(0, first)])
				if (worker.rounds > round) await measureRound(gateway, one, worker);
		}
		for (const { child, figures } of workers) figures.peakMemory = await child.ask('peakMemory');
		return new Map(workers.map(({ contender, figures }) => [contender, figures]));
	});
}

/** Takes a profile of each contender of a case after its warm-up: the CPU time of as many rounds as it has, in ms. */
export async function profileCase(gateway: Child<GatewayFunctions>, one: Case): Promise<TimeByPart[]> {
	return await withWorkers(gateway, one, async (workers) => {
		const profiles: TimeByPart[] = [];
		for (const { child, rounds } of workers)
			for (let round = 0; round < rounds; round++)
				profiles.push(
					(await atGateway(gateway, one, async (access) => await child.ask('profile', access))).result,
				);
		return profiles;
	});
}

/** Starts a process for each contender of a case, loaded and warmed up, and ends it afterwards. */
async function withWorkers<T>(
	gateway: Child<GatewayFunctions>,
	one: Case,
	work: (workers: Worker[]) => Promise<T>,
): Promise<T> {
	const workers = Object.entries(one.contenders).map(([contender, rounds]): Worker => ({
		contender: contender as ContenderName,
		rounds,
		child: startChild('worker.ts', [contender, JSON.stringify(one.spec)], trust),
		figures: { wall: [], cpu: [], hold: [], requests: 0, connections: 0, peakMemory: 0, failures: [] },
	}));
	try {
		await Promise.all(workers.map(async ({ child }) => await child.ask('load')));
		for (const worker of workers) await warmUp(gateway, one, worker);
		return await work(workers);
	} finally {
		await Promise.all(workers.map(async ({ child }) => await child.end()));
	}
}

async function warmUp(gateway: Child<GatewayFunctions>, one: Case, worker: Worker): Promise<void> {
	const started = performance.now();
	for (let round = 0; round < WARM_UPS && performance.now() - started < WARM_UP_TIME; round++)
		await run(gateway, { ...one, latency: 0 }, worker);
}

async function measureRound(gateway: Child<GatewayFunctions>, one: Case, worker: Worker): Promise<void> {
	const { figures, contender } = worker;
	const { wall, cpu, hold, wrong, requests, connections } = await run(gateway, one, worker);
	if (wrong !== undefined) {
		if (contenderOf(contender).mayFail !== true)
			throw new Error(`${contender}, ${JSON.stringify(one.spec)}: ${wrong}`);
		figures.failures.push(wrong);
	}
	figures.wall.push(wrong === undefined ? wall : NaN);
	figures.cpu.push(wrong === undefined ? cpu : NaN);
	figures.hold.push(wrong === undefined ? hold : NaN);
	figures.requests = requests;
	figures.connections = Math.max(figures.connections, connections);
}

async function run(
	gateway: Child<GatewayFunctions>,
	one: Case,
	{ contender, child }: Worker,
): Promise<Measure & { requests: number; connections: number }> {
	const { result, seen } = await atGateway(gateway, one, async (access) => await child.ask('run', access));
	const { requests, connections, isDone } = seen;
	const mustBeDone = contenderOf(contender).checks?.groups !== false;
	const wrong = result.wrong ?? (isDone || !mustBeDone ? undefined : 'the groups are not as asked');
	return { ...result, ...(wrong !== undefined && { wrong }), requests, connections };
}

/** Does something with a gateway that is new. */
async function atGateway<T>(
	gateway: Child<GatewayFunctions>,
	{ spec, latency, tls }: Case,
	work: (access: Access) => Promise<T>,
): Promise<{ result: T; seen: Seen }> {
	const result = await work(await gateway.ask('open', { spec, latency, tls }));
	return { result, seen: await gateway.ask('close') };
}
