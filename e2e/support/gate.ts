import { createServer } from 'node:http';
import { listen } from '../../test/gateway/wire';
import { until } from './children';

/** Stands at the beginning of workflows that start by themselves, and lets a run through when a test is ready for it. */
export interface Gate {
	/** What a run asks, with its workflow and its execution's id: the items to go on with; none end it. */
	readonly url: string;
	/** What a run asks before it ends, with its execution's id. */
	readonly exitUrl: string;
	/** Waits until so many runs of a workflow are there at once, and keeps them until each is let through. */
	runs(workflow: string, count: number): Promise<WaitingRun[]>;
	/** Lets the next run of a workflow through with some items, and no other. Gives its execution's id. */
	letOne(workflow: string, items?: readonly object[]): Promise<string>;
	/** Waits until a run is at its exit. Gives a function that lets it end. */
	atExit(execution: string): Promise<() => void>;
	close(): Promise<void>;
}

interface WaitingRun {
	/** Its execution's id. */
	id: string;
	go(items?: readonly object[]): void;
}

/** How long n8n may take until its schedule starts a run, in ms. */
const TIME_TO_START = 240_000;

const EXIT = '/exit';

/** Starts a gate on this machine; at first it is shut. */
export async function startGate(): Promise<Gate> {
	/** By workflow, how many runs are awaited, and those that are there. */
	const open = new Map<string, { count: number; waiting: WaitingRun[] }>();
	/** By execution, what lets it end. */
	const exits = new Map<string, () => void>();
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
		const execution = searchParams.get('execution') ?? '';
		const go = (items: readonly object[] = [{}]) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(items));
		const { count = 0, waiting = [] } = open.get(searchParams.get('workflow') ?? '') ?? {};
		if (pathname === EXIT) exits.set(execution, go);
		else if (waiting.length < count) waiting.push({ id: execution, go });
		else go([]);
	});
	const runs: Gate['runs'] = async (workflow, count) => {
		const waiting: WaitingRun[] = [];
		open.set(workflow, { count, waiting });
		const areThere = () => (waiting.length === count ? waiting : undefined);
		return await until(`${count} runs of "${workflow}"`, areThere, { timeout: TIME_TO_START });
	};
	const url = `http://127.0.0.1:${await listen(server)}`;
	return {
		url,
		exitUrl: url + EXIT,
		runs,
		letOne: async (workflow, items) => {
			const [run] = await runs(workflow, 1);
			run?.go(items);
			return run?.id ?? '';
		},
		atExit: async (execution) =>
			await until(`The end of ${execution}`, () => exits.get(execution), { timeout: TIME_TO_START }),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
