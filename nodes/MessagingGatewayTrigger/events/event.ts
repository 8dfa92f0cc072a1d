import type { JsonRecord } from '../../MessagingGateway/common/json';
import type { GatewayClient } from '../../MessagingGateway/gateway/client';
import type { RequestOptions } from '../../MessagingGateway/gateway/sender';
import type { GroupRef } from '../../MessagingGateway/groups/change';

export interface Watch {
	/** Names the subject. Another text than the remembered one starts afresh. */
	about: string;
	/** The instance and group of a failure; empty for all instances. */
	subject: Partial<GroupRef>;
	/** Asks the gateway. @param isKnown whether an earlier poll found it @throws GatewayFailure, Problem */
	ask: (
		client: Pick<GatewayClient, 'allInstances' | 'connectionState' | 'members'>,
		options: RequestOptions,
		isKnown: boolean,
	) => Promise<PollResult>;
	/** Replaces the failure's advice for a refused key. */
	refusedKeyAdvice?: string;
}

export interface PollResult {
	/** Compares with the remembered value, if its form is right. @returns items, and the next value as JSON */
	compare: (remembered: unknown) => { items: JsonRecord[]; remembered: object };
	/** Makes an example of the first chosen change from current data. @throws Problem if there is no data */
	sample: () => JsonRecord;
}
