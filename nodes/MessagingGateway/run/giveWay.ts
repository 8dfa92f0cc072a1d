import { sleep } from 'n8n-workflow';

/** Longest hold of n8n's thread, in ms: all other workflows wait as long. */
const LONGEST_HOLD = 25;

/** Makes a function to await between steps: it lets other workflows go on once this run has held n8n's thread too long. */
export function makeGiveWay(): () => Promise<void> {
	let started = performance.now();
	return async () => {
		if (performance.now() - started < LONGEST_HOLD) return;
		await sleep(0);
		started = performance.now();
	};
}
