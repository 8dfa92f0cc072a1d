/** The process of one contender in one case. For each round it's told the gateway, says that it's ready, and is told to go. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { cases, type CaseName, type Round } from './cases';
import type { Job } from './jobs';
import { loadN8n, type Work } from './n8n';
import type { Contender } from './contenders';

async function main(caseName: CaseName, name: Contender): Promise<never> {
	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	// n8n leaves timers open.
	process.once('disconnect', () => process.exit());

	const prepare = await loadN8n(resolve(__dirname, '..'), folder, name);
	global.gc?.();
	const memoryAtStart = process.memoryUsage.rss();
	// After that, since the input is part of what a round takes.
	const job = cases[caseName].job();
	process.send?.('loaded');
	for (;;) {
		const [access] = await once(process, 'message');
		const work = await prepare(job, access);
		global.gc?.();
		process.send?.('ready');
		await once(process, 'message');
		process.send?.(await measure(work, memoryAtStart, name === 'thisNode' ? job : undefined));
	}
}

/** CPU time of this thread so far, in ms: what a busy machine doesn't add to. Only Linux tells. */
function threadTime(): number {
	return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

/** @param job where its items have to come out */
async function measure(work: Work, memoryAtStart: number, job?: Job): Promise<Omit<Round, 'requests'>> {
	let [hold, before] = [0, threadTime()];
	const look = () => {
		const now = threadTime();
		[hold, before] = [Math.max(hold, now - before), now];
	};
	const looks = setInterval(look, 1);
	const started = performance.now();
	const items = await work();
	const wall = performance.now() - started;
	const memory = (process.resourceUsage().maxRSS * 1024 - memoryAtStart) / 1e6;
	// The end of the work is part of its last hold.
	await wait(2);
	look();
	clearInterval(looks);
	if (job && items?.length !== job.expected.length) throw new Error(`${items?.length} items`);
	job?.expected.forEach((fields, i) => {
		const isSo = Object.keys(fields).every((field) => items?.[i]?.[field] === fields[field]);
		if (!isSo) throw new Error(`Not ${JSON.stringify(fields)}: ${JSON.stringify(items?.[i])}`);
	});
	return { wall, hold, memory };
}

const [, , caseName, name] = process.argv;
void main(caseName as CaseName, name as Contender);
