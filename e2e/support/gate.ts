import { createServer } from 'node:http';
import { listen } from '../../test/gateway/wire';
import { until } from './children';

/** Stands at the beginning of workflows that start by themselves, and lets a run through when a test is ready for it. */
export interface Gate {
	/** What a run asks, with its workflow and its execution's id: the items to go on with; none end it. */
	readonly url: string;
	/** Lets the next run of a workflow through with some items, and no other. Gives its execution's id. */
	letOne(workflow: string, items?: readonly object[]): Promise<string>;
	close(): Promise<void>;
}

/** How long n8n may take until its schedule starts a run, in ms. */
const TIME_TO_START = 240_000;

/** Starts a gate on this machine; at first it is shut. */
export async function startGate(): Promise<Gate> {
	/** By workflow, what the run gets that is let through, and who waits for its id. */
	const open = new Map<string, { items: readonly object[]; tell: (execution: string) => void }>();
	const server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
		const workflow = searchParams.get('workflow') ?? '';
		const waiting = open.get(workflow);
		open.delete(workflow);
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(waiting?.items ?? []));
		waiting?.tell(searchParams.get('execution') ?? '');
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}`,
		letOne: async (workflow, items = [{}]) => {
			let execution: string | undefined;
			open.set(workflow, { items, tell: (id) => (execution = id) });
			return await until(`A run of "${workflow}"`, () => execution, { timeout: TIME_TO_START });
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
