/** The child process of the gateway, so that its work is not counted as a contender's. */
import { startGateway, type Gateway } from '../test/gateway/gateway';
import { serve } from './child';
import type { Job } from './jobs/job';
import { jobOf, type JobSpec } from './jobs/jobs';

/** How the way to the gateway is. */
export interface Network {
	/** Time before each reply, in ms. */
	latency: number;
	tls: boolean;
}

/** Where the gateway is. */
export interface Access {
	baseUrl: string;
	apiKey: string;
}

/** What the gateway saw of a round. */
export interface Seen {
	requests: number;
	/** The most connections that were open at once. */
	connections: number;
	/** Whether its groups are as the job wants them. */
	isDone: boolean;
}

let gateway: Gateway | undefined;
let prepared: { key: string; job: Job } | undefined;

const functions = {
	/** Starts a new gateway for a round of the job. */
	open: async ({ spec, latency, tls }: Network & { spec: JobSpec }): Promise<Access> => {
		const key = JSON.stringify(spec);
		if (prepared?.key !== key) prepared = { key, job: jobOf(spec) };
		gateway = await startGateway({ seed: prepared.job.seed, latency, tls });
		return { baseUrl: gateway.url, apiKey: gateway.apiKey };
	},
	/** Ends it, and tells what it saw. */
	close: async (): Promise<Seen> => {
		if (gateway === undefined || prepared === undefined) throw new Error('No gateway is open');
		const { calls, maxConnections } = gateway;
		const isDone = prepared.job.isDone(gateway.snapshot());
		await gateway.close();
		global.gc?.();
		return { requests: calls.length, connections: maxConnections, isDone };
	},
};

export type GatewayFunctions = typeof functions;

serve(functions);
