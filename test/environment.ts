import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Circus } from '@jest/types';
import NodeEnvironment from 'jest-environment-node';

/** From here on, garbage is collected before a test file, in bytes. */
const MUCH = 200_000_000;

// Jest reports a worker whose process takes half a second to end, and on a busy machine giving its memory back is most of that.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
// Nothing is left to do by then. Without this, Node takes the heap apart first.
process.once('beforeExit', () => process.exit());

/** Where tests run: Jest's usual environment, in processes that end quickly. Jest loads this file once in each of its workers. */
export default class Environment extends NodeEnvironment {
	private hasFailed = false;

	/** Skips the rest of a file after its first failure, if only that counts: `--bail` alone runs the file to its end. */
	readonly handleTestEvent = (event: Circus.Event): void => {
		if (event.name === 'test_done' && event.test.errors.length > 0) this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed && process.env.FIRST_FAILURE) event.test.mode = 'skip';
	};

	override async setup(): Promise<void> {
		if (process.memoryUsage.rss() > MUCH) collectGarbage();
		await super.setup();
	}
}
