/** The child process of one contender with one job: so that CPU time and memory are its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from './child';
import { contenderOf, type ContenderName } from './contenders/contenders';
import { send } from './contenders/plain';
import type { Access } from './gateway-host';
import type { Job } from './jobs/job';
import { jobOf, type JobSpec } from './jobs/jobs';
import { startN8n, type N8n } from './n8n';
import { profiled, type TimeByPart } from './profile';

/** One round of a contender. */
export interface Measure {
	/** In ms. */
	wall: number;
	/** CPU time of user and system together, in ms. */
	cpu: number;
	/** The longest time for which nothing else in the process could run, in ms. */
	hold: number;
	/** What is wrong with the result; nothing where it is right. */
	wrong?: string;
}

const [, , name = '', spec = ''] = process.argv;
const contender = contenderOf(name as ContenderName);
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

let n8n: N8n | undefined;
let job: Job | undefined;
let rssAtStart = 0;

/** What is to be measured: it gives the answers, or the items that a node made of them. */
async function prepare(job: Job, access: Access): Promise<() => Promise<unknown[]>> {
	if ('plain' in contender) {
		if (job.poll?.event !== undefined) await send(job.poll.event, access);
		return async () => await contender.plain(job, access);
	}
	if (n8n === undefined) throw new Error('n8n is not loaded');
	if (job.poll !== undefined) return await n8n.preparePoll(job, job.poll.event, access);
	return n8n.prepare(job, access, contender.node?.(job, n8n.ownDescription));
}

function whatIsWrong(job: Job, result: unknown[]): string | undefined {
	const { checks = {} } = contender;
	// The fewest calls are not in the order of the rows, and say everything once.
	const isPlain = 'plain' in contender;
	const expected = isPlain ? [...new Set(job.outputs)].sort() : job.outputs;
	const amount = checks.outputs === 'asInput' ? job.items.length : expected.length;
	if (result.length !== amount) return `${result.length} results instead of ${amount}`;
	if (checks.answers === false) return undefined;
	const subjects = result.map((one) => job.subjectOf(one));
	if (isPlain) subjects.sort();
	const wrong = subjects.findIndex((subject, i) => subject !== expected[i]);
	return wrong < 0 ? undefined : `a wrong result for ${expected[wrong]}: ${String(subjects[wrong])}`;
}

const functions = {
	/** Loads what is not to be measured. */
	load: async (): Promise<void> => {
		if (!('plain' in contender)) n8n = await startN8n(resolve(__dirname, '..'), folder);
		global.gc?.();
		rssAtStart = process.memoryUsage.rss();
	},
	/** One round. */
	run: async (access: Access): Promise<Measure> => {
		// Not before the memory at the start is known, since the input is part of what a run takes.
		job ??= jobOf(JSON.parse(spec) as JobSpec);
		const work = await prepare(job, access);
		global.gc?.();
		const holds = monitorEventLoopDelay({ resolution: 1 });
		holds.enable();
		const cpuBefore = process.cpuUsage();
		const started = performance.now();
		let result: unknown[];
		try {
			result = await work();
		} catch (error) {
			return {
				wall: NaN,
				cpu: NaN,
				hold: NaN,
				wrong: error instanceof Error ? error.message : String(error),
			};
		}
		const wall = performance.now() - started;
		const { user, system } = process.cpuUsage(cpuBefore);
		// The end of the work is part of its last hold, which is noted by the next tick.
		await wait(2);
		holds.disable();
		const hold = holds.max / 1e6;
		const wrong = whatIsWrong(job, result);
		return { wall, cpu: (user + system) / 1000, hold, ...(wrong !== undefined && { wrong }) };
	},
	/** One round under the profiler. */
	profile: async (access: Access): Promise<TimeByPart> =>
		await profiled(await prepare((job ??= jobOf(JSON.parse(spec) as JobSpec)), access)),
	/** How much memory the process has taken at most since it was loaded, in bytes. */
	peakMemory: async (): Promise<number> => process.resourceUsage().maxRSS * 1024 - rssAtStart,
};

export type WorkerFunctions = typeof functions;

serve(functions);
