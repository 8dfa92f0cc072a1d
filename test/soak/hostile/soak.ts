import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { startEngine, type Engine } from '../../engine/engine';
import { groupParameters, runNode, type NodeRun } from '../../engine/support';
import { add, listed, sum } from '../counts';
import { Random } from '../random';
import { apiKey, HostileGateway } from './gateway';
import { planRun, type PlannedRun } from './plan';
import { differences } from './rowByRow';
import { judge } from './verdict';

/** Runs take a second or two; this is for those that never end. */
const runDeadline = 30_000;
const parameters = {
	instance: '={{ $json.instance }}',
	group: '={{ $json.group }}',
	action: '={{ $json.action }}',
	participants: '={{ $json.phones }}',
};
/** The key in the forms that no output may hold it in. */
const keys = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')];

/** Runs against a gateway of its own, one after the other, until so many faults have happened. */
class Worker {
	runs = 0;
	requests = 0;
	readonly outcomes = new Map<string, number>();
	readonly contradictions: string[] = [];
	readonly letter: string[] = [];
	readonly gateway = new HostileGateway();

	constructor(
		private readonly seed: number,
		private readonly name: number,
		/** In ms since the start of the process. */
		private readonly deadline: number,
	) {}

	get faults(): number {
		return sum(this.gateway.faults);
	}

	async work(goal: number): Promise<void> {
		await this.withEngine(async (engine) => {
			while (this.faults < goal && performance.now() < this.deadline) {
				this.runs += 1;
				if ((await this.run(engine, this.runs)) === undefined) return false;
			}
			return true;
		});
	}

	/** One run alone, told in full. */
	async show(run: number): Promise<void> {
		await this.withEngine(async (engine) => {
			const shown = await this.run(engine, run);
			if (shown !== undefined) tell(shown.plan, shown.run, this.gateway);
			return true;
		});
	}

	/** Calls `use` with an engine, and again with a new one until it says that it is done. */
	private async withEngine(use: (engine: Engine) => Promise<boolean>): Promise<void> {
		await this.gateway.start();
		for (let done = false; !done;) {
			const engine = await startEngine(2);
			done = await use(engine).finally(async () => await engine.stop());
		}
		await this.gateway.stop();
	}

	/** Makes one run and judges it; gives nothing where it did not end. */
	private async run(engine: Engine, number: number): Promise<{ plan: PlannedRun; run: NodeRun } | undefined> {
		const { gateway } = this;
		const name = `run ${this.name}.${number}`;
		const plan = planRun(
			new Random(this.seed, this.name, number),
			new Random(this.seed, this.name, number, 1),
		);
		const { options, rows, onError, scene } = plan;
		const start = scene.network.copy();
		await gateway.begin(scene);
		const run = await Promise.race([
			runNode(engine, { url: gateway.url, apiKey }, groupParameters({ ...parameters, options }), rows, {
				onError,
			}),
			wait(runDeadline, undefined, { ref: false }),
		]);
		if (run === undefined) {
			const last = gateway.received.at(-1)?.trouble?.name ?? '';
			gateway.hungOn.add(last);
			this.contradictions.push(`${name}: the run did not end. The last trouble was ${last}`);
			return undefined;
		}

		const { contradictions, outcomes, letter, pairs } = judge(plan, run, gateway.received);
		contradictions.push(...gateway.complaints);
		const text = JSON.stringify([run.main, run.failed, run.error, run.hints, run.run.logs, run.run.raw]);
		if (keys.some((key) => text.includes(key))) contradictions.push('the key is in what the run gave');
		if (options.dryRun === true && gateway.received.length > 0)
			contradictions.push('a dry run sent a request');
		const failures = gateway.received.some(
			({ trouble }) => trouble !== undefined && trouble.name !== 'forbidden',
		);
		if (!failures && run.error === undefined && options.dryRun !== true)
			contradictions.push(...differences(plan, start, pairs));

		this.requests += gateway.received.length;
		for (const [outcome, amount] of outcomes) add(this.outcomes, outcome, amount);
		this.letter.push(...letter.map((one) => `${name}: ${one}`));
		this.contradictions.push(...contradictions.map((one) => `${name}: ${one}`));
		return { plan, run };
	}
}

/** Prints what a run was given, what arrived, and what it gave. */
function tell(
	{ rows, options, onError, scene }: PlannedRun,
	run: NodeRun,
	{ received }: HostileGateway,
): void {
	console.log(
		JSON.stringify({ options, onError, rewrites: scene.network.rewrites, generation: scene.generation }),
	);
	rows.forEach((row, i) =>
		console.log(`row ${i}: ${row.instance} ${row.group} ${row.action} ${row.phones.join(', ')}`),
	);
	received.forEach(({ instance, groupJid, action, changes, trouble, distortion, applied }, i) => {
		const all = changes
			.map(({ sent, code, before, after }) => `${sent} ${code} ${before} → ${after}`)
			.join(', ');
		const how = [trouble?.name, applied ? 'applied' : 'not applied', distortion].filter(Boolean).join(', ');
		console.log(`request ${i}: ${instance} ${groupJid} ${action} [${all}] ${how}`);
	});
	for (const { json, error, pairedItem } of [...run.main, ...run.failed])
		console.log(`output ${JSON.stringify(pairedItem)}: ${error?.message ?? JSON.stringify(json)}`);
	for (const one of [run.error?.message, ...run.hints]) if (one !== undefined) console.log(one);
}

/** Prints each kind of contradiction with how often it was found, and its shortest example. */
function tellKinds(contradictions: readonly string[]): void {
	const kinds = new Map<string, string[]>();
	for (const one of contradictions) {
		const kind =
			one
				.replace(/^run \d+\.\d+: /, '')
				.replace(/\d+ (?=participants|requests|are |sent|were)/g, 'N ')
				.split('. ')[0] ?? '';
		kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
	}
	for (const [kind, all] of kinds) {
		const shortest = all.reduce((least, one) => (one.length < least.length ? one : least));
		console.log(`contradiction (${all.length}): ${kind}\n    ${shortest}`);
	}
}

/**
 * Group changes against the hostile gateway.
 *
 * @param seconds no run begins later than this
 * @param only one run, such as `1.17`: shown in full instead
 * @returns whether nothing was contradictory, and there was time for all faults
 */
export async function soakHostile(
	seed: number,
	faults: number,
	engines: number,
	seconds: number,
	only?: string,
): Promise<boolean> {
	console.log(`seed ${seed}`);
	const [name, run] = only?.split('.').map(Number) ?? [];
	const workers = Array.from({ length: engines }, (_, i) => new Worker(seed, name ?? i + 1, seconds * 1000));
	const [first] = workers;
	if (run !== undefined && first !== undefined) await first.show(run);
	else await Promise.all(workers.map(async (worker) => await worker.work(Math.ceil(faults / engines))));

	const total = (amount: (worker: Worker) => number) =>
		workers.reduce((all, worker) => all + amount(worker), 0);
	const [kinds, outcomes] = [new Map<string, number>(), new Map<string, number>()];
	for (const worker of workers) {
		for (const [fault, amount] of worker.gateway.faults) add(kinds, fault, amount);
		for (const [outcome, amount] of worker.outcomes) add(outcomes, outcome, amount);
	}
	const [tried, contradictions] = [sum(kinds), workers.flatMap((worker) => worker.contradictions)];
	const letter = workers.flatMap((worker) => worker.letter);
	const unknown = ['unconfirmed', 'accepted', 'failed, not known'].map((one) => outcomes.get(one) ?? 0);
	console.log(
		`runs ${total(({ runs }) => runs)}, faults tried ${tried}, requests ${total(({ requests }) => requests)}, ` +
			`seconds ${Math.round(performance.now() / 1000)}`,
	);
	console.log(`faults: ${listed(kinds)}`);
	console.log(`outcomes: ${listed(outcomes)}`);
	const share = (100 * unknown.reduce((all, one) => all + one, 0)) / sum(outcomes);
	console.log(`said not to be known: ${share.toFixed(1)} % of the participants`);
	console.log(
		`not so, but as the contract has it: ${letter.length}${letter[0] === undefined ? '' : `, such as ${letter[0]}`}`,
	);
	tellKinds(contradictions);
	console.log(`contradictions: ${contradictions.length}`);
	const enough = run !== undefined || tried >= faults;
	if (!enough) console.log(`There was no time for all ${faults} faults.`);
	return contradictions.length === 0 && enough;
}
