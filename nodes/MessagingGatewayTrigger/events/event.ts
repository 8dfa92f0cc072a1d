import type { JsonRecord } from '../../MessagingGateway/common/json';
import type { GatewayClient } from '../../MessagingGateway/gateway/client';
import type { RequestOptions } from '../../MessagingGateway/gateway/retry';
import type { GroupRef } from '../../MessagingGateway/groups/change';

/** The subject of a trigger's polls. */
export interface Watch {
	/** Names the subject. Another text than the remembered one starts afresh. */
	about: string;
	/** The instance and group of a failure; empty for all instances. */
	subject: Partial<GroupRef>;
	/** Asks the gateway. @throws GatewayFailure, Problem */
	ask: (request: PollRequest) => Promise<PollResult>;
	/** Replaces the failure's advice for a refused key. */
	refusedKeyAdvice?: string;
}

/** The means of an event to ask the gateway. */
export interface PollRequest {
	client: GatewayClient;
	requestOptions: RequestOptions;
	/** Whether an earlier poll found the subject. */
	isKnown: () => boolean;
	/** Redacts the credential's key in a text to remember or to output. */
	redactKey: (text: string) => string;
}

/** The findings of a poll. Dates are ISO 8601, UTC. */
export interface PollResult {
	/**
	 * Compares with the remembered value. A value of another form, e.g. `undefined`, gives no changes.
	 *
	 * @returns an output item for each change, and the next value to remember, as JSON
	 */
	compare: (remembered: unknown, detectedAt: string) => { items: JsonRecord[]; remembered: object };
	/** Makes an example of the first chosen change from current data. @throws Problem if there is no data */
	sample: (detectedAt: string) => JsonRecord;
}
