import { GatewayFailure } from '../gateway/failures/gatewayFailure';
import { messageOf, Problem } from '../common/problem';
import {
	NOT_KNOWN,
	partOf,
	progressOf,
	rejectionOf,
	type EndedRequest,
	type ItemResult,
} from '../groups/itemResults';
import type { ParticipantResult } from '../groups/matching/results';
import { NotSent } from '../gateway/connection';
import type { FailedItem } from './items';
import { toNodeError } from './nodeErrors';
import type { Run } from './operation';
import { failOnRejected as failOnRejectedOption } from '../fields/groupOptions';

/** Why an item fails. */
interface ItemProblem {
	/** What it goes back to. */
	cause: unknown;
	/** What to say, without full stops. */
	sentences: string[];
	/** What to do, if it is more than the cause's own advice. */
	description?: string;
}

/** An item that asked for group changes. */
export interface RequestingItem {
	item: number;
	failOnRejected: boolean;
}

/** The requests of a run that has ended. */
export interface EndedRun {
	sent: readonly EndedRequest[];
	/** How many there were to be. */
	requests: number;
}

/**
 * The items that fail although they were read.
 *
 * @throws the first one's error, with what was applied before, unless the node continues on fail
 */
export async function itemErrorsOf(
	run: Run,
	itemResults: ReadonlyArray<ItemResult<RequestingItem>>,
	ended: EndedRun,
): Promise<FailedItem[]> {
	const allSent = ended.sent.every((one) => 'results' in one);
	const errors = await run.breather.map(itemResults, (itemResult) => {
		const { item, failOnRejected } = itemResult.requested;
		const problem = problemOf(itemResult, failOnRejected && (allSent || run.context.continueOnFail()));
		return problem && failItem(run, item, problem, partOf(itemResult), ended);
	});
	return errors.filter((error) => error !== undefined);
}

/**
 * Makes an item fail.
 *
 * @param part what became of the item all the same, for when the run goes on
 * @throws the error, with what was applied before, unless the node continues on fail
 */
export function failItem(
	{ context, secrets }: Run,
	item: number,
	{ cause, sentences, description }: ItemProblem,
	part: readonly string[],
	{ sent, requests }: EndedRun,
): FailedItem {
	const goesOn = context.continueOnFail();
	const applied = goesOn ? part : progressOf(sent, requests, !isUncertain(cause));
	const words = { message: [...sentences, ...applied].join('. '), ...(description && { description }) };
	const error = toNodeError(context.getNode(), cause, secrets, item, words);
	if (!goesOn) throw error;
	return { item, error };
}

/** Why an item fails; nothing if it doesn't. */
export function problemOf(
	itemResult: Pick<ItemResult, 'results' | 'failures'>,
	failOnRejected: boolean,
): ItemProblem | undefined {
	const [cause] = [...itemResult.failures].sort((a, b) => weightOf(b) - weightOf(a));
	if (isUncertain(cause))
		return {
			cause,
			sentences: [cause.message, NOT_KNOWN],
			description: `Check the group before you run this again. ${cause.description}`,
		};
	if (cause !== undefined) {
		const more = cause instanceof NotSent && itemResult.results.some(wasSent);
		const message = more ? `Nothing more was sent for this item: ${cause.reason.message}` : messageOf(cause);
		return { cause, sentences: [message] };
	}
	const rejection = failOnRejected ? rejectionOf(itemResult) : undefined;
	if (rejection === undefined) return undefined;
	const description = `Turn off '${failOnRejectedOption.field.displayName}' in the options to get the result of each participant`;
	return { cause: new Problem(rejection, description), sentences: [rejection] };
}

/** Outcomes for which nothing is sent. */
const UNSENT = new Set<string>(['postponed', 'planned', 'alreadyInvited']);

function wasSent({ action, outcome }: ParticipantResult): boolean {
	return action !== 'none' && !UNSENT.has(outcome);
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
