/** Group maintenance in which most requests go wrong: what the node says of it against what the gateway shows. */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startEngine, type Engine } from '../engine/engine';
import { groupParameters, runNode } from '../engine/support';
import { startGateway, type Call, type Gateway } from '../gateway/gateway';
import { add, listed } from './counts';
import { soakHostile } from './hostile/soak';
import { soakSync } from './sync/soak';
import { planRun, soakSeed, troubles, troubleShare } from './plan';
import { Random } from './random';
import { compare } from './truth';

const usage = `npm run test:soak -- [options]

  --seed    a whole number: the same rows and faults as before (a new one otherwise)
  --faults  how many faults; 10000 unless told otherwise
  --hostile against the hostile gateway, which knows nothing of how the node is made
  --engines for --hostile: how many n8n engines at the same time; 2 unless told otherwise
  --seconds for --hostile: no run begins later than this; 240 unless told otherwise
  --run     for --hostile: only this run of the seed, such as 1.17, told in full
  --sync    Sync Participants against the hostile gateway
  --worlds  for --sync: how many worlds, each with two runs; 500 unless told otherwise
  --from    for --sync: the first of them; 1 unless told otherwise
  --world   for --sync: only this world of the seed, told in full
`;
const deadline = 115_000;
/** One engine and one instance of the gateway each. */
const instances = ['left', 'right'];

type Trouble = (typeof troubles)[number];

/** One of several that work at the same time, each with people and groups of its own. */
interface Worker {
	instance: string;
	random: Random;
	faults: number;
	runs: number;
	outcomes: Map<string, number>;
	contradictions: string[];
}

/** Lets something go wrong with most requests, as the worker's random numbers say. */
function makeTrouble(gateway: Gateway, workers: Map<string, Worker>, kinds: Map<string, number>): void {
	const decided = new WeakMap<Call, Trouble>();
	const seen = new WeakSet<Call>();
	const decide = (call: Call): Trouble | undefined => {
		if (seen.has(call)) return decided.get(call);
		seen.add(call);
		const worker = workers.get(call.path.split('?')[0]?.split('/').at(-1) ?? '');
		if (worker === undefined || !worker.random.chance(troubleShare)) return undefined;
		const trouble = worker.random.weighted(troubles);
		decided.set(call, trouble);
		worker.faults += 1;
		add(kinds, trouble.applied === true ? `${trouble.kind} (applied)` : trouble.kind);
		return trouble;
	};
	for (const trouble of troubles) {
		gateway.fault({ ...trouble, on: (call) => decide(call) === trouble });
	}
}

async function work(
	worker: Worker,
	engine: Engine,
	gateway: Gateway,
	seed: number,
	goal: number,
): Promise<void> {
	const { instance } = worker;
	const number = instances.indexOf(instance);
	const parameters = { instance, group: '={{ $json.group }}', action: '={{ $json.action }}' };
	while (worker.faults < goal && performance.now() < deadline) {
		worker.runs += 1;
		const { rows, options } = planRun(new Random(seed, number, worker.runs));
		worker.random = new Random(seed, number, worker.runs, 1);
		const before = gateway.snapshot();
		const { main, failed, error } = await runNode(
			engine,
			gateway,
			groupParameters({ ...parameters, participants: '={{ $json.phones }}', options }),
			rows,
			{ onError: 'continueRegularOutput' },
		);
		const { outcomes, contradictions } = compare(
			rows,
			[...main, ...failed],
			instance,
			before,
			gateway.snapshot(),
		);
		if (error !== undefined) contradictions.push(`the run ended: ${error.message}`);
		for (const [outcome, amount] of outcomes) add(worker.outcomes, outcome, amount);
		const named = contradictions.map((one) => `${instance}, run ${worker.runs}: ${one}`);
		worker.contradictions.push(...named);
	}
}

async function soak(seed: number, faults: number): Promise<boolean> {
	const workers = instances.map((instance): Worker => ({
		instance,
		random: new Random(seed),
		faults: 0,
		runs: 0,
		outcomes: new Map(),
		contradictions: [],
	}));
	const kinds = new Map<string, number>();
	const gateway = await startGateway({ seed: soakSeed(instances) });
	makeTrouble(gateway, new Map(workers.map((worker) => [worker.instance, worker])), kinds);
	const engines = await Promise.all(workers.map(async () => await startEngine(2)));
	console.log(`seed ${seed}`);
	try {
		const goal = Math.ceil(faults / workers.length);
		await Promise.all(
			engines.map(async (engine, i) => {
				const worker = workers[i];
				if (worker !== undefined) await work(worker, engine, gateway, seed, goal);
			}),
		);
	} finally {
		await Promise.all([...engines.map(async (engine) => await engine.stop()), gateway.close()]);
	}

	const outcomes = new Map<string, number>();
	for (const worker of workers) for (const [name, amount] of worker.outcomes) add(outcomes, name, amount);
	const contradictions = workers.flatMap((worker) => worker.contradictions);
	const sum = (count: (worker: Worker) => number) => workers.reduce((total, one) => total + count(one), 0);
	const tried = sum((worker) => worker.faults);
	console.log(
		`runs ${sum((worker) => worker.runs)}, faults tried ${tried}, requests ${gateway.calls.length}, ` +
			`seconds ${Math.round(performance.now() / 1000)}`,
	);
	console.log(`faults: ${listed(kinds)}`);
	console.log(`outcomes: ${listed(outcomes)}`);
	contradictions.slice(0, 10).forEach((one) => console.log(`contradiction: ${one}`));
	console.log(`contradictions: ${contradictions.length}`);
	if (tried < faults) console.log(`There was no time for all ${faults} faults.`);
	return contradictions.length === 0 && tried >= faults;
}

async function run(): Promise<void> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			faults: { type: 'string', default: '10000' },
			hostile: { type: 'boolean', default: false },
			engines: { type: 'string', default: '2' },
			seconds: { type: 'string', default: '240' },
			run: { type: 'string' },
			sync: { type: 'boolean', default: false },
			worlds: { type: 'string', default: '500' },
			from: { type: 'string', default: '1' },
			world: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return console.log(usage);
	const { seconds, engines, worlds, from } = values;
	for (const value of [values.seed, values.faults, engines, seconds, worlds, from])
		if (!/^\d+$/.test(value)) throw new Error(`"${value}" is not a whole number.`);
	const [seed, faults] = [Number(values.seed), Number(values.faults)];
	const passed = values.sync
		? await soakSync(
				seed,
				Number(worlds),
				Number(from),
				values.world === undefined ? undefined : Number(values.world),
			)
		: values.hostile
			? await soakHostile(seed, faults, Number(engines), Number(seconds), values.run)
			: await soak(seed, faults);
	if (!passed) process.exitCode = 1;
}

run().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
