/**
 * The process of one contender in one case, so that CPU time and memory are its own. Once loaded it says so; then for
 * each round it is told where the gateway is, says that it is ready, and is told to go.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { caseOf } from './cases';
import { contenders, type Access, type ContenderName } from './contenders';
import type { Job } from './jobs';
import { loadN8n } from './n8n';

/** What a worker measures of a round. */
export interface Measured {
	/** In ms. */
	wall: number;
	/** CPU time of user and system together, in ms. */
	cpu: number;
	/** The longest time for which nothing else in the process could run, in ms. */
	hold: number;
	/** The most memory that the process has taken so far beyond what it took when it was loaded, in MB. */
	memory: number;
}

async function main(caseName: string, name: ContenderName): Promise<never> {
	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	// n8n leaves timers open.
	process.once('disconnect', () => process.exit());

	const prepare = await load(name, folder);
	global.gc?.();
	const memoryAtStart = process.memoryUsage.rss();
	// After that, since the input is part of what a round takes.
	const job = caseOf(caseName).job();
	process.send?.('loaded');
	for (;;) {
		const work = await prepare(job, await message<Access>());
		global.gc?.();
		process.send?.('ready');
		await message();
		const { items, measured } = await measure<IDataObject[] | undefined>(work, memoryAtStart);
		if (items) check(items, name, job);
		process.send?.(measured);
	}
}

async function load(name: ContenderName, folder: string) {
	const { plain, node } = contenders[name];
	if (plain) return async (job: Job, access: Access) => async () => await plain(job, access);
	const prepare = await loadN8n(resolve(__dirname, '..'), folder);
	return async (job: Job, access: Access) => await prepare(job, access, node);
}

async function message<T>(): Promise<T> {
	const [received] = await once(process, 'message');
	return received;
}

async function measure<T>(work: () => Promise<T>, memoryAtStart: number) {
	const holds = monitorEventLoopDelay({ resolution: 1 });
	holds.enable();
	const cpuBefore = process.cpuUsage();
	const started = performance.now();
	const items = await work();
	const wall = performance.now() - started;
	const { user, system } = process.cpuUsage(cpuBefore);
	const memory = (process.resourceUsage().maxRSS * 1024 - memoryAtStart) / 1e6;
	// The end of the work is part of its last hold, which is noted by the next tick.
	await wait(2);
	holds.disable();
	const measured: Measured = { wall, cpu: (user + system) / 1000, hold: holds.max / 1e6, memory };
	return { items, measured };
}

/** @throws Error where not all items came out, or one of this node's hasn't the fields that it has to have */
function check(items: IDataObject[], name: ContenderName, { amount, expected }: Job): void {
	if (items.length !== amount) throw new Error(`${items.length} items, not ${amount}`);
	if (name !== 'thisNode') return;
	items.forEach((item, i) => {
		for (const [field, value] of Object.entries(expected(i)))
			if (item[field] !== value) throw new Error(`Not ${field} ${value}: ${JSON.stringify(item)}`);
	});
}

const [, , caseName = '', name] = process.argv;
void main(caseName, name as ContenderName);
