import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NOT_KNOWN, rejectionOf, type AnyAccount } from '../../domain/group/itemResults';
import { GatewayFailure } from '../../domain/failures/explain';
import { isRecord } from '../../domain/records/json';
import { messageOf, Problem } from '../../domain/failures/problem';
import { hideSecrets } from '../../domain/text/secrets';
import { NotSent } from '../../transport/gateway';
import type { Sent } from './sendRequests';

/** Why an item fails. */
interface ItemProblem {
	/** What it goes back to. */
	cause: unknown;
	/** What to say, without full stops. */
	sentences: string[];
	/** What to do, where it is more than the cause's own advice. */
	description?: string;
}

/** Why an item fails; nothing where it does not. */
export function problemOf(account: AnyAccount, failOnRejected: boolean): ItemProblem | undefined {
	const [cause] = [...account.failures].sort((a, b) => weightOf(b) - weightOf(a));
	if (isUncertain(cause))
		return {
			cause,
			sentences: [cause.message, NOT_KNOWN],
			description: `Check the group before you run this again. ${cause.description}`,
		};
	if (cause !== undefined) {
		const more = cause instanceof NotSent && account.results.length > 0;
		const message = more ? `Nothing more was sent for this item: ${cause.reason.message}` : messageOf(cause);
		return { cause, sentences: [message] };
	}
	const rejection = failOnRejected ? rejectionOf(account) : undefined;
	if (rejection === undefined) return undefined;
	const description =
		"Turn off 'Fail When a Participant Is Rejected' in the options to get the result of each participant";
	return { cause: new Problem(rejection, description), sentences: [rejection] };
}

/** Of several failures of an item, the one that matters most: an outcome that is not known, then a refusal. */
function weightOf(failure: unknown): number {
	if (isUncertain(failure)) return 2;
	return failure instanceof NotSent ? 0 : 1;
}

function isUncertain(failure: unknown): failure is GatewayFailure {
	return failure instanceof GatewayFailure && !failure.notCarriedOut;
}

/** One output item for each participant; without `simplify` only for those of a dry run, which have no reply. */
export function resultItems({ change, results }: AnyAccount, simplify: boolean): INodeExecutionData[] {
	const shown = simplify ? results : results.filter(({ outcome }) => outcome === 'planned');
	return shown.map((result) => ({ json: result, pairedItem: { item: change.item } }));
}

/** The gateway's reply as it came, but for secrets, paired with every item that took part. */
export function replyItems(sent: Sent): INodeExecutionData[] {
	if ('failure' in sent) return [];
	const items = new Set(sent.request.origins.map(({ item }) => item));
	const reply = hideSecrets(sent.reply ?? null);
	const json = (isRecord(reply) ? reply : { reply }) as IDataObject;
	return [{ json, pairedItem: [...items].map((item) => ({ item })) }];
}
