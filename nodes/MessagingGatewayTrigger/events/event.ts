import type { JsonRecord } from '../../MessagingGateway/common/json';
import type { GatewayClient } from '../../MessagingGateway/gateway/client';
import type { RequestOptions } from '../../MessagingGateway/gateway/retry';
import type { GroupRef } from '../../MessagingGateway/groups/change';
import type { Parameters } from '../../MessagingGateway/run/parameters';

/** An event that a workflow can start on: reads the parameters of one poll. @throws Problem for one that isn't valid */
export type PollEvent = (parameters: Parameters, baseUrl: string) => Watch;

/** Something of the gateway that is watched. */
export interface Watch {
	/** Names what is watched. Another text than the remembered one starts afresh. */
	about: string;
	/** The instance and the group that a failure is about; empty for all instances. */
	subject: Partial<GroupRef>;
	/** Asks the gateway. @throws GatewayFailure, Problem */
	ask: (request: PollRequest) => Promise<PollResult>;
	/** The advice for a refused key, where the failure's own doesn't fit. */
	refusedKeyAdvice?: string;
}

/** What an event needs to ask the gateway. */
export interface PollRequest {
	client: GatewayClient;
	requestOptions: RequestOptions;
	/** Whether the watched thing was there before. */
	isKnown: () => boolean;
	/** Redacts the credential's key in a text that is remembered and given. */
	redactKey: (text: string) => string;
}

/** What a poll finds. Dates are ISO 8601, UTC. */
export interface PollResult {
	/**
	 * Compares with what is remembered.
	 *
	 * @param remembered without meaning to the event, e.g. `undefined`, there are no changes
	 * @returns an output item for each change, and what to remember next, as JSON
	 */
	compare: (remembered: unknown, detectedAt: string) => { items: JsonRecord[]; remembered: object };
	/** Shows what is there now as if it were the first of the chosen changes. @throws Problem if nothing is there */
	sample: (detectedAt: string) => JsonRecord;
}
