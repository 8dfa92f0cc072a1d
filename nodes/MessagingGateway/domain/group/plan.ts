import type { Action } from './outcomes';

/**
 * One change of one person in one group: the unit of a plan. What was asked for and what is sent are two things, and a
 * change knows its own place, since an item may want several and one may belong to no item.
 */
export interface Change {
	/** Index among all changes of the run. */
	place: number;
	/** The input item that asks for it; nothing if none does. */
	item: number | undefined;
	instance: string;
	groupJid: string;
	action: Action;
	/** The participant as asked for, e.g. `+55 11 99999-0001`. */
	participant: string;
	/** As the gateway is asked for them: digits, or a full JID. */
	sentAs: string;
}

/** One call to the gateway. */
export interface PlannedRequest {
	instance: string;
	groupJid: string;
	action: Action;
	/** What is sent, each once, in the order of first mention. */
	participants: string[];
	/** Every change that it makes, in order. */
	changes: Change[];
}

/** How changes may be put together. */
export interface Grouping {
	/** Whether one request may serve several items. */
	combineItems: boolean;
	/** Most participants in one request. */
	batchSize: number;
}

/**
 * Turns changes into the fewest requests that leave every group as one request per item, in order, would leave it.
 *
 * In each group, consecutive changes through the same instance with the same action share a request until it is full;
 * any other starts the next one. Changes to other groups in between don't matter, since groups don't affect each other.
 *
 * @returns the requests in the order in which they have to be sent
 */
export function planRequests(changes: Iterable<Change>, grouping: Grouping): PlannedRequest[] {
	const requests: PlannedRequest[] = [];
	const open = new Map<string, OpenRequest>();
	for (const change of changes) {
		const { instance, groupJid, action } = change;
		let current = open.get(groupJid);
		if (current === undefined || !current.takes(change, grouping)) {
			current = new OpenRequest({ instance, groupJid, action, participants: [], changes: [] });
			open.set(groupJid, current);
			requests.push(current.request);
		}
		current.add(change);
	}
	return requests;
}

/** A request that is still being filled. */
class OpenRequest {
	private readonly sent = new Set<string>();

	constructor(readonly request: PlannedRequest) {}

	takes({ instance, action, item, sentAs }: Change, { combineItems, batchSize }: Grouping): boolean {
		if (instance !== this.request.instance || action !== this.request.action) return false;
		if (!combineItems && item !== this.request.changes.at(-1)?.item) return false;
		return this.sent.has(sentAs) || this.sent.size < batchSize;
	}

	add(change: Change): void {
		const { sentAs } = change;
		if (!this.sent.has(sentAs)) this.request.participants.push(sentAs);
		this.sent.add(sentAs);
		this.request.changes.push(change);
	}
}
