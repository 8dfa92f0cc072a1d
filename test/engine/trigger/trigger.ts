import { randomUUID } from 'node:crypto';
import { KINDS, kindsSeed, type Gateway, type GatewayOptions } from '../../gateway/gateway';
import type { Activation, Engine, PollResult } from '../engine';
import { locator } from '../support';

/** How a trigger is switched on, where it is not as usual. */
export type Settings = Partial<Omit<Activation, 'id' | 'parameters' | 'credentials'>> & { apiKey?: string };

/** The trigger in a workflow that is switched on: what n8n stores stays, whatever becomes of n8n. */
export class Trigger {
	/** What n8n has stored with the workflow. */
	staticData: object = {};

	private activation: Activation;

	constructor(
		private readonly engine: Engine,
		gateway: Pick<Gateway, 'url' | 'apiKey'>,
		public parameters: object,
		settings: Settings = {},
	) {
		this.activation = {
			id: randomUUID(),
			mode: 'trigger',
			activation: 'activate',
			credentialId: '1',
			staticData: {},
			...settings,
			parameters,
			credentials: { baseUrl: gateway.url, apiKey: settings.apiKey ?? gateway.apiKey },
		};
	}

	/** Switches the trigger on again, or has n8n do so, with what is stored; from then on it has a context of its own. */
	restart(
		settings: Settings & { gateway?: Pick<Gateway, 'url' | 'apiKey'>; parameters?: object } = {},
	): this {
		const { gateway, parameters = this.activation.parameters, ...others } = settings;
		this.activation = {
			...this.activation,
			activation: 'init',
			...others,
			id: randomUUID(),
			parameters,
			staticData: this.staticData,
			...(gateway && { credentials: { baseUrl: gateway.url, apiKey: gateway.apiKey } }),
		};
		return this;
	}

	async poll(): Promise<PollResult> {
		const result = await this.engine.poll(this.activation);
		this.staticData = result.staticData;
		return result;
	}

	/** Fails where the poll does. @returns the items, none if no workflow starts */
	async items(): Promise<Array<Record<string, unknown>>> {
		const { items, error } = await this.poll();
		if (error) throw new Error(`${error.message} (${String(error.description)})`);
		if (items?.length === 0) throw new Error('An empty run started');
		return (items ?? []).map(({ json }) => json);
	}

	/** Fails where the poll doesn't. @returns what it threw */
	async error(): Promise<NonNullable<PollResult['error']>> {
		const { error, items } = await this.poll();
		if (!error) throw new Error(`The poll gave ${JSON.stringify(items)}`);
		return error;
	}
}

interface More {
	options?: object;
	[parameter: string]: unknown;
}

/** Every poll asks the gateway. */
const everyPoll = { shortestInterval: 0 };

/** Parameters for the members of a group of `keeper`. */
export function participants(group: string = KINDS.numbers, { options, ...more }: More = {}): object {
	return {
		event: 'participantsChanged',
		instance: locator('keeper', 'name'),
		group: locator(group),
		changes: ['joined', 'left', 'promoted', 'demoted'],
		options: { ...everyPoll, ...options },
		...more,
	};
}

/** Parameters for the statuses of all instances; a new one counts at once. */
export function statuses({ options, ...more }: More = {}): object {
	return { event: 'instanceStatusChanged', watch: 'all', options: { ...everyPoll, ...options }, ...more };
}

/** Parameters for the status of one instance. */
export function statusOf(instance: string, more: More = {}): object {
	return statuses({ watch: 'one', instance: locator(instance, 'name'), ...more });
}

/** Changes as `joined 5511…`, by number, or by ID where there is none. */
export function told(items: Array<Record<string, unknown>>): string[] {
	return items
		.map(({ change, participant, jid }) => `${String(change)} ${String(participant ?? jid)}`)
		.sort();
}

/** Triggers that have polled once, each at a gateway of its own. */
export const triggersAt =
	(engine: () => Engine, start: (options: GatewayOptions) => Promise<Gateway>) =>
	async (parameters: object, { generation = '2.3', seed = kindsSeed }: GatewayOptions = {}) => {
		const gateway = await start({ generation, seed });
		const trigger = new Trigger(engine(), gateway, parameters);
		await trigger.items();
		return { gateway, trigger };
	};
