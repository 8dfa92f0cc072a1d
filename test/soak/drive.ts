import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { startEngine, type Engine } from '../engine/engine';
import { runNode, type NodeRun, type NodeSettings } from '../engine/support';
import { add, grouped, listed, sum } from './counts';
import { apiKey, type HostileGateway, type Scene } from './network/gateway';

/** Runs take a second or two; this is for those that never end. */
const runDeadline = 30_000;
/** No run begins later than this, in ms since the start of the process. */
const deadline = 300_000;
/** How many engines work at the same time, each with a gateway of its own. */
const engines = 2;
/** The key in the forms that no output may hold it in. */
const keys = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')];

/** A run of the node: its items, its settings, and what it meets. */
export interface Plan<S extends Scene> extends Required<NodeSettings> {
	options: Record<string, number | boolean | string>;
	rows: object[];
	scene: S;
}

/** One of those that work side by side. */
interface Worker<G> {
	gateway: G;
	engine: Engine;
}

/** A run that did not end in time. */
class Endless extends Error {}

/** What was found in all runs. */
export class Findings {
	readonly outcomes = new Map<string, number>();
	private readonly contradictions: string[] = [];
	runs = 0;
	requests = 0;

	/** Counts a run's items by outcome, and its requests. */
	count({ main, failed }: NodeRun, requests: number): void {
		this.requests += requests;
		for (const { json, error } of [...main, ...failed])
			add(this.outcomes, error ? 'failed' : `${json.action} ${json.outcome} ${json.reason ?? ''}`.trim());
	}

	/** Keeps what was contradictory in a run, `run 12: <kind>. <example>`. */
	add(name: string, found: readonly string[]): void {
		this.contradictions.push(...found.map((one) => `${name}: ${one}`));
	}

	/** Prints each kind of contradiction with how often it was found, and its shortest example; gives how many there are. */
	tell(): number {
		const kindOf = (one: string) => /^[^:]*: ([^.]*)/.exec(one)?.[1]?.replace(/\d+/g, 'N');
		for (const [kind, all] of grouped(this.contradictions, kindOf)) {
			const shortest = all.reduce((least, one) => (one.length < least.length ? one : least));
			console.log(`contradiction (${all.length}): ${kind}\n    ${shortest}`);
		}
		console.log(`contradictions: ${this.contradictions.length}`);
		return this.contradictions.length;
	}
}

/**
 * Makes one run of the node.
 *
 * @returns what it gave, and what is wrong with it whatever was to be done
 * @throws Endless if it does not end
 */
export async function runOnce<S extends Scene>(
	{ engine, gateway }: Worker<Pick<HostileGateway<S>, 'begin' | 'url' | 'complaints'>>,
	parameters: object,
	{ rows, scene, onError }: Plan<S>,
): Promise<{ run: NodeRun; contradictions: string[] }> {
	await gateway.begin(scene);
	const run = await Promise.race([
		runNode(engine, { url: gateway.url, apiKey }, parameters, rows, { onError }),
		wait(runDeadline, undefined, { ref: false }),
	]);
	if (run === undefined) throw new Endless();
	const contradictions = [...gateway.complaints];
	const text = JSON.stringify([run.main, run.failed, run.error, run.hints, run.run.logs, run.run.raw]);
	if (keys.some((key) => text.includes(key))) contradictions.push('the key is in what the run gave');
	return { run, contradictions };
}

/**
 * Makes runs side by side, numbered from 1 on, and prints what was found.
 *
 * @param goal how many runs there have to be
 * @param only the number of the one run that is made instead
 * @param attempt makes the run of a number
 * @returns whether nothing was contradictory, and there was time for all
 */
export async function drive<
	G extends Pick<HostileGateway, 'stop' | 'faults'> & { start(): Promise<unknown> },
>(
	newGateway: () => G,
	goal: number,
	only: number | undefined,
	attempt: (run: number, worker: Worker<G>, findings: Findings) => Promise<void>,
): Promise<boolean> {
	const findings = new Findings();
	const gateways = Array.from({ length: only === undefined ? engines : 1 }, newGateway);
	const isReached = () => findings.runs >= (only === undefined ? goal : 1);
	const work = async (gateway: G): Promise<void> => {
		let engine = await startEngine(2);
		await gateway.start();
		try {
			while (!isReached() && performance.now() < deadline) {
				findings.runs += 1;
				const run = only ?? findings.runs;
				const ended = await attempt(run, { gateway, engine }, findings).catch((error: unknown) => {
					if (!(error instanceof Endless)) throw error;
					return error;
				});
				if (ended === undefined) continue;
				findings.add(`run ${run}`, ['the run did not end']);
				await engine.stop();
				engine = await startEngine(2);
			}
		} finally {
			await Promise.all([engine.stop(), gateway.stop()]);
		}
	};
	await Promise.all(gateways.map(work));

	const kinds = new Map<string, number>();
	for (const gateway of gateways) for (const [fault, amount] of gateway.faults) add(kinds, fault, amount);
	const seconds = Math.round(performance.now() / 1000);
	console.log(
		`runs ${findings.runs}, faults ${sum(kinds)}, requests ${findings.requests}, seconds ${seconds}`,
	);
	console.log(`faults: ${listed(kinds)}`);
	console.log(`outcomes: ${listed(findings.outcomes)}`);
	if (!isReached()) console.log('There was no time for all.');
	return findings.tell() === 0 && isReached();
}

/** Prints what a run was given, what arrived, in words, and what it gave. */
export function tell({ rows, scene, options }: Plan<Scene>, run: NodeRun, arrived: readonly string[]): void {
	console.log(JSON.stringify({ options, rewrites: scene.network.rewrites, generation: scene.generation }));
	rows.forEach((row, i) => console.log(`row ${i}: ${JSON.stringify(Object.values(row))}`));
	arrived.forEach((one, i) => console.log(`request ${i}: ${one}`));
	for (const { json, error, pairedItem } of [...run.main, ...run.failed])
		console.log(`output ${JSON.stringify(pairedItem)}: ${error?.message ?? JSON.stringify(json)}`);
	for (const one of [run.error?.message, ...run.hints]) if (one !== undefined) console.log(one);
}
