import type { IDataObject } from 'n8n-workflow';
import type { Gateway } from '../../test/gateway/gateway';
import { until } from './children';
import { given } from './executions';
import { addWorkflow, executionsOf, ownNode, publish, unpublish, type WorkflowNode } from './published';
import type { Rest } from './rest';

/** n8n refuses to poll more than once a minute by one schedule, but takes many schedules. */
const EVERY_5_SECONDS = {
	item: Array.from({ length: 12 }, (_, i) => ({ mode: 'custom', cronExpression: `${i * 5} * * * * *` })),
};

/** Polls to wait for where it is to be seen that nothing more comes. */
const POLLS_MORE = 3;

/** Time for what has changed to be told of, in ms. */
const TIME_TO_TELL = 240_000;

/** What a watcher sees of n8n and of the gateway; after a restart n8n is at another place. */
export type Surroundings = () => { gateway: Gateway; rest: Rest };

/** A published workflow that starts with the trigger, which polls every 5 seconds. */
export class Watcher {
	/** How many items were given as news. */
	private known = 0;

	private constructor(
		readonly id: string,
		private readonly name: string,
		private readonly path: string,
		private readonly surroundings: Surroundings,
	) {}

	/**
	 * Makes the workflow, without publishing it.
	 *
	 * @param path what its calls of the gateway begin with
	 * @param next the nodes that come after the trigger
	 */
	static async create(
		surroundings: Surroundings,
		name: string,
		parameters: Record<string, unknown>,
		path: string,
		next: WorkflowNode[] = [],
	): Promise<Watcher> {
		const options = { shortestInterval: 0, ...Object(parameters.options) };
		const polling = { ...parameters, pollTimes: EVERY_5_SECONDS, options };
		const node = ownNode(name, polling, 'messagingGatewayTrigger');
		const id = await addWorkflow(surroundings().rest, name, [node, ...next]);
		return new Watcher(id, name, path, surroundings);
	}

	/** Publishes the workflow, or does that again, and waits until it has polled. */
	async publish(): Promise<void> {
		const polled = this.polls(1);
		await publish(this.surroundings().rest, this.id);
		await polled;
	}

	/** Has the workflow no longer poll. */
	async unpublish(): Promise<void> {
		await unpublish(this.surroundings().rest, this.id);
	}

	/** The items of all its executions so far, in order. @throws where one did not succeed */
	async told(): Promise<IDataObject[]> {
		const executions = await executionsOf(this.surroundings().rest, this.id);
		const bad = executions.find(({ status }) => status !== 'success');
		if (bad) throw new Error(`Execution ${bad.id} of "${this.name}": ${bad.status} ${bad.error?.message}`);
		return executions.flatMap((execution) => given(execution, this.name));
	}

	/** Waits until that many items are new, and for some polls more. Gives the new ones: more, if more came. */
	async news(count: number): Promise<IDataObject[]> {
		await until(
			`${count} news of "${this.name}"`,
			async () => ((await this.told()).length >= this.known + count ? true : undefined),
			{ timeout: TIME_TO_TELL },
		);
		await this.polls(POLLS_MORE);
		const news = (await this.told()).slice(this.known);
		this.known += news.length;
		return news;
	}

	/** Waits for polls that begin from now on, and are over. */
	async polls(count: number): Promise<void> {
		const { gateway } = this.surroundings();
		const before = gateway.calls.length;
		const answered = () =>
			gateway.calls
				.slice(before)
				.filter(({ path, finishedAt }) => path.startsWith(this.path) && finishedAt !== null);
		await until(`${count} polls of "${this.name}"`, () => (answered().length >= count ? true : undefined), {
			timeout: TIME_TO_TELL,
		});
	}
}
