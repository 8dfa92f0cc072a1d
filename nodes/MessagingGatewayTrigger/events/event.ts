import type { JsonRecord } from '../../MessagingGateway/common/json';
import type { Steps } from '../../MessagingGateway/common/steps';
import type { GatewayClient } from '../../MessagingGateway/gateway/client';
import type { RequestOptions } from '../../MessagingGateway/gateway/retry';
import type { GroupRef } from '../../MessagingGateway/groups/change';
import type { Parameters } from '../../MessagingGateway/run/parameters';

/** An event that a workflow can start on: reads the parameters of one poll. @throws Problem for one that isn't valid */
export type PollEvent = (parameters: Parameters, baseUrl: string) => Watch;

/** Something of the gateway that is watched. */
export interface Watch {
	/** What is watched, as text: another one than remembered starts afresh. */
	about: string;
	/** The instance and the group that a failure is about; empty for all instances. */
	subject: Partial<GroupRef>;
	/** Asks the gateway. @throws GatewayFailure, Problem */
	ask: (poll: Poll) => Promise<PollReply>;
	/** What to do about a failure, if it's more than its own advice. */
	adviceFor?: (failure: unknown) => string | undefined;
}

/** One poll of the gateway. */
export interface Poll {
	client: GatewayClient;
	requestOptions: RequestOptions;
	/** Whether nothing is remembered yet. */
	isFirst: () => boolean;
	/** Redacts the credential's key in a text, which is remembered and given. */
	redactKey: (text: string) => string;
}

/** What the gateway answers to a poll. */
export interface PollReply {
	/** All of it that matters for what is remembered, as text: the same one says the same. */
	text: string;
	/** Finds out what it says, as work that halts between its parts. */
	read: () => Steps<PollResult>;
}

/** What a poll finds, as work that halts between its parts. Dates are ISO 8601, UTC. */
export interface PollResult {
	/** What to remember of a first poll, as JSON. */
	remember: () => Steps<unknown>;
	/**
	 * Compares with what is remembered.
	 *
	 * @returns an output item for each change, and what to remember next; `undefined` if what is remembered isn't understood
	 */
	compare: (
		remembered: unknown,
		detectedAt: string,
	) => Steps<{ items: JsonRecord[]; remembered: unknown } | undefined>;
	/** An item of what is there now, as if it were the first of the chosen changes. @throws Problem if nothing is there */
	sample: (detectedAt: string) => JsonRecord;
}
