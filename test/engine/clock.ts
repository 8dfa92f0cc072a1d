import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Line } from './line';

/** By how much the clock of a run is ahead, in ms. */
const clocks = new AsyncLocalStorage<{ ahead: number }>();

/** Does something whose pauses take no time: its own clock, and nobody else's, moves on by them. */
export async function skippingPauses<T>(work: () => Promise<T>): Promise<T> {
	return await clocks.run({ ahead: 0 }, work);
}

/** Has the `sleep` of a line's n8n-workflow, which the package waits with, and Node's clock know of skipped pauses. */
export function preparePauses({ number, workflowFolder }: Line): void {
	const requireFromWorkflow = createRequire(join(workflowFolder, 'package.json'));
	const source = number === 1 ? './dist/cjs/utils.js' : '@n8n/utils/sleep';
	const utils = requireFromWorkflow(source) as Pick<Line['workflow'], 'sleep'>;
	const { sleep } = utils;
	utils.sleep = async (ms) => {
		const clock = clocks.getStore();
		if (clock) clock.ahead += ms;
		await sleep(clock ? 0 : ms);
	};
	const now = performance.now.bind(performance);
	performance.now = () => now() + (clocks.getStore()?.ahead ?? 0);
}
