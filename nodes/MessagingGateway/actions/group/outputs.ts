import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { GatewayFailure } from '../../domain/failures/explain';
import { messageOf, Problem } from '../../domain/failures/problem';
import { NOT_KNOWN, rejectionOf, type ItemResult } from '../../domain/group/itemResults';
import { isRecord } from '../../domain/records/json';
import { hideSecrets } from '../../domain/text/secrets';
import { NotSent } from '../../transport/gateway';
import type { SentRequest } from './applyChanges';
import { failOnRejected as failOnRejectedOption } from './groupOptions';

/** Why an item fails. */
interface ItemProblem {
	/** What it goes back to. */
	cause: unknown;
	/** What to say, without full stops. */
	sentences: string[];
	/** What to do, if it is more than the cause's own advice. */
	description?: string;
}

/** Why an item fails; nothing if it doesn't. */
export function problemOf(itemResult: ItemResult, failOnRejected: boolean): ItemProblem | undefined {
	const [cause] = [...itemResult.failures].sort((a, b) => weightOf(b) - weightOf(a));
	if (isUncertain(cause))
		return {
			cause,
			sentences: [cause.message, NOT_KNOWN],
			description: `Check the group before you run this again. ${cause.description}`,
		};
	if (cause !== undefined) {
		const more = cause instanceof NotSent && itemResult.results.length > 0;
		const message = more ? `Nothing more was sent for this item: ${cause.reason.message}` : messageOf(cause);
		return { cause, sentences: [message] };
	}
	const rejection = failOnRejected ? rejectionOf(itemResult) : undefined;
	if (rejection === undefined) return undefined;
	const description = `Turn off '${failOnRejectedOption.field.displayName}' in the options to get the result of each participant`;
	return { cause: new Problem(rejection, description), sentences: [rejection] };
}

/** Of several failures of an item, the one that matters most: an outcome that is not known, then a refusal. */
function weightOf(failure: unknown): number {
	if (isUncertain(failure)) return 2;
	return failure instanceof NotSent ? 0 : 1;
}

/** Whether a change may have been carried out although its request failed. */
export function isUncertain(failure: unknown): failure is GatewayFailure {
	return failure instanceof GatewayFailure && !failure.notCarriedOut;
}

/** One output item for each participant; without `simplify` only for those of a dry run, which have no reply. */
export function resultItems({ requested, results }: ItemResult, simplify: boolean): INodeExecutionData[] {
	const shown = simplify ? results : results.filter(({ outcome }) => outcome === 'planned');
	return shown.map((result) => ({ json: result, pairedItem: { item: requested.item } }));
}

/** The gateway's reply as it came, but for secrets, paired with every item that took part. */
export function replyItems(sent: SentRequest): INodeExecutionData[] {
	if ('failure' in sent) return [];
	const items = new Set(sent.request.changes.flatMap(({ item }) => item ?? []));
	const reply = hideSecrets(sent.reply ?? null);
	const json = (isRecord(reply) ? reply : { reply }) as IDataObject;
	return [{ json, pairedItem: [...items].map((item) => ({ item })) }];
}
