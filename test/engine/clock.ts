import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Line } from './line';

/** By how much the clocks of a run are ahead, and by how much more by pauses that took no time, in ms. */
const clocks = new AsyncLocalStorage<{ ahead: number; skipped: number; skipsPauses: boolean }>();

/** Does something by clocks of its own. Pauses that take no time move on the one that measures. @param ahead in ms */
export async function withClock<T>(
	{ ahead = 0, skipsPauses }: { ahead?: number | undefined; skipsPauses: boolean },
	work: () => Promise<T>,
): Promise<T> {
	return await clocks.run({ ahead, skipped: 0, skipsPauses }, work);
}

/** Has the `sleep` of a line's n8n-workflow, which the package waits with, and Node's clock know of skipped pauses. */
export function prepareClocks({ number, workflowFolder }: Line): void {
	const requireFromWorkflow = createRequire(join(workflowFolder, 'package.json'));
	const source = number === 1 ? './dist/cjs/utils.js' : '@n8n/utils/sleep';
	const utils = requireFromWorkflow(source) as Pick<Line['workflow'], 'sleep'>;
	const { sleep } = utils;
	utils.sleep = async (ms) => {
		const clock = clocks.getStore();
		if (!clock?.skipsPauses) return await sleep(ms);
		clock.skipped += ms;
		await sleep(0);
	};
	const measured = performance.now.bind(performance);
	performance.now = () => measured() + (clocks.getStore()?.ahead ?? 0) + (clocks.getStore()?.skipped ?? 0);
	const today = Date.now.bind(Date);
	Date.now = () => today() + (clocks.getStore()?.ahead ?? 0);
}
