import type { IPollFunctions } from 'n8n-workflow';

/** The time for a poll on n8n 1.x, which sets none: what 2.x usually gives, in ms. */
const USUAL_BUDGET = 300_000;

/** What n8n gave a trigger to poll with: one context from an activation on, or one for each poll. */
interface PollContext {
	isUpdate: boolean;
	/** In ms. */
	budget: number;
	/** How many polls used it so far. */
	polls: number;
}
const contexts = new WeakMap<IPollFunctions, PollContext>();
/** The newest one by trigger. */
const newestContext = new Map<string, PollContext>();

/** Time that n8n has for this poll, in ms. 1.x has no limit, but what 2.x usually has is long enough. */
export function budgetOf(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET;
}

/**
 * Whether this is the first poll of an activation: the first one in its context. n8n 2.x's own scheduler, however, makes a
 * context for each poll, which looks like that of an activation by an update. It is one of these if n8n gives another time
 * for it than for the context before, or if that one was such a context, too, and was used for a single poll.
 */
export function isFirstPoll(context: IPollFunctions): boolean {
	const known = contexts.get(context);
	if (known !== undefined) {
		known.polls += 1;
		return false;
	}
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const before = newestContext.get(trigger);
	const isUpdate = context.getActivationMode() === 'update';
	const now = { isUpdate, budget: budgetOf(context), polls: 1 };
	contexts.set(context, now);
	newestContext.set(trigger, now);
	if (!isUpdate || before === undefined) return true;
	return before.budget === now.budget && !(before.isUpdate && before.polls === 1);
}
